/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-details.h"

#include "agent/beckon-prompt-facts.h"
#include "base/beckon-text.h"
#include "domain/beckon-usage.h"
#include "domain/beckon-note.h"

#include <glib/gi18n-lib.h>

struct _BeckonConversationDetails
{
  BeckonSheet parent_instance;

  BeckonConversation *conversation; /* (owned) */

  AdwActionRow *title_row;
  GtkLabel *begun_label;
  GtkLabel *messages_label;
  GtkLabel *input_label;
  GtkWidget *cached_row;
  GtkLabel *cached_label;
  GtkLabel *output_label;
  GtkLabel *cost_label;
  GtkWidget *folder_group;
  AdwActionRow *files_row;
  GtkSwitch *instructions_switch;
};

G_DEFINE_FINAL_TYPE (BeckonConversationDetails, beckon_conversation_details, BECKON_TYPE_SHEET)

/* Unknown counts are no number. */
static void
set_count (GtkLabel *label, gint64 count)
{
  g_autofree char *text = count >= 0 ? g_strdup_printf ("%'" G_GINT64_FORMAT, count) : g_strdup (_("unknown"));

  gtk_label_set_text (label, text);
}

static void
conversation_details_update (BeckonConversationDetails *self)
{
  const char *title = beckon_conversation_get_title (self->conversation);
  g_autofree char *safe = beckon_text_for_display (title, -1, BECKON_TEXT_EXACT);
  g_autofree char *markup = g_markup_escape_text (*safe != '\0' ? safe : _("New conversation"), -1);
  guint n = 0;
  g_autoptr (BeckonCosts) costs = NULL;
  g_autofree char *paid = NULL;
  BeckonUsage sum = BECKON_USAGE_INIT;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->title_row), markup);
  for (guint i = 0; i < beckon_conversation_get_n_messages (self->conversation); i++)
    n += beckon_note_get_kind (beckon_conversation_get_message (self->conversation, i)) == BECKON_NOTE_NONE;
  set_count (self->messages_label, n);
  costs = beckon_costs_new ();

  for (guint i = 0; i < beckon_conversation_get_n_messages (self->conversation); i++)
    {
      const BeckonUsage *usage = beckon_message_get_usage (beckon_conversation_get_message (self->conversation, i));

      beckon_usage_add (&sum, usage);
      beckon_costs_add (costs, usage);
    }
  set_count (self->input_label, sum.input);
  set_count (self->output_label, sum.output);
  set_count (self->cached_label, sum.cached);
  gtk_widget_set_visible (self->cached_row, sum.cached > 0);
  paid = beckon_costs_dup_text (costs);
  gtk_label_set_text (self->cost_label, paid != NULL ? paid : _("no prices given"));
}

static void
beckon_conversation_details_dispose (GObject *object)
{
  BeckonConversationDetails *self = BECKON_CONVERSATION_DETAILS (object);

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  G_OBJECT_CLASS (beckon_conversation_details_parent_class)->dispose (object);
}

static void
beckon_conversation_details_class_init (BeckonConversationDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_conversation_details_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/conversation-details.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, title_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, begun_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, messages_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, input_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, cached_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, cached_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, output_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, cost_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, folder_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, files_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationDetails, instructions_switch);
}

static void
beckon_conversation_details_init (BeckonConversationDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_conversation_details_new (BeckonConversation *conversation)
{
  BeckonConversationDetails *self = g_object_new (BECKON_TYPE_CONVERSATION_DETAILS, NULL);
  gint64 created_at;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *text = NULL;

  self->conversation = g_object_ref (conversation);
  /* A round's usage is known by its end. */
  g_signal_connect_swapped (conversation, "notify", G_CALLBACK (conversation_details_update), self);
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (conversation_details_update), self);
  created_at = beckon_conversation_get_created_at (self->conversation);
  time = g_date_time_new_from_unix_local (created_at / G_USEC_PER_SEC);
  text = time != NULL ? g_date_time_format (time, "%x %H:%M") : NULL;

  gtk_label_set_text (self->begun_label, text != NULL ? text : "");
  conversation_details_update (self);
  return GTK_WIDGET (self);
}

static void
on_prefixes (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonConversationDetails) self = user_data;
  g_autoptr (BeckonPrefixes) prefixes = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, NULL);
  g_autofree char *files = prefixes != NULL ? beckon_prompt_facts_dup_files (prefixes) : NULL;
  g_autofree char *markup = g_markup_escape_text (files != NULL ? files : "", -1);

  if (self->conversation == NULL || *markup == '\0')
    return;
  adw_action_row_set_subtitle (self->files_row, markup);
  gtk_widget_set_visible (self->folder_group, TRUE);
}

void
beckon_conversation_details_show_files (GtkWidget *details, BeckonStore *store, BeckonSettings *settings)
{
  BeckonConversationDetails *self = BECKON_CONVERSATION_DETAILS (details);
  GSettings *gsettings = beckon_settings_get_gsettings (settings);

  if (gsettings != NULL)
    g_settings_bind (gsettings, "folder-instructions", self->instructions_switch, "active", G_SETTINGS_BIND_DEFAULT);
  beckon_store_load_prefixes_async (store, beckon_conversation_get_id (self->conversation), NULL, on_prefixes,
                                    g_object_ref (self));
}
