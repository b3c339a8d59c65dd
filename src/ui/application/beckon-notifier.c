/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-notifier.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-long-runs.h"
#include "markdown/beckon-markdown-plain.h"
#include "request/beckon-question-request.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/desktop/beckon-notification-service.h"
#include "ui/transcript/beckon-state-line.h"

#include <glib/gi18n-lib.h>

/* More choices would not fit, and some of them alone would look like all there are. */
#define MOST_BUTTONS 3
#define MOST_BUTTON_CHARS 40
#define MOST_TITLE_CHARS 80

/* The notification that says that there is no window. */
#define BACKGROUND "background"
#define MOST_BODY_CHARS 300

struct _BeckonNotifier
{
  GObject parent_instance;

  GtkApplication *application; /* (unowned): owns us */
  BeckonRuntime *runtime;      /* (owned) */
  BeckonNotificationService *service; /* (owned) */
  BeckonLongRuns *long_runs;          /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonNotifier, beckon_notifier, G_TYPE_OBJECT)

static gboolean
is_looked_at (BeckonNotifier *self)
{
  for (GList *at = gtk_application_get_windows (self->application); at != NULL; at = at->next)
    if (gtk_window_is_active (at->data))
      return TRUE;

  return FALSE;
}

static char *
make_text (const char *untrusted, guint n_chars)
{
  g_autofree char *safe = beckon_text_for_display (untrusted, -1, BECKON_TEXT_PROSE);

  return beckon_text_shorten (safe, n_chars);
}

static char *
make_title (BeckonNotifier *self, const char *conversation_id)
{
  BeckonConversation *conversation
      = beckon_library_lookup (beckon_runtime_get_library (self->runtime), conversation_id);
  const char *title = conversation != NULL ? beckon_conversation_get_title (conversation) : "";

  return *title != '\0' ? make_text (title, MOST_TITLE_CHARS) : g_strdup (_("Beckon"));
}

/* On a lock screen anybody reads what is shown; then @outside alone is said. */
static GNotification *
make_notification (BeckonNotifier *self, const char *conversation_id, const char *request_id, const char *inside,
                   const char *outside)
{
  gboolean details = beckon_settings_get_notification_details (beckon_runtime_get_settings (self->runtime));
  g_autofree char *title = details ? make_title (self, conversation_id) : g_strdup (_("Beckon"));
  g_autofree char *body = beckon_notification_service_make_body (self->service, details ? inside : outside);
  GNotification *notification = g_notification_new (title);

  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification, "app.show-request", "(ss)", conversation_id, request_id);
  return notification;
}

static void
notifier_on_inbox_changed (GListModel *inbox, guint position, guint removed, guint added, BeckonNotifier *self)
{
  if (added == 0 || !beckon_notification_service_is_present (self->service) || is_looked_at (self))
    return;

  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);
      const char *id = beckon_request_get_id (request);
      BeckonQuestion *question = beckon_request_get_question (request);
      gboolean has_buttons = question != NULL && beckon_question_is_single_choice (question)
                             && beckon_settings_get_notification_details (beckon_runtime_get_settings (self->runtime));
      const BeckonQuestionItem *item = has_buttons ? beckon_question_get_item (question, 0) : NULL;
      g_autofree char *body = beckon_request_words_dup_notice (request);
      g_autoptr (GNotification) notification = make_notification (self, beckon_request_get_conversation_id (request),
                                                                  id, body, _("Something is waiting for you."));

      g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
      for (guint n = 0; item != NULL && item->options->len <= MOST_BUTTONS && n < item->options->len; n++)
        {
          const char *label = beckon_question_item_get_option (item, n)->label;
          g_autofree char *shown = make_text (label, MOST_BUTTON_CHARS);

          g_notification_add_button_with_target (notification, shown, "app.answer-request", "(ss)", id, label);
        }
      g_application_send_notification (G_APPLICATION (self->application), id, notification);
    }
}

static void
notifier_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonNotifier *self)
{
  if (beckon_notification_service_is_present (self->service))
    g_application_withdraw_notification (G_APPLICATION (self->application), beckon_request_get_id (request));
}

/* Text channels that do not work */

static char *
make_channel_id (const char *id)
{
  return g_strconcat ("channel-", id, NULL);
}

void
beckon_notifier_tell_channel (BeckonNotifier *self, BeckonChannel *channel)
{
  g_autofree char *id = NULL;
  g_autoptr (GNotification) notification = NULL;
  gboolean details;
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;
  g_autofree char *words = NULL;
  g_autofree char *body = NULL;

  if (!beckon_notification_service_is_present (self->service))
    return;
  id = make_channel_id (beckon_channel_get_account (channel)->id);
  /* On a lock screen its name and its server are nobody's business. */
  details = beckon_settings_get_notification_details (beckon_runtime_get_settings (self->runtime));
  name = make_text (beckon_channel_get_account (channel)->name, MOST_TITLE_CHARS);
  /* Translators: %s is the name of a text channel, such as “Phone”. */
  title = details ? beckon_text_printf (_("“%s” does not work"), name) : g_strdup (_("Beckon"));
  words = details ? beckon_channel_dup_words (channel) : g_strdup (_("A text channel does not work."));
  body = beckon_notification_service_make_body (self->service, words);
  notification = g_notification_new (title);

  g_notification_set_body (notification, body);
  g_notification_add_button (notification, _("Preferences"), "app.preferences");
  g_application_send_notification (G_APPLICATION (self->application), id, notification);
}

void
beckon_notifier_withdraw_channel (BeckonNotifier *self, const char *id)
{
  g_autofree char *name = NULL;

  name = make_channel_id (id);
  if (beckon_notification_service_is_present (self->service))
    g_application_withdraw_notification (G_APPLICATION (self->application), name);
}

/* Going on without a window */

void
beckon_notifier_set_background (BeckonNotifier *self, gboolean background)
{
  GApplication *application = G_APPLICATION (self->application);
  g_autoptr (GNotification) notification = NULL;

  if (!beckon_notification_service_is_present (self->service))
    return;
  if (!background)
    {
      g_application_withdraw_notification (application, BACKGROUND);
      return;
    }
  notification = g_notification_new (_("Beckon Keeps Running"));
  g_notification_set_body (notification, _("Agents keep working without a window. Beckon quits when they are done."));
  g_notification_set_default_action (notification, "app.show-window");
  g_notification_add_button (notification, _("Show"), "app.show-window");
  g_notification_add_button (notification, _("Quit"), "app.quit");
  g_application_send_notification (application, BACKGROUND, notification);
}

/* The end of a run that took long */

static char *
make_run_id (BeckonConversation *conversation)
{
  return g_strconcat ("run-", beckon_conversation_get_id (conversation), NULL);
}

static void
on_unread_changed (BeckonNotifier *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  g_autofree char *id = NULL;

  if (beckon_conversation_get_unread (conversation))
    return;

  id = make_run_id (conversation);
  g_signal_handlers_disconnect_by_func (conversation, on_unread_changed, self);
  if (beckon_notification_service_is_present (self->service))
    g_application_withdraw_notification (G_APPLICATION (self->application), id);
}

static char *
make_end_body (BeckonConversation *conversation)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (conversation, n - 1) : NULL;
  g_autofree char *end = beckon_state_line_describe_end (beckon_conversation_get_phase (conversation),
                                                         beckon_conversation_get_detail (conversation));
  g_autofree char *text = end == NULL && last != NULL ? beckon_message_dup_text (last) : NULL;
  g_autofree char *said = text != NULL ? beckon_markdown_to_line (text) : NULL;

  if (end != NULL)
    return make_text (end, MOST_BODY_CHARS);
  return said != NULL && *said != '\0' ? make_text (said, MOST_BODY_CHARS) : g_strdup (_("The agent has finished."));
}

static void
on_run_ended (BeckonNotifier *self, BeckonConversation *conversation)
{
  gboolean is_whole = beckon_conversation_get_phase (conversation) == BECKON_RUN_COMPLETE;
  g_autofree char *id = make_run_id (conversation);
  g_autofree char *body = make_end_body (conversation);
  g_autoptr (GNotification) notification = NULL;

  if (!beckon_notification_service_is_present (self->service) || is_looked_at (self))
    return;

  notification = make_notification (self, beckon_conversation_get_id (conversation), "", body,
                                    is_whole ? _("The agent has finished.") : _("The agent could not continue."));
  g_application_send_notification (G_APPLICATION (self->application), id, notification);
  g_signal_handlers_disconnect_by_func (conversation, on_unread_changed, self);
  g_signal_connect_object (conversation, "notify::unread", G_CALLBACK (on_unread_changed), self, G_CONNECT_SWAPPED);
}

BeckonNotifier *
beckon_notifier_new (GtkApplication *application, BeckonRuntime *runtime)
{
  BeckonNotifier *self = g_object_new (BECKON_TYPE_NOTIFIER, NULL);
  BeckonInbox *inbox = beckon_runtime_get_inbox (runtime);

  self->application = application;
  self->runtime = g_object_ref (runtime);
  self->service = beckon_notification_service_new ();
  self->long_runs = beckon_long_runs_new (runtime, beckon_clock_get_system ());
  g_signal_connect_object (self->long_runs, "ended", G_CALLBACK (on_run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inbox, "items-changed", G_CALLBACK (notifier_on_inbox_changed), self, 0);
  g_signal_connect_object (inbox, "settled", G_CALLBACK (notifier_on_settled), self, 0);
  return self;
}

static void
beckon_notifier_dispose (GObject *object)
{
  BeckonNotifier *self = BECKON_NOTIFIER (object);

  g_clear_object (&self->long_runs);
  g_clear_object (&self->service);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_notifier_parent_class)->dispose (object);
}

static void
beckon_notifier_class_init (BeckonNotifierClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_notifier_dispose;
}

static void
beckon_notifier_init (BeckonNotifier *self)
{
}
