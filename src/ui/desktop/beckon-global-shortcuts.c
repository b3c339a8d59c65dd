/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-global-shortcuts.h"

#include "beckon-portal.h"

#define SHORTCUTS "org.freedesktop.portal.GlobalShortcuts"
#define SESSION "org.freedesktop.portal.Session"

/* The desktop's id for the key. */
#define QUICK_QUESTION "quick-question"
#define PREFERRED_KEY "LOGO+slash"

struct _BeckonGlobalShortcuts
{
  GObject parent_instance;

  char *description;           /* (nullable) */
  BeckonPortal *portal;        /* (owned) */
  GCancellable *asking;        /* (owned): cancelled when the portal or this goes, or it is not wanted any more */
  char *session;               /* (nullable): the portal's object that has the key, or will have it */
  guint activated; /* subscriptions of the session; 0 */
  guint closed;
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
    g_dbus_connection_signal_unsubscribe (beckon_portal_get_connection (self->portal), *subscription);
  *subscription = 0;
}

/* The portal closes the session of who leaves the bus by itself. */
static void
end_session (BeckonGlobalShortcuts *self)
{
  g_cancellable_cancel (self->asking);
  g_object_unref (self->asking);
  self->asking = g_cancellable_new ();
  unsubscribe (self, &self->activated);
  unsubscribe (self, &self->closed);
  if (self->session != NULL)
    g_dbus_connection_call (beckon_portal_get_connection (self->portal), BECKON_PORTAL_NAME, self->session, SESSION, "Close",
                            NULL, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  g_clear_pointer (&self->session, g_free);
}

static void
on_bound (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) results = beckon_portal_request_finish (BECKON_PORTAL (source), result, &error);
  g_autoptr (BeckonGlobalShortcuts) self = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = g_object_ref (user_data);
  if (results != NULL)
    return;
  g_debug ("the desktop gives no key: %s", error->message);
  end_session (self);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    g_signal_emit (self, signals[SIGNAL_REFUSED], 0);
}

static void
global_shortcuts_on_activated (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                               const char *name,
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
global_shortcuts_on_closed (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                            const char *name,
                            GVariant *parameters, gpointer user_data)
{
  BeckonGlobalShortcuts *self = user_data;

  g_clear_pointer (&self->session, g_free);
  end_session (self);
}

/* Some portals say that the session is a string, as the description of the interface does, others that it is a path. */
static void
on_session (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) results = beckon_portal_request_finish (BECKON_PORTAL (source), result, &error);
  BeckonGlobalShortcuts *self = user_data;
  const char *session = NULL;
  GDBusConnection *connection;
  GVariantBuilder shortcuts, properties, options;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (results == NULL
      || (!g_variant_lookup (results, "session_handle", "&s", &session)
          && !g_variant_lookup (results, "session_handle", "&o", &session))
      || !g_variant_is_object_path (session))
    {
      end_session (self);
      return;
    }
  g_free (self->session);
  self->session = g_strdup (session);
  connection = beckon_portal_get_connection (self->portal);
  self->activated
      = g_dbus_connection_signal_subscribe (connection, BECKON_PORTAL_NAME, SHORTCUTS, "Activated", BECKON_PORTAL_PATH, NULL,
                                            G_DBUS_SIGNAL_FLAGS_NONE, global_shortcuts_on_activated, self, NULL);
  self->closed = g_dbus_connection_signal_subscribe (connection, BECKON_PORTAL_NAME, SESSION, "Closed", self->session, NULL,
                                                     G_DBUS_SIGNAL_FLAGS_NONE, global_shortcuts_on_closed, self, NULL);
  g_variant_builder_init (&properties, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&properties, "{sv}", "description", g_variant_new_string (self->description));
  g_variant_builder_add (&properties, "{sv}", "preferred_trigger", g_variant_new_string (PREFERRED_KEY));
  g_variant_builder_init (&shortcuts, G_VARIANT_TYPE ("a(sa{sv})"));
  g_variant_builder_add (&shortcuts, "(sa{sv})", QUICK_QUESTION, &properties);
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  beckon_portal_request_async (self->portal, "BindShortcuts", g_variant_new ("(oa(sa{sv})s)", self->session, &shortcuts, ""),
                               &options, self->asking, on_bound, self);
}

static void
global_shortcuts_go_on (BeckonGlobalShortcuts *self)
{
  gboolean has = self->session != NULL;

  if (has == (self->wanted && beckon_portal_is_available (self->portal)))
    return;
  if (has)
    end_session (self);
  else
    {
      /* The session has a name of its own: the last one may not be closed yet, or may come to be while nobody wants it. */
      g_autofree char *token = g_strdup_printf ("beckon%u", g_random_int ());
      GVariantBuilder options;

      self->session = beckon_portal_make_session_path (self->portal, token);
      g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
      g_variant_builder_add (&options, "{sv}", "session_handle_token", g_variant_new_string (token));
      beckon_portal_request_async (self->portal, "CreateSession", g_variant_new ("()"), &options, self->asking, on_session,
                                   self);
    }
}

static void
on_portal_changed (BeckonGlobalShortcuts *self)
{
  /* Without a portal there is no session to be closed. */
  if (!beckon_portal_is_available (self->portal))
    {
      g_clear_pointer (&self->session, g_free);
      end_session (self);
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  global_shortcuts_go_on (self);
}

gboolean
beckon_global_shortcuts_is_available (BeckonGlobalShortcuts *self)
{
  return beckon_portal_is_available (self->portal);
}

void
beckon_global_shortcuts_set_wanted (BeckonGlobalShortcuts *self, gboolean wanted)
{
  g_return_if_fail (!wanted || self->description != NULL);

  self->wanted = wanted;
  global_shortcuts_go_on (self);
}

static void
beckon_global_shortcuts_dispose (GObject *object)
{
  end_session (BECKON_GLOBAL_SHORTCUTS (object));
  G_OBJECT_CLASS (beckon_global_shortcuts_parent_class)->dispose (object);
}

static void
beckon_global_shortcuts_finalize (GObject *object)
{
  BeckonGlobalShortcuts *self = BECKON_GLOBAL_SHORTCUTS (object);

  g_object_unref (self->portal);
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
  self->portal = beckon_portal_new (SHORTCUTS);
  g_signal_connect_object (self->portal, "changed", G_CALLBACK (on_portal_changed), self, G_CONNECT_SWAPPED);
}

BeckonGlobalShortcuts *
beckon_global_shortcuts_new (const char *description)
{
  BeckonGlobalShortcuts *self = g_object_new (BECKON_TYPE_GLOBAL_SHORTCUTS, NULL);

  self->description = g_strdup (description);
  return self;
}
