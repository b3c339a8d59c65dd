/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-matcher.h"

#include <string.h>

#define MOST_NEEDLES 32

typedef struct
{
  GArray *letters; /* (element-type gunichar): folded */
  gboolean from_begin;
  gboolean to_end;
} Needle;

struct _BeckonMatcher
{
  gatomicrefcount references;
  GArray *needles; /* (element-type Needle) */
};

/* Syllables and ideographs come apart too, but not into a letter and an accent. */
#define LAST_ACCENTED ((gunichar) 0x1fff)

gunichar
beckon_letter_fold (gunichar letter)
{
  gunichar base, mark;

  if (g_unichar_isspace (letter))
    return ' ';
  while (letter > 0x7f && letter <= LAST_ACCENTED && g_unichar_decompose (letter, &base, &mark))
    letter = base;
  return g_unichar_tolower (letter);
}

/* The same for a letter that stands for two, such as ß for ss: the first of them, and the second in @second; 0 in that for
 * others. */
static gunichar
letter_fold_apart (gunichar letter, gunichar *second)
{
  gunichar folded = beckon_letter_fold (letter);

  switch (folded)
    {
    case 0xdf: /* ß */
      *second = 's';
      return 's';

    case 0xe6: /* æ */
      *second = 'e';
      return 'a';

    case 0x153: /* œ */
      *second = 'e';
      return 'o';

    default:
      *second = 0;
      return folded;
    }
}

gboolean
beckon_letter_is_in_word (gunichar letter)
{
  return g_unichar_isalnum (letter) && !g_unichar_iswide (letter);
}

/* An accent that stands by itself belongs to the letter before it. */
static const char *
skip_marks (const char *at)
{
  while (*at != '\0' && g_unichar_ismark (g_utf8_get_char (at)))
    at = g_utf8_next_char (at);
  return at;
}

/* With its accents; of white space, all there is. */
static const char *
skip_letter (const char *at)
{
  if (!g_unichar_isspace (g_utf8_get_char (at)))
    return skip_marks (g_utf8_next_char (at));
  while (*at != '\0' && g_unichar_isspace (g_utf8_get_char (at)))
    at = g_utf8_next_char (at);
  return at;
}

/* Text written without spaces ends a word at each of its ends. */
static gboolean
parts_words (const char *text, const char *at)
{
  if (at == text || *at == '\0')
    return TRUE;
  return !beckon_letter_is_in_word (g_utf8_get_char (g_utf8_prev_char (at))) ||
         !beckon_letter_is_in_word (g_utf8_get_char (at));
}

/* The end of the needle that begins at @at; NULL if it does not. */
static const char *
match_needle (const Needle *needle, const char *text, const char *at)
{
  gunichar second = 0;

  if (needle->from_begin && !parts_words (text, at))
    return NULL;
  for (guint i = 0; i < needle->letters->len; i++)
    {
      gunichar wanted = g_array_index (needle->letters, gunichar, i);

      if (second != 0)
        {
          if (second != wanted)
            return NULL;
          second = 0;
          continue;
        }
      if (*at == '\0' || letter_fold_apart (g_utf8_get_char (at), &second) != wanted)
        return NULL;
      at = skip_letter (at);
    }
  /* Half a letter is not marked. */
  if (second != 0)
    return NULL;
  return !needle->to_end || parts_words (text, at) ? at : NULL;
}

GArray *
beckon_matcher_find (const BeckonMatcher *matcher, const char *text)
{
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (BeckonMatch));
  const char *at = text;

  while (*at != '\0')
    {
      const char *end = NULL;

      /* The longest of them. */
      for (guint i = 0; i < matcher->needles->len; i++)
        {
          const char *needle_end = match_needle (&g_array_index (matcher->needles, Needle, i), text, at);

          if (needle_end != NULL && (end == NULL || needle_end > end))
            end = needle_end;
        }
      if (end != NULL)
        {
          BeckonMatch match = { (guint) (at - text), (guint) (end - text) };

          g_array_append_val (matches, match);
        }
      at = end != NULL ? end : g_utf8_next_char (at);
    }
  return matches;
}

static void
clear_needle (gpointer data)
{
  g_array_unref (((Needle *) data)->letters);
}

static BeckonMatcher *
make_matcher (void)
{
  BeckonMatcher *matcher = g_new0 (BeckonMatcher, 1);

  g_atomic_ref_count_init (&matcher->references);
  matcher->needles = g_array_new (FALSE, FALSE, sizeof (Needle));
  g_array_set_clear_func (matcher->needles, clear_needle);
  return matcher;
}

static void
add_needle (BeckonMatcher *matcher, const char *text, gsize length, gboolean from_begin, gboolean to_end)
{
  g_autofree char *copy = g_strndup (text, length);
  const char *stripped = g_strstrip (copy);
  Needle needle = { g_array_new (FALSE, FALSE, sizeof (gunichar)), from_begin, to_end };

  for (const char *at = skip_marks (stripped); *at != '\0'; at = skip_letter (at))
    {
      gunichar second;
      gunichar letter = letter_fold_apart (g_utf8_get_char (at), &second);

      g_array_append_val (needle.letters, letter);
      if (second != 0)
        g_array_append_val (needle.letters, second);
    }
  if (needle.letters->len > 0)
    g_array_append_val (matcher->needles, needle);
  else
    clear_needle (&needle);
}

static BeckonMatcher *
matcher_finish (BeckonMatcher *matcher)
{
  if (matcher->needles->len == 0)
    g_clear_pointer (&matcher, beckon_matcher_unref);
  return matcher;
}

BeckonMatcher *
beckon_matcher_new (const char *text)
{
  BeckonMatcher *matcher;

  g_return_val_if_fail (text != NULL && g_utf8_validate (text, -1, NULL), NULL);

  matcher = make_matcher ();
  add_needle (matcher, text, strlen (text), FALSE, FALSE);
  return matcher_finish (matcher);
}

BeckonMatcher *
beckon_matcher_new_words (const char *words)
{
  BeckonMatcher *matcher;
  gboolean quoted = FALSE;

  g_return_val_if_fail (words != NULL && g_utf8_validate (words, -1, NULL), NULL);

  matcher = make_matcher ();
  for (const char *at = words; *at != '\0' && matcher->needles->len < MOST_NEEDLES;)
    {
      const char *end = at;

      while (*end != '\0' && *end != '"' && (quoted || !g_unichar_isspace (g_utf8_get_char (end))))
        end = g_utf8_next_char (end);
      if (end > at)
        add_needle (matcher, at, (gsize) (end - at), TRUE, quoted || *end != '\0');
      if (*end == '"')
        quoted = !quoted;
      at = *end != '\0' ? g_utf8_next_char (end) : end;
    }
  return matcher_finish (matcher);
}

BeckonMatcher *
beckon_matcher_ref (BeckonMatcher *matcher)
{
  g_atomic_ref_count_inc (&matcher->references);
  return matcher;
}

void
beckon_matcher_unref (BeckonMatcher *matcher)
{
  if (!g_atomic_ref_count_dec (&matcher->references))
    return;

  g_array_unref (matcher->needles);
  g_free (matcher);
}
