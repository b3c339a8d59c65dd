/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-search-row.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

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

BeckonSearchResult *
beckon_search_result_new (BeckonSearchHit *hit)
{
  BeckonSearchResult *self;

  self = g_object_new (BECKON_TYPE_SEARCH_RESULT, NULL);
  self->hit = hit;
  return self;
}

const BeckonSearchHit *
beckon_search_result_get_hit (BeckonSearchResult *self)
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

void
beckon_search_row_set_hit (BeckonSearchRow *self, const BeckonSearchHit *hit)
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

