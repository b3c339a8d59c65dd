/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-view-private.h"

#include "beckon-dock-layout.h"
#include "request/beckon-question-request.h"
#include "ui/cards/beckon-request-card.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (BeckonConversationView, beckon_conversation_view, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_SEND,
  SIGNAL_DRAFT,
  SIGNAL_CONTINUE,
  SIGNAL_STOP,
  SIGNAL_EARLIER_WANTED,
  SIGNAL_EDIT,
  SIGNAL_QUEUE,
} BeckonConversationViewSignal;

static guint signals[SIGNAL_QUEUE + 1];

void
beckon_conversation_view_show_error (BeckonConversationView *self, const char *message)
{
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), message != NULL);
}

static void
on_at_end_changed (BeckonConversationView *self)
{
  gtk_revealer_set_reveal_child (self->jump_revealer, !beckon_transcript_get_at_end (self->transcript));
}

static void
on_jump_clicked (BeckonConversationView *self)
{
  beckon_transcript_jump_to_end (self->transcript);
  beckon_composer_focus (self->composer);
}

void
beckon_conversation_view_show_card (BeckonConversationView *self, const char *request_id)
{
  if (request_id != NULL)
    beckon_dock_show_request (self->dock, request_id);
  if (!beckon_dock_focus (self->dock))
    {
      beckon_composer_focus (self->composer);
      return;
    }
  beckon_request_card_flash (beckon_dock_get_card (self->dock));
}

BeckonDock *
beckon_conversation_view_get_dock (BeckonConversationView *self)
{
  return self->dock;
}

void
beckon_conversation_view_toggle_dock (BeckonConversationView *self)
{
  if (beckon_dock_has_focus (self->dock) || !beckon_dock_focus (self->dock))
    beckon_composer_focus (self->composer);
}

static void
on_request_changed (BeckonConversationView *self)
{
  BeckonRequest *request = beckon_dock_get_request (self->dock);

  beckon_composer_set_placeholder (self->composer, request != NULL && BECKON_IS_QUESTION_REQUEST (request)
                                   ? _("Message, or answer the question above") : _("Message"));
  beckon_conversation_view_update_hint (self);
}

static void
on_unsent (BeckonConversationView *self, BeckonRequest *request, const char *text)
{
  beckon_transcript_set_unsent (self->transcript, request, text);
}

static void
on_composer_submit (BeckonConversationView *self)
{
  beckon_dock_submit (self->dock);
}

static void
on_earlier_wanted (BeckonConversationView *self)
{
  g_signal_emit (self, signals[SIGNAL_EARLIER_WANTED], 0, self->conversation);
}

void
beckon_conversation_view_earlier_failed (BeckonConversationView *self)
{
  beckon_transcript_earlier_failed (self->transcript);
}

static void
on_composer_up (BeckonConversationView *self)
{
  beckon_transcript_focus_last (self->transcript);
}

BeckonConversation *
beckon_conversation_view_get_conversation (BeckonConversationView *self)
{
  return self->conversation;
}

void
beckon_conversation_view_follow_draft (BeckonConversationView *self)
{
  g_autofree char *shown = beckon_composer_dup_draft (self->composer);

  if (self->conversation != NULL && g_strcmp0 (shown, beckon_conversation_get_draft (self->conversation)) != 0)
    beckon_composer_set_text (self->composer, beckon_conversation_get_draft (self->conversation));
}

static void
update_beginning (BeckonConversationView *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->beginning),
                          self->conversation != NULL && beckon_conversation_get_loaded (self->conversation)
                          && beckon_conversation_get_n_messages (self->conversation) == 0);
}

/* The line below the composer says what Enter does with a queued message. */
static void
follow_queue (BeckonConversationView *self)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (self->conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      g_signal_handlers_disconnect_by_func (item, beckon_conversation_view_update_hint, self);
      g_signal_connect_object (item, "notify::sends-now", G_CALLBACK (beckon_conversation_view_update_hint), self,
                               G_CONNECT_SWAPPED);
    }
  beckon_conversation_view_update_hint (self);
}

void
beckon_conversation_view_set_conversation (BeckonConversationView *self, BeckonConversation *conversation)
{
  if (self->conversation == conversation)
    return;

  if (self->conversation != NULL)
    {
      beckon_conversation_view_pause_sending (self);
      g_signal_handlers_disconnect_by_data (self->conversation, self);
      g_signal_handlers_disconnect_by_data (beckon_conversation_get_queue (self->conversation), self);
    }
  g_clear_handle_id (&self->secret_source, g_source_remove);
  g_set_object (&self->conversation, conversation);
  g_clear_pointer (&self->edited_id, g_free);
  beckon_conversation_view_show_error (self, NULL);
  beckon_composer_set_locked (self->composer, FALSE);
  beckon_composer_end_edit (self->composer);
  beckon_composer_set_conversation (self->composer, conversation);
  beckon_beginning_set_conversation (self->beginning, conversation);
  beckon_composer_set_text (self->composer, conversation != NULL ? beckon_conversation_get_draft (conversation) : NULL);
  beckon_composer_set_files (self->composer, conversation != NULL ? beckon_conversation_get_files (conversation) : NULL);
  beckon_conversation_view_resume_sending (self);
  g_clear_weak_pointer (&self->focus_before_find);
  beckon_find_bar_close (self->find_bar);
  beckon_finder_set_conversation (self->finder, conversation);
  beckon_transcript_set_conversation (self->transcript, self->inbox, conversation);
  beckon_dock_set_conversation (self->dock, self->inbox, conversation);
  update_beginning (self);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (beckon_conversation_view_update_hint), self);
  g_signal_connect_swapped (beckon_conversation_get_queue (conversation), "items-changed",
                            G_CALLBACK (follow_queue), self);
  g_signal_connect_swapped (conversation, "notify::loaded", G_CALLBACK (update_beginning), self);
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (update_beginning), self);
  follow_queue (self);
}

void
beckon_conversation_view_set_needs_control (BeckonConversationView *self, gboolean needs_control)
{
  beckon_composer_set_needs_control (self->composer, needs_control);
}

void
beckon_conversation_view_set_checks_spelling (BeckonConversationView *self, gboolean checks_spelling)
{
  beckon_composer_set_checks_spelling (self->composer, checks_spelling);
}

void
beckon_conversation_view_set_profiles (BeckonConversationView *self, GListModel *profiles)
{
  beckon_composer_set_profiles (self->composer, profiles);
}

void
beckon_conversation_view_set_servers (BeckonConversationView *self, BeckonAgent *agent, GListModel *servers)
{
  beckon_composer_set_agent (self->composer, agent);
  beckon_composer_set_servers (self->composer, servers);
}

void
beckon_conversation_view_set_conversations (BeckonConversationView *self, GListModel *conversations)
{
  beckon_composer_set_conversations (self->composer, conversations);
  beckon_beginning_set_conversations (self->beginning, conversations);
}

void
beckon_conversation_view_set_profile (BeckonConversationView *self, BeckonProfile *profile)
{
  beckon_composer_set_profile (self->composer, profile);
}

int
beckon_conversation_view_measure_composer (BeckonConversationView *self)
{
  int height;
  GtkWidget *column = gtk_widget_get_parent (GTK_WIDGET (self->composer));

  gtk_widget_measure (column, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (column), NULL, &height, NULL, NULL);
  return height;
}

void
beckon_conversation_view_focus_composer (BeckonConversationView *self)
{
  beckon_composer_focus (self->composer);
}

void
beckon_conversation_view_show_message (BeckonConversationView *self, const char *message_id, const char *words)
{
  BeckonMessage *message;

  message = self->conversation != NULL ? beckon_conversation_find_message (self->conversation, message_id) : NULL;
  if (message != NULL)
    beckon_finder_show_hit (self->finder, message, words);
  else
    beckon_composer_focus (self->composer);
}

/* Returns to the former focus, if it is there. */
static void
on_find_closed (BeckonConversationView *self)
{
  GtkWidget *before = self->focus_before_find;

  if (before == NULL)
    return;
  if (gtk_widget_get_mapped (before) && gtk_widget_is_sensitive (before))
    gtk_widget_grab_focus (before);
  g_clear_weak_pointer (&self->focus_before_find);
}

void
beckon_conversation_view_find (BeckonConversationView *self, int step)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->find_bar)))
    g_set_weak_pointer (&self->focus_before_find, focus != NULL ? focus : GTK_WIDGET (self->composer));
  if (step == 0)
    beckon_find_bar_open (self->find_bar);
  else
    beckon_find_bar_step (self->find_bar, step);
}

/* Wherever it is dropped, it is for the message that is being written. */
static gboolean
on_drop (BeckonConversationView *self, const GValue *value)
{
  return beckon_composer_take_drop (self->composer, value);
}

static void
accept_drops (BeckonConversationView *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = { GDK_TYPE_FILE_LIST, GDK_TYPE_TEXTURE };

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  /* Before the text view, which would write down where the files are. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void
continue_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[SIGNAL_CONTINUE], 0);
}

static void
stop_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[SIGNAL_STOP], 0);
}

static void
focus_composer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_conversation_view_focus_composer (BECKON_CONVERSATION_VIEW (widget));
}

static void
show_card_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_conversation_view_show_card (BECKON_CONVERSATION_VIEW (widget), g_variant_get_string (parameter, NULL));
}

static void
beckon_conversation_view_dispose (GObject *object)
{
  BeckonConversationView *self = BECKON_CONVERSATION_VIEW (object);

  if (self->conversation != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->conversation, self);
      g_signal_handlers_disconnect_by_data (beckon_conversation_get_queue (self->conversation), self);
    }
  g_clear_handle_id (&self->secret_source, g_source_remove);
  g_clear_object (&self->conversation);
  g_clear_object (&self->finder);
  g_clear_weak_pointer (&self->focus_before_find);
  g_clear_weak_pointer (&self->held_focus);
  g_clear_pointer (&self->edited_id, g_free);
  g_clear_pointer (&self->sending, g_hash_table_unref);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_conversation_view_parent_class)->dispose (object);
}

static void
conversation_view_bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/conversation-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, find_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, transcript);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, beginning);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, jump_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, dock);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, composer);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, error_label);
  beckon_conversation_view_bind_messages (widget_class);
  beckon_conversation_view_bind_compose (widget_class);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, jump_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, jump_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, selection_bar);
  gtk_widget_class_bind_template_callback (widget_class, on_find_closed);
  gtk_widget_class_bind_template_callback (widget_class, on_at_end_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_jump_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_request_changed);
  gtk_widget_class_bind_template_callback (widget_class, beckon_conversation_view_update_hint);
  gtk_widget_class_bind_template_callback (widget_class, on_unsent);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_submit);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_up);
  gtk_widget_class_bind_template_callback (widget_class, on_earlier_wanted);
}

static void
beckon_conversation_view_class_init (BeckonConversationViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_BEGINNING);
  g_type_ensure (BECKON_TYPE_COMPOSER);
  g_type_ensure (BECKON_TYPE_DOCK);
  g_type_ensure (BECKON_TYPE_DOCK_LAYOUT);
  g_type_ensure (BECKON_TYPE_FIND_BAR);
  g_type_ensure (BECKON_TYPE_SELECTION_BAR);
  g_type_ensure (BECKON_TYPE_TRANSCRIPT);
  G_OBJECT_CLASS (klass)->dispose = beckon_conversation_view_dispose;
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, BECKON_TYPE_CONVERSATION, G_TYPE_STRING);
  signals[SIGNAL_DRAFT] = g_signal_new ("draft", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_CONTINUE] = g_signal_new ("continue", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STOP] = g_signal_new ("stop", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  signals[SIGNAL_EARLIER_WANTED] = g_signal_new ("earlier-wanted", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0,
                                                 NULL, NULL, NULL, G_TYPE_NONE, 1, BECKON_TYPE_CONVERSATION);
  signals[SIGNAL_EDIT] = g_signal_new ("edit", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 3, BECKON_TYPE_CONVERSATION, G_TYPE_STRING, G_TYPE_STRING);
  signals[SIGNAL_QUEUE] = g_signal_new ("queue", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 2, BECKON_TYPE_CONVERSATION, G_TYPE_STRING);
  conversation_view_bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "conversation.continue", NULL, continue_action);
  gtk_widget_class_install_action (widget_class, "conversation.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "conversation.focus-composer", NULL, focus_composer_action);
  gtk_widget_class_install_action (widget_class, "conversation.show-card", "s", show_card_action);
}

static void
beckon_conversation_view_init (BeckonConversationView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_selection_bar_set_transcript (self->selection_bar, self->transcript);
  self->finder = beckon_finder_new (self->transcript);
  beckon_find_bar_set_finder (self->find_bar, self->finder);
  accept_drops (self);
  beckon_conversation_view_add_keys (self);
}

GtkWidget *
beckon_conversation_view_new (BeckonInbox *inbox)
{
  BeckonConversationView *self = g_object_new (BECKON_TYPE_CONVERSATION_VIEW, NULL);

  self->inbox = g_object_ref (inbox);
  return GTK_WIDGET (self);
}
