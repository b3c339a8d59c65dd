/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-undo-copies-row.h"

#include "agent/beckon-landing-upkeep.h"
#include "base/beckon-text-printf.h"
#include "domain/beckon-tool-call.h"
#include "store/queries/beckon-expire-landings.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonUndoCopiesRow
{
  AdwActionRow parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (BeckonUndoCopiesRow, beckon_undo_copies_row, ADW_TYPE_ACTION_ROW)

static void
on_measured (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonUndoCopiesRow) self = user_data;
  g_autoptr (GError) error = NULL;
  gint64 bytes = beckon_store_measure_landings_finish (BECKON_STORE (source), result, &error);

  /* The row is gone already. */
  if (self->runtime == NULL)
    return;
  if (error == NULL)
    {
      g_autofree char *size = g_format_size_full ((guint64) MAX (bytes, 0), G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *most = g_format_size_full (BECKON_LANDINGS_MAX_BYTES, G_FORMAT_SIZE_IEC_UNITS);
      guint days = BECKON_LANDINGS_MAX_AGE / G_TIME_SPAN_DAY;
      /* Translators: of copies of files: how much they take on the disk, for how many days they are kept, and how much at most
       */
      g_autofree char *words = beckon_text_printf (g_dngettext (GETTEXT_PACKAGE, "%s on disk. Kept for %u day, at most %s.",
                                                                "%s on disk. Kept for %u days, at most %s.", days),
                                                   size, days, most);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (self), words);
      gtk_widget_set_sensitive (self->button, bytes > 0);
    }
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
}

static void
forget_call (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (call);

  for (guint i = 0; i < beckon_tool_call_get_n_steps (call); i++)
    forget_call (beckon_tool_call_get_step (call, i));
  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);
      BeckonLanding *gone;

      if (landing->is_gone || landing->state == BECKON_LANDING_WAITING || landing->state == BECKON_LANDING_DECIDED)
        continue;
      gone = beckon_landing_copy (landing);
      gone->is_gone = TRUE;
      gone->kept_bytes = 0;
      beckon_tool_call_take_landing (call, gone);
    }
}

static void
forget_message (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_CALL)
        forget_call (beckon_part_get_call (part));
    }
}

static void
on_expired (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonUndoCopiesRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) needless = beckon_store_expire_landings_finish (BECKON_STORE (source), result, &error);
  GListModel *library;

  /* Copies that were marked go from the disk. */
  if (needless != NULL)
    beckon_landing_upkeep_run (BECKON_STORE (source), g_get_real_time ());
  if (self->runtime == NULL)
    return;
  if (needless == NULL)
    {
      adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
      return;
    }
  /* Cards that are open offer no undo any more. */
  library = G_LIST_MODEL (beckon_runtime_get_library (self->runtime));
  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      for (guint k = 0; k < beckon_conversation_get_n_messages (conversation); k++)
        forget_message (beckon_conversation_get_message (conversation, k));
    }
  beckon_store_measure_landings_async (BECKON_STORE (source), NULL, on_measured, g_object_ref (self));
}

/* By then whatever is kept is too old. */
static void
copies_row_on_response (BeckonUndoCopiesRow *self, const char *response)
{
  static const char *const no_calls[] = { NULL };
  gint64 then = g_get_real_time () + BECKON_LANDINGS_MAX_AGE + G_TIME_SPAN_DAY;

  if (g_str_equal (response, "delete"))
    beckon_store_expire_landings_async (beckon_runtime_get_store (self->runtime), no_calls, FALSE, then, NULL, on_expired,
                                        g_object_ref (self));
}

static void
copies_row_on_clicked (BeckonUndoCopiesRow *self)
{
  GtkWidget *alert = beckon_alert_new (_("Delete the Copies?"),
                                       _("Changes that commands made until now can no longer be undone."));

  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "delete", _("_Delete"), NULL);
  beckon_alert_set_appearance (alert, "delete", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (copies_row_on_response), self, G_CONNECT_SWAPPED);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

/* Measuring waits until the row is seen. */
static void
beckon_undo_copies_row_map (GtkWidget *widget)
{
  BeckonUndoCopiesRow *self = BECKON_UNDO_COPIES_ROW (widget);

  GTK_WIDGET_CLASS (beckon_undo_copies_row_parent_class)->map (widget);
  beckon_store_measure_landings_async (beckon_runtime_get_store (self->runtime), NULL, on_measured, g_object_ref (self));
}

static void
beckon_undo_copies_row_dispose (GObject *object)
{
  g_clear_object (&BECKON_UNDO_COPIES_ROW (object)->runtime);
  G_OBJECT_CLASS (beckon_undo_copies_row_parent_class)->dispose (object);
}

static void
beckon_undo_copies_row_class_init (BeckonUndoCopiesRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_undo_copies_row_dispose;
  GTK_WIDGET_CLASS (klass)->map = beckon_undo_copies_row_map;
}

static void
beckon_undo_copies_row_init (BeckonUndoCopiesRow *self)
{
  self->button = gtk_button_new_with_mnemonic (_("_Delete…"));
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (self->button, FALSE);
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (copies_row_on_clicked), self, G_CONNECT_SWAPPED);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _("Copies for Undo"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), self->button);
  beckon_own_name_set (self->button, _("Delete the copies for undo"));
}

GtkWidget *
beckon_undo_copies_row_new (BeckonRuntime *runtime)
{
  BeckonUndoCopiesRow *self = g_object_new (BECKON_TYPE_UNDO_COPIES_ROW, NULL);

  self->runtime = g_object_ref (runtime);
  return GTK_WIDGET (self);
}
