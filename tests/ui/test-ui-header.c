/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of a window and the line below its composer: each has its words at every width, and nothing jumps. */

#include "beckon-ui-home.h"

#include "ui/composer/beckon-profile-button.h"
#include "ui/widgets/beckon-compat.h"

static const int widths[] = { 1300, 1000, 720, 560, 480, 420, 360 };

/* Widgets of the header, and of the line below the composer. */
static const char *const fixed[] = {
  "Show sidebar", "Conversation menu", "Message", "Send message", "No working folder", "Ask for changes", "Profile: Offline tour",
};
#define FIRST_OF_BAR 4

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

static graphene_rect_t
find_place (GtkWidget *window, const char *name)
{
  GtkWidget *widget = find_shown (window, name);
  graphene_rect_t bounds;

  if (widget == NULL)
    g_error ("at %d there is no “%s”", gtk_widget_get_width (window), name);
  g_assert_true (gtk_widget_compute_bounds (widget, window, &bounds));
  return bounds;
}

static BeckonConversation *
open_one (UiHome *home)
{
  BeckonConversation *photos = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");

  ui_home_show_window (home);
  gtk_widget_activate_action (home->window, "win.show-card", "(ss)", beckon_conversation_get_id (photos), "");
  ui_wait_until (find_shown (home->window, "Conversation menu") != NULL);
  return photos;
}

static void
resize (UiHome *home, int width)
{
  gtk_window_set_default_size (GTK_WINDOW (home->window), width, 720);
  ui_wait_frames_of (home->window, 4);
}

/* Neither in the header nor below the composer, when a turn begins and when it ends. */
static void
test_nothing_jumps (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = open_one (home);

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      graphene_rect_t before[G_N_ELEMENTS (fixed)];

      resize (home, widths[i]);
      for (guint j = 0; j < G_N_ELEMENTS (fixed); j++)
        before[j] = find_place (home->window, fixed[j]);
      for (guint turn = 0; turn < 2; turn++)
        {
          beckon_conversation_set_phase (photos, turn == 0 ? BECKON_RUN_REQUESTING : BECKON_RUN_COMPLETE, NULL, 0);
          ui_wait_frames_of (home->window, 4);
          g_assert_true ((find_shown (home->window, "Stop") != NULL) == (turn == 0));
          for (guint j = 0; j < G_N_ELEMENTS (fixed); j++)
            {
              graphene_rect_t now = find_place (home->window, fixed[j]);

              if (!graphene_rect_equal (&now, &before[j]))
                g_error ("at %d “%s” jumps from %g, %g to %g, %g", widths[i], fixed[j], (double) before[j].origin.x,
                         (double) before[j].origin.y, (double) now.origin.x, (double) now.origin.y);
            }
        }
    }
}

static gboolean
has_shown_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0'
      && gtk_widget_get_width (widget) >= 24)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (has_shown_text (child))
      return TRUE;
  return FALSE;
}

/* As narrow as a telephone the words are shorter, and still words. */
static void
test_words (UiHome *home, gconstpointer data)
{
  BeckonConversation *photos = open_one (home);

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      float end = 0;

      resize (home, widths[i]);
      for (guint j = FIRST_OF_BAR; j < G_N_ELEMENTS (fixed); j++)
        {
          graphene_rect_t place = find_place (home->window, fixed[j]);

          g_assert_true (has_shown_text (find_shown (home->window, fixed[j])));
          g_assert_cmpfloat (place.origin.x, >=, end);
          end = place.origin.x + place.size.width;
        }
      g_assert_cmpfloat (end, <=, gtk_widget_get_width (home->window));
    }
  g_assert_true (shows_word (home->window, "Photo site"));
  beckon_conversation_set_folder (photos, "/srv/a-rather-long-name-of-a-folder/release");
  beckon_conversation_set_mode (photos, BECKON_MODE_ASK_OUTSIDE);
  ui_wait_frames_of (home->window, 4);
  g_assert_true (shows_word (home->window, "release"));
  g_assert_true (shows_word (home->window, "Outside folder"));
  resize (home, 1000);
  g_assert_true (shows_word (home->window, "/srv/a-rather-long-name-of-a-folder/release"));
  g_assert_true (shows_word (home->window, "Ask outside the folder"));
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
  g_assert_true (shows_word (button, "New · high"));
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

  ui_home_test_add ("/ui/header/nothing-jumps", test_nothing_jumps);
  ui_home_test_add ("/ui/header/words", test_words);
  ui_test_add ("/ui/header/effort-menu", test_effort_menu);
  ui_home_test_add ("/ui/header/effort", test_effort);
  ui_test_add ("/ui/header/tooltip", test_tooltip);
  return g_test_run ();
}
