/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-answers-row.h"

#include "store/queries/beckon-store-answers.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonAnswersRow
{
  AdwActionRow parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (BeckonAnswersRow, beckon_answers_row, ADW_TYPE_ACTION_ROW)

static void
answers_row_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAnswersRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) answers = beckon_store_list_answers_finish (BECKON_STORE (source), result, &error);

  /* The row is gone already. */
  if (self->runtime == NULL)
    return;
  if (answers != NULL)
    {
      g_autofree char *words = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%u answer. Shown when the same is asked again in its folder.",
                       "%u answers. Shown when the same is asked again in their folder.", answers->len),
          answers->len);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (self), words);
      gtk_widget_set_sensitive (self->button, answers->len > 0);
    }
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
}

static void
answers_row_list (BeckonAnswersRow *self)
{
  beckon_store_list_answers_async (beckon_runtime_get_store (self->runtime), NULL, NULL, answers_row_on_listed,
                                   g_object_ref (self));
}

static void
answers_row_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAnswersRow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_forgotten = beckon_store_forget_answers_finish (BECKON_STORE (source), result, &error);

  if (self->runtime == NULL)
    return;
  if (is_forgotten)
    answers_row_list (self);
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
}

static void
answers_row_on_response (BeckonAnswersRow *self, const char *response)
{
  if (g_str_equal (response, "forget"))
    beckon_store_forget_answers_async (beckon_runtime_get_store (self->runtime), NULL, NULL, NULL, answers_row_on_forgotten,
                                       g_object_ref (self));
}

static void
answers_row_on_clicked (BeckonAnswersRow *self)
{
  GtkWidget *alert = beckon_alert_new (_("Forget the Answers?"),
                                       _("They are no longer shown when the same is asked again. The conversations "
                                         "that they come from are kept."));

  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "forget", _("_Forget"), NULL);
  beckon_alert_set_appearance (alert, "forget", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (answers_row_on_response), self, G_CONNECT_SWAPPED);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

static void
beckon_answers_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (beckon_answers_row_parent_class)->map (widget);
  answers_row_list (BECKON_ANSWERS_ROW (widget));
}

static void
beckon_answers_row_dispose (GObject *object)
{
  g_clear_object (&BECKON_ANSWERS_ROW (object)->runtime);
  G_OBJECT_CLASS (beckon_answers_row_parent_class)->dispose (object);
}

static void
beckon_answers_row_class_init (BeckonAnswersRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_answers_row_dispose;
  GTK_WIDGET_CLASS (klass)->map = beckon_answers_row_map;
}

static void
beckon_answers_row_init (BeckonAnswersRow *self)
{
  self->button = gtk_button_new_with_mnemonic (_("_Forget…"));
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (self->button, FALSE);
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (answers_row_on_clicked), self, G_CONNECT_SWAPPED);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _("Your Earlier Answers"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), self->button);
  beckon_own_name_set (self->button, _("Forget your earlier answers"));
}

GtkWidget *
beckon_answers_row_new (BeckonRuntime *runtime)
{
  BeckonAnswersRow *self = g_object_new (BECKON_TYPE_ANSWERS_ROW, NULL);

  self->runtime = g_object_ref (runtime);
  return GTK_WIDGET (self);
}
