/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-fuzzy.h"

#include "beckon-matcher.h"

#include <string.h>

/* The best way to lay a word's letters over the text is found by going through the text once for each of them: the value of a
 * letter at a place depends on where the letter before it is. That takes words × letters × text steps, so all three are
 * bounded. */

#define MOST_WORDS 8
#define MOST_LETTERS 32
#define MOST_TEXT 200

/* Points for a letter, by its place. A letter within a word that follows none is worth less than it costs. */
#define AT_BEGIN 12
#define AT_WORD 9
#define IN_A_ROW 7
#define ANYWHERE 1
#define PER_GAP 3

#define IMPOSSIBLE (-1000000)

typedef struct
{
  guint n;
  gunichar letters[MOST_LETTERS];
} Word;

struct _BeckonFuzzy
{
  guint n_words;
  Word words[MOST_WORDS];
};

typedef struct
{
  guint n;
  gunichar letters[MOST_TEXT];
  guint at[MOST_TEXT + 1]; /* bytes from the begin */
  gboolean begins[MOST_TEXT];
  gboolean matched[MOST_TEXT];
} Text;

BeckonFuzzy *
beckon_fuzzy_new (const char *words)
{
  g_autoptr (BeckonFuzzy) self = g_new0 (BeckonFuzzy, 1);
  gboolean in_word = FALSE;

  for (const char *at = words; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar letter = beckon_letter_fold (g_utf8_get_char (at));

      if (g_unichar_ismark (letter))
        continue;
      if (letter != ' ' && (in_word || self->n_words != MOST_WORDS))
        {
          Word *word = &self->words[in_word ? self->n_words - 1 : self->n_words++];

          if (word->n < MOST_LETTERS)
            word->letters[word->n++] = letter;
        }
      in_word = letter != ' ' && (in_word || self->n_words < MOST_WORDS);
    }
  return self->n_words > 0 ? g_steal_pointer (&self) : NULL;
}

static void
fuzzy_read_text (Text *text, const char *string)
{
  gunichar before = ' ';

  memset (text, 0, sizeof *text);
  for (const char *at = string; *at != '\0' && text->n < MOST_TEXT; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      text->at[text->n + 1] = (guint) (g_utf8_next_char (at) - string);
      if (g_unichar_ismark (c) && text->n > 0)
        {
          text->at[text->n] = text->at[text->n + 1];
          continue;
        }
      text->letters[text->n] = beckon_letter_fold (c);
      text->begins[text->n] = !beckon_letter_is_in_word (before) || !beckon_letter_is_in_word (c) ||
                              (g_unichar_isupper (c) && g_unichar_islower (before));
      before = c;
      text->n++;
    }
}

/* Rates a letter at @place, if the one before it is at @last. @last: -1 for none. */
static int
value (const Text *text, int last, int place)
{
  if (last >= 0 && place == last + 1)
    return IN_A_ROW + (text->begins[place] ? 1 : 0);
  if (place == 0)
    return AT_BEGIN;
  return (text->begins[place] ? AT_WORD : ANYWHERE) - (last >= 0 ? PER_GAP : 0);
}

/* Most texts fail here, which is quick. */
static gboolean
has_letters (const Word *word, const Text *text)
{
  guint i = 0;

  for (guint j = 0; j < text->n && i < word->n; j++)
    if (text->letters[j] == word->letters[i])
      i++;
  return i == word->n;
}

/* Lays the word over the text; the best sum, or IMPOSSIBLE. The letters' places go to @places. */
static int
lay (const Word *word, const Text *text, int *places)
{
  g_autofree int *best = g_new (int, word->n * text->n);
  g_autofree int *from = g_new0 (int, word->n * text->n);
  int found = IMPOSSIBLE;
  int n = (int) text->n;

  for (int i = 0; i < (int) word->n; i++)
    {
      int before = IMPOSSIBLE, before_at = -1;

      for (int j = 0; j < n; j++)
        {
          int *here = &best[i * n + j];
          int row = i > 0 && j > 0 ? best[(i - 1) * n + j - 1] : IMPOSSIBLE;

          *here = IMPOSSIBLE;
          /* The best place for the letter before, with a gap to this one. */
          if (i > 0 && j > 1 && best[(i - 1) * n + j - 2] > before)
            {
              before = best[(i - 1) * n + j - 2];
              before_at = j - 2;
            }
          if (text->letters[j] != word->letters[i])
            continue;
          if (i == 0)
            *here = value (text, -1, j);
          if (row > IMPOSSIBLE)
            {
              *here = row + value (text, j - 1, j);
              from[i * n + j] = j - 1;
            }
          if (before > IMPOSSIBLE && before + value (text, before_at, j) > *here)
            {
              *here = before + value (text, before_at, j);
              from[i * n + j] = before_at;
            }
        }
    }
  for (int j = 0; j < n; j++)
    if (best[((int) word->n - 1) * n + j] > found)
      {
        found = best[((int) word->n - 1) * n + j];
        places[word->n - 1] = j;
      }
  for (int i = (int) word->n - 1; i > 0 && found > IMPOSSIBLE; i--)
    places[i - 1] = from[i * n + places[i]];
  return found;
}

static GArray *
fuzzy_collect (const Text *text)
{
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (BeckonMatch));

  for (guint i = 0; i < text->n; i++)
    {
      BeckonMatch match = { text->at[i], text->at[i + 1] };

      if (!text->matched[i])
        continue;
      if (i > 0 && text->matched[i - 1])
        g_array_index (matches, BeckonMatch, matches->len - 1).end = match.end;
      else
        g_array_append_val (matches, match);
    }
  return matches;
}

guint
beckon_fuzzy_match (const BeckonFuzzy *fuzzy, const char *string, GArray **matches)
{
  int places[MOST_LETTERS] = { 0 };
  int sum = 0;
  Text text;

  fuzzy_read_text (&text, string);
  for (guint i = 0; i < fuzzy->n_words; i++)
    {
      const Word *word = &fuzzy->words[i];
      int found = has_letters (word, &text) ? lay (word, &text, places) : IMPOSSIBLE;

      /* Letters that are merely strewn over it are no match that anybody meant. */
      if (found < (int) word->n * 2)
        return 0;
      sum += found;
      for (guint k = 0; k < word->n; k++)
        text.matched[places[k]] = TRUE;
    }
  if (matches != NULL)
    *matches = fuzzy_collect (&text);
  /* Among equal fits the shorter is meant. */
  return (guint) sum * 16 + 15 - MIN (text.n / 8, 14);
}

static gboolean
stands_at (const Word *word, const Text *text, guint place)
{
  for (guint i = 0; i < word->n; i++)
    if (place + i >= text->n || text->letters[place + i] != word->letters[i])
      return FALSE;
  return TRUE;
}

gboolean
beckon_fuzzy_is_in (const BeckonFuzzy *fuzzy, const char *string)
{
  Text text;

  fuzzy_read_text (&text, string);
  for (guint i = 0; i < fuzzy->n_words; i++)
    {
      gboolean found = FALSE;

      for (guint j = 0; j < text.n && !found; j++)
        found = text.begins[j] && stands_at (&fuzzy->words[i], &text, j);
      if (!found)
        return FALSE;
    }
  return TRUE;
}
