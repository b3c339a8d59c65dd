/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-copies-group.h"

#include "base/beckon-text-printf.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

/* How many days ago it was made; @day: (out) (optional) (nullable): the day, at noon. */
static int
count_days (const char *date, GDateTime **day)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) today = g_date_time_new_local (g_date_time_get_year (now), g_date_time_get_month (now),
                                                       g_date_time_get_day_of_month (now), 12, 0, 0);
  g_autoptr (GDateTime) made = NULL;
  int year, month, number;
  int n_days = -1;

  if (sscanf (date, "%4d-%2d-%2d", &year, &month, &number) == 3)
    made = g_date_time_new_local (year, month, number, 12, 0, 0);

  /* A day may have 23 hours or 25. */
  if (made != NULL)
    n_days = (int) ((g_date_time_difference (today, made) + G_TIME_SPAN_DAY / 2) / G_TIME_SPAN_DAY);
  if (day != NULL)
    *day = g_steal_pointer (&made);
  return n_days;
}

char *
beckon_copy_button_describe_date (const char *date)
{
  g_autoptr (GDateTime) day = NULL;

  count_days (date, &day);

  return day != NULL ? g_date_time_format (day, "%x") : g_strdup (date);
}

/* Has @button ask whether the copy is to be opened in place of the history. */
static void
copy_button_set_copy (GtkButton *button, const BeckonHistoryCopy *copy)
{
  /* The preferences are no window of the application's. */
  gtk_widget_insert_action_group (GTK_WIDGET (button), "app", G_ACTION_GROUP (g_application_get_default ()));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", copy->name, copy->date);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.open-copy");
}

static void
copy_button_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkButton) button = user_data;
  g_autoptr (GPtrArray) copies = beckon_store_list_copies_finish (BECKON_STORE (source), result, NULL);

  if (copies != NULL && copies->len > 0)
    {
      const BeckonHistoryCopy *copy = g_ptr_array_index (copies, 0);
      const int n_days = count_days (copy->date, NULL);
      g_autofree char *words = beckon_copy_button_describe_date (copy->date);
      g_autofree char *label = n_days == 0   ? g_strdup (_("Open Today’s Copy…"))
                               : n_days == 1 ? g_strdup (_("Open Yesterday’s Copy…"))
                                             /* Translators: %s is a date */
                                             : beckon_text_printf (_("Open the Copy of %s…"), words);

      gtk_button_set_label (button, label);
      copy_button_set_copy (button, copy);
      gtk_widget_set_visible (GTK_WIDGET (button), TRUE);
    }
}

void
beckon_copy_button_offer (GtkButton *button, BeckonStore *store)
{
  gtk_widget_set_visible (GTK_WIDGET (button), FALSE);
  beckon_store_list_copies_async (store, NULL, copy_button_on_listed, g_object_ref (button));
}

struct _BeckonCopiesGroup
{
  AdwPreferencesGroup parent_instance;

  BeckonRuntime *runtime; /* (owned) (nullable) */
  GPtrArray *rows;        /* (owned) (element-type GtkWidget): borrowed */
};

G_DEFINE_FINAL_TYPE (BeckonCopiesGroup, beckon_copies_group, ADW_TYPE_PREFERENCES_GROUP)

static GtkWidget *
copies_group_add_row (BeckonCopiesGroup *self, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  g_ptr_array_add (self->rows, row);

  return row;
}

static void
copies_group_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonCopiesGroup) self = user_data;
  g_autoptr (GPtrArray) copies = beckon_store_list_copies_finish (BECKON_STORE (source), result, NULL);
  g_autofree char *problem = beckon_store_dup_copy_problem ();

  if (self->runtime == NULL || copies == NULL)
    return;

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  if (problem != NULL)
    copies_group_add_row (self, _("No Copy From Today"), problem);
  for (guint i = 0; i < copies->len; i++)
    {
      const BeckonHistoryCopy *copy = g_ptr_array_index (copies, i);
      const guint n = (guint) MAX (copy->n_conversations, 0);
      const int n_days = count_days (copy->date, NULL);
      g_autofree char *day = n_days == 0   ? g_strdup (_("Today"))
                             : n_days == 1 ? g_strdup (_("Yesterday"))
                                           : beckon_copy_button_describe_date (copy->date);
      g_autofree char *size = g_format_size_full ((guint64) copy->size, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *conversations = copy->n_conversations < 0
                                           ? g_strdup (_("Can’t be read"))
                                           : g_strdup_printf (ngettext ("%u conversation", "%u conversations", n), n);
      /* Translators: of a copy: “12 conversations, 3.4 MiB” */
      g_autofree char *subtitle = beckon_text_printf (_("%s, %s"), conversations, size);
      /* Translators: %s is “Yesterday”, “Today” or a date */
      g_autofree char *name = beckon_text_printf (_("Open the copy: %s"), day);
      GtkWidget *row = copies_group_add_row (self, day, subtitle);
      GtkWidget *button = gtk_button_new_with_label (_("Open…"));

      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      copy_button_set_copy (GTK_BUTTON (button), copy);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
      beckon_own_name_set (button, name);
    }
  if (self->rows->len == 0)
    copies_group_add_row (self, _("No Copies Yet"), _("The first one is made a few seconds after Beckon starts."));
}

/* The list is read when it is seen. */
static void
beckon_copies_group_map (GtkWidget *widget)
{
  BeckonCopiesGroup *self = BECKON_COPIES_GROUP (widget);

  GTK_WIDGET_CLASS (beckon_copies_group_parent_class)->map (widget);
  beckon_store_list_copies_async (beckon_runtime_get_store (self->runtime), NULL, copies_group_on_listed, g_object_ref (self));
}

static void
beckon_copies_group_dispose (GObject *object)
{
  BeckonCopiesGroup *self = BECKON_COPIES_GROUP (object);

  g_clear_object (&self->runtime);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_copies_group_parent_class)->dispose (object);
}

static void
beckon_copies_group_class_init (BeckonCopiesGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_copies_group_dispose;
  GTK_WIDGET_CLASS (klass)->map = beckon_copies_group_map;
}

static void
beckon_copies_group_init (BeckonCopiesGroup *self)
{
  self->rows = g_ptr_array_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _("Copies of Your History"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self),
                                         _("Beckon makes one each day and keeps three, in case a file is damaged. "
                                           "Conversations that you delete are not in them."));
}

GtkWidget *
beckon_copies_group_new (BeckonRuntime *runtime)
{
  BeckonCopiesGroup *self = g_object_new (BECKON_TYPE_COPIES_GROUP, NULL);

  self->runtime = g_object_ref (runtime);
  return GTK_WIDGET (self);
}
