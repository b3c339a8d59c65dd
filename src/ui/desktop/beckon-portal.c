/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-portal.h"

#include "base/beckon-finish.h"

#include <glib/gi18n-lib.h>

#define REQUEST "org.freedesktop.portal.Request"

struct _BeckonPortal
{
  GObject parent_instance;

  const char *interface;
  GDBusConnection *connection; /* (owned) (nullable) */
  GCancellable *ending;        /* (owned): cancelled when this goes */
  GPtrArray *requests;         /* (element-type GTask): what is not answered yet */
  guint watch;
  gboolean available;
};

G_DEFINE_FINAL_TYPE (BeckonPortal, beckon_portal, G_TYPE_OBJECT)

static guint changed_signal;

/* The sources of a request: its answer, and its cancellable. */
typedef struct
{
  GDBusConnection *connection;
  char *path; /* of the portal's object for it */
  guint subscription;
  GSource *cancelled; /* (owned) (nullable) */
} Request;

static void
portal_request_free (Request *request)
{
  g_dbus_connection_signal_unsubscribe (request->connection, request->subscription);
  if (request->cancelled != NULL)
    g_source_destroy (request->cancelled);
  g_clear_pointer (&request->cancelled, g_source_unref);
  g_object_unref (request->connection);
  g_free (request->path);
  g_free (request);
}

/* Returns the request, which is answered with that, or NULL when it has been already. */
static GTask *
take_request (GTask *task)
{
  BeckonPortal *self = g_task_get_source_object (task);
  guint index;

  if (!g_ptr_array_find (self->requests, task, &index))
    return NULL;
  task = g_ptr_array_steal_index_fast (self->requests, index);
  g_task_set_task_data (task, NULL, NULL);
  return task;
}

/* A response of 0 is done, 1 is not wanted, all else went wrong. */
static void
portal_on_response (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
                    GVariant *parameters, gpointer user_data)
{
  g_autoptr (GTask) task = take_request (user_data);
  g_autoptr (GVariant) results = NULL;
  guint32 response = 2;

  if (task == NULL)
    return;
  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ua{sv})")))
    g_variant_get (parameters, "(u@a{sv})", &response, &results);
  if (response == 0)
    g_task_return_pointer (task, g_steal_pointer (&results), (GDestroyNotify) g_variant_unref);
  else if (response == 1)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "it is not wanted");
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "the desktop did not do it");
}

static void
subscribe (GTask *task, Request *request)
{
  request->subscription = g_dbus_connection_signal_subscribe (request->connection, BECKON_PORTAL_NAME, REQUEST, "Response",
                                                              request->path, NULL, G_DBUS_SIGNAL_FLAGS_NONE, portal_on_response,
                                                              task, NULL);
}

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) called = user_data;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    {
      /* Old portals choose another place than they are asked to, and answer there; it may have been answered already. */
      BeckonPortal *self = g_task_get_source_object (called);
      Request *request = g_task_get_task_data (called);
      const char *path;

      g_variant_get (reply, "(&o)", &path);
      if (g_ptr_array_find (self->requests, called, NULL) && !g_str_equal (request->path, path))
        {
          g_dbus_connection_signal_unsubscribe (request->connection, request->subscription);
          g_free (request->path);
          request->path = g_strdup (path);
          subscribe (called, request);
        }
    }
  else
    task = take_request (called);
  if (task != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
}

static gboolean
portal_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  /* Takes a request off the screen whose answer is no longer wanted. */
  const Request *request = g_task_get_task_data (user_data);

  g_dbus_connection_call (request->connection, BECKON_PORTAL_NAME, request->path, REQUEST, "Close", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);

  task = take_request (user_data);
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

/* Makes the portal's path for a token. */
static char *
make_path (GDBusConnection *connection, const char *kind, const char *token)
{
  g_autofree char *sender = g_strdup (g_dbus_connection_get_unique_name (connection) + 1);

  return g_strjoin ("/", BECKON_PORTAL_PATH, kind, g_strdelimit (sender, ".", '_'), token, NULL);
}

char *
beckon_portal_make_session_path (BeckonPortal *self, const char *token)
{
  return make_path (self->connection, "session", token);
}

static GVariant *
add_options (GVariant *arguments, GVariantBuilder *options)
{
  g_autoptr (GVariant) before = g_variant_ref_sink (arguments);
  GVariantBuilder all;
  GVariantIter iter;
  GVariant *argument;

  g_variant_builder_init (&all, G_VARIANT_TYPE_TUPLE);
  g_variant_iter_init (&iter, before);
  while ((argument = g_variant_iter_next_value (&iter)) != NULL)
    {
      g_variant_builder_add_value (&all, argument);
      g_variant_unref (argument);
    }
  g_variant_builder_add_value (&all, g_variant_builder_end (options));
  return g_variant_builder_end (&all);
}

void
beckon_portal_request_async (BeckonPortal *self, const char *method, GVariant *arguments, GVariantBuilder *options,
                             GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *token = NULL;
  Request *request;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_portal_request_async);
  token = g_strdup_printf ("beckon%u", g_random_int ());
  /* The answer may come before the call returns, so its place is listened to before. */
  request = g_new0 (Request, 1);
  request->connection = g_object_ref (self->connection);
  request->path = make_path (self->connection, "request", token);
  subscribe (task, request);
  if (cancellable != NULL)
    {
      request->cancelled = g_cancellable_source_new (cancellable);
      g_task_attach_source (task, request->cancelled, G_SOURCE_FUNC (portal_on_cancelled));
    }
  g_task_set_task_data (task, request, (GDestroyNotify) portal_request_free);
  g_ptr_array_add (self->requests, g_object_ref (task));
  g_variant_builder_add (options, "{sv}", "handle_token", g_variant_new_string (token));
  g_dbus_connection_call (self->connection, BECKON_PORTAL_NAME, BECKON_PORTAL_PATH, self->interface, method,
                          add_options (arguments, options), G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL,
                          on_asked, g_object_ref (task));
}

BECKON_FINISH_POINTER (GVariant *, beckon_portal_request, BeckonPortal)

gboolean
beckon_portal_is_available (BeckonPortal *self)
{
  return self->available;
}

GDBusConnection *
beckon_portal_get_connection (BeckonPortal *self)
{
  return self->connection;
}

static void
set_available (BeckonPortal *self, gboolean available)
{
  if (self->available == available)
    return;
  self->available = available;
  g_signal_emit (self, changed_signal, 0);
}

/* A portal may be there without this part of it. */
static void
on_version (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_available (BECKON_PORTAL (user_data), reply != NULL);
}

static void
on_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  BeckonPortal *self = user_data;

  g_set_object (&self->connection, connection);
  g_dbus_connection_call (connection, BECKON_PORTAL_NAME, BECKON_PORTAL_PATH, "org.freedesktop.DBus.Properties", "Get",
                          g_variant_new ("(ss)", self->interface, "version"), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, self->ending, on_version, self);
}

static void
on_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  g_autoptr (BeckonPortal) self = g_object_ref (user_data);

  while (self->requests->len > 0)
    {
      g_autoptr (GTask) task = take_request (g_ptr_array_index (self->requests, 0));

      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "the desktop's portal is gone");
    }
  set_available (self, FALSE);
}

static void
beckon_portal_dispose (GObject *object)
{
  BeckonPortal *self = BECKON_PORTAL (object);

  g_cancellable_cancel (self->ending);
  if (self->watch != 0)
    g_bus_unwatch_name (self->watch);
  self->watch = 0;
  G_OBJECT_CLASS (beckon_portal_parent_class)->dispose (object);
}

static void
beckon_portal_finalize (GObject *object)
{
  BeckonPortal *self = BECKON_PORTAL (object);

  g_clear_object (&self->connection);
  g_object_unref (self->ending);
  g_ptr_array_unref (self->requests);
  G_OBJECT_CLASS (beckon_portal_parent_class)->finalize (object);
}

static void
beckon_portal_class_init (BeckonPortalClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_portal_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_portal_finalize;
  changed_signal = g_signal_new ("changed", BECKON_TYPE_PORTAL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_portal_init (BeckonPortal *self)
{
  self->ending = g_cancellable_new ();
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
}

BeckonPortal *
beckon_portal_new (const char *interface)
{
  BeckonPortal *self = g_object_new (BECKON_TYPE_PORTAL, NULL);

  self->interface = interface;
  self->watch = g_bus_watch_name (G_BUS_TYPE_SESSION, BECKON_PORTAL_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared,
                                  on_vanished, self, NULL);
  return self;
}

#define PORTAL_INTERFACE "org.freedesktop.portal.Background"

/* A desktop without the portal asks nobody, and there is nothing to be done about one that refuses. */
void
beckon_background_ask (GApplication *application)
{
  GVariantBuilder options;
  GDBusConnection *connection = g_application_get_dbus_connection (application);

  if (connection == NULL)
    return;
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "reason", g_variant_new_string (_("Agents keep working")));
  g_variant_builder_add (&options, "{sv}", "autostart", g_variant_new_boolean (FALSE));
  g_dbus_connection_call (connection, BECKON_PORTAL_NAME, BECKON_PORTAL_PATH, PORTAL_INTERFACE, "RequestBackground",
                          g_variant_new ("(sa{sv})", "", &options), NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL,
                          NULL, NULL);
}
