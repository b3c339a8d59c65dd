/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include "beckon-resources.h"
#include "ui/conversation/beckon-conversation-content.h"
#include "ui/desktop/beckon-background.h"
#include "ui/desktop/beckon-style.h"
#include "ui/widgets/beckon-compat.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>

/* How long after the first conversation is shown the window is as it stays. */
#define SETTLED_MS 500

/* How long a program that was started to answer a call waits for the next one. */
#define LINGER_MS (10 * 1000)

G_DEFINE_FINAL_TYPE (BeckonApplication, beckon_application, ADW_TYPE_APPLICATION)

/* Without a window the program stays for what its agents do, and for nothing else. */
void
beckon_application_update_hold (BeckonApplication *self)
{
  gboolean wanted = self->open && !self->closing && beckon_application_get_window (self) == NULL
                    && beckon_agent_count_runs (beckon_runtime_get_agent (self->runtime)) > 0;

  if (wanted && !self->held)
    g_application_hold (G_APPLICATION (self));
  if (wanted && !self->held && self->stays)
    beckon_background_ask (G_APPLICATION (self));
  if (self->notifier != NULL && self->stays && wanted != self->held)
    beckon_notifier_set_background (self->notifier, wanted);
  if (!wanted && self->held)
    g_application_release (G_APPLICATION (self));
  self->held = wanted;
}

static void close_runtime (BeckonApplication *self);

/* The last run is over. Nobody sees a program without a window, so it ends by itself. */
static void
on_idle (BeckonApplication *self)
{
  if (!self->held)
    return;

  close_runtime (self);
  beckon_application_update_hold (self);
}

static void
application_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = beckon_application_get_window (self);

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && window != NULL)
    beckon_window_toast (window, error->message);
  g_application_release (G_APPLICATION (self));
}

static void
give_answer (BeckonApplication *self, GVariant *parameter)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  const char *id, *label;

  g_variant_get (parameter, "(&s&s)", &id, &label);
  /* A question's choice, and nothing else: an approval and changes have no such form. */
  answer = beckon_answer_new_question (1);
  beckon_answer_select (answer, 0, label);
  g_application_hold (G_APPLICATION (self));
  beckon_inbox_settle_async (beckon_runtime_get_inbox (self->runtime), id, answer, "notification", NULL, NULL,
                             application_on_answered,
                             g_object_ref (self));
}

static void
do_what_is_wanted (BeckonApplication *self)
{
  BeckonWindow *window = beckon_application_get_window (self);
  g_autoptr (GVariant) answer = g_steal_pointer (&self->wanted_answer);
  const char *conversation, *request;

  if (answer != NULL)
    give_answer (self, answer);
  if (self->wanted_card == NULL || window == NULL)
    return;

  g_variant_get (self->wanted_card, "(&s&s)", &conversation, &request);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-card", "(ss)", conversation, request);
  g_clear_pointer (&self->wanted_card, g_variant_unref);
}

static void
on_recovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = beckon_application_get_window (self);

  if (!beckon_agent_recover_finish (BECKON_AGENT (source), result, &error) && window != NULL &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    beckon_window_toast (window, error->message);
  beckon_application_update_hold (self);
}

/* The window is ready, and with it this start. */
static gboolean
on_window_stands (gpointer user_data)
{
  BeckonApplication *self = user_data;

  self->settling = 0;
  beckon_settings_end_start (self->settings);
#ifdef __GLIBC__
  /* To build and first draw the window takes much memory for a moment, which the allocator would keep. */
  malloc_trim (0);
#endif
  return G_SOURCE_REMOVE;
}

static void
give_runtime (BeckonApplication *self)
{
  g_autoptr (GPtrArray) windows = beckon_application_list_windows (self);

  for (guint i = 0; i < windows->len; i++)
    if (!beckon_window_has_runtime (g_ptr_array_index (windows, i)))
      beckon_window_set_runtime (g_ptr_array_index (windows, i), self->runtime);
}

/* The window's first view is ready; places to open come with the rest. */
static void
on_usable (BeckonApplication *self)
{
  if (!self->closing)
    give_runtime (self);
}

static void
application_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = beckon_application_get_window (self);
  gboolean is_open = beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error);

  /* The runtime was closed before that was heard. */
  if (self->runtime != BECKON_RUNTIME (source))
    return;
  self->open = is_open;
  beckon_agent_set_names_conversations (beckon_runtime_get_agent (self->runtime), self->open);
  if (self->open)
    beckon_agent_recover_async (beckon_runtime_get_agent (self->runtime), self->opening, on_recovered,
                                g_object_ref (self));
  if (self->open && self->questions != NULL && !self->closing)
    beckon_questions_set_runtime (self->questions, self->runtime);
  if (self->open && self->search != NULL && !self->closing)
    beckon_search_provider_set_runtime (self->search, self->runtime);
  if (self->open && !self->closing)
    {
      self->notifier = beckon_notifier_new (GTK_APPLICATION (self), self->runtime);
      self->inhibitor = beckon_inhibitor_new (GTK_APPLICATION (self), self->runtime);
      beckon_application_start_shortcut (self);
      beckon_application_start_channels (self);
      /* An answer may set going what nobody drove. */
      g_signal_connect_object (beckon_runtime_get_agent (self->runtime), "driven", G_CALLBACK (beckon_application_update_hold),
                               self, G_CONNECT_SWAPPED);
      g_signal_connect_object (beckon_runtime_get_agent (self->runtime), "idle", G_CALLBACK (on_idle), self,
                               G_CONNECT_SWAPPED);
    }
  if (window == NULL && self->open && !self->closing)
    do_what_is_wanted (self);
  if (window == NULL || self->closing)
    return;
  if (self->open)
    {
      give_runtime (self);
      do_what_is_wanted (self);
    }
  else
    {
      g_autoptr (GPtrArray) windows = beckon_application_list_windows (self);

      for (guint i = 0; i < windows->len; i++)
        beckon_window_show_failure (g_ptr_array_index (windows, i), beckon_runtime_get_store (self->runtime), error);
    }
  if (self->settling == 0)
    self->settling = g_timeout_add (SETTLED_MS, on_window_stands, self);
}

void
beckon_application_open_runtime (BeckonApplication *self)
{
  BeckonWindow *window = beckon_application_get_window (self);

  /* Open already, for runs or calls without a window. */
  if (self->open && !self->closing && window != NULL)
    {
      give_runtime (self);
      do_what_is_wanted (self);
    }
  if (self->runtime != NULL || self->closing)
    return;

  self->runtime = beckon_runtime_new (NULL);
  beckon_agent_set_adopts (beckon_runtime_get_agent (self->runtime), TRUE);
  beckon_runtime_set_gradual (self->runtime, window != NULL);
  g_signal_connect_object (self->runtime, "usable", G_CALLBACK (on_usable), self, G_CONNECT_SWAPPED);
  self->opening = g_cancellable_new ();
  beckon_runtime_open_async (self->runtime, self->opening, application_on_opened, g_object_ref (self));
}

static void
beckon_application_activate (GApplication *application)
{
  BeckonApplication *self = BECKON_APPLICATION (application);
  BeckonWindow *window = beckon_application_get_window (self);

  g_autofree char *asked = NULL;

  if (self->closing)
    {
      self->again = TRUE;
      return;
    }
  asked = g_steal_pointer (&self->asked);
  if (asked != NULL)
    beckon_application_ask (self, asked);
  else if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  else
    beckon_application_add_window (self, FALSE);
}

static void
application_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_close_finish (BECKON_RUNTIME (source), result, &error))
    g_printerr ("beckon: %s\n", error->message);
  g_clear_object (&self->runtime);
  self->open = FALSE;
  self->closing = FALSE;
  if (self->again)
    g_application_activate (G_APPLICATION (self));
  else if (self->ends)
    g_application_quit (G_APPLICATION (self));
  /* Calls of other programs wait. */
  else if ((self->questions != NULL && beckon_questions_is_wanted (self->questions))
           || (self->search != NULL && beckon_search_provider_is_wanted (self->search)))
    beckon_application_open_runtime (self);
  self->again = FALSE;
  g_application_release (G_APPLICATION (self));
}

static void
close_runtime (BeckonApplication *self)
{
  /* A person who closes a window at once ends no start. */
  if (self->settings != NULL)
    beckon_settings_end_start (self->settings);
  g_clear_handle_id (&self->settling, g_source_remove);
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  if (self->runtime == NULL || self->closing)
    return;

  self->closing = TRUE;
  if (self->held && self->stays)
    beckon_notifier_set_background (self->notifier, FALSE);
  g_clear_object (&self->notifier);
  g_clear_object (&self->inhibitor);
  g_clear_object (&self->shortcuts);
  beckon_application_stop_channels (self);
  if (self->questions != NULL)
    beckon_questions_set_runtime (self->questions, NULL);
  if (self->search != NULL)
    beckon_search_provider_set_runtime (self->search, NULL);
  g_application_hold (G_APPLICATION (self));
  beckon_runtime_close_async (self->runtime, application_on_closed, g_object_ref (self));
}

static void
beckon_application_window_removed (GtkApplication *application, GtkWindow *window)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  g_application_hold (G_APPLICATION (self));
  GTK_APPLICATION_CLASS (beckon_application_parent_class)->window_removed (application, window);
  if (BECKON_IS_WINDOW (window) && beckon_application_get_window (self) == NULL)
    {
      if (self->stays)
        beckon_application_update_hold (self);
      if (!self->held)
        close_runtime (self);
    }
  g_application_release (G_APPLICATION (self));
}

/* Running agents are released, and resume at the next start. */
void
beckon_application_end_without_window (BeckonApplication *self)
{
  self->ends = TRUE;
  if (self->runtime == NULL)
    g_application_quit (G_APPLICATION (self));
  close_runtime (self);
  beckon_application_update_hold (self);
}

static gboolean
on_terminate (gpointer user_data)
{
  beckon_application_close_windows (user_data);
  return G_SOURCE_CONTINUE;
}

static void
stay_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BECKON_APPLICATION (user_data)->stays = TRUE;
}

static void
show_request_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  BeckonWindow *window = beckon_application_get_window (self);

  g_clear_pointer (&self->wanted_card, g_variant_unref);
  self->wanted_card = g_variant_ref (parameter);
  g_application_activate (G_APPLICATION (self));
  if (window != NULL && self->open)
    do_what_is_wanted (self);
}

static void
answer_request_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;

  if (self->open && !self->closing)
    {
      give_answer (self, parameter);
      return;
    }

  g_clear_pointer (&self->wanted_answer, g_variant_unref);
  self->wanted_answer = g_variant_ref (parameter);
  if (beckon_application_get_window (self) == NULL)
    g_application_set_inactivity_timeout (G_APPLICATION (self), LINGER_MS);
  beckon_application_open_runtime (self);
}

static const GActionEntry actions[] = {
  { .name = "stay", .activate = stay_action },
  { .name = "show-request", .activate = show_request_action, .parameter_type = "(ss)" },
  { .name = "answer-request", .activate = answer_request_action, .parameter_type = "(ss)" },
};

void
beckon_application_register_resources (void)
{
  static gsize registered = 0;

  if (!g_once_init_enter (&registered))
    return;

  beckon_register_resource ();
  g_once_init_leave (&registered, 1);
}

static void
follow_link (BeckonApplication *self, const BeckonLink *link)
{
  g_application_activate (G_APPLICATION (self));
  if (beckon_application_get_window (self) != NULL)
    beckon_window_follow_link (beckon_application_get_window (self), link);
}

/* Links come from anywhere; one that leads nowhere is said where the person looks. */
static void
beckon_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *uri = g_file_get_uri (files[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonLink) link = NULL;

      if (!g_file_has_uri_scheme (files[i], BECKON_LINK_SCHEME))
        {
          beckon_application_open_file (self, files[i]);
          continue;
        }
      link = beckon_link_parse (uri, &error);
      if (link != NULL)
        {
          follow_link (self, link);
          continue;
        }
      g_application_activate (application);
      if (beckon_application_get_window (self) != NULL)
        beckon_window_toast (beckon_application_get_window (self), error->message);
    }
}

/* A call of another program, and no window: the runtime is opened for it alone. */
static void
on_wanted (BeckonApplication *self)
{
  if (beckon_application_get_window (self) == NULL)
    g_application_set_inactivity_timeout (G_APPLICATION (self), LINGER_MS);
  beckon_application_open_runtime (self);
}

/* Before the name is there that brings the first call. */
static gboolean
beckon_application_dbus_register (GApplication *application, GDBusConnection *connection, const char *path,
                                  GError **error)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  if (!G_APPLICATION_CLASS (beckon_application_parent_class)->dbus_register (application, connection, path, error))
    return FALSE;

  self->questions = beckon_questions_new (application);
  g_signal_connect_object (self->questions, "wanted", G_CALLBACK (on_wanted), self, G_CONNECT_SWAPPED);
  self->search = beckon_search_provider_new (application);
  g_signal_connect_object (self->search, "wanted", G_CALLBACK (on_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activated", G_CALLBACK (follow_link), self, G_CONNECT_SWAPPED);
  return beckon_questions_export (self->questions, connection, error)
         && beckon_search_provider_export (self->search, connection, error);
}

static void
beckon_application_dbus_unregister (GApplication *application, GDBusConnection *connection, const char *path)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  if (self->questions != NULL)
    beckon_questions_withdraw (self->questions);
  if (self->search != NULL)
    beckon_search_provider_withdraw (self->search);
  g_clear_object (&self->questions);
  g_clear_object (&self->search);
  G_APPLICATION_CLASS (beckon_application_parent_class)->dbus_unregister (application, connection, path);
}

static void
beckon_application_startup (GApplication *application)
{
  static const int endings[] = { SIGHUP, SIGINT, SIGTERM };
  BeckonApplication *self = BECKON_APPLICATION (application);

  G_STATIC_ASSERT (G_N_ELEMENTS (endings) == G_N_ELEMENTS (self->terminate_ids));
  beckon_application_register_resources ();
  G_APPLICATION_CLASS (beckon_application_parent_class)->startup (application);
  beckon_compat_init ();
  beckon_style_load ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  beckon_application_add_actions (self);
  beckon_application_add_copy_action (self);
  beckon_application_add_window_actions (self);
  if (self->questions != NULL)
    beckon_questions_own_name (self->questions);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    self->terminate_ids[i] = g_unix_signal_add (endings[i], on_terminate, self);
}

static gboolean
beckon_application_local_command_line (GApplication *application, char ***arguments, int *exit_status)
{
  beckon_application_take_options (BECKON_APPLICATION (application), arguments);
  return G_APPLICATION_CLASS (beckon_application_parent_class)->local_command_line (application, arguments, exit_status);
}

static int
beckon_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  return beckon_application_handle_options (BECKON_APPLICATION (application), options);
}

static void
beckon_application_shutdown (GApplication *application)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (self->terminate_ids); i++)
    g_clear_handle_id (&self->terminate_ids[i], g_source_remove);
  beckon_conversation_content_clean_up ();
  G_APPLICATION_CLASS (beckon_application_parent_class)->shutdown (application);
}

static void
beckon_application_dispose (GObject *object)
{
  BeckonApplication *self = BECKON_APPLICATION (object);

  g_clear_object (&self->questions);
  g_clear_object (&self->search);
  g_clear_object (&self->notifier);
  g_clear_object (&self->inhibitor);
  g_clear_object (&self->shortcuts);
  g_clear_pointer (&self->wanted_card, g_variant_unref);
  g_clear_pointer (&self->wanted_answer, g_variant_unref);
  g_clear_pointer (&self->asked, g_free);
  g_clear_handle_id (&self->settling, g_source_remove);
  g_clear_object (&self->opening);
  g_clear_object (&self->runtime);
  g_clear_object (&self->settings);
  g_clear_weak_pointer (&self->keys);
  G_OBJECT_CLASS (beckon_application_parent_class)->dispose (object);
}

static void
beckon_application_class_init (BeckonApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_application_dispose;
  application_class->activate = beckon_application_activate;
  application_class->dbus_register = beckon_application_dbus_register;
  application_class->dbus_unregister = beckon_application_dbus_unregister;
  application_class->open = beckon_application_open;
  application_class->local_command_line = beckon_application_local_command_line;
  application_class->handle_local_options = beckon_application_handle_local_options;
  application_class->startup = beckon_application_startup;
  application_class->shutdown = beckon_application_shutdown;
  GTK_APPLICATION_CLASS (klass)->window_removed = beckon_application_window_removed;
}

static void
beckon_application_init (BeckonApplication *self)
{
  beckon_application_add_options (self);
}

BeckonApplication *
beckon_application_new (void)
{
  return g_object_new (BECKON_TYPE_APPLICATION, "application-id", BECKON_APPLICATION_ID, "resource-base-path",
                       BECKON_RESOURCE_PATH, "flags", G_APPLICATION_HANDLES_OPEN, NULL);
}
