/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-pattern.h"

#include "base/beckon-error.h"
#include "beckon-command-grammar.h"
#include "beckon-command-risk.h"
#include "beckon-shell.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonCommandPattern
{
  /* (owned) (element-type GPatternSpec) */
  GPtrArray *words;

  /* Any words may follow. */
  gboolean is_open;

  /* (owned): the program, if it is named whole; what is about another one is passed over at once */
  char *program;

  /* (owned) (element-type utf8): all words as they are written, without a last * */
  GPtrArray *texts;

  /* (owned) (nullable): the command that it is written as, and what that is made of, for a program that is named whole */
  BeckonShellSegment *segment;
  BeckonCommandParts parts;

  /* The first words that are named whole; all of them unless something may differ. */
  guint n_fixed;

  /* (owned) (nullable): "npm publish *" for "npm publish*", which means that and longer words. */
  BeckonCommandPattern *stem;
};

/* A word of the pattern is a word of a command, in which only * is special. */
static gboolean
take_words (BeckonCommandPattern *self, const BeckonShellSegment *segment)
{
  for (guint i = 0; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      if ((word->flags & BECKON_SHELL_WORD_TILDE) != 0 || strchr (word->text, '?') != NULL)
        return FALSE;
      if (self->n_fixed == i && strchr (word->text, '*') == NULL)
        self->n_fixed++;
      if (i == 0 && self->n_fixed == 1)
        self->program = g_strdup (word->text);
      if (i + 1 == segment->words->len && i > 0 && strcmp (word->text, "*") == 0)
        self->is_open = TRUE;
      else
        {
          g_ptr_array_add (self->words, g_pattern_spec_new (word->text));
          g_ptr_array_add (self->texts, g_strdup (word->text));
        }
    }

  return TRUE;
}

static gboolean
command_pattern_is_plain (const BeckonShellSegment *segment)
{
  const BeckonShellWord *program;

  if (segment->words->len == 0 || segment->assignments->len > 0)
    return FALSE;
  for (guint i = 0; i < segment->redirections->len; i++)
    if (!beckon_shell_redirection_is_harmless (g_ptr_array_index (segment->redirections, i)))
      return FALSE;

  program = g_ptr_array_index (segment->words, 0);
  return program->flags == BECKON_SHELL_WORD_LITERAL;
}

BeckonCommandPattern *
beckon_command_pattern_new (const char *text, GError **error)
{
  g_autoptr (BeckonCommandPattern) self = NULL;
  g_autoptr (GPtrArray) segments = NULL;
  const BeckonShellSegment *segment;

  segments = beckon_shell_parse (text, error);
  if (segments == NULL)
    return NULL;

  self = g_new0 (BeckonCommandPattern, 1);
  self->words = g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  segment = g_ptr_array_index (segments, 0);
  if (segments->len != 1 || segment->redirections->len > 0 || !command_pattern_is_plain (segment)
      || !take_words (self, segment))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("A rule names one command: a program and its arguments, with * for what may differ."));
      return NULL;
    }

  if (self->program != NULL)
    {
      self->segment = g_ptr_array_steal_index (segments, 0);
      beckon_command_take_apart (self->segment, &self->parts);
    }
  if (self->words->len > 1 && !self->is_open && g_str_has_suffix (text, "*"))
    {
      g_autofree char *stem = g_strdup_printf ("%.*s *", (int) strlen (text) - 1, text);

      self->stem = beckon_command_pattern_new (stem, NULL);
    }

  return g_steal_pointer (&self);
}

const char *
beckon_command_pattern_get_program (const BeckonCommandPattern *pattern)
{
  return pattern->program;
}

void
beckon_command_pattern_free (BeckonCommandPattern *pattern)
{
  if (pattern == NULL)
    return;

  g_ptr_array_unref (pattern->words);
  g_ptr_array_unref (pattern->texts);
  beckon_shell_segment_free (pattern->segment);
  beckon_command_pattern_free (pattern->stem);
  g_free (pattern->program);
  g_free (pattern);
}

static gboolean
words_match (const BeckonCommandPattern *self, const BeckonShellSegment *segment, const char *program)
{
  if (segment->words->len < self->words->len || (!self->is_open && segment->words->len > self->words->len))
    return FALSE;
  for (guint i = 0; i < self->words->len; i++)
    {
      const char *word = i == 0 ? program : beckon_shell_segment_get_word (segment, i);

      if (!g_pattern_spec_match_string (g_ptr_array_index (self->words, i), word))
        return FALSE;
    }

  return TRUE;
}

/* In the middle of a path it may lead through links. */
static gboolean
globs_folders (const char *text)
{
  const char *slash = strrchr (text, '/');

  return slash != NULL && text + strcspn (text, "*?[") < slash;
}

/* Names of files may stand for any names but not for an option, and ~ leads out of the folder. */
static gboolean
words_stay_arguments (const BeckonShellSegment *segment)
{
  for (guint i = 0; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      if ((word->flags & (BECKON_SHELL_WORD_LEADING_GLOB | BECKON_SHELL_WORD_TILDE)) != 0)
        return FALSE;
      if ((word->flags & BECKON_SHELL_WORD_GLOB) != 0 && (word->text[0] == '-' || globs_folders (word->text)))
        return FALSE;
    }

  return TRUE;
}

gboolean
beckon_command_pattern_allows (const BeckonCommandPattern *pattern, const BeckonShellSegment *segment, const char *folder)
{
  if (segment->words->len == 0
      || (pattern->program != NULL && strcmp (pattern->program, beckon_shell_segment_get_word (segment, 0)) != 0))
    return FALSE;
  if (!command_pattern_is_plain (segment) || !words_stay_arguments (segment) || beckon_command_risk_runs_input (segment)
      || !words_match (pattern, segment, beckon_shell_segment_get_word (segment, 0)))
    return FALSE;
  if (!pattern->is_open && pattern->n_fixed == pattern->words->len)
    return TRUE;

  return beckon_command_risk_allows_open_end (segment, pattern->n_fixed, folder);
}

static gboolean
words_mention (const BeckonCommandPattern *self, const BeckonShellSegment *segment)
{
  const char *program = beckon_shell_segment_get_word (segment, 0);
  const char *slash = strrchr (program, '/');

  return words_match (self, segment, program) || (slash != NULL && words_match (self, segment, slash + 1));
}

/* The arguments of a command behind its subcommand: those that are options, and the others. */
typedef struct
{
  GPtrArray *options;
  GPtrArray *operands;
  gboolean may_change; /* the shell makes something else of one of them */
  gboolean has_value;  /* one of the operands may be an option's value */
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_ptr_array_unref (arguments->options);
  g_ptr_array_unref (arguments->operands);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static void
arguments_add (Arguments *arguments, const char *word)
{
  if (word[0] == '-' && word[1] != '\0')
    {
      g_ptr_array_add (arguments->options, (gpointer) word);
      arguments->has_value = arguments->has_value || strchr (word, '=') == NULL;
    }
  else
    {
      g_ptr_array_add (arguments->operands, (gpointer) word);
    }
}

static void
arguments_init (Arguments *arguments)
{
  *arguments = (Arguments){ g_ptr_array_new (), g_ptr_array_new (), FALSE, FALSE };
}

static void
arguments_read (Arguments *arguments, const BeckonShellSegment *segment, guint first)
{
  arguments_init (arguments);
  for (guint i = first; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      arguments_add (arguments, word->text);
      arguments->may_change = arguments->may_change || word->flags != BECKON_SHELL_WORD_LITERAL;
    }
}

static gboolean
is_letters (const char *option)
{
  return option[0] == '-' && option[1] != '-' && option[1] != '\0';
}

/* -rf is among -r -f, and --force among --force=yes. */
static gboolean
has_option (const Arguments *arguments, const char *wanted)
{
  gsize n_found = 0;

  for (guint i = 0; i < arguments->options->len; i++)
    {
      const char *option = g_ptr_array_index (arguments->options, i);

      if (g_pattern_match_simple (wanted, option)
          || (g_str_has_prefix (option, wanted) && option[strlen (wanted)] == '=' && wanted[1] == '-'))
        return TRUE;
    }
  for (const char *letter = wanted + 1; is_letters (wanted) && *letter != '\0'; letter++)
    for (guint i = 0; i < arguments->options->len; i++)
      {
        const char *option = g_ptr_array_index (arguments->options, i);

        if (is_letters (option) && strchr (option + 1, *letter) != NULL)
          {
            n_found++;
            break;
          }
      }

  return is_letters (wanted) && n_found == strlen (wanted + 1);
}

static BeckonMention
compare_options (const Arguments *wanted, const Arguments *given)
{
  BeckonMention mention = BECKON_MENTION_YES;

  for (guint i = 0; i < wanted->options->len; i++)
    {
      if (has_option (given, g_ptr_array_index (wanted->options, i)))
        continue;
      /* Another one may mean the same. */
      if (given->options->len == 0)
        return BECKON_MENTION_NO;
      mention = BECKON_MENTION_MAYBE;
    }

  return mention;
}

static gboolean
follow_each_other (const GPtrArray *wanted, const GPtrArray *given, gboolean with_gaps)
{
  guint at = 0;

  for (guint i = 0; i < given->len && at < wanted->len; i++)
    {
      if (g_pattern_match_simple (g_ptr_array_index (wanted, at), g_ptr_array_index (given, i)))
        at++;
      else if (!with_gaps)
        return FALSE;
    }

  return at == wanted->len;
}

static gboolean
has_all (const GPtrArray *wanted, const GPtrArray *given)
{
  for (guint i = 0; i < wanted->len; i++)
    {
      gboolean is_there = FALSE;

      for (guint j = 0; j < given->len && !is_there; j++)
        is_there = g_pattern_match_simple (g_ptr_array_index (wanted, i), g_ptr_array_index (given, j));
      if (!is_there)
        return FALSE;
    }

  return TRUE;
}

static BeckonMention
compare_operands (const Arguments *wanted, const Arguments *given, gboolean is_unordered)
{
  if (is_unordered ? has_all (wanted->operands, given->operands) : follow_each_other (wanted->operands, given->operands, FALSE))
    return BECKON_MENTION_YES;
  if (given->may_change || (given->has_value && follow_each_other (wanted->operands, given->operands, TRUE)))
    return BECKON_MENTION_MAYBE;

  return BECKON_MENTION_NO;
}

/* Compares the words after the command. */
static BeckonMention
compare_arguments (const BeckonCommandPattern *self, guint first, const BeckonShellSegment *segment, guint given_first,
                   gboolean is_unordered)
{
  g_auto (Arguments) wanted = { 0 };
  g_auto (Arguments) given = { 0 };
  BeckonMention mention;

  arguments_init (&wanted);
  for (guint i = first; i < self->texts->len; i++)
    arguments_add (&wanted, g_ptr_array_index (self->texts, i));
  arguments_read (&given, segment, given_first);
  mention = MIN (compare_options (&wanted, &given), compare_operands (&wanted, &given, is_unordered));
  /* A person who forbids the bare command hardly means that it may have arguments. */
  if (mention == BECKON_MENTION_YES && !self->is_open
      && (given.options->len > wanted.options->len || given.operands->len > wanted.operands->len))
    return BECKON_MENTION_MAYBE;

  return mention;
}

/* After unknown options, any later word may be the subcommand. */
static BeckonMention
find_later (const BeckonCommandPattern *self, const BeckonShellSegment *segment, const BeckonCommandParts *given)
{
  for (guint i = given->first; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      if (word->flags != BECKON_SHELL_WORD_LITERAL
          || strcmp (beckon_command_unify_subcommand (given->program, word->text), self->parts.subcommand) == 0)
        return BECKON_MENTION_MAYBE;
    }

  return BECKON_MENTION_NO;
}

static BeckonMention
compare_subcommands (const BeckonCommandPattern *self, const BeckonShellSegment *segment, const BeckonCommandParts *given)
{
  guint first = self->parts.subcommand_index + 1;

  if (given->subcommand != NULL
      && (strcmp (given->subcommand, self->parts.subcommand) == 0
          || (given->is_abbreviated && g_str_has_prefix (self->parts.subcommand, given->subcommand))))
    return MIN (compare_arguments (self, first, segment, given->subcommand_index + 1, FALSE),
                given->is_certain ? BECKON_MENTION_YES : BECKON_MENTION_MAYBE);
  if (given->is_open)
    return BECKON_MENTION_MAYBE;

  return given->is_certain ? BECKON_MENTION_NO : find_later (self, segment, given);
}

/* Commands without a program of their own, or with an option first, are compared by word. */
static BeckonMention
compare_commands (const BeckonCommandPattern *self, const BeckonShellSegment *segment)
{
  const char *second = self->texts->len > 1 ? g_ptr_array_index (self->texts, 1) : NULL;
  BeckonCommandParts given;

  if (self->segment == NULL || !beckon_command_take_apart (segment, &given)
      || strcmp (given.program, self->parts.program) != 0)
    return BECKON_MENTION_NO;
  if (given.is_unordered || second == NULL || second[0] == '-' || self->parts.subcommand == NULL
      || strchr (self->parts.subcommand, '*') != NULL)
    return compare_arguments (self, self->parts.first, segment, given.first, given.is_unordered);
  if (!beckon_command_has_grammar (given.program) && given.subcommand != NULL && given.is_certain)
    return compare_arguments (self, self->parts.subcommand_index, segment, given.subcommand_index, FALSE);

  return compare_subcommands (self, segment, &given);
}

BeckonMention
beckon_command_pattern_mentions (const BeckonCommandPattern *pattern, const BeckonShellSegment *segment)
{
  BeckonMention mention;

  if (segment->words->len == 0)
    return BECKON_MENTION_NO;
  if (words_mention (pattern, segment))
    return BECKON_MENTION_YES;
  mention = compare_commands (pattern, segment);

  return pattern->stem != NULL ? MAX (mention, beckon_command_pattern_mentions (pattern->stem, segment)) : mention;
}
