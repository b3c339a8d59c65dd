/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-pages.h"

#include <string.h>

#define PAGE "beckon-page"

struct _BeckonPages
{
  AdwBin parent_instance;

  AdwHeaderBar *header;
  AdwWindowTitle *title;
  GtkWidget *search_button;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *views;
  GtkStack *pages;
  GtkListBox *found_list;
};

G_DEFINE_FINAL_TYPE (BeckonPages, beckon_pages, ADW_TYPE_BIN)

static guint shown_signal;

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static GtkWidget *
find_row (GtkWidget *widget, const char *title)
{
  GtkWidget *found = NULL;

  if (ADW_IS_PREFERENCES_ROW (widget) && gtk_widget_get_visible (widget)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0)
    return widget;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL && found == NULL;
       at = gtk_widget_get_next_sibling (at))
    found = find_row (at, title);
  return found;
}

/* A row's control takes the focus before the row. */
static gboolean
focus_within (GtkWidget *widget)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget) || !gtk_widget_is_sensitive (widget))
    return FALSE;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL; at = gtk_widget_get_next_sibling (at))
    if (focus_within (at))
      return TRUE;
  return gtk_widget_get_focusable (widget) && gtk_widget_grab_focus (widget);
}

/* --- Pages -------------------------------------------------------------------------------------------------------- */

static void
on_page_shown (BeckonPages *self)
{
  AdwPreferencesPage *page = beckon_pages_get_shown (self);

  if (page == NULL)
    return;
  adw_window_title_set_title (self->title, adw_preferences_page_get_title (page));
  g_signal_emit (self, shown_signal, 0);
}

void
beckon_pages_add (BeckonPages *self, AdwPreferencesPage *page)
{
  gtk_stack_add_named (self->pages, GTK_WIDGET (page), adw_preferences_page_get_name (page));
}

void
beckon_pages_add_button (BeckonPages *self, GtkWidget *button)
{
  GtkWidget *start;

  adw_header_bar_pack_start (self->header, button);
  start = gtk_widget_get_parent (button);
  gtk_widget_insert_before (button, start, gtk_widget_get_first_child (start));
}

AdwHeaderBar *
beckon_pages_get_header (BeckonPages *self)
{
  return self->header;
}

void
beckon_pages_capture_keys (BeckonPages *self, GtkWidget *whole)
{
  gtk_search_bar_set_key_capture_widget (self->search_bar, whole);
}

void
beckon_pages_show (BeckonPages *self, AdwPreferencesPage *page)
{
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  gtk_stack_set_visible_child (self->pages, GTK_WIDGET (page));
}

void
beckon_pages_show_row (BeckonPages *self, AdwPreferencesPage *page, const char *title)
{
  GtkWidget *row;

  beckon_pages_show (self, page);
  row = title != NULL ? find_row (GTK_WIDGET (page), title) : NULL;
  if (row != NULL)
    focus_within (row);
}

AdwPreferencesPage *
beckon_pages_get_shown (BeckonPages *self)
{
  return (AdwPreferencesPage *) gtk_stack_get_visible_child (self->pages);
}

AdwPreferencesPage *
beckon_pages_lookup (BeckonPages *self, const char *name)
{
  return (AdwPreferencesPage *) gtk_stack_get_child_by_name (self->pages, name);
}

/* --- Search ------------------------------------------------------------------------------------------------------- */

static gboolean
pages_has_words (const char *text, const char *folded_words)
{
  g_autofree char *folded = text != NULL ? g_utf8_casefold (text, -1) : NULL;

  return folded != NULL && strstr (folded, folded_words) != NULL;
}

static const char *
get_subtitle (GtkWidget *row)
{
  if (ADW_IS_EXPANDER_ROW (row))
    return adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (row));
  return ADW_IS_ACTION_ROW (row) ? adw_action_row_get_subtitle (ADW_ACTION_ROW (row)) : NULL;
}

/* A row's parts are its own. */
static void
look_in (BeckonPages *self, AdwPreferencesPage *page, GtkWidget *widget, const char *words)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (ADW_IS_PREFERENCES_ROW (widget))
    {
      const char *title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget));

      if (*title != '\0' && (pages_has_words (title, words) || pages_has_words (get_subtitle (widget), words)))
        {
          GtkWidget *group = gtk_widget_get_ancestor (widget, ADW_TYPE_PREFERENCES_GROUP);
          const char *within = group != NULL ? adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (group)) : "";
          g_autofree char *escaped = g_markup_escape_text (adw_preferences_page_get_title (page), -1);
          g_autofree char *place = *within != '\0' ? g_strconcat (escaped, " → ", within, NULL) : g_steal_pointer (&escaped);
          AdwPreferencesRow *same = ADW_PREFERENCES_ROW (widget);
          GtkWidget *found
              = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", adw_preferences_row_get_use_markup (same), "title",
                              adw_preferences_row_get_title (same), "subtitle", place, "activatable", TRUE, NULL);

          g_object_set_data (G_OBJECT (found), PAGE, page);
          gtk_list_box_append (self->found_list, found);
        }
      return;
    }
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL; at = gtk_widget_get_next_sibling (at))
    look_in (self, page, at, words);
}

static void
pages_on_search_changed (BeckonPages *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (self->search_entry)));
  g_autofree char *words = g_utf8_casefold (text, -1);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->found_list, 0)) != NULL)
    gtk_list_box_remove (self->found_list, GTK_WIDGET (row));

  if (*words == '\0' || !gtk_search_bar_get_search_mode (self->search_bar))
    {
      gtk_stack_set_visible_child_name (self->views, "pages");
      return;
    }
  for (GtkWidget *at = gtk_widget_get_first_child (GTK_WIDGET (self->pages)); at != NULL; at = gtk_widget_get_next_sibling (at))
    look_in (self, ADW_PREFERENCES_PAGE (at), at, words);
  gtk_stack_set_visible_child_name (self->views,
                                    gtk_list_box_get_row_at_index (self->found_list, 0) != NULL ? "found" : "nothing");
}

static void
on_found_activated (BeckonPages *self, GtkListBoxRow *row)
{
  g_autofree char *title = g_strdup (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));

  beckon_pages_show_row (self, g_object_get_data (G_OBJECT (row), PAGE), title);
}

static void
on_search_activated (BeckonPages *self)
{
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (self->found_list, 0);

  if (first != NULL)
    on_found_activated (self, first);
}

static gboolean
pages_has_focus (BeckonPages *self, gpointer part)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, part);
}

/* The entry that fades out would keep the focus until it is gone, and take keys that are for what it was open over. */
static void
on_search_mode (BeckonPages *self)
{
  gboolean is_within = pages_has_focus (self, self->search_bar) || pages_has_focus (self, self->found_list);

  if (gtk_search_bar_get_search_mode (self->search_bar))
    {
      gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
      return;
    }
  pages_on_search_changed (self);
  if (is_within)
    gtk_widget_grab_focus (self->search_button);
}

static void
search_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonPages *self = BECKON_PAGES (widget);

  gtk_search_bar_set_search_mode (self->search_bar, !gtk_search_bar_get_search_mode (self->search_bar));
}

/* Escape closes the sheet also while a toast is shown, which would take the key: one that nobody looks at, or several of them
 * in turn, make the key seem dead. A search comes first. */
static gboolean
on_escape (GtkWidget *views, GVariant *arguments, gpointer user_data)
{
  BeckonPages *self = user_data;

  if (!gtk_search_bar_get_search_mode (self->search_bar))
    return gtk_widget_activate_action (views, "window.close", NULL);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  return TRUE;
}

/* --- Class -------------------------------------------------------------------------------------------------------- */

static void
beckon_pages_class_init (BeckonPagesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  shown_signal = g_signal_new ("shown", BECKON_TYPE_PAGES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "pages.search", NULL, search_action);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/pages.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, header);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, title);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, search_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, search_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, search_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, views);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonPages, found_list);
  gtk_widget_class_bind_template_callback (widget_class, on_page_shown);
  gtk_widget_class_bind_template_callback (widget_class, on_search_mode);
  gtk_widget_class_bind_template_callback (widget_class, pages_on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_found_activated);
}

static void
beckon_pages_init (BeckonPages *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (on_escape, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->views), keys);
}
