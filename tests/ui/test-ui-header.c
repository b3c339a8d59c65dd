/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of a window: words or icons as there is room, but nothing missing and no holes. */

#include "beckon-ui-home.h"

#include "ui/composer/beckon-profile-button.h"
#include "ui/widgets/beckon-compat.h"

#define NEAR 16
/* With less the folder's button may have the modes in its menu: newer toolkits' buttons need more room, and Stop needs some. */
#define ROOM_FOR_MODE 850

/* In order, as they stand. */
static const char *const controls[] = { "No working folder", "Ask for changes", "Profile: Offline tour", "Stop", "Conversation menu" };

#define MODE 1

static GtkWidget *
find_shown (GtkWidget *window, const char *name)
{
  GtkWidget *found = ui_find_named (window, name);

  return found != NULL && gtk_widget_get_mapped (found) ? found : NULL;
}

static gboolean
shows_word (GtkWidget *window, const char *word)
{
  GtkWidget *label = ui_find_text (window, word);

  return label != NULL && gtk_widget_get_mapped (label);
}

/* From what came before, or nothing: then this is the first. */
static float
check_near (GtkWidget *window, GtkWidget *control, const char *name, float end)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (control, window, &bounds));
  if (end > 0 && bounds.origin.x - end > NEAR)
    g_error ("at %d there is a hole of %g before “%s”", gtk_widget_get_width (window), (double) (bounds.origin.x - end), name);
  return bounds.origin.x + bounds.size.width;
}

static void
check_header (GtkWidget *window, gboolean is_busy)
{
  gboolean has_words = shows_word (window, "Changes");
  float end = 0;

  for (guint i = 0; i < G_N_ELEMENTS (controls); i++)
    {
      GtkWidget *control = find_shown (window, controls[i]);

      if (!is_busy && g_strcmp0 (controls[i], "Stop") == 0)
        continue;
      if (control == NULL && i == MODE && gtk_widget_get_width (window) < ROOM_FOR_MODE)
        continue;
      if (control == NULL)
        g_error ("at %d there is no “%s”", gtk_widget_get_width (window), controls[i]);
      end = check_near (window, control, controls[i], end);
    }
  /* All words, or none. */
  g_assert_true (shows_word (window, "No folder") == has_words);
  g_assert_true (shows_word (window, "Offline tour") == has_words);
}

static void
test_no_holes (UiHome *home, gconstpointer data)
{
  static const int widths[] = { 1300, 1200, 1100, 1040, 1000, 900, 800 };
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");

  ui_home_show_window (home);
  gtk_widget_activate_action (home->window, "win.show-card", "(ss)", beckon_conversation_get_id (photos), "");
  ui_wait_until (find_shown (home->window, "Conversation menu") != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      gtk_window_set_default_size (GTK_WINDOW (home->window), widths[i], 720);
      ui_wait_frames_of (home->window, 4);
      check_header (home->window, FALSE);
      beckon_conversation_set_phase (photos, BECKON_RUN_REQUESTING, NULL, 0);
      ui_wait_frames_of (home->window, 4);
      check_header (home->window, TRUE);
      beckon_conversation_set_phase (photos, BECKON_RUN_COMPLETE, NULL, 0);
    }
}

/* As narrow as a telephone, title and mode are read below the buttons; nothing is there twice. */
static void
test_narrow (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");

  ui_home_show_window (home);
  gtk_widget_activate_action (home->window, "win.show-card", "(ss)", beckon_conversation_get_id (photos), "");
  ui_wait_until (find_shown (home->window, "Conversation menu") != NULL);
  gtk_window_set_default_size (GTK_WINDOW (home->window), 1200, 720);
  ui_wait_frames_of (home->window, 4);
  g_assert_false (shows_word (home->window, "Photo site · Ask for changes"));
  gtk_window_set_default_size (GTK_WINDOW (home->window), 360, 720);
  ui_wait_until (shows_word (home->window, "Photo site · Ask for changes"));
  beckon_conversation_set_mode (photos, BECKON_MODE_ASK_OUTSIDE);
  ui_wait_until (shows_word (home->window, "Photo site · Ask outside the folder"));
  gtk_window_set_default_size (GTK_WINDOW (home->window), 1200, 720);
  ui_wait_until (!shows_word (home->window, "Photo site · Ask outside the folder"));
}

static guint
count_efforts (GMenuModel *menu)
{
  guint found = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autofree char *action = NULL;

      if (section != NULL)
        found += count_efforts (section);
      else if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        found += g_str_equal (action, "win.effort");
    }
  return found;
}

static guint
count_shown_efforts (GtkWidget *button)
{
  GtkWidget *menu_button = ui_find_type (button, GTK_TYPE_MENU_BUTTON);

  return count_efforts (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (menu_button)));
}

/* The effort stands beside the profile's name and is chosen in its menu, unless the model is known to have none. */
static void
test_effort_menu (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) profiles = g_list_store_new (BECKON_TYPE_PROFILE);
  static const char *const models[] = { "gpt-5.5", "gpt-4o", "deepseek-v4-pro" };
  GtkWidget *button = g_object_new (BECKON_TYPE_PROFILE_BUTTON, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new (models[i], BECKON_PROFILE_CHAT);

      beckon_profile_set_name (profile, i == 0 ? "New" : i == 1 ? "Old" : "Deep");
      beckon_profile_set_model (profile, models[i]);
      g_list_store_append (profiles, profile);
    }
  beckon_profile_button_set_profiles (BECKON_PROFILE_BUTTON (button), G_LIST_MODEL (profiles));
  beckon_profile_button_set_current (BECKON_PROFILE_BUTTON (button), "gpt-5.5");
  ui_show (fixture, button);
  g_assert_true (shows_word (button, "New"));
  g_assert_cmpuint (count_shown_efforts (button), ==, BECKON_EFFORT_N_EFFORTS);
  beckon_profile_button_set_effort (BECKON_PROFILE_BUTTON (button), BECKON_EFFORT_HIGH);
  ui_settle ();
  g_assert_true (shows_word (button, "New · High"));
  g_assert_nonnull (ui_find_named (button, "Profile: New. Reasoning effort: High"));
  beckon_profile_button_set_current (BECKON_PROFILE_BUTTON (button), "gpt-4o");
  ui_settle ();
  g_assert_true (shows_word (button, "Old"));
  g_assert_cmpuint (count_shown_efforts (button), ==, 0);
  /* Off, high and the most, beside its own; what is chosen is there in any case. */
  beckon_profile_button_set_current (BECKON_PROFILE_BUTTON (button), "deepseek-v4-pro");
  ui_settle ();
  g_assert_cmpuint (count_shown_efforts (button), ==, 4);
  beckon_profile_button_set_effort (BECKON_PROFILE_BUTTON (button), BECKON_EFFORT_LOW);
  ui_settle ();
  g_assert_cmpuint (count_shown_efforts (button), ==, 5);
}

/* A choice is the conversation's own, and another conversation shows another. */
static void
test_effort (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");
  BeckonConversation *other = ui_home_add (home, "Other", UI_NOW - 1, 1, "a", "b");
  g_autofree char *shown = NULL;

  ui_home_show_window (home);
  gtk_widget_activate_action (home->window, "win.show-card", "(ss)", beckon_conversation_get_id (photos), "");
  ui_wait_until (find_shown (home->window, "Conversation menu") != NULL);
  gtk_widget_activate_action (home->window, "win.effort", "s", "low");
  g_assert_cmpint (beckon_conversation_get_effort (photos), ==, BECKON_EFFORT_LOW);
  g_assert_cmpint (beckon_conversation_get_effort (other), ==, BECKON_EFFORT_DEFAULT);
  g_object_get (home->window, "effort", &shown, NULL);
  g_assert_cmpstr (shown, ==, "low");
  gtk_widget_activate_action (home->window, "win.effort", "s", "extreme");
  g_assert_cmpint (beckon_conversation_get_effort (photos), ==, BECKON_EFFORT_LOW);
}

static gboolean
has_tooltip (GtkWidget *widget)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown = FALSE;

  g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &shown);
  return shown;
}

/* The tooltip of a button is not shown over the menu that it has opened. */
static void
test_tooltip (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  beckon_compat_init ();
  g_menu_append (menu, "First", NULL);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, "What it does");
  ui_show (fixture, button);
  g_assert_true (has_tooltip (button));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  ui_wait_until (gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)))));
  g_assert_false (has_tooltip (button));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  ui_wait_until (!gtk_widget_get_mapped (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)))));
  g_assert_true (has_tooltip (button));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_home_test_add ("/ui/header/no-holes", test_no_holes);
  ui_home_test_add ("/ui/header/narrow", test_narrow);
  ui_test_add ("/ui/header/effort-menu", test_effort_menu);
  ui_home_test_add ("/ui/header/effort", test_effort);
  ui_test_add ("/ui/header/tooltip", test_tooltip);
  return g_test_run ();
}
