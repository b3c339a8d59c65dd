/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The palette's results, their order, and that every setting it names is there. */

#include "beckon-ui-home.h"

#include "beckon-config.h"
#include "ui/palette/beckon-palette-finder.h"
#include "ui/palette/beckon-palette-settings.h"
#include "ui/preferences/beckon-preferences.h"

static BeckonPaletteItem *
make (BeckonPaletteKind kind, const char *title, const char *action)
{
  return beckon_palette_item_new (kind, title, NULL, "edit-find-symbolic", action, NULL);
}

static GPtrArray *
make_items (void)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (items, make (BECKON_PALETTE_COMMAND, "Delete All", "win.delete-all"));
  g_ptr_array_add (items, make (BECKON_PALETTE_COMMAND, "Quit", "app.quit"));
  g_ptr_array_add (items, make (BECKON_PALETTE_SETTING, "Theme", "app.theme"));
  g_ptr_array_add (items, make (BECKON_PALETTE_CONVERSATION, "Deploy site", "win.one"));
  g_ptr_array_add (items, make (BECKON_PALETTE_CONVERSATION, "Delphi", "win.two"));
  g_ptr_array_add (items, make (BECKON_PALETTE_REQUEST, "Which one?", "win.request"));
  return items;
}

static char *
list (BeckonPaletteFinder *finder)
{
  GListModel *results = beckon_palette_finder_get_results (finder);
  GString *titles = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (BeckonPaletteItem) item = g_list_model_get_item (results, i);

      g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "", beckon_palette_item_get_title (item));
    }
  return g_string_free (titles, FALSE);
}

static void
test_order (void)
{
  static const char *const recent[] = { "app.quit", NULL };
  g_autoptr (BeckonPaletteFinder) finder = beckon_palette_finder_new (make_items (), recent, NULL);
  g_autofree char *first = list (finder);
  g_autofree char *found = NULL;
  g_autofree char *again = NULL;

  g_assert_cmpstr (first, ==, "Which one?, Deploy site, Delphi, Quit, Delete All");
  beckon_palette_finder_set_words (finder, "del");
  found = list (finder);
  g_assert_cmpstr (found, ==, "Delphi, Delete All, Deploy site");
  beckon_palette_finder_set_words (finder, "the");
  beckon_palette_finder_set_words (finder, " ");
  again = list (finder);
  g_assert_cmpstr (again, ==, first);
}

static void
expect_row (GtkWidget *preferences, const char *page, const char *title)
{
  GtkWidget *row;

  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), page, title);
  g_assert_cmpstr (adw_preferences_page_get_name (beckon_preferences_get_page (BECKON_PREFERENCES (preferences))), ==, page);
  for (row = ui_get_focus (preferences); row != NULL && !ADW_IS_PREFERENCES_ROW (row);
       row = gtk_widget_get_parent (row))
    ;
  /* Rows without a cause are hidden or take no input: keys in the environment, and the tour's rounds. */
  if (ui_find_text (preferences, title) != NULL && !g_str_equal (title, "Pause After Model Calls"))
    g_assert_cmpstr (row != NULL ? adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)) : NULL, ==, title);
  gtk_root_set_focus (gtk_widget_get_root (preferences), NULL);
}

/* Every setting that the palette names is a row that comes to have the focus. */
static void
test_settings (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWidget *preferences;
  UiHome home;

  beckon_palette_settings_append (items);
  g_assert_cmpuint (items->len, >=, 20);
  ui_home_open (&home);
  preferences = beckon_preferences_new (home.runtime, NULL);
  ui_present (preferences);
  for (guint i = 0; i < items->len; i++)
    {
      const char *page, *title;

      g_variant_get (beckon_palette_item_get_target (g_ptr_array_index (items, i)), "(&s&s)", &page, &title);
      expect_row (preferences, page, title);
    }
  ui_destroy (preferences);
  ui_home_close (&home);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/palette/order", test_order);
  ui_test_add ("/ui/palette/settings", test_settings);
  return g_test_run ();
}
