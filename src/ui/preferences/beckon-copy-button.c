/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-copy-button.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

/* How many days ago it was made; @day: (out) (nullable): the day, at noon. */
static int
count_days (const char *date, GDateTime **day)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) today = g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now),
                                                       g_date_time_get_day_of_month (now), 12, 0, 0);
  int year, month, number;

  *day = NULL;
  if (sscanf (date, "%4d-%2d-%2d", &year, &month, &number) == 3)
    *day = g_date_time_new_local (year, month, number, 12, 0, 0);

  /* A day may have 23 hours or 25. */
  return *day != NULL ? (int) ((g_date_time_difference (today, *day) + G_TIME_SPAN_DAY / 2) / G_TIME_SPAN_DAY) : -1;
}

char *
beckon_copy_button_describe_date (const char *date)
{
  g_autoptr (GDateTime) day = NULL;

  count_days (date, &day);

  return day != NULL ? g_date_time_format (day, "%x") : g_strdup (date);
}

char *
beckon_copy_button_describe_day (const BeckonHistoryCopy *copy)
{
  g_autoptr (GDateTime) day = NULL;
  const int n_days = count_days (copy->date, &day);

  return n_days == 0   ? g_strdup (_("Today"))
         : n_days == 1 ? g_strdup (_("Yesterday"))
                       : beckon_copy_button_describe_date (copy->date);
}

void
beckon_copy_button_set_copy (GtkButton *button, const BeckonHistoryCopy *copy)
{
  /* The preferences are no window of the application's. */
  gtk_widget_insert_action_group (GTK_WIDGET (button), "app", G_ACTION_GROUP (g_application_get_default ()));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", copy->name, copy->date);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.open-copy");
}

static char *
describe_opening (const char *date)
{
  g_autoptr (GDateTime) day = NULL;
  const int n_days = count_days (date, &day);
  g_autofree char *words = beckon_copy_button_describe_date (date);

  return n_days == 0   ? g_strdup (_("Open Today’s Copy…"))
         : n_days == 1 ? g_strdup (_("Open Yesterday’s Copy…"))
                       /* Translators: %s is a date */
                       : beckon_text_printf (_("Open the Copy of %s…"), words);
}

static void
copy_button_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkButton) button = user_data;
  g_autoptr (GPtrArray) copies = beckon_store_list_copies_finish (BECKON_STORE (source), result, NULL);

  if (copies != NULL && copies->len > 0)
    {
      const BeckonHistoryCopy *copy = g_ptr_array_index (copies, 0);
      g_autofree char *label = describe_opening (copy->date);

      gtk_button_set_label (button, label);
      beckon_copy_button_set_copy (button, copy);
      gtk_widget_set_visible (GTK_WIDGET (button), TRUE);
    }
}

void
beckon_copy_button_offer (GtkButton *button, BeckonStore *store)
{
  gtk_widget_set_visible (GTK_WIDGET (button), FALSE);
  beckon_store_list_copies_async (store, NULL, copy_button_on_listed, g_object_ref (button));
}
