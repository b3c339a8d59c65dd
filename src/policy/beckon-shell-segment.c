/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shell-segment.h"

#include <string.h>

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
