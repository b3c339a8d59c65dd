/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-notifier.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* Whoever shows notifications: GNOME, any other desktop, a sandbox's portal. Without any of them GIO would complain. */
static const char *const services[]
    = { "org.gtk.Notifications", "org.freedesktop.Notifications", "org.freedesktop.portal.Desktop" };

/* More choices would not fit, and some of them alone would look like all there are. */
#define MOST_BUTTONS 3
#define MOST_BUTTON_CHARS 40
#define MOST_TITLE_CHARS 80
#define MOST_BODY_CHARS 300

struct _BeckonNotifier
{
  GObject parent_instance;

  GtkApplication *application; /* (unowned): owns us */
  BeckonRuntime *runtime;      /* (owned) */
  guint watches[G_N_ELEMENTS (services)];
  guint present; /* a bit for each of the services that is there */
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
make_title (BeckonNotifier *self, BeckonRequest *request)
{
  BeckonConversation *conversation = beckon_library_lookup (beckon_runtime_get_library (self->runtime),
                                                            beckon_request_get_conversation_id (request));
  const char *title = conversation != NULL ? beckon_conversation_get_title (conversation) : "";

  return *title != '\0' ? make_text (title, MOST_TITLE_CHARS) : g_strdup (_("Beckon"));
}

static char *
make_body (BeckonRequest *request)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autofree char *tool = NULL;

  if (question != NULL)
    return make_text (beckon_question_get_item (question, 0)->question, MOST_BODY_CHARS);

  tool = make_text (beckon_request_get_tool (request), MOST_TITLE_CHARS);
  /* Translators: %s is the name of a tool */
  return g_strdup_printf (_("Wants to run %s"), tool);
}

static void
add_buttons (GNotification *notification, BeckonRequest *request)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  const BeckonQuestionItem *item;

  if (question == NULL || !beckon_question_is_single_choice (question))
    return;

  item = beckon_question_get_item (question, 0);
  for (guint i = 0; item->options->len <= MOST_BUTTONS && i < item->options->len; i++)
    {
      const char *label = beckon_question_item_get_option (item, i)->label;
      g_autofree char *shown = make_text (label, MOST_BUTTON_CHARS);

      g_notification_add_button_with_target (notification, shown, "app.answer-request", "(ss)",
                                             beckon_request_get_id (request), label);
    }
}

/* On a lock screen anybody reads what is shown; then only that something waits is said. */
static void
notify (BeckonNotifier *self, BeckonRequest *request)
{
  gboolean details = beckon_settings_get_notification_details (beckon_runtime_get_settings (self->runtime));
  g_autofree char *title = details ? make_title (self, request) : g_strdup (_("Beckon"));
  g_autofree char *body = details ? make_body (request) : g_strdup (_("Something waits for you."));
  g_autoptr (GNotification) notification = g_notification_new (title);

  g_notification_set_body (notification, body);
  g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  g_notification_set_default_action_and_target (notification, "app.show-request", "s",
                                                beckon_request_get_conversation_id (request));
  if (details)
    add_buttons (notification, request);
  g_application_send_notification (G_APPLICATION (self->application), beckon_request_get_id (request), notification);
}

static void
on_inbox_changed (GListModel *inbox, guint position, guint removed, guint added, BeckonNotifier *self)
{
  if (added == 0 || self->present == 0 || is_looked_at (self))
    return;

  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      notify (self, request);
    }
}

static void
on_settled (BeckonInbox *inbox, BeckonRequest *request, BeckonNotifier *self)
{
  if (self->present != 0)
    g_application_withdraw_notification (G_APPLICATION (self->application), beckon_request_get_id (request));
}

static guint
find_service (const char *name)
{
  guint i = 0;

  while (!g_str_equal (services[i], name))
    i++;
  return 1u << i;
}

static void
on_service_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  BECKON_NOTIFIER (user_data)->present |= find_service (name);
}

static void
on_service_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BECKON_NOTIFIER (user_data)->present &= ~find_service (name);
}

BeckonNotifier *
beckon_notifier_new (GtkApplication *application, BeckonRuntime *runtime)
{
  BeckonNotifier *self = g_object_new (BECKON_TYPE_NOTIFIER, NULL);
  BeckonInbox *inbox = beckon_runtime_get_inbox (runtime);

  self->application = application;
  self->runtime = g_object_ref (runtime);
  for (guint i = 0; i < G_N_ELEMENTS (services); i++)
    self->watches[i] = g_bus_watch_name (G_BUS_TYPE_SESSION, services[i], G_BUS_NAME_WATCHER_FLAGS_NONE,
                                         on_service_appeared, on_service_vanished, self, NULL);
  g_signal_connect_object (inbox, "items-changed", G_CALLBACK (on_inbox_changed), self, 0);
  g_signal_connect_object (inbox, "settled", G_CALLBACK (on_settled), self, 0);
  return self;
}

static void
beckon_notifier_dispose (GObject *object)
{
  BeckonNotifier *self = BECKON_NOTIFIER (object);

  for (guint i = 0; i < G_N_ELEMENTS (services); i++)
    g_clear_handle_id (&self->watches[i], g_bus_unwatch_name);
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
