/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "store/queries/beckon-store-answers.h"
#include "ui/cards/beckon-answer-changer.h"
#include "ui/waiting/beckon-waiting-page.h"

#include <glib/gi18n-lib.h>

/* Requests that wait for the person, and the way from there to their cause. */

gboolean
beckon_window_is_waiting_shown (BeckonWindow *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "waiting") == 0;
}

static void
go_to_waiting_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *page = gtk_stack_get_child_by_name (self->pages, "waiting");

  if (self->runtime == NULL)
    return;

  if (page == NULL)
    {
      page = beckon_waiting_page_new (self->runtime);
      gtk_stack_add_named (self->pages, page, "waiting");
    }
  beckon_window_end_looking (self);
  gtk_stack_set_visible_child (self->pages, page);
  beckon_sidebar_set_waiting_shown (self->sidebar, TRUE);
  beckon_window_update (self);
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  beckon_waiting_page_focus (BECKON_WAITING_PAGE (page));
}

static void
go_to_question_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->view != NULL)
    beckon_conversation_view_toggle_dock (self->view);
}

static void
show_card_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonConversation *conversation;
  const char *conversation_id, *request_id;

  if (self->runtime == NULL)
    return;

  g_variant_get (parameter, "(&s&s)", &conversation_id, &request_id);
  conversation = beckon_library_lookup (beckon_runtime_get_library (self->runtime), conversation_id);
  if (conversation == NULL)
    return;

  self->card_wanted = TRUE;
  g_free (self->request_wanted);
  self->request_wanted = *request_id != '\0' ? g_strdup (request_id) : NULL;
  beckon_window_open_conversation (self, conversation, TRUE);
}

static void
show_origin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *conversation, *message, *call;

  g_variant_get (parameter, "(&s&s&s)", &conversation, &message, &call);
  beckon_window_show_hit (BECKON_WINDOW (widget), conversation, message, NULL);
}

static void
on_answer_changed (BeckonAnswerChanger *changer, BeckonConversation *branch, BeckonWindow *self)
{
  self->card_wanted = TRUE;
  beckon_window_open_conversation (self, branch, TRUE);
  beckon_window_toast (self, _("This is a branch. The original conversation is unchanged."));
}

static BeckonRequest *
find_request (BeckonConversation *conversation, const char *call_id)
{
  BeckonToolCall *call = beckon_conversation_find_call (conversation, call_id);
  GObject *request = call != NULL ? beckon_tool_call_get_request (call) : NULL;

  return request != NULL ? BECKON_REQUEST (request) : NULL;
}

static void
change_answer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *conversation_id, *message_id, *call_id;
  BeckonConversation *conversation;
  BeckonRequest *request;
  GtkWidget *changer;

  g_variant_get (parameter, "(&s&s&s)", &conversation_id, &message_id, &call_id);
  conversation = self->runtime != NULL
                     ? beckon_library_lookup (beckon_runtime_get_library (self->runtime), conversation_id)
                     : NULL;
  request = conversation != NULL ? find_request (conversation, call_id) : NULL;
  if (request == NULL)
    return;
  changer = beckon_answer_changer_new (beckon_runtime_get_agent (self->runtime), beckon_runtime_get_inbox (self->runtime),
                                       conversation, request);
  g_signal_connect_object (changer, "changed", G_CALLBACK (on_answer_changed), self, 0);
  beckon_sheet_present (BECKON_SHEET (changer), GTK_WIDGET (self));
}

static void
on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_forget_answers_finish (BECKON_STORE (source), result, &error))
    beckon_window_toast (self, error->message);
}

static void
forget_answer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL)
    beckon_store_forget_answers_async (beckon_runtime_get_store (self->runtime), NULL, g_variant_get_string (parameter, NULL),
                                       NULL, on_forgotten, g_object_ref (self));
}

void
beckon_window_install_waiting (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.go-to-waiting", NULL, go_to_waiting_action);
  gtk_widget_class_install_action (widget_class, "win.go-to-question", NULL, go_to_question_action);
  gtk_widget_class_install_action (widget_class, "win.show-card", "(ss)", show_card_action);
  gtk_widget_class_install_action (widget_class, "win.change-answer", "(sss)", change_answer_action);
  gtk_widget_class_install_action (widget_class, "win.show-origin", "(sss)", show_origin_action);
  gtk_widget_class_install_action (widget_class, "win.forget-answer", "s", forget_answer_action);
}
