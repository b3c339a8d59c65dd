/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-controls.h"

#define WORD "beckon-zero-word"

static gboolean
on_zero_word_output (GtkSpinButton *spin)
{
  const char *word = g_object_get_data (G_OBJECT (spin), WORD);

  if (gtk_adjustment_get_value (gtk_spin_button_get_adjustment (spin)) != 0)
    return FALSE;
  /* An equal text is not set, so that the cursor stays where it is. */
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (spin)), word))
    gtk_editable_set_text (GTK_EDITABLE (spin), word);
  return TRUE;
}

static int
on_zero_word_input (GtkSpinButton *spin, double *value)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin))));
  g_autofree char *typed = g_utf8_casefold (text, -1);
  g_autofree char *word = g_utf8_casefold (g_object_get_data (G_OBJECT (spin), WORD), -1);

  if (*text != '\0' && !g_str_equal (typed, word))
    return FALSE;
  *value = 0;
  return TRUE;
}

/* In digits: a Chinese letter is as wide as two of them. */
static int
count_width (const char *word)
{
  int width = 0;

  for (; *word != '\0'; word = g_utf8_next_char (word))
    width += g_unichar_iswide (g_utf8_get_char (word)) ? 2 : 1;
  return width;
}

void
beckon_zero_word_apply (GtkSpinButton *spin, const char *word)
{
  g_object_set_data_full (G_OBJECT (spin), WORD, g_strdup (word), g_free);
  gtk_spin_button_set_numeric (spin, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin),
                                MAX (count_width (word), gtk_editable_get_width_chars (GTK_EDITABLE (spin))));
  g_signal_connect (spin, "output", G_CALLBACK (on_zero_word_output), NULL);
  g_signal_connect (spin, "input", G_CALLBACK (on_zero_word_input), NULL);
  gtk_spin_button_update (spin);
  on_zero_word_output (spin);
}

void
beckon_entry_row_name (GtkEditable *row)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_editable_get_delegate (row)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), -1);
}

char *
beckon_entry_row_dup_text (GtkEditable *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (row)));
}

void
beckon_own_name_set (GtkWidget *control, const char *name)
{
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Characters that a line of the opened list has room for. */
#define MOST_CHARS 60

static void
set_up (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_item_set_child (item, label);
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, text);
}

void
beckon_short_list_apply (GtkDropDown *list)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), NULL);
  gtk_drop_down_set_factory (list, factory);
}

static gboolean
on_list_key_pressed (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType state, gpointer user_data)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));
  GdkModifierType held = state & gtk_accelerator_get_default_mod_mask ();
  gboolean back = keyval == GDK_KEY_ISO_Left_Tab || (held & GDK_SHIFT_MASK) != 0;
  gboolean moved;

  if ((keyval != GDK_KEY_Tab && keyval != GDK_KEY_KP_Tab && keyval != GDK_KEY_ISO_Left_Tab) || (held & ~GDK_SHIFT_MASK) != 0)
    return GDK_EVENT_PROPAGATE;

  /* A list that can't have the focus is passed over by the one that moves it, wherever the list stands. */
  gtk_widget_set_can_focus (list, FALSE);
  moved = gtk_widget_child_focus (GTK_WIDGET (gtk_widget_get_root (list)), back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD);
  gtk_widget_set_can_focus (list, TRUE);
  return moved ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

void
beckon_list_tab_leave (GtkWidget *list)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_list_key_pressed), NULL);
  gtk_widget_add_controller (list, keys);
}

void
beckon_css_class_set (GtkWidget *widget, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

int
beckon_measure_least_width (GtkWidget *widget)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

int
beckon_measure_natural_width (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

GtkSizeRequestMode
beckon_height_for_width (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

gboolean
beckon_focus_is_within (GtkWidget *widget)
{
  return (gtk_widget_get_state_flags (widget) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

gboolean
beckon_key_is_enter (guint keyval)
{
  return keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
}

void
beckon_label_say (GtkLabel *label, const char *words)
{
  gtk_label_set_text (label, words != NULL ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (label), words != NULL && *words != '\0');
}

GtkWidget *
beckon_line_new (const char *words, const char *css_class)
{
  GtkWidget *label = gtk_label_new (words);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}
