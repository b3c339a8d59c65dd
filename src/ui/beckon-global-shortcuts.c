/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-global-shortcuts.h"

#include <string.h>

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SHORTCUTS "org.freedesktop.portal.GlobalShortcuts"
#define REQUEST "org.freedesktop.portal.Request"
#define SESSION "org.freedesktop.portal.Session"

/* What the desktop remembers the key by. */
#define QUICK_QUESTION "quick-question"
#define PREFERRED_KEY "LOGO+slash"

struct _BeckonGlobalShortcuts
{
  GObject parent_instance;

  char *description;           /* (nullable) */
  GDBusConnection *connection; /* (owned) (nullable): while there is a portal */
  GCancellable *asking;        /* (owned): cancelled when the portal or this goes, or it is not wanted any more */
  char *session;               /* (nullable): the portal's object that has the key */
  guint watch;
  guint response;  /* subscription for the answer that is awaited; 0 */
  guint activated; /* subscriptions of the session; 0 */
  guint closed;
  gboolean available;
  gboolean wanted;
};

G_DEFINE_FINAL_TYPE (BeckonGlobalShortcuts, beckon_global_shortcuts, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_ACTIVATED,
  SIGNAL_REFUSED,
} BeckonGlobalShortcutsSignal;

static guint signals[SIGNAL_REFUSED + 1];

static void
unsubscribe (BeckonGlobalShortcuts *self, guint *subscription)
{
  if (*subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->connection, *subscription);
  *subscription = 0;
}

/* The portal closes the session of who leaves the bus by itself. */
static void
end_session (BeckonGlobalShortcuts *self)
{
  g_cancellable_cancel (self->asking);
  g_object_unref (self->asking);
  self->asking = g_cancellable_new ();
  if (self->connection == NULL)
    return;
  unsubscribe (self, &self->response);
  unsubscribe (self, &self->activated);
  unsubscribe (self, &self->closed);
  if (self->session != NULL)
    g_dbus_connection_call (self->connection, PORTAL, self->session, SESSION, "Close", NULL, NULL,
                            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  g_clear_pointer (&self->session, g_free);
}

/* Asking */

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_debug ("the desktop gives no key: %s", error->message);
  end_session (BECKON_GLOBAL_SHORTCUTS (user_data));
}

/* The answer may come before the call returns, so its place is listened to before. Returns the options of the call. */
static GVariantBuilder *
listen (BeckonGlobalShortcuts *self, GDBusSignalCallback on_response)
{
  g_autofree char *sender = g_strdup (g_dbus_connection_get_unique_name (self->connection) + 1);
  g_autofree char *token = g_strdup_printf ("beckon%u", g_random_int ());
  g_autofree char *path = g_strconcat (PORTAL_PATH "/request/", g_strdelimit (sender, ".", '_'), "/", token, NULL);
  GVariantBuilder *options = g_variant_builder_new (G_VARIANT_TYPE_VARDICT);

  unsubscribe (self, &self->response);
  self->response = g_dbus_connection_signal_subscribe (self->connection, PORTAL, REQUEST, "Response", path, NULL,
                                                       G_DBUS_SIGNAL_FLAGS_NONE, on_response, self, NULL);
  g_variant_builder_add (options, "{sv}", "handle_token", g_variant_new_string (token));
  return options;
}

static void
call (BeckonGlobalShortcuts *self, const char *method, GVariant *parameters)
{
  g_dbus_connection_call (self->connection, PORTAL, PORTAL_PATH, SHORTCUTS, method, parameters, G_VARIANT_TYPE ("(o)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, self->asking, on_asked, self);
}

/* What a request came to: 0: done; 1: the person does not want it; 2: it went wrong. */
static guint32
get_response (GVariant *parameters, GVariant **results)
{
  guint32 response = 2;

  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ua{sv})")))
    g_variant_get (parameters, "(u@a{sv})", &response, results);
  return response;
}

static void
on_bound (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
          GVariant *parameters, gpointer user_data)
{
  g_autoptr (BeckonGlobalShortcuts) self = g_object_ref (user_data);
  g_autoptr (GVariant) results = NULL;
  guint32 response = get_response (parameters, &results);

  unsubscribe (self, &self->response);
  if (response == 0)
    return;
  end_session (self);
  if (response == 1)
    g_signal_emit (self, signals[SIGNAL_REFUSED], 0);
}

static void
on_activated (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
              GVariant *parameters, gpointer user_data)
{
  g_autoptr (BeckonGlobalShortcuts) self = g_object_ref (user_data);
  g_autoptr (GVariant) options = NULL;
  const char *session, *id, *token = NULL;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(osta{sv})")))
    return;
  g_variant_get (parameters, "(&o&st@a{sv})", &session, &id, NULL, &options);
  if (g_strcmp0 (session, self->session) != 0 || !g_str_equal (id, QUICK_QUESTION))
    return;
  g_variant_lookup (options, "activation_token", "&s", &token);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0, token);
}

/* By the desktop: the key is gone until the next start. */
static void
on_closed (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
           GVariant *parameters, gpointer user_data)
{
  BeckonGlobalShortcuts *self = user_data;

  g_clear_pointer (&self->session, g_free);
  end_session (self);
}

static void
bind_key (BeckonGlobalShortcuts *self)
{
  GVariantBuilder shortcuts, properties;
  g_autoptr (GVariantBuilder) options = NULL;

  self->activated = g_dbus_connection_signal_subscribe (self->connection, PORTAL, SHORTCUTS, "Activated", PORTAL_PATH, NULL,
                                                        G_DBUS_SIGNAL_FLAGS_NONE, on_activated, self, NULL);
  self->closed = g_dbus_connection_signal_subscribe (self->connection, PORTAL, SESSION, "Closed", self->session, NULL,
                                                     G_DBUS_SIGNAL_FLAGS_NONE, on_closed, self, NULL);
  g_variant_builder_init (&properties, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&properties, "{sv}", "description", g_variant_new_string (self->description));
  g_variant_builder_add (&properties, "{sv}", "preferred_trigger", g_variant_new_string (PREFERRED_KEY));
  g_variant_builder_init (&shortcuts, G_VARIANT_TYPE ("a(sa{sv})"));
  g_variant_builder_add (&shortcuts, "(sa{sv})", QUICK_QUESTION, &properties);
  options = listen (self, on_bound);
  call (self, "BindShortcuts", g_variant_new ("(oa(sa{sv})sa{sv})", self->session, &shortcuts, "", options));
}

static void
on_session (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
            GVariant *parameters, gpointer user_data)
{
  BeckonGlobalShortcuts *self = user_data;
  g_autoptr (GVariant) results = NULL;
  const char *session = NULL;

  unsubscribe (self, &self->response);
  /* Some portals say that it is a string, as the description of the interface does, others that it is a path. */
  if (get_response (parameters, &results) != 0
      || (!g_variant_lookup (results, "session_handle", "&s", &session)
          && !g_variant_lookup (results, "session_handle", "&o", &session))
      || !g_variant_is_object_path (session))
    {
      end_session (self);
      return;
    }
  self->session = g_strdup (session);
  bind_key (self);
}

static void
ask_for_session (BeckonGlobalShortcuts *self)
{
  g_autoptr (GVariantBuilder) options = listen (self, on_session);

  g_variant_builder_add (options, "{sv}", "session_handle_token", g_variant_new_string ("beckon"));
  call (self, "CreateSession", g_variant_new ("(a{sv})", options));
}

/* The portal */

static void
go_on (BeckonGlobalShortcuts *self)
{
  gboolean has = self->session != NULL || self->response != 0;

  if (has == (self->wanted && self->available))
    return;
  if (has)
    end_session (self);
  else
    ask_for_session (self);
}

static void
set_available (BeckonGlobalShortcuts *self, gboolean available)
{
  if (self->available == available)
    return;
  self->available = available;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  go_on (self);
}

/* A portal may be there without this part of it. */
static void
on_version (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_available (BECKON_GLOBAL_SHORTCUTS (user_data), reply != NULL);
}

static void
on_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  BeckonGlobalShortcuts *self = user_data;

  g_set_object (&self->connection, connection);
  g_dbus_connection_call (connection, PORTAL, PORTAL_PATH, "org.freedesktop.DBus.Properties", "Get",
                          g_variant_new ("(ss)", SHORTCUTS, "version"), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, self->asking, on_version, self);
}

static void
on_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BeckonGlobalShortcuts *self = user_data;

  g_clear_pointer (&self->session, g_free);
  end_session (self);
  set_available (self, FALSE);
}

gboolean
beckon_global_shortcuts_is_available (BeckonGlobalShortcuts *self)
{
  g_return_val_if_fail (BECKON_IS_GLOBAL_SHORTCUTS (self), FALSE);

  return self->available;
}

void
beckon_global_shortcuts_set_wanted (BeckonGlobalShortcuts *self, gboolean wanted)
{
  g_return_if_fail (BECKON_IS_GLOBAL_SHORTCUTS (self));
  g_return_if_fail (!wanted || self->description != NULL);

  self->wanted = wanted;
  go_on (self);
}

static void
beckon_global_shortcuts_dispose (GObject *object)
{
  BeckonGlobalShortcuts *self = BECKON_GLOBAL_SHORTCUTS (object);

  if (self->watch != 0)
    g_bus_unwatch_name (self->watch);
  self->watch = 0;
  end_session (self);
  g_clear_object (&self->connection);
  G_OBJECT_CLASS (beckon_global_shortcuts_parent_class)->dispose (object);
}

static void
beckon_global_shortcuts_finalize (GObject *object)
{
  BeckonGlobalShortcuts *self = BECKON_GLOBAL_SHORTCUTS (object);

  g_object_unref (self->asking);
  g_free (self->description);
  G_OBJECT_CLASS (beckon_global_shortcuts_parent_class)->finalize (object);
}

static void
beckon_global_shortcuts_class_init (BeckonGlobalShortcutsClass *klass)
{
  GType type = BECKON_TYPE_GLOBAL_SHORTCUTS;

  G_OBJECT_CLASS (klass)->dispose = beckon_global_shortcuts_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_global_shortcuts_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ACTIVATED] =
      g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_REFUSED] = g_signal_new ("refused", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_global_shortcuts_init (BeckonGlobalShortcuts *self)
{
  self->asking = g_cancellable_new ();
}

BeckonGlobalShortcuts *
beckon_global_shortcuts_new (const char *description)
{
  BeckonGlobalShortcuts *self = g_object_new (BECKON_TYPE_GLOBAL_SHORTCUTS, NULL);

  self->description = g_strdup (description);
  self->watch = g_bus_watch_name (G_BUS_TYPE_SESSION, PORTAL, G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared, on_vanished, self,
                                  NULL);
  return self;
}
