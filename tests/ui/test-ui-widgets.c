/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widgets that know nothing of conversations: the program is linked with their folder alone. */

#include "beckon-ui-fixture.h"

#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-announcer.h"
#include "ui/widgets/beckon-context-menu.h"
#include "ui/widgets/beckon-fuzzy.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-sheet.h"
#include "ui/widgets/beckon-controls.h"

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
  /* A word's start is better than its inside, a row better than gaps, the shorter better than the longer. */
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
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 30 * G_USEC_PER_SEC);
}

/* The announcer has no size, and is there all the time. */
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

static void
on_response (GtkWidget *alert, const char *response, char **answer)
{
  g_free (*answer);
  *answer = g_strdup (response);
}

static GtkWidget *
present_alert (UiFixture *fixture, char **answer)
{
  GtkWidget *alert = beckon_alert_new ("Go On?", "It is gone for good.");

  beckon_alert_add_responses (alert, "cancel", "_Cancel", "delete", "_Delete", NULL);
  beckon_alert_set_appearance (alert, "delete", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect (alert, "response", G_CALLBACK (on_response), answer);
  beckon_alert_present (alert, fixture->window);
  ui_wait_until (ui_find_alert ("Go On?") == alert);
  return alert;
}

static GtkWidget *
find_button (GtkWidget *alert, const char *words)
{
  GtkWidget *label = ui_find_text (alert, words);

  return label != NULL ? gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON) : NULL;
}

/* A sheet where there are sheets, otherwise a window over its own; what is answered is told once, and it closes. */
static void
test_alert (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *answer = NULL;
  GtkWidget *alert;

  ui_show (fixture, gtk_label_new ("Below"));
  alert = present_alert (fixture, &answer);
  g_assert_true (GTK_IS_WINDOW (alert) ? gtk_window_get_transient_for (GTK_WINDOW (alert)) == GTK_WINDOW (fixture->window)
                                       : gtk_widget_get_root (alert) == GTK_ROOT (fixture->window));
  g_assert_cmpint (GTK_IS_WINDOW (alert), ==, g_type_from_name ("AdwAlertDialog") == G_TYPE_INVALID);
  ui_wait_until (find_button (alert, "Delete") != NULL);
  beckon_alert_set_enabled (alert, "delete", FALSE);
  g_assert_false (ui_is_usable (find_button (alert, "Delete")));
  beckon_alert_set_enabled (alert, "delete", TRUE);
  g_signal_emit_by_name (find_button (alert, "Delete"), "clicked");
  ui_wait_until (ui_find_alert (NULL) == NULL);
  g_assert_cmpstr (answer, ==, "delete");
}

/* The program takes it away: nobody answered. */
static void
test_alert_dismissed (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *answer = NULL;
  GtkWidget *bar = gtk_progress_bar_new ();
  GtkWidget *alert;

  ui_show (fixture, gtk_label_new ("Below"));
  alert = present_alert (fixture, &answer);
  g_assert_null (beckon_alert_get_extra_child (alert));
  beckon_alert_set_extra_child (alert, bar);
  g_assert_true (beckon_alert_get_extra_child (alert) == bar && gtk_widget_is_ancestor (bar, alert));
  beckon_alert_dismiss (alert);
  ui_wait_until (ui_find_alert (NULL) == NULL);
  g_assert_null (answer);
}

/* Sheets */

static gboolean
has_sheets (void)
{
  return g_type_from_name ("AdwAlertDialog") != G_TYPE_INVALID;
}

static void
count (guint *n)
{
  ++*n;
}

static GtkWidget *
make_sheet (guint *n_closed)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *button = gtk_button_new_with_label ("Save");
  GtkWidget *sheet = g_object_new (BECKON_TYPE_SHEET, "title", "Over It", "default-width", 300, "child", box, "default-widget",
                                   button, NULL);

  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_box_append (GTK_BOX (box), gtk_button_new_with_label ("Cancel"));
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), button);
  beckon_sheet_set_focus (BECKON_SHEET (sheet), GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (entry))));
  g_signal_connect_swapped (sheet, "closed", G_CALLBACK (count), n_closed);
  return sheet;
}

static gboolean
press_at (GtkWidget *widget, const char *wanted)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean is_taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GListModel) keys = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (keys) && j < g_list_model_get_n_items (keys) && !is_taken; j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (keys, j);
          g_autofree char *trigger = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));

          if (g_str_equal (trigger, wanted))
            is_taken = gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget, NULL);
        }
    }
  return is_taken;
}

/* As a key goes up from what has the focus. */
static void
press (GtkWidget *widget, const char *trigger)
{
  while (widget != NULL && !press_at (widget, trigger))
    widget = gtk_widget_get_parent (widget);
  g_assert_nonnull (widget);
}

/* The dialogs of files and alerts stand over the window that it is in: its own one where there are no sheets. */
static void
check_window (UiFixture *fixture, GtkWidget *sheet)
{
  GtkWindow *window = beckon_sheet_get_window (BECKON_SHEET (sheet));

  g_assert_cmpint (beckon_sheet_covers (GTK_WINDOW (fixture->window)), ==, has_sheets ());
  if (has_sheets ())
    {
      g_assert_true (window == GTK_WINDOW (fixture->window));
      return;
    }
  g_assert_cmpstr (gtk_window_get_title (window), ==, "Over It");
  g_assert_true (gtk_window_get_transient_for (window) == GTK_WINDOW (fixture->window));
  g_assert_true (gtk_window_get_modal (window));
}

static void
test_sheet (UiFixture *fixture, gconstpointer data)
{
  guint n_closed = 0, n_saved = 0;
  GtkWidget *sheet = make_sheet (&n_closed);

  ui_show (fixture, gtk_label_new ("Below"));
  beckon_sheet_present (BECKON_SHEET (sheet), fixture->window);
  ui_wait_until (gtk_widget_get_mapped (sheet));
  check_window (fixture, sheet);
  ui_wait_until (GTK_IS_TEXT (ui_get_focus (sheet)));
  beckon_sheet_set_title (BECKON_SHEET (sheet), "Another Title");
  if (!has_sheets ())
    g_assert_cmpstr (gtk_window_get_title (beckon_sheet_get_window (BECKON_SHEET (sheet))), ==, "Another Title");
  g_signal_connect_swapped (find_button (sheet, "Save"), "clicked", G_CALLBACK (count), &n_saved);
  gtk_widget_activate_default (ui_get_focus (sheet));
  ui_wait_until (n_saved == 1);
  g_assert_cmpuint (n_closed, ==, 0);
  g_object_add_weak_pointer (G_OBJECT (sheet), (gpointer *) &sheet);
  press (ui_get_focus (sheet), "Escape");
  ui_wait_until (sheet == NULL);
  g_assert_cmpuint (n_closed, ==, 1);
  g_assert_false (beckon_sheet_covers (GTK_WINDOW (fixture->window)));
}

/* By the program, with what is below it, or before it was shown. */
static void
test_sheet_ends (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *below = adw_window_new ();
  guint n_closed = 0;
  GtkWidget *sheet = make_sheet (&n_closed);
  GtkWidget *inner = make_sheet (&n_closed);

  g_object_add_weak_pointer (G_OBJECT (sheet), (gpointer *) &sheet);
  g_object_add_weak_pointer (G_OBJECT (inner), (gpointer *) &inner);
  ui_present (below);
  beckon_sheet_present (BECKON_SHEET (sheet), below);
  beckon_sheet_present (BECKON_SHEET (inner), sheet);
  ui_wait_until (gtk_widget_get_mapped (inner));
  beckon_sheet_close (BECKON_SHEET (inner));
  ui_wait_until (inner == NULL);
  g_assert_cmpuint (n_closed, ==, 1);
  gtk_window_destroy (GTK_WINDOW (below));
  ui_wait_until (sheet == NULL);
  g_assert_cmpuint (n_closed, ==, 2);
  beckon_sheet_close (BECKON_SHEET (make_sheet (&n_closed)));
  g_assert_cmpuint (n_closed, ==, 3);
}

/* A sheet that an answer still holds has let go of its parts, as a window that is destroyed. */
static void
test_sheet_held (UiFixture *fixture, gconstpointer data)
{
  guint n_closed = 0;
  g_autoptr (GtkWidget) sheet = g_object_ref (make_sheet (&n_closed));

  ui_show (fixture, gtk_label_new ("Below"));
  beckon_sheet_present (BECKON_SHEET (sheet), fixture->window);
  ui_wait_until (gtk_widget_get_mapped (sheet));
  beckon_sheet_close (BECKON_SHEET (sheet));
  ui_wait_until (adw_bin_get_child (ADW_BIN (sheet)) == NULL);
  g_assert_cmpuint (n_closed, ==, 1);
  g_assert_null (beckon_sheet_get_window (BECKON_SHEET (sheet)));
}

/* However low it may be, it does not reach over what stands below it. */
static void
test_low_box (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *tall = gtk_label_new ("Tall");
  GtkWidget *box = g_object_new (BECKON_TYPE_MAX_HEIGHT_BOX, "max-height", 60, "min-height", 10, "child", tall, NULL);
  int least;

  gtk_widget_set_size_request (tall, 100, 400);
  gtk_box_append (GTK_BOX (column), box);
  ui_show (fixture, column);
  gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, 100, &least, NULL, NULL, NULL);
  gtk_widget_allocate (box, 100, least, -1, NULL);
  g_assert_cmpint (gtk_widget_get_height (gtk_widget_get_first_child (box)), ==, least);
  g_assert_cmpint (least, <=, 60);
}

/* The word that stands for nought has room in any language. */
static void
test_zero_word (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (0, 9, 1);

  ui_show (fixture, spin);
  beckon_zero_word_apply (GTK_SPIN_BUTTON (spin), "从不");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "从不");
  g_assert_cmpint (gtk_editable_get_width_chars (GTK_EDITABLE (spin)), >=, 4);
}

static GtkWidget *
find_popover (GtkWidget *parent)
{
  GtkWidget *last = gtk_widget_get_last_child (parent);

  return GTK_IS_POPOVER (last) ? last : NULL;
}

/* The toolkit lights what a button is pressed on, and all that it stands in; the menu takes the release. */
static void
test_context_menu (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *row = gtk_label_new ("A row"), *entry = gtk_entry_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), row);
  g_menu_append (menu, "Rename", "win.rename");
  ui_show (fixture, box);
  gtk_widget_set_state_flags (row, GTK_STATE_FLAG_ACTIVE, FALSE);
  gtk_widget_set_state_flags (box, GTK_STATE_FLAG_ACTIVE, FALSE);
  beckon_context_menu_popup (G_MENU_MODEL (menu), "Menu", box, row, &GRAPHENE_POINT_INIT (1, 1));
  ui_wait_until (find_popover (box) != NULL && gtk_widget_get_mapped (find_popover (box)));
  g_assert_true (gtk_widget_has_css_class (row, BECKON_CONTEXT_MENU_OPEN));
  gtk_popover_popdown (GTK_POPOVER (find_popover (box)));
  ui_wait_until (find_popover (box) == NULL);
  g_assert_false (gtk_widget_has_css_class (row, BECKON_CONTEXT_MENU_OPEN));
  g_assert_cmpint (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_ACTIVE, ==, 0);
  g_assert_cmpint (gtk_widget_get_state_flags (box) & GTK_STATE_FLAG_ACTIVE, ==, 0);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  g_test_add_func ("/ui/widgets/fuzzy", test_fuzzy);
  g_test_add_func ("/ui/widgets/bounds", test_bounds);
  ui_test_add ("/ui/widgets/announcer", test_announcer);
  ui_test_add ("/ui/widgets/alert", test_alert);
  ui_test_add ("/ui/widgets/alert-dismissed", test_alert_dismissed);
  ui_test_add ("/ui/widgets/sheet", test_sheet);
  ui_test_add ("/ui/widgets/sheet-ends", test_sheet_ends);
  ui_test_add ("/ui/widgets/sheet-held", test_sheet_held);
  ui_test_add ("/ui/widgets/context-menu", test_context_menu);
  ui_test_add ("/ui/widgets/low-box", test_low_box);
  ui_test_add ("/ui/widgets/zero-word", test_zero_word);
  return g_test_run ();
}
