/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-shell-lexer.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Ends an unquoted word. */
#define IS_META(c) (strchr (" \t\n;&|<>()", (c)) != NULL)

void
beckon_shell_lexer_init (BeckonShellLexer *lexer, const char *line)
{
  lexer->line = line;
  lexer->kind = BECKON_SHELL_TOKEN_END;
  lexer->start = lexer->end = 0;
  lexer->text = g_string_new (NULL);
  lexer->flags = BECKON_SHELL_WORD_LITERAL;
  lexer->is_quoted = FALSE;
}

void
beckon_shell_lexer_clear (BeckonShellLexer *lexer)
{
  g_string_free (lexer->text, TRUE);
  lexer->text = NULL;
}

static gboolean
lexer_refuse (const BeckonShellLexer *lexer, gsize at, gsize length, GError **error)
{
  g_autofree char *what = g_strndup (lexer->line + at, length);

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         /* Translators: %s is a piece of a shell command, such as $( */
                         _("The meaning of “%s” is not known before the command runs, so it is always asked for."), what);
  return FALSE;
}

static gboolean
refuse_open_quote (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("A quotation mark is missing in the command."));
  return FALSE;
}

/* Within a word this can join a $ to what it expands, or a name to its =, which not all shells see. Between words it is a
 * blank like any other. */
static gboolean
joins_lines (const char *at)
{
  return at[0] == '\\' && at[1] == '\n';
}

/* A dollar sign that begins no expansion is just a dollar sign. */
static gboolean
begins_expansion (const char *at)
{
  return at[0] == '`' || (at[0] == '$' && at[1] != '\0' && (g_ascii_isalnum (at[1]) || strchr ("_{([*@#?$!-'\"", at[1])));
}

/* Behind the opening quote; ends behind the closing one. */
static gboolean
read_single (BeckonShellLexer *lexer, GError **error)
{
  const char *begin = lexer->line + lexer->end;
  const char *close = strchr (begin, '\'');

  if (close == NULL)
    return refuse_open_quote (error);

  g_string_append_len (lexer->text, begin, close - begin);
  lexer->end += (gsize) (close - begin) + 1;
  return TRUE;
}

static gboolean
read_double (BeckonShellLexer *lexer, GError **error)
{
  for (const char *at = lexer->line + lexer->end; *at != '\0'; at = lexer->line + lexer->end)
    {
      if (*at == '"')
        {
          lexer->end++;
          return TRUE;
        }
      /* Within quotes $" and $' are a dollar sign, and the quote has its own meaning. */
      if (begins_expansion (at) && !(at[0] == '$' && (at[1] == '"' || at[1] == '\'')))
        return lexer_refuse (lexer, lexer->end, at[0] == '`' ? 1 : 2, error);
      if (joins_lines (at))
        return lexer_refuse (lexer, lexer->end, 1, error);
      if (at[0] == '\\' && at[1] != '\0' && strchr ("$`\"\\", at[1]) != NULL)
        {
          g_string_append_c (lexer->text, at[1]);
          lexer->end += 2;
          continue;
        }
      g_string_append_c (lexer->text, *at);
      lexer->end++;
    }

  return refuse_open_quote (error);
}

/* An unquoted brace: {} is itself, all else may be an expansion or a descriptor's variable. */
static gboolean
read_brace (BeckonShellLexer *lexer, GError **error)
{
  const char *at = lexer->line + lexer->end;
  gboolean is_alone = lexer->end == lexer->start && (at[1] == '\0' || IS_META (at[1]));

  if (g_str_has_prefix (at, "{}"))
    {
      g_string_append (lexer->text, "{}");
      lexer->end += 2;
      return TRUE;
    }
  if (!is_alone)
    return lexer_refuse (lexer, lexer->end, 1, error);

  g_string_append_c (lexer->text, *at);
  lexer->end++;
  return TRUE;
}

/* A tilde counts at the word's beginning, and in some shells behind = and : too. */
static void
note_special (BeckonShellLexer *lexer, char c)
{
  gsize at = lexer->end;

  if (c == '*' || c == '?' || c == '[')
    lexer->flags |= BECKON_SHELL_WORD_GLOB | (lexer->text->len == 0 ? BECKON_SHELL_WORD_LEADING_GLOB : 0);
  else if (c == '~' && (at == lexer->start || strchr ("=:", lexer->line[at - 1]) != NULL))
    lexer->flags |= BECKON_SHELL_WORD_TILDE;
}

static gboolean
read_backslash (BeckonShellLexer *lexer, GError **error)
{
  char next = lexer->line[lexer->end + 1];

  if (joins_lines (lexer->line + lexer->end))
    return lexer_refuse (lexer, lexer->end, 1, error);

  lexer->end += next == '\0' ? 1 : 2;
  lexer->is_quoted = TRUE;
  g_string_append_c (lexer->text, next == '\0' ? '\\' : next);
  return TRUE;
}

/* Reads a character, quotation or escape. */
static gboolean
read_piece (BeckonShellLexer *lexer, GError **error)
{
  const char *at = lexer->line + lexer->end;

  switch (*at)
    {
    case '\'':
    case '"':
      lexer->is_quoted = TRUE;
      lexer->end++;
      return *at == '\'' ? read_single (lexer, error) : read_double (lexer, error);

    case '\\':
      return read_backslash (lexer, error);

    case '{':
    case '}':
      return read_brace (lexer, error);

    default:
      if (begins_expansion (at))
        return lexer_refuse (lexer, lexer->end, at[0] == '`' ? 1 : 2, error);
      /* Behind a quotation some parsers take it for a comment. */
      if (*at == '#' && lexer->is_quoted)
        return lexer_refuse (lexer, lexer->end, 1, error);
      note_special (lexer, *at);
      g_string_append_c (lexer->text, *at);
      lexer->end++;
      return TRUE;
    }
}

static gboolean
lexer_is_number (const BeckonShellLexer *lexer)
{
  return !lexer->is_quoted && lexer->text->len > 0
         && strspn (lexer->text->str, "0123456789") == lexer->text->len;
}

/* Longest first. A here-document's text, a descriptor's copy to a file and reading with writing are not understood. */
static gboolean
read_redirection (BeckonShellLexer *lexer, GError **error)
{
  static const char *const operators[] = { ">>", ">|", ">&", "<&", ">", "<" };
  static const char *const refused[] = { "<<", "<(", ">(", "<>", ">&&" };
  const char *at = lexer->line + lexer->end;

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    if (g_str_has_prefix (at, refused[i]))
      return lexer_refuse (lexer, lexer->end, strlen (refused[i]), error);
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (at, operators[i]))
      {
        g_string_append (lexer->text, operators[i]);
        lexer->end += strlen (operators[i]);
        break;
      }

  lexer->kind = BECKON_SHELL_TOKEN_REDIRECT;
  return TRUE;
}

static gboolean
ends_word (const char *at)
{
  return *at == '\0' || IS_META (*at) || (joins_lines (at) && (at[2] == ' ' || at[2] == '\t'));
}

static gboolean
lexer_read_word (BeckonShellLexer *lexer, GError **error)
{
  lexer->kind = BECKON_SHELL_TOKEN_WORD;
  while (!ends_word (lexer->line + lexer->end))
    if (!read_piece (lexer, error))
      return FALSE;

  /* The program [ is no pattern. */
  if (strcmp (lexer->text->str, "[") == 0)
    lexer->flags = BECKON_SHELL_WORD_LITERAL;

  /* A number right before < or > is the descriptor. From 10 on it is a word to dash, and the descriptor to bash. */
  if (strchr ("<>", lexer->line[lexer->end]) == NULL || lexer->line[lexer->end] == '\0' || !lexer_is_number (lexer))
    return TRUE;
  if (lexer->text->len > 1)
    return lexer_refuse (lexer, lexer->start, lexer->end - lexer->start + 1, error);

  return read_redirection (lexer, error);
}

static void
take_operator (BeckonShellLexer *lexer, BeckonShellTokenKind kind, gsize length)
{
  lexer->kind = kind;
  lexer->end += length;
}

static gboolean
read_operator (BeckonShellLexer *lexer, GError **error)
{
  /* Read in one way by one shell and in another way by the next. */
  static const char *const refused[] = { ";;", ";&", "|&", "&>", "((" };
  const char *at = lexer->line + lexer->end;

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    if (g_str_has_prefix (at, refused[i]))
      return lexer_refuse (lexer, lexer->end, 2, error);

  if (g_str_has_prefix (at, "&&"))
    take_operator (lexer, BECKON_SHELL_TOKEN_AND, 2);
  else if (g_str_has_prefix (at, "||"))
    take_operator (lexer, BECKON_SHELL_TOKEN_OR, 2);
  else if (*at == '&')
    take_operator (lexer, BECKON_SHELL_TOKEN_BACKGROUND, 1);
  else if (*at == '|')
    take_operator (lexer, BECKON_SHELL_TOKEN_PIPE, 1);
  else if (*at == ';')
    take_operator (lexer, BECKON_SHELL_TOKEN_SEMICOLON, 1);
  else if (*at == '\n')
    take_operator (lexer, BECKON_SHELL_TOKEN_NEWLINE, 1);
  else if (*at == '(')
    take_operator (lexer, BECKON_SHELL_TOKEN_OPEN, 1);
  else
    take_operator (lexer, BECKON_SHELL_TOKEN_CLOSE, 1);

  return TRUE;
}

/* Blanks, joined lines and a comment, which goes to the end of its line. */
static void
skip_blanks (BeckonShellLexer *lexer)
{
  const char *at = lexer->line + lexer->end;

  for (;;)
    {
      if (*at == ' ' || *at == '\t')
        at++;
      else if (joins_lines (at))
        at += 2;
      else
        break;
    }
  if (*at == '#')
    at += strcspn (at, "\n");

  lexer->end = (gsize) (at - lexer->line);
}

gboolean
beckon_shell_lexer_advance (BeckonShellLexer *lexer, GError **error)
{
  char c;

  skip_blanks (lexer);
  lexer->start = lexer->end;
  lexer->flags = BECKON_SHELL_WORD_LITERAL;
  lexer->is_quoted = FALSE;
  g_string_truncate (lexer->text, 0);

  c = lexer->line[lexer->end];
  if (c == '\0')
    {
      lexer->kind = BECKON_SHELL_TOKEN_END;
      return TRUE;
    }
  if (c == '<' || c == '>')
    return read_redirection (lexer, error);
  if (IS_META (c))
    return read_operator (lexer, error);

  return lexer_read_word (lexer, error);
}

gboolean
beckon_shell_lexer_is_reserved (const BeckonShellLexer *lexer, const char *word)
{
  return lexer->kind == BECKON_SHELL_TOKEN_WORD && !lexer->is_quoted && strcmp (lexer->text->str, word) == 0;
}

/* Skips the name of a variable that the token begins with; NULL if it begins with none. */
static const char *
skip_name (const BeckonShellLexer *lexer)
{
  const char *at = lexer->line + lexer->start;

  if (lexer->kind != BECKON_SHELL_TOKEN_WORD || !(g_ascii_isalpha (*at) || *at == '_'))
    return NULL;
  while (g_ascii_isalnum (*at) || *at == '_')
    at++;

  return at;
}

gboolean
beckon_shell_lexer_is_assignment (const BeckonShellLexer *lexer)
{
  const char *at = skip_name (lexer);

  return at != NULL && at[0] == '=';
}

gboolean
beckon_shell_lexer_is_disputed (const BeckonShellLexer *lexer)
{
  const char *at = skip_name (lexer);

  return at != NULL && (at[0] == '[' || (at[0] == '+' && at[1] == '='));
}

BeckonShellWord *
beckon_shell_word_new (char *text, BeckonShellWordFlags flags)
{
  BeckonShellWord *word = g_new (BeckonShellWord, 1);

  word->text = text;
  word->flags = flags;
  return word;
}

static void
shell_word_free (BeckonShellWord *word)
{
  g_free (word->text);
  g_free (word);
}

BeckonShellRedirection *
beckon_shell_redirection_new (char *operator, BeckonShellWord *target)
{
  BeckonShellRedirection *redirection = g_new (BeckonShellRedirection, 1);

  redirection->operator = operator;
  redirection->target = target;
  return redirection;
}

static void
shell_redirection_free (BeckonShellRedirection *redirection)
{
  g_free (redirection->operator);
  shell_word_free (redirection->target);
  g_free (redirection);
}

gboolean
beckon_shell_redirection_is_harmless (const BeckonShellRedirection *redirection)
{
  const BeckonShellWord *target;

  target = redirection->target;
  if (target->flags != BECKON_SHELL_WORD_LITERAL)
    return FALSE;
  if (g_str_has_suffix (redirection->operator, "&"))
    return TRUE;

  return strcmp (target->text, "/dev/null") == 0;
}

BeckonShellSegment *
beckon_shell_segment_new (void)
{
  BeckonShellSegment *segment = g_new0 (BeckonShellSegment, 1);

  segment->words = g_ptr_array_new_with_free_func ((GDestroyNotify) shell_word_free);
  segment->assignments = g_ptr_array_new_with_free_func ((GDestroyNotify) shell_word_free);
  segment->redirections = g_ptr_array_new_with_free_func ((GDestroyNotify) shell_redirection_free);
  return segment;
}

void
beckon_shell_segment_free (BeckonShellSegment *segment)
{
  if (segment == NULL)
    return;

  g_free (segment->text);
  g_ptr_array_unref (segment->words);
  g_ptr_array_unref (segment->assignments);
  g_ptr_array_unref (segment->redirections);
  g_free (segment);
}

const char *
beckon_shell_segment_get_word (const BeckonShellSegment *segment, guint index)
{
  const BeckonShellWord *word;

  g_return_val_if_fail (segment != NULL, NULL);

  if (index >= segment->words->len)
    return NULL;

  word = g_ptr_array_index (segment->words, index);
  return word->text;
}
