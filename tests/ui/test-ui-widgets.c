/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widgets that know nothing of conversations: the program is linked with their folder alone. */

#include "beckon-ui-fixture.h"

#include "ui/widgets/beckon-alert.h"
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
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
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
  return g_test_run ();
}
