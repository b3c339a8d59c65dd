/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-search-snippet.h"

#include "beckon-search-text.h"

#include <sqlite3.h>
#include <string.h>

/* More matches than this don't make a better snippet. */
#define MAX_LOOKED_AT 512

/* The words cut out of a text: first to last, counted from 0. */
typedef struct
{
  int first;
  int last;
  gboolean begins[BECKON_SEARCH_SNIPPET_WORDS]; /* a match begins with that word */
  gboolean ends[BECKON_SEARCH_SNIPPET_WORDS];

  /* in progress */
  const char *text;
  int at;         /* the next word */
  int n_copied;   /* bytes of the text, up to where */
  gboolean is_cut;
  GString *snippet;
} Cut;

typedef struct
{
  int phrase;
  int offset; /* in words */
} Match;

static guint
read_matches (const Fts5ExtensionApi *api, Fts5Context *fts, Match *matches)
{
  int n_matches = 0;
  guint n = 0;

  if (api->xInstCount (fts, &n_matches) != SQLITE_OK)
    return 0;
  for (int i = 0; i < n_matches && n < MAX_LOOKED_AT; i++)
    {
      int column;

      if (api->xInst (fts, i, &matches[n].phrase, &column, &matches[n].offset) == SQLITE_OK)
        n++;
    }

  return n;
}

/* Finds the densest spot of matches: each phrase counts much, each further match a little. */
static guint
choose_first (const Match *matches, guint n_matches)
{
  guint best = 0, best_score = 0;

  for (guint i = 0; i < n_matches; i++)
    {
      guint64 seen = 0;
      guint score = 0;

      for (guint j = i; j < n_matches && matches[j].offset < matches[i].offset + BECKON_SEARCH_SNIPPET_WORDS; j++)
        {
          guint64 bit = G_GUINT64_CONSTANT (1) << (matches[j].phrase & 63);

          score += (seen & bit) == 0 ? 1000 : 1;
          seen |= bit;
        }
      if (score > best_score)
        {
          best = i;
          best_score = score;
        }
    }

  return best;
}

static void
copy_to (Cut *cut, int end)
{
  if (end > cut->n_copied)
    g_string_append_len (cut->snippet, cut->text + cut->n_copied, end - cut->n_copied);
  cut->n_copied = MAX (cut->n_copied, end);
}

static int
take_word (void *user_data, int flags, const char *token, int n_token, int begin, int end)
{
  Cut *cut = user_data;
  int word = cut->at;

  if ((flags & FTS5_TOKEN_COLOCATED) != 0)
    return SQLITE_OK;
  cut->at++;
  if (word < cut->first)
    return SQLITE_OK;
  if (word > cut->last)
    {
      cut->is_cut = TRUE;
      return SQLITE_DONE;
    }
  if (word == cut->first && word > 0)
    {
      g_string_append (cut->snippet, "…");
      cut->n_copied = begin;
    }
  copy_to (cut, begin);
  if (cut->begins[word - cut->first])
    g_string_append_c (cut->snippet, BECKON_SEARCH_TEXT_BEGIN);
  copy_to (cut, end);
  if (cut->ends[word - cut->first])
    g_string_append_c (cut->snippet, BECKON_SEARCH_TEXT_END);

  return SQLITE_OK;
}

static void
snippet (const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int n_values, sqlite3_value **values)
{
  g_autofree Match *matches = g_new (Match, MAX_LOOKED_AT);
  guint n_matches = read_matches (api, fts, matches);
  g_autoptr (GString) string = g_string_new (NULL);
  Cut cut = { .snippet = string };
  int length = 0, n_words = 0;
  int end;

  /* All of a short text, and as many words at the end of a long one as elsewhere. */
  if (n_matches > 0 && api->xColumnSize (fts, 0, &n_words) == SQLITE_OK)
    cut.first = CLAMP (matches[choose_first (matches, n_matches)].offset - BECKON_SEARCH_SNIPPET_WORDS / 4, 0,
                       MAX (n_words - BECKON_SEARCH_SNIPPET_WORDS, 0));
  cut.last = cut.first + BECKON_SEARCH_SNIPPET_WORDS - 1;
  end = cut.first;
  for (guint i = 0; i < n_matches; i++)
    {
      int last = matches[i].offset + api->xPhraseSize (fts, matches[i].phrase) - 1;

      /* Nested matches are not marked a second time. */
      if (matches[i].offset < end || last > cut.last)
        continue;
      cut.begins[matches[i].offset - cut.first] = TRUE;
      cut.ends[last - cut.first] = TRUE;
      end = last + 1;
    }
  if (api->xColumnText (fts, 0, &cut.text, &length) == SQLITE_OK && cut.text != NULL)
    api->xTokenize (fts, cut.text, length, &cut, take_word);
  if (cut.is_cut)
    g_string_append (string, "…");
  else if (cut.text != NULL)
    copy_to (&cut, length);
  sqlite3_result_text (context, string->str, (int) string->len, SQLITE_TRANSIENT);
}

gboolean
beckon_search_snippet_define (BeckonDatabase *database, GError **error)
{
  sqlite3_stmt *statement = NULL;
  fts5_api *api = NULL;

  if (sqlite3_prepare_v2 (beckon_database_get_handle (database), "SELECT fts5 (?1)", -1, &statement, NULL) == SQLITE_OK
      && sqlite3_bind_pointer (statement, 1, &api, "fts5_api_ptr", NULL) == SQLITE_OK)
    sqlite3_step (statement);
  sqlite3_finalize (statement);
  if (api != NULL && api->xCreateFunction (api, "beckon_snippet", NULL, snippet, NULL) == SQLITE_OK)
    return TRUE;

  beckon_database_set_error (database, error);

  return FALSE;
}
