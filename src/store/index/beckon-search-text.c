/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chinese, Japanese and Korean are written without spaces between words, or with spaces that a search does not keep to, and
 * the index only knows words. So each of their characters becomes a word of its own: a character that is not seen and that
 * separates words is put on both sides of it, in what is indexed and in what is looked for. Two characters next to each other
 * are then a phrase. What the index gives out has the separators taken out again.
 */

#include "beckon-search-text.h"

#include "base/beckon-text.h"

#include <string.h>

/* The zero width space: a format character, no part of a word for the index. */
#define SEPARATOR ((gunichar) 0x200b)

/* A text is searched up to here; what a person wrote or read is never that long. */
#define MAX_BYTES (1024 * 1024)
#define MAX_QUERY_CHARS 500
#define MAX_QUERY_WORDS 32
/* The index keeps the beginnings of words from this length on; a single letter begins half of the history. */
#define LEAST_BEGUN 2

#define FIRST_EAST_ASIAN ((gunichar) 0x1100)
#define PROLONGED_SOUND ((gunichar) 0x30fc)
#define PROLONGED_SOUND_HALFWIDTH ((gunichar) 0xff70)

static gboolean
stands_alone (gunichar c)
{
  if (c < FIRST_EAST_ASIAN)
    return FALSE;
  if (c == PROLONGED_SOUND || c == PROLONGED_SOUND_HALFWIDTH)
    return TRUE;

  switch ((int) g_unichar_get_script (c))
    {
    case G_UNICODE_SCRIPT_HAN:
    case G_UNICODE_SCRIPT_HIRAGANA:
    case G_UNICODE_SCRIPT_KATAKANA:
    case G_UNICODE_SCRIPT_HANGUL:
    case G_UNICODE_SCRIPT_BOPOMOFO:
      return TRUE;

    default:
      return FALSE;
    }
}

/* Two neighbours share one separator. */
static void
append_apart (GString *string, gunichar c, gboolean *was_alone)
{
  gboolean is_alone = stands_alone (c);

  if (is_alone || *was_alone)
    g_string_append_unichar (string, SEPARATOR);
  g_string_append_unichar (string, c);
  *was_alone = is_alone;
}

static gsize
bounded (const char *text, gsize length)
{
  if (length <= MAX_BYTES)
    return length;

  length = MAX_BYTES;
  while (length > 0 && ((guchar) text[length] & 0xc0) == 0x80)
    length--;

  return length;
}

char *
beckon_search_text_prepare (const char *text, gsize length)
{
  g_autofree char *shown = NULL;
  g_autofree char *composed = NULL;
  gboolean was_alone = FALSE;
  GString *string;

  /* Also takes the control characters away, so that those of the marks are only marks. */
  shown = beckon_text_for_display (text, (gssize) bounded (text, length), BECKON_TEXT_PROSE);
  composed = g_utf8_normalize (shown, -1, G_NORMALIZE_DEFAULT_COMPOSE);
  string = g_string_sized_new (strlen (composed) + 1);
  for (const char *at = composed; *at != '\0'; at = g_utf8_next_char (at))
    append_apart (string, g_utf8_get_char (at), &was_alone);

  return g_string_free (string, FALSE);
}

/* The end of the word that begins at @at. A quotation mark ends a word and begins a phrase. */
static const char *
search_text_find_end (const char *at, gboolean is_quoted)
{
  while (*at != '\0' && *at != '"' && (is_quoted || !g_unichar_isspace (g_utf8_get_char (at))))
    at = g_utf8_next_char (at);

  return at;
}

/* The index folds what is a letter with a mark on it, and nothing that is a letter of its own. */
static const struct
{
  const char *letter;
  const char *letters;
} spellings[] = { { "ß", "ss" }, { "ẞ", "ss" }, { "æ", "ae" }, { "Æ", "ae" }, { "œ", "oe" }, { "Œ", "oe" } };

/* In how many ways each word is looked for, at most: "Strasse" is written in two, "Massstab" in three. */
#define MAX_SPELLINGS 8

/* Each place in which two letters may be one doubles what there is so far. */
static GPtrArray *
list_spellings (const char *word, gsize length)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  GString *string = g_string_new_len (word, (gssize) length);

  for (gsize i = 0; i < G_N_ELEMENTS (spellings); i++)
    g_string_replace (string, spellings[i].letter, spellings[i].letters, 0);
  g_ptr_array_add (found, g_string_free (string, FALSE));

  for (guint i = 0; i < found->len && found->len < MAX_SPELLINGS; i++)
    for (gsize s = 0; s < G_N_ELEMENTS (spellings); s += 2)
      {
        const char *known = g_ptr_array_index (found, i);

        for (const char *at = known; *at != '\0' && found->len < MAX_SPELLINGS; at = g_utf8_next_char (at))
          if (g_ascii_strncasecmp (at, spellings[s].letters, 2) == 0)
            {
              char *spelling = g_strdup_printf ("%.*s%s%s", (int) (at - known), known, spellings[s].letter, at + 2);

              if (g_ptr_array_find_with_equal_func (found, spelling, g_str_equal, NULL))
                g_free (spelling);
              else
                g_ptr_array_add (found, spelling);
            }
      }

  return found;
}

/* Marks alone are no word for the index, and a word that isn't one is found nowhere. */
static gboolean
is_word (const char *word, gsize length)
{
  for (const char *at = word; at < word + length; at = g_utf8_next_char (at))
    if (g_unichar_isalnum (g_utf8_get_char (at)) || g_unichar_type (g_utf8_get_char (at)) == G_UNICODE_OTHER_NUMBER
        || g_unichar_type (g_utf8_get_char (at)) == G_UNICODE_LETTER_NUMBER
        || g_unichar_type (g_utf8_get_char (at)) == G_UNICODE_PRIVATE_USE)
      return TRUE;

  return FALSE;
}

static void
append_word (GString *query, const char *word, gsize length, gboolean is_begun)
{
  g_autoptr (GPtrArray) found = NULL;

  if (!is_word (word, length))
    return;

  found = list_spellings (word, length);
  g_string_append (query, query->len > 0 ? " AND " : "");
  g_string_append (query, found->len > 1 ? "(" : "");
  for (guint i = 0; i < found->len; i++)
    {
      const char *spelling;
      gboolean was_alone;

      g_string_append (query, i > 0 ? " OR " : "");
      spelling = g_ptr_array_index (found, i);
      was_alone = FALSE;
      /* Within quotation marks the index knows no operators, and a word has none inside. */
      g_string_append_c (query, '"');
      for (const char *at = spelling; *at != '\0'; at = g_utf8_next_char (at))
        append_apart (query, g_utf8_get_char (at), &was_alone);
      g_string_append_c (query, '"');
      if (is_begun && !was_alone && g_utf8_strlen (spelling, -1) >= LEAST_BEGUN)
        g_string_append (query, " *");
    }
  g_string_append (query, found->len > 1 ? ")" : "");
}

char *
beckon_search_text_to_query (const char *words)
{
  g_autofree char *valid = beckon_text_make_valid (words, (gssize) bounded (words, strlen (words)), NULL);
  g_autofree char *bounded_words = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), MAX_QUERY_CHARS));
  g_autofree char *composed = g_utf8_normalize (bounded_words, -1, G_NORMALIZE_DEFAULT_COMPOSE);
  g_autoptr (GString) query = g_string_new (NULL);
  const char *at = composed;
  gboolean is_quoted = FALSE;

  for (guint n_words = 0; *at != '\0' && n_words < MAX_QUERY_WORDS;)
    {
      const char *end = search_text_find_end (at, is_quoted);

      if (end > at)
        {
          append_word (query, at, (gsize) (end - at), *end == '\0' && !is_quoted);
          n_words++;
        }
      if (*end == '"')
        is_quoted = !is_quoted;
      at = *end != '\0' ? g_utf8_next_char (end) : end;
    }

  return query->len > 0 ? g_strndup (query->str, query->len) : NULL;
}

gboolean
beckon_search_text_is_one_letter (const char *words)
{
  g_autofree char *composed = NULL;
  gunichar letter;

  g_return_val_if_fail (words != NULL, FALSE);

  composed = g_utf8_normalize (words, -1, G_NORMALIZE_DEFAULT_COMPOSE);
  if (composed == NULL || *composed == '\0' || *g_utf8_next_char (composed) != '\0')
    return FALSE;

  letter = g_utf8_get_char (composed);
  return g_unichar_isalnum (letter) && !stands_alone (letter);
}

static void
append_seen (GString *snippet, gunichar c)
{
  if (!g_unichar_isspace (c))
    g_string_append_unichar (snippet, c);
  else if (snippet->len > 0 && snippet->str[snippet->len - 1] != ' ')
    g_string_append_c (snippet, ' ');
}

void
beckon_search_text_mark (const char *marked, BeckonSearchHit *hit)
{
  GString *snippet = g_string_new (NULL);
  BeckonSearchMatch match = { 0, 0 };

  for (const char *at = marked; *at != '\0'; at = g_utf8_next_char (at))
    switch (g_utf8_get_char (at))
      {
      case BECKON_SEARCH_TEXT_BEGIN:
        match.start = (guint) snippet->len;
        break;

      case BECKON_SEARCH_TEXT_END:
        match.length = (guint) snippet->len - match.start;
        g_array_append_val (hit->matches, match);
        break;

      case SEPARATOR:
        break;

      default:
        append_seen (snippet, g_utf8_get_char (at));
        break;
      }

  g_free (hit->snippet);
  hit->snippet = g_string_free (snippet, FALSE);
}

BeckonSearchHit *
beckon_search_hit_new (void)
{
  BeckonSearchHit *hit = g_new0 (BeckonSearchHit, 1);

  hit->matches = g_array_new (FALSE, FALSE, sizeof (BeckonSearchMatch));

  return hit;
}

void
beckon_search_hit_free (BeckonSearchHit *hit)
{
  g_return_if_fail (hit != NULL);

  g_free (hit->conversation_id);
  g_free (hit->title);
  g_free (hit->message_id);
  g_free (hit->snippet);
  g_array_unref (hit->matches);
  g_free (hit);
}
