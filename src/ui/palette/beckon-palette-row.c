/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-palette-row.h"

#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-matcher.h"
#include "ui/widgets/beckon-wrap-pair.h"

struct _BeckonPaletteRow
{
  AdwBin parent_instance;

  GtkImage *icon;
  GtkLabel *title_label;
  GtkLabel *subtitle_label;
  GtkLabel *key_label;
};

G_DEFINE_FINAL_TYPE (BeckonPaletteRow, beckon_palette_row, ADW_TYPE_BIN)

char *
beckon_palette_row_dup_name (BeckonPaletteItem *item)
{
  const char *subtitle = beckon_palette_item_get_subtitle (item);
  const char *kind = beckon_palette_kind_to_word (beckon_palette_item_get_kind (item));

  if (subtitle == NULL)
    return g_strdup_printf ("%s, %s", beckon_palette_item_get_title (item), kind);
  return g_strdup_printf ("%s, %s, %s", beckon_palette_item_get_title (item), kind, subtitle);
}

static void
show_title (GtkLabel *label, BeckonPaletteItem *item)
{
  const GArray *matches = beckon_palette_item_get_matches (item);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  for (guint i = 0; matches != NULL && i < matches->len; i++)
    {
      const BeckonMatch *match = &g_array_index (matches, BeckonMatch, i);
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->start_index = match->start;
      bold->end_index = match->end;
      pango_attr_list_insert (attributes, bold);
    }
  gtk_label_set_attributes (label, attributes);
  gtk_label_set_text (label, beckon_palette_item_get_title (item));
}

void
beckon_palette_row_set_item (BeckonPaletteRow *self, BeckonPaletteItem *item, const char *keys)
{
  const char *subtitle = beckon_palette_item_get_subtitle (item);
  g_autofree char *name = beckon_palette_row_dup_name (item);
  GtkWidget *row = gtk_widget_get_parent (GTK_WIDGET (self));

  gtk_image_set_from_icon_name (self->icon, beckon_palette_item_get_icon_name (item));
  show_title (self->title_label, item);
  beckon_label_say (self->subtitle_label, subtitle);
  gtk_label_set_text (self->key_label,
                      keys != NULL ? keys : beckon_palette_kind_to_word (beckon_palette_item_get_kind (item)));
  /* The list's own row takes the focus and is read out. */
  if (row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
beckon_palette_row_class_init (BeckonPaletteRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/palette-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPaletteRow, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonPaletteRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPaletteRow, subtitle_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPaletteRow, key_label);
}

static void
beckon_palette_row_init (BeckonPaletteRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_palette_row_new (void)
{
  return g_object_new (BECKON_TYPE_PALETTE_ROW, NULL);
}
