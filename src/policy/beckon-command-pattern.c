/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-pattern.h"

#include "base/beckon-error.h"
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

  /* The first words that are named whole; all of them unless something may differ. */
  guint n_fixed;
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
        g_ptr_array_add (self->words, g_pattern_spec_new (word->text));
    }

  return TRUE;
}

static gboolean
is_plain (const BeckonShellSegment *segment)
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

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  segments = beckon_shell_parse (text, error);
  if (segments == NULL)
    return NULL;

  self = g_new0 (BeckonCommandPattern, 1);
  self->words = g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);
  segment = g_ptr_array_index (segments, 0);
  if (segments->len != 1 || segment->redirections->len > 0 || !is_plain (segment) || !take_words (self, segment))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("A rule names one command: a program and its arguments, with * for what may differ."));
      return NULL;
    }

  return g_steal_pointer (&self);
}

const char *
beckon_command_pattern_get_program (const BeckonCommandPattern *pattern)
{
  g_return_val_if_fail (pattern != NULL, NULL);

  return pattern->program;
}

void
beckon_command_pattern_free (BeckonCommandPattern *pattern)
{
  if (pattern == NULL)
    return;

  g_ptr_array_unref (pattern->words);
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

/* Names of files may stand for any names but not for an option, and ~ leads out of the folder. */
static gboolean
words_stay_arguments (const BeckonShellSegment *segment)
{
  for (guint i = 0; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      if ((word->flags & (BECKON_SHELL_WORD_LEADING_GLOB | BECKON_SHELL_WORD_TILDE)) != 0)
        return FALSE;
      if ((word->flags & BECKON_SHELL_WORD_GLOB) != 0 && word->text[0] == '-')
        return FALSE;
    }

  return TRUE;
}

gboolean
beckon_command_pattern_allows (const BeckonCommandPattern *pattern, const BeckonShellSegment *segment, const char *folder)
{
  g_return_val_if_fail (pattern != NULL, FALSE);
  g_return_val_if_fail (segment != NULL, FALSE);

  if (segment->words->len == 0
      || (pattern->program != NULL && strcmp (pattern->program, beckon_shell_segment_get_word (segment, 0)) != 0))
    return FALSE;
  if (!is_plain (segment) || !words_stay_arguments (segment) || beckon_command_risk_runs_input (segment)
      || !words_match (pattern, segment, beckon_shell_segment_get_word (segment, 0)))
    return FALSE;
  if (!pattern->is_open && pattern->n_fixed == pattern->words->len)
    return TRUE;

  return beckon_command_risk_allows_open_end (segment, pattern->n_fixed, folder);
}

gboolean
beckon_command_pattern_mentions (const BeckonCommandPattern *pattern, const BeckonShellSegment *segment)
{
  const char *program;
  const char *slash;

  g_return_val_if_fail (pattern != NULL, FALSE);
  g_return_val_if_fail (segment != NULL, FALSE);

  program = beckon_shell_segment_get_word (segment, 0);
  if (program == NULL)
    return FALSE;
  slash = strrchr (program, '/');
  if (pattern->program != NULL && strcmp (pattern->program, program) != 0
      && (slash == NULL || strcmp (pattern->program, slash + 1) != 0))
    return FALSE;
  if (words_match (pattern, segment, program))
    return TRUE;

  return slash != NULL && words_match (pattern, segment, slash + 1);
}
