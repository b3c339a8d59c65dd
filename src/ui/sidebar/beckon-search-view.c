/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-search-view.h"

#include "base/beckon-text.h"
#include "store/index/beckon-search-text.h"

#include <glib/gi18n-lib.h>

#define BECKON_TYPE_SEARCH_RESULT (beckon_search_result_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSearchResult, beckon_search_result, BECKON, SEARCH_RESULT, GObject)

struct _BeckonSearchResult
{
  GObject parent_instance;

  BeckonSearchHit *hit; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonSearchResult, beckon_search_result, G_TYPE_OBJECT)

static void
beckon_search_result_finalize (GObject *object)
{
  BeckonSearchResult *self = BECKON_SEARCH_RESULT (object);

  beckon_search_hit_free (self->hit);
  G_OBJECT_CLASS (beckon_search_result_parent_class)->finalize (object);
}

static void
beckon_search_result_class_init (BeckonSearchResultClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_search_result_finalize;
}

static void
beckon_search_result_init (BeckonSearchResult *self)
{
}

/* A hit as an item of a list. @hit: (transfer full). Caller owns. */
static BeckonSearchResult *
search_result_new (BeckonSearchHit *hit)
{
  BeckonSearchResult *self;

  self = g_object_new (BECKON_TYPE_SEARCH_RESULT, NULL);
  self->hit = hit;
  return self;
}

static const BeckonSearchHit *
search_result_get_hit (BeckonSearchResult *self)
{
  return self->hit;
}

/* So many characters before the first match still leave it on the first of the two lines. */
#define MOST_BEFORE 24

struct _BeckonSearchRow
{
  AdwBin parent_instance;

  GtkLabel *title_label;
  GtkLabel *time_label;
  GtkLabel *snippet_label;
};

G_DEFINE_FINAL_TYPE (BeckonSearchRow, beckon_search_row, ADW_TYPE_BIN)

static char *
describe_time (gint64 at)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at / G_USEC_PER_SEC);
  g_autoptr (GDateTime) then = utc != NULL ? g_date_time_to_local (utc) : NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (then == NULL)
    return g_strdup ("");
  if (g_date_time_get_year (then) != g_date_time_get_year (now))
    /* Translators: a day of another year, see g_date_time_format() */
    return g_date_time_format (then, _("%e %b %Y"));
  if (g_date_time_get_day_of_year (then) != g_date_time_get_day_of_year (now))
    /* Translators: a day of this year, see g_date_time_format(); xgettext:no-c-format */
    return g_date_time_format (then, _("%e %b"));
  /* Translators: a time today, see g_date_time_format() */
  return g_date_time_format (then, _("%H:%M"));
}

/* Finds a start for the text that shows its first match: at a word, if there is one. */
static guint
find_begin (const char *text, guint match)
{
  const char *begin = text + match;
  const char *word = NULL;

  for (guint i = 0; i < MOST_BEFORE && begin > text; i++)
    {
      begin = g_utf8_prev_char (begin);
      if (begin > text && g_unichar_isspace (g_utf8_get_char (g_utf8_prev_char (begin))))
        word = begin;
    }
  if (begin == text)
    return 0;
  return (guint) ((word != NULL ? word : begin) - text);
}

/* Shows a hit, and the text around it with the match in bold; rows are used again for others. */
static void
search_row_set_hit (BeckonSearchRow *self, const BeckonSearchHit *hit)
{
  gboolean in_title = hit->message_id == NULL;
  g_autofree char *title = beckon_text_for_display (hit->title, -1, BECKON_TEXT_PROSE);
  g_autofree char *time = describe_time (hit->at);
  const char *shown = *title != '\0' ? title : _("New conversation");
  g_autofree char *spoken = in_title ? g_strdup (shown) : g_strdup_printf ("%s: %s", shown, hit->snippet);
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  GtkLabel *label = in_title ? self->title_label : self->snippet_label;
  const GArray *matches = hit->matches;
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  guint begin = matches->len > 0 ? find_begin (hit->snippet, g_array_index (matches, BeckonSearchMatch, 0).start) : 0;
  g_autofree char *part = g_strconcat (begin > 0 ? "…" : "", hit->snippet + begin, NULL);
  guint shift = begin > 0 ? (guint) strlen ("…") : 0;

  gtk_label_set_attributes (self->title_label, NULL);
  gtk_label_set_text (self->title_label, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->snippet_label), !in_title);
  for (guint i = 0; i < matches->len; i++)
    {
      const BeckonSearchMatch *match = &g_array_index (matches, BeckonSearchMatch, i);
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->start_index = match->start - begin + shift;
      bold->end_index = bold->start_index + match->length;
      pango_attr_list_insert (attributes, bold);
    }
  gtk_label_set_attributes (label, attributes);
  gtk_label_set_text (label, part);
  gtk_label_set_text (self->time_label, time);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  /* The list's own row takes the focus and is read out. */
  if (item != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
beckon_search_row_class_init (BeckonSearchRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/search-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchRow, time_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchRow, snippet_label);
}

static void
beckon_search_row_init (BeckonSearchRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

#define MOST_HITS 100

/* A history that was just converted is indexed by the searches themselves; it is looked into again this often. */
#define AGAIN_MS 400
#define MOST_AGAIN 150

struct _BeckonSearchView
{
  AdwBin parent_instance;

  BeckonStore *store;     /* (owned) (nullable) */
  char *words;            /* (owned): what is looked for */
  GListStore *results;    /* (owned) (element-type BeckonSearchResult) */
  GCancellable *searching; /* (owned) (nullable) */
  guint again_id;
  guint n_again;
  gboolean first_wanted; /* once there is a first hit */

  GtkStack *pages;
  GtkListView *list;
  AdwStatusPage *nothing_page;
  AdwStatusPage *failure_page;
  GtkWidget *partial_label;
};

G_DEFINE_FINAL_TYPE (BeckonSearchView, beckon_search_view, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_HIT_ACTIVATED,
} BeckonSearchViewSignal;

static guint signals[SIGNAL_HIT_ACTIVATED + 1];

static void search (BeckonSearchView *self);

static void
activate (BeckonSearchView *self, guint position)
{
  g_autoptr (BeckonSearchResult) result = g_list_model_get_item (G_LIST_MODEL (self->results), position);
  const BeckonSearchHit *hit = result != NULL ? search_result_get_hit (result) : NULL;

  if (hit != NULL)
    g_signal_emit (self, signals[SIGNAL_HIT_ACTIVATED], 0, hit->conversation_id, hit->message_id, self->words);
}

static void
stop_searching (BeckonSearchView *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  g_clear_handle_id (&self->again_id, g_source_remove);
}

static gboolean
search_again (gpointer user_data)
{
  BeckonSearchView *self = user_data;

  self->again_id = 0;
  search (self);
  return G_SOURCE_REMOVE;
}

static void
search_view_on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonSearchView) self = user_data;
  gboolean is_complete;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hits = beckon_store_search_finish (BECKON_STORE (source), result, &is_complete, &error);
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->searching);
  if (hits == NULL)
    {
      g_autofree char *reason = g_markup_escape_text (error->message, -1);

      g_list_store_remove_all (self->results);
      adw_status_page_set_description (self->failure_page, reason);
      gtk_widget_set_visible (self->partial_label, FALSE);
      gtk_stack_set_visible_child_name (self->pages, "failure");

      return;
    }
  g_ptr_array_set_free_func (hits, NULL);
  for (guint i = 0; i < hits->len; i++)
    g_ptr_array_add (results, search_result_new (g_steal_pointer (&g_ptr_array_index (hits, i))));
  g_list_store_splice (self->results, 0, g_list_model_get_n_items (G_LIST_MODEL (self->results)), results->pdata, results->len);
  gtk_widget_set_visible (self->partial_label, !is_complete);
  /* That there is no such letter in the history would not be true. */
  adw_status_page_set_description (self->nothing_page, beckon_search_text_is_one_letter (self->words)
                                                           ? _("A single letter only finds whole words. Type more letters.")
                                                           : _("Try fewer or different words."));
  gtk_stack_set_visible_child_name (self->pages, results->len > 0 ? "hits" : "nothing");
  if (self->first_wanted)
    activate (self, 0);
  self->first_wanted = FALSE;
  if (!is_complete && self->n_again++ < MOST_AGAIN)
    self->again_id = g_timeout_add (AGAIN_MS, search_again, self);
}

static void
search (BeckonSearchView *self)
{
  stop_searching (self);
  self->searching = g_cancellable_new ();
  beckon_store_search_async (self->store, self->words, MOST_HITS, self->searching, search_view_on_searched,
                             g_object_ref (self));
}

void
beckon_search_view_set_words (BeckonSearchView *self, const char *words)
{
  g_autofree char *stripped = g_strstrip (g_strdup (words));

  if (g_strcmp0 (stripped, self->words) == 0)
    return;
  stop_searching (self);
  self->n_again = 0;
  self->first_wanted = FALSE;
  g_free (self->words);
  self->words = g_steal_pointer (&stripped);
  if (*self->words != '\0' && self->store != NULL)
    search (self);
  else
    g_list_store_remove_all (self->results);
}

void
beckon_search_view_set_store (BeckonSearchView *self, BeckonStore *store)
{
  g_set_object (&self->store, store);
  if (*self->words != '\0')
    search (self);
}

void
beckon_search_view_activate_first (BeckonSearchView *self)
{
  if (self->searching != NULL)
    self->first_wanted = TRUE;
  else
    activate (self, 0);
}

gboolean
beckon_search_view_focus_first (BeckonSearchView *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->results)) == 0)
    return FALSE;
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", 0);
  return gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, g_object_new (BECKON_TYPE_SEARCH_ROW, NULL));
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  BeckonSearchResult *result = gtk_list_item_get_item (item);

  search_row_set_hit (BECKON_SEARCH_ROW (gtk_list_item_get_child (item)), search_result_get_hit (result));
}

static void
beckon_search_view_dispose (GObject *object)
{
  BeckonSearchView *self = BECKON_SEARCH_VIEW (object);

  stop_searching (self);
  g_clear_object (&self->store);
  g_clear_object (&self->results);
  g_clear_pointer (&self->words, g_free);
  G_OBJECT_CLASS (beckon_search_view_parent_class)->dispose (object);
}

static void
beckon_search_view_class_init (BeckonSearchViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_search_view_dispose;
  signals[SIGNAL_HIT_ACTIVATED] =
      g_signal_new ("hit-activated", BECKON_TYPE_SEARCH_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                    G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/search-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchView, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchView, list);
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchView, nothing_page);
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchView, failure_page);
  gtk_widget_class_bind_template_child (widget_class, BeckonSearchView, partial_label);
}

static void
beckon_search_view_init (BeckonSearchView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkSelectionModel) selection = NULL;

  self->words = g_strdup ("");
  self->results = g_list_store_new (BECKON_TYPE_SEARCH_RESULT);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  gtk_list_view_set_factory (self->list, factory);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->results))));
  gtk_list_view_set_model (self->list, selection);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (activate), self);
}
