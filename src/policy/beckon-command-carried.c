/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-command-carried.h"

#include "beckon-command-risk.h"
#include "beckon-shell.h"

#include <string.h>

/* More are not gone through, for each is judged. */
#define MAX_CARRIED 64

/* One script within another. */
#define MAX_DEPTH 4

typedef struct
{
  GPtrArray *carried;
  gboolean is_hidden;
  guint depth;
} Search;

static void search_command (Search *search, const BeckonShellSegment *segment);

static BeckonShellSegment *
copy_from (const BeckonShellSegment *segment, guint first)
{
  BeckonShellSegment *copy = beckon_shell_segment_new ();

  for (guint i = first; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      g_ptr_array_add (copy->words, beckon_shell_word_new (g_strdup (word->text), word->flags));
    }
  return copy;
}

static void
add (Search *search, BeckonShellSegment *segment)
{
  g_ptr_array_add (search->carried, segment);
  search_command (search, segment);
}

/* What is one word here may be a whole line to who gets it. */
static void
search_word (Search *search, const char *word)
{
  g_autoptr (GPtrArray) segments = NULL;

  if (strpbrk (word, " \t\n;&|<>()$`'\"\\") == NULL)
    return;
  segments = beckon_shell_parse (word, NULL);
  search->is_hidden = search->is_hidden || segments == NULL;
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      if (search->carried->len >= MAX_CARRIED)
        {
          search->is_hidden = TRUE;
          return;
        }
      add (search, copy_from (g_ptr_array_index (segments, i), 0));
    }
}

/* Behind its options; where these end only the program knows. */
static void
search_words (Search *search, const BeckonShellSegment *segment)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      if (search->carried->len >= MAX_CARRIED)
        {
          search->is_hidden = TRUE;
          return;
        }
      if (*word != '-')
        g_ptr_array_add (search->carried, copy_from (segment, i));
      search_word (search, word);
    }
}

static void
search_command (Search *search, const BeckonShellSegment *segment)
{
  const BeckonShellWord *program = segment->words->len > 0 ? g_ptr_array_index (segment->words, 0) : NULL;

  if (program == NULL)
    return;
  if (program->flags != BECKON_SHELL_WORD_LITERAL || search->depth == MAX_DEPTH)
    {
      search->is_hidden = TRUE;
      return;
    }
  if (!beckon_command_risk_runs_others (program->text))
    return;

  search->depth++;
  search_words (search, segment);
  search->depth--;
}

GPtrArray *
beckon_command_list_carried (const BeckonShellSegment *segment, gboolean *is_hidden)
{
  Search search = { .carried = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_shell_segment_free) };

  g_return_val_if_fail (segment != NULL && is_hidden != NULL, search.carried);

  search_command (&search, segment);
  *is_hidden = search.is_hidden;
  return search.carried;
}
