/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-bar-button.h"

#include "beckon-adaptive-switch.h"
#include "beckon-controls.h"

struct _BeckonBarButton
{
  AdwBin parent_instance;

  gboolean was_chosen; /* since it opened */

  GtkMenuButton *button;
  GtkBox *box;
  GtkImage *image;
  GtkWidget *wide;
  GtkLabel *long_label;
  GtkLabel *short_label;
};

G_DEFINE_FINAL_TYPE (BeckonBarButton, beckon_bar_button, ADW_TYPE_BIN)

enum
{
  PROP_ICON_NAME = 1,
};

void
beckon_bar_button_set_icon_name (BeckonBarButton *self, const char *icon_name)
{
  gtk_image_set_from_icon_name (self->image, icon_name);
  gtk_widget_set_visible (GTK_WIDGET (self->image), icon_name != NULL);
}

/* The row of a menu that is chosen now; there is no other way to tell. */
static GtkWidget *
find_chosen (GtkWidget *widget)
{
  gboolean chosen = FALSE;

  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton")
      && g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "active") != NULL)
    g_object_get (widget, "active", &chosen, NULL);
  if (chosen)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_chosen (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
on_menu_opened (BeckonBarButton *self, GtkWidget *menu)
{
  GtkWidget *chosen = find_chosen (menu);

  if (chosen != NULL)
    gtk_widget_grab_focus (chosen);
}

static void
on_menu_closed (BeckonBarButton *self)
{
  if (self->was_chosen)
    gtk_widget_activate_action (GTK_WIDGET (self), "conversation.focus-composer", NULL);
  self->was_chosen = FALSE;
}

void
beckon_bar_button_set_words (BeckonBarButton *self, const char *words, const char *word)
{
  if (!g_str_equal (gtk_label_get_text (self->long_label), words))
    {
      /* A message is written next. A menu closes before or after its choice is carried out. */
      GtkPopover *popover = gtk_menu_button_get_popover (self->button);

      self->was_chosen = popover != NULL && gtk_widget_get_visible (GTK_WIDGET (popover));
      if (!self->was_chosen && beckon_focus_is_within (GTK_WIDGET (self)))
        gtk_widget_activate_action (GTK_WIDGET (self), "conversation.focus-composer", NULL);
    }
  gtk_label_set_text (self->long_label, words);
  gtk_label_set_text (self->short_label, word);
}

void
beckon_bar_button_set_name (BeckonBarButton *self, const char *spoken, const char *hint)
{
  g_autofree char *tooltip = hint != NULL ? g_strdup_printf ("%s\n%s", spoken, hint) : g_strdup (spoken);

  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, hint != NULL ? hint : "", -1);
}

void
beckon_bar_button_set_menu (BeckonBarButton *self, GMenuModel *menu)
{
  GtkPopover *popover;

  gtk_menu_button_set_menu_model (self->button, menu);
  popover = gtk_menu_button_get_popover (self->button);
  if (popover == NULL)
    return;
  g_signal_connect_object (popover, "map", G_CALLBACK (on_menu_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (popover, "closed", G_CALLBACK (on_menu_closed), self, G_CONNECT_SWAPPED);
}

void
beckon_bar_button_set_popover (BeckonBarButton *self, GtkWidget *popover)
{
  gtk_menu_button_set_popover (self->button, popover);
}

void
beckon_bar_button_popdown (BeckonBarButton *self)
{
  gtk_menu_button_popdown (self->button);
}

static void
beckon_bar_button_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_ICON_NAME)
    beckon_bar_button_set_icon_name (BECKON_BAR_BUTTON (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
beckon_bar_button_class_init (BeckonBarButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->set_property = beckon_bar_button_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_ICON_NAME,
      g_param_spec_string ("icon-name", NULL, NULL, NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/bar-button.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonBarButton, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonBarButton, box);
  gtk_widget_class_bind_template_child (widget_class, BeckonBarButton, image);
  gtk_widget_class_bind_template_child (widget_class, BeckonBarButton, wide);
  gtk_widget_class_bind_template_child (widget_class, BeckonBarButton, long_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonBarButton, short_label);
}

static void
beckon_bar_button_init (BeckonBarButton *self)
{
  GtkWidget *words;

  gtk_widget_init_template (GTK_WIDGET (self));
  words = beckon_adaptive_switch_new (self->wide, GTK_WIDGET (self->short_label), 0);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (self->box, words);
}
