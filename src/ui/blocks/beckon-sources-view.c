/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sources-view.h"

#include "ui/widgets/beckon-label-links.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

#define FAINT_ALPHA 0xb333

struct _BeckonSourcesView
{
  AdwBin parent_instance;

  GPtrArray *sources; /* (owned) */

  GtkToggleButton *toggle;
  GtkImage *arrow;
  GtkLabel *label;
  AdwBin *holder;
};

G_DEFINE_FINAL_TYPE (BeckonSourcesView, beckon_sources_view, ADW_TYPE_BIN)

static GtkWidget *
make_source (const BeckonCitation *source, guint number)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_label_link_free);
  PangoAttribute *faint = pango_attr_foreground_alpha_new (FAINT_ALPHA);
  PangoAttrList *attributes = pango_attr_list_new ();
  gsize start;
  GtkWidget *label;

  g_string_append_printf (text, "%u. ", number);
  start = text->len;
  g_string_append (text, source->title);
  g_ptr_array_add (links, beckon_label_link_new ((guint) start, (guint) text->len, source->url));
  faint->start_index = (guint) text->len;
  pango_attr_list_insert (attributes, faint);
  /* A hyphen would be read as part of the host. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  if (!g_str_equal (source->title, source->host))
    g_string_append_printf (text, "  %s", source->host);
  label = g_object_new (GTK_TYPE_LABEL, "label", text->str, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign", 0.0f,
                        "selectable", TRUE, NULL);
  beckon_label_links_set (GTK_LABEL (label), links, attributes);
  pango_attr_list_unref (attributes);
  return label;
}

static void
sources_view_on_toggled (BeckonSourcesView *self)
{
  gboolean shown = gtk_toggle_button_get_active (self->toggle);

  gtk_image_set_from_icon_name (self->arrow, shown ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, shown, -1);
  if (shown && adw_bin_get_child (self->holder) == NULL)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

      for (guint i = 0; i < self->sources->len; i++)
        gtk_box_append (GTK_BOX (box), make_source (g_ptr_array_index (self->sources, i), i + 1));
      adw_bin_set_child (self->holder, box);
    }
  if (shown)
    beckon_unfolding_tell (GTK_WIDGET (self->toggle));
}

static void
beckon_sources_view_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_SOURCES_VIEW (object)->sources, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_sources_view_parent_class)->finalize (object);
}

static void
beckon_sources_view_class_init (BeckonSourcesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_sources_view_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/sources-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, holder);
  gtk_widget_class_bind_template_callback (widget_class, sources_view_on_toggled);
}

static void
beckon_sources_view_init (BeckonSourcesView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_sources_view_new (GPtrArray *sources)
{
  BeckonSourcesView *self = g_object_new (BECKON_TYPE_SOURCES_VIEW, NULL);
  g_autofree char *title = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u source", "%u sources", sources->len),
                                            sources->len);

  self->sources = g_ptr_array_ref (sources);
  gtk_label_set_text (self->label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  return GTK_WIDGET (self);
}
