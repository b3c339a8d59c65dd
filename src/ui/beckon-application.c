/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include "beckon-appearance.h"
#include "beckon-resources.h"

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

BeckonWindow *
beckon_application_get_window (BeckonApplication *self)
{
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    {
      if (BECKON_IS_WINDOW (at->data))
        return at->data;
    }
  return NULL;
}

/* Without a window the program stays for what its agents do, and for nothing else. */
static void
update_hold (BeckonApplication *self)
{
  gboolean wanted = self->open && !self->closing && beckon_application_get_window (self) == NULL
                    && beckon_agent_count_runs (beckon_runtime_get_agent (self->runtime)) > 0;

  if (wanted && !self->held)
    g_application_hold (G_APPLICATION (self));
  else if (!wanted && self->held)
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
  update_hold (self);
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = beckon_application_get_window (self);

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && window != NULL)
    beckon_window_toast (window, error->message);
  g_application_release (G_APPLICATION (self));
}

/* Only a question's choice: an approval has no such form. */
static void
give_answer (BeckonApplication *self, GVariant *parameter)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  const char *id, *label;

  g_variant_get (parameter, "(&s&s)", &id, &label);
  beckon_answer_select (answer, 0, label);
  g_application_hold (G_APPLICATION (self));
  beckon_inbox_settle_async (beckon_runtime_get_inbox (self->runtime), id, answer, "notification", NULL, NULL, on_answered,
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
  update_hold (self);
}

/* Building the window and drawing it first take much memory for a moment, which the allocator would keep. */
static gboolean
give_memory_back (gpointer user_data)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
  return G_SOURCE_REMOVE;
}

static void
give_runtime (BeckonApplication *self, BeckonWindow *window)
{
  if (!beckon_window_has_runtime (window))
    beckon_window_set_runtime (window, self->runtime);
}

/* What the window shows first is there; what leads elsewhere comes with the rest. */
static void
on_usable (BeckonApplication *self)
{
  BeckonWindow *window = beckon_application_get_window (self);

  if (window != NULL && !self->closing)
    give_runtime (self, window);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *window = beckon_application_get_window (self);

  self->open = beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error);
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
      g_signal_connect_object (beckon_runtime_get_agent (self->runtime), "idle", G_CALLBACK (on_idle), self,
                               G_CONNECT_SWAPPED);
    }
  if (window == NULL && self->open && !self->closing)
    do_what_is_wanted (self);
  if (window == NULL || self->closing)
    return;
  if (self->open)
    {
      give_runtime (self, window);
      do_what_is_wanted (self);
    }
  else
    beckon_window_show_failure (window, error);
  g_timeout_add (SETTLED_MS, give_memory_back, NULL);
}

static gboolean
open_runtime (gpointer user_data)
{
  BeckonApplication *self = user_data;

  BeckonWindow *window = beckon_application_get_window (self);

  /* It was open already, for runs or calls without a window. */
  if (self->open && !self->closing && window != NULL)
    {
      give_runtime (self, window);
      do_what_is_wanted (self);
    }
  if (self->runtime != NULL || self->closing)
    return G_SOURCE_REMOVE;

  self->runtime = beckon_runtime_new (NULL);
  beckon_agent_set_adopts (beckon_runtime_get_agent (self->runtime), TRUE);
  beckon_runtime_set_gradual (self->runtime, window != NULL);
  g_signal_connect_object (self->runtime, "usable", G_CALLBACK (on_usable), self, G_CONNECT_SWAPPED);
  self->opening = g_cancellable_new ();
  beckon_runtime_open_async (self->runtime, self->opening, on_opened, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

/* The first frame is drawn before anything with a lower priority runs. */
static gboolean
on_first_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_LOW, open_runtime, g_object_ref (user_data), g_object_unref);
  return G_SOURCE_REMOVE;
}

static void
add_window (BeckonApplication *self)
{
  GtkWidget *window;

  if (self->settings == NULL)
    {
      self->settings = beckon_settings_new ();
      beckon_appearance_follow (self->settings);
    }
  window = beckon_window_new (GTK_APPLICATION (self), self->settings);
  g_application_set_inactivity_timeout (G_APPLICATION (self), 0);
  self->stays = FALSE;
  update_hold (self);
  gtk_widget_add_tick_callback (window, on_first_tick, g_object_ref (self), g_object_unref);
  gtk_window_present (GTK_WINDOW (window));
}

static void
beckon_application_activate (GApplication *application)
{
  BeckonApplication *self = BECKON_APPLICATION (application);
  BeckonWindow *window = beckon_application_get_window (self);

  if (self->closing)
    self->again = TRUE;
  else if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  else
    add_window (self);
}

/* Calls of other programs wait. */
static gboolean
is_wanted (BeckonApplication *self)
{
  return (self->questions != NULL && beckon_questions_is_wanted (self->questions))
         || (self->search != NULL && beckon_search_provider_is_wanted (self->search));
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
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
  else if (is_wanted (self))
    open_runtime (self);
  self->again = FALSE;
  g_application_release (G_APPLICATION (self));
}

static void
close_runtime (BeckonApplication *self)
{
  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  if (self->runtime == NULL || self->closing)
    return;

  self->closing = TRUE;
  g_clear_object (&self->notifier);
  if (self->questions != NULL)
    beckon_questions_set_runtime (self->questions, NULL);
  if (self->search != NULL)
    beckon_search_provider_set_runtime (self->search, NULL);
  g_application_hold (G_APPLICATION (self));
  beckon_runtime_close_async (self->runtime, on_closed, g_object_ref (self));
}

static void
beckon_application_window_removed (GtkApplication *application, GtkWindow *window)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  g_application_hold (G_APPLICATION (self));
  GTK_APPLICATION_CLASS (beckon_application_parent_class)->window_removed (application, window);
  if (BECKON_IS_WINDOW (window))
    {
      if (self->stays)
        update_hold (self);
      if (!self->held)
        close_runtime (self);
    }
  g_application_release (G_APPLICATION (self));
}

/* What an agent still does is let go of, and goes on at the next start. */
static void
end_without_window (BeckonApplication *self)
{
  self->ends = TRUE;
  if (self->runtime == NULL)
    g_application_quit (G_APPLICATION (self));
  close_runtime (self);
  update_hold (self);
}

static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonWindow *window = beckon_application_get_window (user_data);

  if (window != NULL)
    gtk_window_close (GTK_WINDOW (window));
  else
    end_without_window (user_data);
}

static gboolean
on_terminate (gpointer user_data)
{
  BeckonWindow *window = beckon_application_get_window (user_data);

  if (window != NULL)
    beckon_window_close_now (window);
  else
    end_without_window (user_data);
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
  open_runtime (self);
}

static const GActionEntry actions[] = {
  { .name = "quit", .activate = quit_action },
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
      g_autoptr (BeckonLink) link = beckon_link_parse (uri, &error);

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
  open_runtime (self);
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
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  beckon_application_add_actions (self);
  if (self->questions != NULL)
    beckon_questions_own_name (self->questions);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    self->terminate_ids[i] = g_unix_signal_add (endings[i], on_terminate, self);
}

static int
beckon_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (!g_variant_dict_contains (options, "version"))
    return -1;

  g_print ("beckon %s\n", BECKON_VERSION);
  return 0;
}

static void
beckon_application_shutdown (GApplication *application)
{
  BeckonApplication *self = BECKON_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (self->terminate_ids); i++)
    g_clear_handle_id (&self->terminate_ids[i], g_source_remove);
  G_APPLICATION_CLASS (beckon_application_parent_class)->shutdown (application);
}

static void
beckon_application_dispose (GObject *object)
{
  BeckonApplication *self = BECKON_APPLICATION (object);

  g_clear_object (&self->questions);
  g_clear_object (&self->search);
  g_clear_object (&self->notifier);
  g_clear_pointer (&self->wanted_card, g_variant_unref);
  g_clear_pointer (&self->wanted_answer, g_variant_unref);
  g_clear_object (&self->opening);
  g_clear_object (&self->runtime);
  g_clear_object (&self->settings);
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
  application_class->handle_local_options = beckon_application_handle_local_options;
  application_class->startup = beckon_application_startup;
  application_class->shutdown = beckon_application_shutdown;
  GTK_APPLICATION_CLASS (klass)->window_removed = beckon_application_window_removed;
}

static void
beckon_application_init (BeckonApplication *self)
{
  g_application_add_main_option (G_APPLICATION (self), "version", 'v', 0, G_OPTION_ARG_NONE, _("Print the version and end"),
                                 NULL);
}

BeckonApplication *
beckon_application_new (void)
{
  return g_object_new (BECKON_TYPE_APPLICATION, "application-id", BECKON_APPLICATION_ID, "resource-base-path",
                       BECKON_RESOURCE_PATH, "flags", G_APPLICATION_HANDLES_OPEN, NULL);
}
