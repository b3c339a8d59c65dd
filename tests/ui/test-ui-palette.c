/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the palette finds, in what order, and that every setting it names is there. */

#include "beckon-ui-home.h"

#include "beckon-config.h"
#include "ui/palette/beckon-palette-finder.h"
#include "ui/palette/beckon-palette-settings.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/widgets/beckon-announcer.h"
#include "ui/widgets/beckon-fuzzy.h"

static guint
match (const char *words, const char *text)
{
  g_autoptr (BeckonFuzzy) fuzzy = beckon_fuzzy_new (words);

  g_assert_nonnull (fuzzy);
  return beckon_fuzzy_match (fuzzy, text, NULL);
}

static char *
mark (const char *words, const char *text)
{
  g_autoptr (BeckonFuzzy) fuzzy = beckon_fuzzy_new (words);
  g_autoptr (GArray) matches = NULL;
  GString *marked = g_string_new (NULL);
  guint at = 0;

  if (beckon_fuzzy_match (fuzzy, text, &matches) == 0)
    return g_string_free (marked, FALSE);
  for (guint i = 0; i < matches->len; i++)
    {
      const BeckonMatch *found = &g_array_index (matches, BeckonMatch, i);

      g_string_append_len (marked, text + at, found->start - at);
      g_string_append_printf (marked, "[%.*s]", (int) (found->end - found->start), text + found->start);
      at = found->end;
    }
  g_string_append (marked, text + at);
  return g_string_free (marked, FALSE);
}

static void
test_fuzzy (void)
{
  static const struct
  {
    const char *words, *text, *marked;
  } cases[] = {
    { "depl", "Deploy site", "[Depl]oy site" },
    { "ds", "Deploy site", "[D]eploy [s]ite" },
    { "site deploy", "Deploy site", "[Deploy] [site]" },
    { "prfs", "Preferences", "[Pr]e[f]erence[s]" },
    { "uber", "Über uns", "[Über] uns" },
    { "CAFE", "Un café", "Un [café]" },
    { "部署", "先部署再测试", "先[部署]再测试" },
    { "先测", "先部署再测试", "[先]部署再[测]试" },
    { "i", "Deploy site", "" },
    { "eoie", "Deploy site", "" },
    { "deployx", "Deploy site", "" },
    { "sitedeploy", "Deploy site", "" },
    { "x", "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *marked = mark (cases[i].words, cases[i].text);

      g_assert_cmpstr (marked, ==, cases[i].marked);
    }
  g_assert_null (beckon_fuzzy_new (" \t "));
  /* What begins a word is better than what is within one, a row better than gaps, the shorter better than the longer. */
  g_assert_cmpuint (match ("del", "Delete"), >, match ("del", "Let the Model"));
  g_assert_cmpuint (match ("mode", "Mode"), >, match ("mode", "Let the Model Name Conversations"));
  g_assert_cmpuint (match ("set", "Settings"), >, match ("set", "Some Extra Text"));
}

/* As long as anything that is typed or shown can be. */
static void
test_bounds (void)
{
  g_autofree char *text = g_strnfill (100000, 'a');
  g_autofree char *words = g_strnfill (100000, 'a');
  g_autoptr (BeckonFuzzy) fuzzy = beckon_fuzzy_new (words);
  gint64 begin = g_get_monotonic_time ();

  g_assert_cmpuint (beckon_fuzzy_match (fuzzy, text, NULL), >, 0);
  for (gsize i = 1; i < 100000; i += 2)
    words[i] = ' ';
  g_assert_cmpuint (match (words, text), >, 0);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
}

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

/* Every setting that it names is a row that comes to have the focus. */
static void
test_settings (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  UiHome home;

  beckon_palette_settings_append (items);
  g_assert_cmpuint (items->len, >=, 20);
  ui_home_open (&home);
  for (guint i = 0; i < items->len; i++)
    {
      BeckonPaletteItem *item = g_ptr_array_index (items, i);
      GtkWidget *preferences = beckon_preferences_new (home.runtime);
      const char *page, *title;
      GtkWidget *focus, *row;

      g_variant_get (beckon_palette_item_get_target (item), "(&s&s)", &page, &title);
      gtk_window_present (GTK_WINDOW (preferences));
      beckon_preferences_show_row (BECKON_PREFERENCES (preferences), page, title);
      g_assert_cmpstr (adw_preferences_window_get_visible_page_name (ADW_PREFERENCES_WINDOW (preferences)), ==, page);
      focus = gtk_window_get_focus (GTK_WINDOW (preferences));
      for (row = focus; row != NULL && !ADW_IS_PREFERENCES_ROW (row); row = gtk_widget_get_parent (row))
        ;
      /* What there is no cause for is hidden or takes no input: keys in the environment, and the tour's rounds. */
      if (ui_find_text (preferences, title) != NULL && !g_str_equal (title, "Rounds Before It Pauses"))
        g_assert_cmpstr (row != NULL ? adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)) : NULL, ==, title);
      ui_destroy (preferences);
    }
  ui_home_close (&home);
}

/* It has no size, and is there all the time. */
static void
test_announcer (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *announcer = g_object_new (BECKON_TYPE_ANNOUNCER, NULL);

  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), announcer);
  ui_show (fixture, overlay);
  beckon_announcer_say (BECKON_ANNOUNCER (announcer), "A question: which one?");
  ui_wait_frames (fixture, 2);
  g_assert_true (gtk_widget_get_mapped (announcer));
  g_assert_cmpint (gtk_widget_get_width (announcer), ==, 0);
  g_assert_cmpint (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (announcer)), ==, GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_test_accessible_assert_property (announcer, GTK_ACCESSIBLE_PROPERTY_LABEL, "A question: which one?");
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/palette/fuzzy", test_fuzzy);
  g_test_add_func ("/ui/palette/bounds", test_bounds);
  g_test_add_func ("/ui/palette/order", test_order);
  ui_test_add ("/ui/palette/settings", test_settings);
  ui_test_add ("/ui/palette/announcer", test_announcer);
  return g_test_run ();
}
