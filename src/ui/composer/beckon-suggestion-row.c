/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-suggestion-row.h"

struct _BeckonSuggestionRow
{
  GtkListBoxRow parent_instance;

  GtkImage *icon;
  GtkLabel *word_label;
  GtkLabel *title_label;
};

G_DEFINE_FINAL_TYPE (BeckonSuggestionRow, beckon_suggestion_row, GTK_TYPE_LIST_BOX_ROW)

static void
beckon_suggestion_row_class_init (BeckonSuggestionRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/suggestion-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSuggestionRow, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonSuggestionRow, word_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSuggestionRow, title_label);
}

static void
beckon_suggestion_row_init (BeckonSuggestionRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_suggestion_row_new (const BeckonSuggestion *suggestion)
{
  BeckonSuggestionRow *self = g_object_new (BECKON_TYPE_SUGGESTION_ROW, NULL);
  g_autofree char *name = NULL;

  name = suggestion->title != NULL ? g_strdup_printf ("%s %s", suggestion->word, suggestion->title)
                                   : g_strdup (suggestion->word);
  gtk_label_set_text (self->word_label, suggestion->word);
  gtk_label_set_text (self->title_label, suggestion->title != NULL ? suggestion->title : "");
  gtk_widget_set_visible (GTK_WIDGET (self->title_label), suggestion->title != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->icon), suggestion->title == NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
