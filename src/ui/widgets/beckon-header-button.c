/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-header-button.h"

#include "base/beckon-text.h"
#include "beckon-whole-layout.h"

#define MAX_CHARS 20

struct _BeckonHeaderButton
{
  AdwBin parent_instance;

  gboolean narrow;
  gboolean word_alone;

  GtkMenuButton *button;
  GtkImage *image;
  GtkWidget *words;
  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (BeckonHeaderButton, beckon_header_button, ADW_TYPE_BIN)

typedef enum
{
  PROP_ICON_NAME = 1,
  PROP_WORD_ALONE,
} BeckonHeaderButtonProperty;

static void
update (BeckonHeaderButton *self)
{
  gtk_widget_set_visible (self->words, !self->narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->image), self->narrow || !self->word_alone);
}

void
beckon_header_button_set_narrow (BeckonHeaderButton *self, gboolean narrow)
{
  g_return_if_fail (BECKON_IS_HEADER_BUTTON (self));

  self->narrow = narrow;
  update (self);
}

int
beckon_header_button_measure_words (BeckonHeaderButton *self)
{
  int width = 0;

  g_return_val_if_fail (BECKON_IS_HEADER_BUTTON (self), 0);

  gtk_widget_measure (gtk_widget_get_first_child (self->words), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

void
beckon_header_button_set_icon_name (BeckonHeaderButton *self, const char *icon_name)
{
  g_return_if_fail (BECKON_IS_HEADER_BUTTON (self));

  gtk_image_set_from_icon_name (self->image, icon_name);
}

void
beckon_header_button_set_word (BeckonHeaderButton *self, const char *word)
{
  g_autofree char *shortened = beckon_text_shorten (word, MAX_CHARS);

  g_return_if_fail (BECKON_IS_HEADER_BUTTON (self));

  gtk_label_set_text (self->label, shortened);
}

void
beckon_header_button_set_name (BeckonHeaderButton *self, const char *spoken)
{
  g_return_if_fail (BECKON_IS_HEADER_BUTTON (self));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), spoken);
}

void
beckon_header_button_set_hint (BeckonHeaderButton *self, const char *hint)
{
  g_autofree char *tooltip = NULL;

  g_return_if_fail (BECKON_IS_HEADER_BUTTON (self));

  tooltip = g_strdup_printf ("%s\n%s", gtk_widget_get_tooltip_text (GTK_WIDGET (self->button)), hint);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, hint, -1);
}

void
beckon_header_button_set_menu (BeckonHeaderButton *self, GMenuModel *menu)
{
  g_return_if_fail (BECKON_IS_HEADER_BUTTON (self));

  gtk_menu_button_set_menu_model (self->button, menu);
}

static void
beckon_header_button_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  BeckonHeaderButton *self = BECKON_HEADER_BUTTON (object);

  switch ((BeckonHeaderButtonProperty) property_id)
    {
    case PROP_ICON_NAME:
      beckon_header_button_set_icon_name (self, g_value_get_string (value));
      break;
    case PROP_WORD_ALONE:
      self->word_alone = g_value_get_boolean (value);
      update (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_header_button_class_init (BeckonHeaderButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  G_OBJECT_CLASS (klass)->set_property = beckon_header_button_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_ICON_NAME,
      g_param_spec_string ("icon-name", NULL, NULL, NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_WORD_ALONE,
      g_param_spec_boolean ("word-alone", NULL, NULL, FALSE, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/header-button.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonHeaderButton, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonHeaderButton, image);
  gtk_widget_class_bind_template_child (widget_class, BeckonHeaderButton, words);
  gtk_widget_class_bind_template_child (widget_class, BeckonHeaderButton, label);
}

static void
beckon_header_button_init (BeckonHeaderButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
