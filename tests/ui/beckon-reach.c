/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reach.h"

#include <string.h>

#define MOST_STOPS 400

/* Accessible names */

static gboolean
has_text (GtkWidget *widget, GtkAccessibleProperty property)
{
  g_autofree char *other = NULL;

  if (!gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), property))
    return FALSE;
  other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), property, "");
  return other != NULL;
}

/* GTK's own pieces of something stand for the whole. */
static gboolean
is_named (GtkWidget *widget)
{
  return has_text (widget, GTK_ACCESSIBLE_PROPERTY_LABEL)
         || gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
         || (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
         || (GTK_IS_BUTTON (widget) && gtk_button_get_label (GTK_BUTTON (widget)) != NULL
             && *gtk_button_get_label (GTK_BUTTON (widget)) != '\0');
}

/* A widget's parent may name it: the text of an entry, the button of a menu button, a row of libadwaita's. */
static gboolean
is_named_by_whole (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  for (guint i = 0; i < 4 && parent != NULL; i++, parent = gtk_widget_get_parent (parent))
    {
      if (GTK_IS_EDITABLE (parent) || GTK_IS_MENU_BUTTON (parent) || GTK_IS_DROP_DOWN (parent) || ADW_IS_SPLIT_BUTTON (parent)
          || GTK_IS_SPIN_BUTTON (parent))
        return is_named (parent);
      if (ADW_IS_PREFERENCES_ROW (parent))
        return *adw_preferences_row_get_title (ADW_PREFERENCES_ROW (parent)) != '\0';
    }
  return FALSE;
}

static gboolean
is_control (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_SWITCH (widget)
         || GTK_IS_DROP_DOWN (widget) || GTK_IS_TEXT (widget) || GTK_IS_TEXT_VIEW (widget) || GTK_IS_RANGE (widget)
         || GTK_IS_LIST_BASE (widget) || GTK_IS_LIST_BOX (widget) || GTK_IS_SPIN_BUTTON (widget);
}

/* Widgets the toolkit composes itself are its own concern. */
static gboolean
is_of_toolkit (GtkWidget *widget)
{
  static const char *const types[] = { "GtkScrollbar", "GtkWindowControls", "GtkPopoverMenu", "GtkEmojiChooser",
                                       "AdwAboutWindow", "GtkPopover", "GtkListItemWidget", "GtkSourceGutter", "AdwToastWidget" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (g_str_equal (G_OBJECT_TYPE_NAME (widget), types[i]))
        return TRUE;
    }
  return FALSE;
}

static char *
describe (GtkWidget *widget)
{
  GString *path = g_string_new (NULL);

  for (guint i = 0; i < 7 && widget != NULL; i++, widget = gtk_widget_get_parent (widget))
    {
      const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));

      g_string_append_printf (path, "%s%s%s%s", i > 0 ? " in " : "", G_OBJECT_TYPE_NAME (widget), id != NULL ? " " : "",
                              id != NULL ? id : "");
    }
  return g_string_free (path, FALSE);
}

static void
collect (GtkWidget *widget, gboolean hidden_too, GPtrArray *nameless)
{
  if (is_of_toolkit (widget) || !(hidden_too || gtk_widget_get_mapped (widget)))
    return;
  if (is_control (widget) && gtk_widget_get_focusable (widget) && !is_named (widget) && !is_named_by_whole (widget))
    g_ptr_array_add (nameless, describe (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect (child, hidden_too, nameless);
}

GPtrArray *
reach_list_nameless (GtkWidget *root, gboolean hidden_too)
{
  GPtrArray *nameless = g_ptr_array_new_with_free_func (g_free);

  collect (root, hidden_too, nameless);
  return nameless;
}

/* The walk */

static gboolean
is_within_toolkit (GtkWidget *widget)
{
  /* A page that says something takes the focus where it could be scrolled. */
  if (GTK_IS_SCROLLED_WINDOW (widget) && ADW_IS_STATUS_PAGE (gtk_widget_get_parent (widget)))
    return TRUE;
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      if (is_of_toolkit (widget))
        return TRUE;
    }
  return FALSE;
}

/* Notes a focus that keeps Tab or has no name. */
static void
look_at (GtkWidget *widget, GPtrArray *wrong)
{
  gboolean traps = GTK_IS_TEXT_VIEW (widget) && gtk_text_view_get_editable (GTK_TEXT_VIEW (widget))
                   && gtk_text_view_get_accepts_tab (GTK_TEXT_VIEW (widget));

  if (traps)
    g_ptr_array_add (wrong, g_strconcat ("it keeps Tab for itself: ", describe (widget), NULL));
  if (!is_named (widget) && !is_named_by_whole (widget) && !is_within_toolkit (widget))
    g_ptr_array_add (wrong, g_strconcat ("it has no name: ", describe (widget), NULL));
}

static void
walk (GtkWidget *window, GtkDirectionType direction, GPtrArray *seen, GPtrArray *wrong)
{
  GtkRoot *root = gtk_widget_get_root (window);

  gtk_root_set_focus (root, NULL);
  for (guint i = 0; i < MOST_STOPS && gtk_widget_child_focus (GTK_WIDGET (root), direction); i++)
    {
      GtkWidget *focus = gtk_root_get_focus (root);

      if (focus == NULL)
        continue;
      /* Reactions to the focus are done when a person moves on. */
      ui_wait_frames_of (window, 0);
      /* A window begins again where it ended. */
      if (seen->len > 0 && focus == g_ptr_array_index (seen, 0))
        return;
      if (g_ptr_array_find (seen, focus, NULL))
        {
          g_ptr_array_add (wrong, g_strconcat ("it keeps the focus: ", describe (focus), NULL));
          return;
        }
      g_ptr_array_add (seen, focus);
    }
}

/* A list's nearest row is reached, which is another one on the way back. */
static GtkWidget *
get_place (GtkWidget *widget)
{
  GtkWidget *list = gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_BASE);

  return list != NULL ? list : widget;
}

static gboolean
is_same_place (gconstpointer one, gconstpointer other)
{
  return get_place ((GtkWidget *) one) == get_place ((GtkWidget *) other);
}

static void
compare (const char *what, GPtrArray *these, GPtrArray *those, GPtrArray *wrong)
{
  for (guint i = 0; i < these->len; i++)
    {
      if (!g_ptr_array_find_with_equal_func (those, g_ptr_array_index (these, i), is_same_place, NULL))
        {
          g_autofree char *widget = describe (g_ptr_array_index (these, i));

          g_ptr_array_add (wrong, g_strdup_printf ("%s: %s", what, widget));
        }
    }
}

void
reach_check_focus (GtkWidget *window)
{
  g_autoptr (GPtrArray) forward = g_ptr_array_new (), backward = g_ptr_array_new ();
  g_autoptr (GPtrArray) wrong = g_ptr_array_new_with_free_func (g_free);

  walk (window, GTK_DIR_TAB_FORWARD, forward, wrong);
  for (guint i = 0; i < forward->len; i++)
    look_at (g_ptr_array_index (forward, i), wrong);
  walk (window, GTK_DIR_TAB_BACKWARD, backward, wrong);
  compare ("only reached backwards", backward, forward, wrong);
  compare ("passed over on the way back", forward, backward, wrong);
  if (forward->len == 0)
    g_ptr_array_add (wrong, g_strdup ("nothing has the focus"));
  for (guint i = 0; i < wrong->len; i++)
    g_printerr ("%s\n", (const char *) g_ptr_array_index (wrong, i));
  g_test_message ("%u stops", forward->len);
  g_assert_cmpuint (wrong->len, ==, 0);
}

static gboolean
is_labelled (GtkWidget *widget, const char *name)
{
  g_autofree char *label = NULL;

  if (ADW_IS_PREFERENCES_ROW (widget))
    return strstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), name) != NULL;
  if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
    label = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  return label != NULL && strstr (label, name) != NULL;
}

/* By itself, by what it shows, or by the entry or row that it is a part of. */
static gboolean
is_called (GtkWidget *stop, const char *name)
{
  GtkWidget *whole = stop;

  for (guint i = 0; i < 4 && whole != NULL; i++, whole = gtk_widget_get_parent (whole))
    if (is_labelled (whole, name))
      return TRUE;
  return ui_find_text (stop, name) != NULL;
}

void
reach_check_stops (GtkWidget *window, const char *const *names)
{
  g_autoptr (GPtrArray) stops = g_ptr_array_new (), wrong = g_ptr_array_new_with_free_func (g_free);

  walk (window, GTK_DIR_TAB_FORWARD, stops, wrong);
  for (guint i = 0; names[i] != NULL; i++)
    {
      guint at = 0;

      while (at < stops->len && !is_called (g_ptr_array_index (stops, at), names[i]))
        at++;
      if (at == stops->len)
        g_error ("%s is not reached", names[i]);
    }
}

static int
get_least (GtkWidget *widget)
{
  int width;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  return width;
}

static GtkWidget *
find_widest_child (GtkWidget *widget)
{
  GtkWidget *widest = NULL;

  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL; at = gtk_widget_get_next_sibling (at))
    if (gtk_widget_should_layout (at) && (widest == NULL || get_least (at) > get_least (widest)))
      widest = at;
  return widest;
}

/* The way down to what makes a widget as wide as it is. */
static void
print_widest (GtkWidget *widget)
{
  g_autoptr (GString) way = g_string_new (NULL);

  for (GtkWidget *at = widget; at != NULL; at = find_widest_child (at))
    {
      g_string_append_printf (way, "%s%s (%d)", way->len > 0 ? " > " : "", G_OBJECT_TYPE_NAME (at), get_least (at));
      if (GTK_IS_LABEL (at))
        g_string_append_printf (way, " “%s”", gtk_label_get_text (GTK_LABEL (at)));
    }
  g_printerr ("too wide: %s\n", way->str);
}

int
reach_measure (GtkWidget *widget, double text_scale, int most)
{
  GtkSettings *settings = gtk_widget_get_settings (widget);
  int dpi, width;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", (int) (96 * 1024 * text_scale), NULL);
  ui_settle ();
  width = get_least (widget);
  if (width > most)
    print_widest (widget);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  ui_settle ();
  return width;
}
