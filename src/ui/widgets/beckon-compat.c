/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-compat.h"

#include "beckon-alert.h"
#include "beckon-sheet.h"

static const char *
find_title (GtkWidget *list)
{
  GtkWidget *group = gtk_widget_get_ancestor (list, ADW_TYPE_PREFERENCES_GROUP);
  GtkWidget *page = gtk_widget_get_ancestor (list, ADW_TYPE_PREFERENCES_PAGE);
  const char *title = adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (group));
  GtkWidget *sheet = gtk_widget_get_ancestor (list, BECKON_TYPE_SHEET);
  GtkRoot *root = gtk_widget_get_root (list);

  if (*title == '\0' && page != NULL)
    title = adw_preferences_page_get_title (ADW_PREFERENCES_PAGE (page));
  if ((title == NULL || *title == '\0') && sheet != NULL)
    title = beckon_sheet_get_title (BECKON_SHEET (sheet));
  else if (title == NULL || *title == '\0')
    title = GTK_IS_WINDOW (root) ? gtk_window_get_title (GTK_WINDOW (root)) : NULL;
  return title;
}

static gboolean
is_in_toast_or_dialog (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    if (beckon_alert_is (widget) || g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToastWidget"))
      return TRUE;
  return FALSE;
}

/* The words on a button of a toast or an alert are read twice, as its name and as its content (GTK 4.8). A menu that the
 * pointer opens leaves the focus where it was, so that it is there again when the menu closes. */
static gboolean
on_button_realize (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *widget = g_value_get_object (values);
  const char *label = GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *name = NULL;

  if (GTK_IS_MENU_BUTTON (widget))
    gtk_widget_set_focus_on_click (widget, FALSE);
  if (label == NULL || !is_in_toast_or_dialog (widget))
    return G_SOURCE_CONTINUE;
  parts = g_strsplit (label, "_", gtk_button_get_use_underline (GTK_BUTTON (widget)) ? 2 : 1);
  name = g_strjoinv ("", parts);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_realize (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkAccessible *widget = g_value_get_object (values);

  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
    {
      /* An item of a menu is labelled by a label that says nothing to screen readers (GTK 4.18): menus would be silent. */
      g_autofree char *text = NULL;
      g_auto (GStrv) parts = NULL;
      g_autofree char *name = NULL;

      g_object_get (widget, "text", &text, NULL);
      if (text != NULL && *text != '\0')
        {
          /* Drops the mnemonic. */
          parts = g_strsplit (text, "_", 2);
          name = g_strjoinv ("", parts);
          gtk_accessible_update_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
        }
    }
  if (GTK_IS_LIST_BOX (widget))
    {
      /* The rows of a group are a list there (libadwaita 1.4), which has no name unless the group has a title. */
      if (gtk_widget_get_ancestor (GTK_WIDGET (widget), ADW_TYPE_PREFERENCES_GROUP) != NULL
          && !gtk_test_accessible_has_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL))
        {
          const char *title = find_title (GTK_WIDGET (widget));

          if (title != NULL && *title != '\0')
            gtk_accessible_update_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
        }
    }
  if (ADW_IS_ENTRY_ROW (widget))
    {
      /* A row to type into is named by what is in it there: its title twice, a small one and a large one
       * (libadwaita 1.10). */
      if (!gtk_test_accessible_has_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL))
        gtk_accessible_update_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                        adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), -1);
    }

  /* A button is labelled by the words on it there, and a switch by the title of its row, which goes before the label
   * that was written for whoever does not see what is around them: “Stop” instead of “Stop the run”. Only test
   * functions tell what is set. */
  if (gtk_test_accessible_has_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL)
      && gtk_test_accessible_has_relation (widget, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    gtk_accessible_reset_relation (widget, GTK_ACCESSIBLE_RELATION_LABELLED_BY);

  /* A row is described by its subtitle there (libadwaita 1.7), and be it empty, before what was written for it: the
   * keys that stand beside the title as caps would not be read. */
  if (gtk_test_accessible_has_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
      && gtk_test_accessible_has_relation (widget, GTK_ACCESSIBLE_RELATION_DESCRIBED_BY))
    gtk_accessible_reset_relation (widget, GTK_ACCESSIBLE_RELATION_DESCRIBED_BY);

  return G_SOURCE_CONTINUE;
}

static gboolean (*query_menu_tooltip) (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip);

/* A menu is a child of its button, whose tooltip would be shown over the first item. */
static gboolean
query_closed_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget));

  return (popover == NULL || !gtk_widget_get_mapped (GTK_WIDGET (popover)))
         && query_menu_tooltip (widget, x, y, keyboard, tooltip);
}

void
beckon_compat_init (void)
{
  static gboolean is_done = FALSE;
  GtkWidgetClass *klass = g_type_class_ref (GTK_TYPE_MENU_BUTTON);

  if (klass->query_tooltip != query_closed_tooltip)
    {
      query_menu_tooltip = klass->query_tooltip;
      klass->query_tooltip = query_closed_tooltip;
    }

  if (is_done)
    return;

  is_done = TRUE;
  /* A class that nobody has used yet has no signals. */
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, on_button_realize, NULL, NULL);
  if (gtk_check_version (4, 10, 0) == NULL)
    g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, on_realize, NULL, NULL);
}

enum
{
  NOT_LOOKED_FOR,
  MISSING,
  THERE,
};

gboolean
beckon_symbols_find_once (gsize *state, const char *library, const BeckonSymbol *symbols, gsize n_symbols)
{
  G_STATIC_ASSERT (NOT_LOOKED_FOR == 0);

  if (g_once_init_enter (state))
    {
      GModule *module = g_module_open (library, G_MODULE_BIND_LAZY);
      gboolean is_there = module != NULL;

      if (module != NULL)
        g_module_make_resident (module);
      else
        g_debug ("No %s: %s", library != NULL ? library : "the program", g_module_error ());
      for (gsize i = 0; is_there && i < n_symbols; i++)
        {
          is_there = g_module_symbol (module, symbols[i].name, symbols[i].place);
          if (!is_there)
            g_debug ("No %s in %s", symbols[i].name, library != NULL ? library : "the program");
        }
      g_once_init_leave (state, is_there ? THERE : MISSING);
    }
  return *state == THERE;
}
