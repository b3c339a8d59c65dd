/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shell.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-shell-lexer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  LIST_WHOLE,
  LIST_SUBSHELL,
  LIST_GROUP,
} ListKind;

typedef struct
{
  BeckonShellLexer lexer;
  GPtrArray *segments;
  guint depth;
  BeckonShellJoin join; /* of the command that comes next */
} Parser;

static gboolean parse_list (Parser *self, ListKind kind, GError **error);

static gboolean
refuse_token (const Parser *self, GError **error)
{
  g_autofree char *what = g_strndup (self->lexer.line + self->lexer.start, self->lexer.end - self->lexer.start);

  if (self->lexer.kind == BECKON_SHELL_TOKEN_END)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The command is not complete."));
  else
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           /* Translators: %s is a word of a shell command, such as while */
                           _("“%s” is not understood here, so the command is always asked for."), what);

  return FALSE;
}

static gboolean
advance (Parser *self, GError **error)
{
  return beckon_shell_lexer_advance (&self->lexer, error);
}

static gboolean
skip_newlines (Parser *self, GError **error)
{
  while (self->lexer.kind == BECKON_SHELL_TOKEN_NEWLINE)
    if (!advance (self, error))
      return FALSE;

  return TRUE;
}

static BeckonShellWord *
take_word (const Parser *self)
{
  return beckon_shell_word_new (g_strndup (self->lexer.text->str, self->lexer.text->len), self->lexer.flags);
}

/* A copy of a descriptor names another one, or closes it; elsewhere it is a file, which shells disagree about. */
static gboolean
is_descriptor (const char *target)
{
  return strcmp (target, "-") == 0 || (*target != '\0' && strspn (target, "0123456789") == strlen (target));
}

static gboolean
parse_redirection (Parser *self, BeckonShellSegment *segment, GError **error)
{
  g_autofree char *operator = g_strdup (self->lexer.text->str);

  if (!advance (self, error))
    return FALSE;
  if (self->lexer.kind != BECKON_SHELL_TOKEN_WORD
      || (g_str_has_suffix (operator, "&") && !is_descriptor (self->lexer.text->str)))
    return refuse_token (self, error);

  g_ptr_array_add (segment->redirections,
                   beckon_shell_redirection_new (g_steal_pointer (&operator), take_word (self)));
  return TRUE;
}

static gboolean
is_control_word (const BeckonShellLexer *lexer)
{
  static const char *const words[] = { "if",    "then", "else", "elif", "fi",     "do",   "done",     "case",   "esac",
                                       "while", "until", "for",  "[[",   "]]",     "select", "function", "coproc", "time",
                                       "}",     "!" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (beckon_shell_lexer_is_reserved (lexer, words[i]))
      return TRUE;

  return FALSE;
}

static gboolean
parse_piece (Parser *self, BeckonShellSegment *segment, GError **error)
{
  if (self->lexer.kind == BECKON_SHELL_TOKEN_REDIRECT)
    return parse_redirection (self, segment, error);
  if (segment->words->len == 0 && beckon_shell_lexer_is_disputed (&self->lexer))
    return refuse_token (self, error);

  if (segment->words->len == 0 && beckon_shell_lexer_is_assignment (&self->lexer))
    g_ptr_array_add (segment->assignments, take_word (self));
  else
    g_ptr_array_add (segment->words, take_word (self));

  return TRUE;
}

static gboolean
parse_simple (Parser *self, GError **error)
{
  g_autoptr (BeckonShellSegment) segment = beckon_shell_segment_new ();
  gsize start = self->lexer.start;
  gsize end = start;

  if (is_control_word (&self->lexer))
    return refuse_token (self, error);
  while (self->lexer.kind == BECKON_SHELL_TOKEN_WORD || self->lexer.kind == BECKON_SHELL_TOKEN_REDIRECT)
    {
      if (!parse_piece (self, segment, error))
        return FALSE;
      end = self->lexer.end;
      if (!advance (self, error))
        return FALSE;
    }

  if (end == start)
    return refuse_token (self, error);

  segment->text = g_strndup (self->lexer.line + start, end - start);
  segment->join = self->depth > 0 ? BECKON_SHELL_JOIN_OTHER : self->join;
  g_ptr_array_add (self->segments, g_steal_pointer (&segment));
  return TRUE;
}

/* ( … ) or { … }, and what is redirected for all of it, which stands as a command of its own without words. */
static gboolean
parse_compound (Parser *self, ListKind kind, GError **error)
{
  if (++self->depth > BECKON_SHELL_MAX_DEPTH)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_DEEP, _("The command is nested too deeply."));
      return FALSE;
    }
  if (!advance (self, error) || !parse_list (self, kind, error))
    return FALSE;

  self->depth--;
  self->join = BECKON_SHELL_JOIN_OTHER;
  if (!advance (self, error))
    return FALSE;

  return self->lexer.kind != BECKON_SHELL_TOKEN_REDIRECT || parse_simple (self, error);
}

/* A ! belongs to a whole pipeline. */
static gboolean
parse_command (Parser *self, gboolean in_pipeline, GError **error)
{
  if (!in_pipeline && beckon_shell_lexer_is_reserved (&self->lexer, "!"))
    {
      self->join = BECKON_SHELL_JOIN_OTHER;
      if (!advance (self, error))
        return FALSE;
    }
  if (self->lexer.kind == BECKON_SHELL_TOKEN_OPEN)
    return parse_compound (self, LIST_SUBSHELL, error);
  if (beckon_shell_lexer_is_reserved (&self->lexer, "{"))
    return parse_compound (self, LIST_GROUP, error);

  return parse_simple (self, error);
}

static gboolean
is_at_end (const Parser *self, ListKind kind)
{
  switch (kind)
    {
    case LIST_SUBSHELL:
      return self->lexer.kind == BECKON_SHELL_TOKEN_CLOSE;
    case LIST_GROUP:
      return beckon_shell_lexer_is_reserved (&self->lexer, "}");
    case LIST_WHOLE:
    default:
      return self->lexer.kind == BECKON_SHELL_TOKEN_END;
    }
}

static gboolean
joins_two (BeckonShellTokenKind kind)
{
  return kind == BECKON_SHELL_TOKEN_AND || kind == BECKON_SHELL_TOKEN_OR || kind == BECKON_SHELL_TOKEN_PIPE;
}

static gboolean
ends_one (BeckonShellTokenKind kind)
{
  return kind == BECKON_SHELL_TOKEN_SEMICOLON || kind == BECKON_SHELL_TOKEN_BACKGROUND
         || kind == BECKON_SHELL_TOKEN_NEWLINE;
}

static BeckonShellJoin
join_of (BeckonShellTokenKind separator)
{
  if (separator == BECKON_SHELL_TOKEN_AND)
    return BECKON_SHELL_JOIN_AND;
  if (separator == BECKON_SHELL_TOKEN_PIPE)
    return BECKON_SHELL_JOIN_PIPE;

  return separator == BECKON_SHELL_TOKEN_SEMICOLON || separator == BECKON_SHELL_TOKEN_NEWLINE ? BECKON_SHELL_JOIN_NEXT
                                                                                               : BECKON_SHELL_JOIN_OTHER;
}

/* Commands up to the list's end, on which it stops. A } closes a group only where a command could stand. */
static gboolean
parse_list (Parser *self, ListKind kind, GError **error)
{
  gboolean in_pipeline = FALSE;

  if (!skip_newlines (self, error))
    return FALSE;

  for (;;)
    {
      BeckonShellTokenKind separator;

      if (!parse_command (self, in_pipeline, error))
        return FALSE;

      separator = self->lexer.kind;
      if (!joins_two (separator) && !ends_one (separator))
        return (kind != LIST_GROUP && is_at_end (self, kind)) || refuse_token (self, error);
      if (!advance (self, error) || !skip_newlines (self, error))
        return FALSE;
      in_pipeline = separator == BECKON_SHELL_TOKEN_PIPE;
      self->join = join_of (separator);
      if (ends_one (separator) && is_at_end (self, kind))
        return TRUE;
    }
}

/* Refuses characters that a person could not see, or that shells read differently. */
static gboolean
check_characters (const char *line, GError **error)
{
  gsize length = strlen (line);
  gboolean has_hidden = !g_utf8_validate (line, (gssize) length, NULL);

  if (length > BECKON_SHELL_MAX_LENGTH)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("The command is too long to be judged."));
      return FALSE;
    }

  for (const char *part = line; !has_hidden && *part != '\0';)
    {
      gsize span = strcspn (part, "\t\n");

      has_hidden = span > 0 && beckon_text_has_hidden (part, (gssize) span);
      part += span + (part[span] != '\0' ? 1 : 0);
    }
  if (has_hidden)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         _("The command has characters that cannot be seen, so it is always asked for."));

  return !has_hidden;
}

GPtrArray *
beckon_shell_parse (const char *line, GError **error)
{
  Parser parser = { .depth = 0 };
  gboolean is_understood;

  g_return_val_if_fail (line != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_characters (line, error))
    return NULL;

  parser.segments = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_shell_segment_free);
  beckon_shell_lexer_init (&parser.lexer, line);
  is_understood = advance (&parser, error) && parse_list (&parser, LIST_WHOLE, error);
  beckon_shell_lexer_clear (&parser.lexer);
  if (!is_understood)
    g_clear_pointer (&parser.segments, g_ptr_array_unref);

  return parser.segments;
}
