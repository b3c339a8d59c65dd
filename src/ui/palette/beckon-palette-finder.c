/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-palette-finder.h"

#include "base/beckon-text.h"
#include "markdown/beckon-markdown-plain.h"
#include "store/queries/beckon-search.h"
#include "ui/widgets/beckon-fuzzy.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Before anything is typed: so many of each, and all commands. */
#define MOST_REQUESTS_FIRST 5
#define MOST_CONVERSATIONS_FIRST 6

#define MOST_RESULTS 60
#define MOST_HITS 12

/* A search in the store begins when the typing pauses. */
#define PAUSE_MS 60

struct _BeckonPaletteFinder
{
  GObject parent_instance;

  GPtrArray *items;    /* (owned) (element-type BeckonPaletteItem) */
  GStrv recent;        /* (owned) */
  BeckonStore *store;  /* (owned) (nullable) */
  GListStore *results; /* (owned) (element-type BeckonPaletteItem) */

  char *words;             /* (owned) */
  GCancellable *searching; /* (owned) (nullable) */
  guint pause_id;
};

G_DEFINE_FINAL_TYPE (BeckonPaletteFinder, beckon_palette_finder, G_TYPE_OBJECT)

enum
{
  SIGNAL_SETTLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* How long ago it was chosen, counted in what was chosen since; G_MAXUINT: never. */
static guint
find_recent (BeckonPaletteFinder *self, BeckonPaletteItem *item)
{
  g_autofree char *key = NULL;

  if (beckon_palette_item_get_kind (item) != BECKON_PALETTE_COMMAND &&
      beckon_palette_item_get_kind (item) != BECKON_PALETTE_SETTING)
    return G_MAXUINT;
  key = beckon_palette_item_dup_key (item);
  for (guint i = 0; self->recent != NULL && self->recent[i] != NULL; i++)
    if (strcmp (self->recent[i], key) == 0)
      return i;
  return G_MAXUINT;
}

/* Empty query */

static guint
get_first_rank (BeckonPaletteFinder *self, BeckonPaletteItem *item, const guint *seen)
{
  BeckonPaletteKind kind = beckon_palette_item_get_kind (item);
  guint recent = find_recent (self, item);

  if (kind == BECKON_PALETTE_REQUEST)
    return seen[kind] < MOST_REQUESTS_FIRST ? 4000 - seen[kind] : 0;
  if (kind == BECKON_PALETTE_CONVERSATION)
    return seen[kind] < MOST_CONVERSATIONS_FIRST ? 3000 - seen[kind] : 0;
  if (recent != G_MAXUINT)
    return 2000 - recent;
  return kind == BECKON_PALETTE_COMMAND ? 1000 - seen[kind] : 0;
}

/* Typed query */

static guint
get_score (BeckonPaletteFinder *self, const BeckonFuzzy *fuzzy, BeckonPaletteItem *item, guint place, GArray **matches)
{
  guint score = beckon_fuzzy_match (fuzzy, beckon_palette_item_get_title (item), matches);
  const char *other_words = beckon_palette_item_get_other_words (item);
  const char *subtitle = beckon_palette_item_get_subtitle (item);
  guint recent = find_recent (self, item);

  if (score == 0 && ((other_words != NULL && beckon_fuzzy_is_in (fuzzy, other_words)) ||
                     (subtitle != NULL && beckon_fuzzy_is_in (fuzzy, subtitle))))
    score = 1;
  if (score == 0)
    return 0;
  /* Nearness counts for as much as a letter more in a row. */
  if (recent != G_MAXUINT)
    score += 7 * 16;
  else if (beckon_palette_item_get_kind (item) == BECKON_PALETTE_CONVERSATION)
    score += place < 7 * 16 ? 7 * 16 - place : 0;
  return score;
}

static int
palette_finder_compare (gconstpointer a, gconstpointer b)
{
  guint first = beckon_palette_item_get_score (*(BeckonPaletteItem *const *) a);
  guint second = beckon_palette_item_get_score (*(BeckonPaletteItem *const *) b);

  return first < second ? 1 : first > second ? -1 : 0;
}

static void
palette_finder_find (BeckonPaletteFinder *self)
{
  g_autoptr (BeckonFuzzy) fuzzy = beckon_fuzzy_new (self->words);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  guint seen[BECKON_PALETTE_MESSAGE + 1] = { 0 };
  guint n;

  for (guint i = 0; i < self->items->len; i++)
    {
      BeckonPaletteItem *item = g_ptr_array_index (self->items, i);
      GArray *matches = NULL;
      guint place = seen[beckon_palette_item_get_kind (item)];
      guint score = fuzzy != NULL ? get_score (self, fuzzy, item, place, &matches) : get_first_rank (self, item, seen);

      seen[beckon_palette_item_get_kind (item)]++;
      beckon_palette_item_set_found (item, score, matches);
      if (score > 0)
        g_ptr_array_add (found, item);
    }
  /* Stable, so that what is alike keeps its order. */
  g_ptr_array_sort (found, palette_finder_compare);
  n = MIN (found->len, MOST_RESULTS);
  g_list_store_splice (self->results, 0, g_list_model_get_n_items (G_LIST_MODEL (self->results)), found->pdata, n);
}

/* Text in messages */

static gboolean
leads_to (BeckonPaletteFinder *self, const char *conversation_id)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->results));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonPaletteItem) item = g_list_model_get_item (G_LIST_MODEL (self->results), i);

      if (beckon_palette_item_get_kind (item) == BECKON_PALETTE_CONVERSATION &&
          g_strcmp0 (beckon_palette_item_get_conversation_id (item), conversation_id) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
append_hit (BeckonPaletteFinder *self, const BeckonSearchHit *hit)
{
  gboolean in_title = hit->message_id == NULL;
  g_autofree char *title = beckon_text_for_display (hit->title, -1, BECKON_TEXT_PROSE);
  g_autofree char *line = in_title || hit->snippet == NULL ? NULL : beckon_markdown_to_line (hit->snippet);
  g_autoptr (BeckonPaletteItem) item = NULL;

  if (in_title && leads_to (self, hit->conversation_id))
    return;
  item = beckon_palette_item_new (in_title ? BECKON_PALETTE_CONVERSATION : BECKON_PALETTE_MESSAGE,
                                  *title != '\0' ? title : _("New conversation"), line,
                                  in_title ? "user-available-symbolic" : "edit-find-symbolic", "win.show-hit",
                                  g_variant_new ("(sss)", hit->conversation_id, in_title ? "" : hit->message_id,
                                                 in_title ? "" : self->words));
  beckon_palette_item_set_conversation_id (item, hit->conversation_id);
  g_list_store_append (self->results, item);
}

static void
palette_finder_on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPaletteFinder) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hits = beckon_store_search_finish (BECKON_STORE (source), result, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->searching);
  for (guint i = 0; hits != NULL && i < hits->len; i++)
    append_hit (self, g_ptr_array_index (hits, i));
  g_signal_emit (self, signals[SIGNAL_SETTLED], 0);
}

static gboolean
on_pause (gpointer user_data)
{
  BeckonPaletteFinder *self = user_data;

  self->pause_id = 0;
  self->searching = g_cancellable_new ();
  beckon_store_search_async (self->store, self->words, MOST_HITS, self->searching, palette_finder_on_searched,
                             g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static void
stop_searching (BeckonPaletteFinder *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  g_clear_handle_id (&self->pause_id, g_source_remove);
}

void
beckon_palette_finder_set_words (BeckonPaletteFinder *self, const char *words)
{
  stop_searching (self);
  g_free (self->words);
  self->words = g_strstrip (g_strdup (words));
  palette_finder_find (self);
  if (*self->words != '\0' && self->store != NULL)
    self->pause_id = g_timeout_add (PAUSE_MS, on_pause, self);
  else
    g_signal_emit (self, signals[SIGNAL_SETTLED], 0);
}

gboolean
beckon_palette_finder_is_searching (BeckonPaletteFinder *self)
{
  return self->searching != NULL || self->pause_id != 0;
}

GListModel *
beckon_palette_finder_get_results (BeckonPaletteFinder *self)
{
  return G_LIST_MODEL (self->results);
}

static void
beckon_palette_finder_dispose (GObject *object)
{
  BeckonPaletteFinder *self = BECKON_PALETTE_FINDER (object);

  stop_searching (self);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (beckon_palette_finder_parent_class)->dispose (object);
}

static void
beckon_palette_finder_finalize (GObject *object)
{
  BeckonPaletteFinder *self = BECKON_PALETTE_FINDER (object);

  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_strfreev (self->recent);
  g_clear_object (&self->results);
  g_free (self->words);
  G_OBJECT_CLASS (beckon_palette_finder_parent_class)->finalize (object);
}

static void
beckon_palette_finder_class_init (BeckonPaletteFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_palette_finder_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_palette_finder_finalize;
  signals[SIGNAL_SETTLED] = g_signal_new ("settled", BECKON_TYPE_PALETTE_FINDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
}

static void
beckon_palette_finder_init (BeckonPaletteFinder *self)
{
  self->results = g_list_store_new (BECKON_TYPE_PALETTE_ITEM);
  self->words = g_strdup ("");
}

BeckonPaletteFinder *
beckon_palette_finder_new (GPtrArray *items, const char *const *recent, BeckonStore *store)
{
  BeckonPaletteFinder *self = g_object_new (BECKON_TYPE_PALETTE_FINDER, NULL);

  self->items = items;
  self->recent = g_strdupv ((char **) recent);
  self->store = store != NULL ? g_object_ref (store) : NULL;
  palette_finder_find (self);
  return self;
}
