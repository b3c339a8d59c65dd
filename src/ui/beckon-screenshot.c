/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-screenshot.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SCREENSHOT "org.freedesktop.portal.Screenshot"
#define REQUEST "org.freedesktop.portal.Request"

struct _BeckonScreenshot
{
  GObject parent_instance;

  GDBusConnection *connection; /* (owned) (nullable) */
  GCancellable *ending;        /* (owned): cancelled when this goes */
  guint watch;
  guint subscription; /* for the answer that is awaited; 0 */
  gboolean available;
};

G_DEFINE_FINAL_TYPE (BeckonScreenshot, beckon_screenshot, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_TAKEN,
  SIGNAL_FAILED,
} BeckonScreenshotSignal;

static guint signals[SIGNAL_FAILED + 1];

static void
set_available (BeckonScreenshot *self, gboolean available)
{
  if (self->available == available)
    return;
  self->available = available;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
stop_waiting (BeckonScreenshot *self)
{
  if (self->subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->connection, self->subscription);
  self->subscription = 0;
}

static void
fail (BeckonScreenshot *self)
{
  stop_waiting (self);
  g_signal_emit (self, signals[SIGNAL_FAILED], 0, _("The desktop did not take a picture of the screen."));
}

/* 0: done; 1: the person does not want it; 2: it went wrong. */
static void
on_response (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
             GVariant *parameters, gpointer user_data)
{
  g_autoptr (BeckonScreenshot) self = g_object_ref (user_data);
  g_autoptr (GVariant) results = NULL;
  g_autoptr (GFile) file = NULL;
  const char *uri = NULL;
  guint32 response = 2;

  stop_waiting (self);
  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ua{sv})")))
    g_variant_get (parameters, "(u@a{sv})", &response, &results);
  if (response == 1)
    return;
  if (response != 0 || !g_variant_lookup (results, "uri", "&s", &uri) || !g_str_has_prefix (uri, "file://"))
    {
      fail (self);
      return;
    }
  file = g_file_new_for_uri (uri);
  g_signal_emit (self, signals[SIGNAL_TAKEN], 0, file);
}

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fail (BECKON_SCREENSHOT (user_data));
}

/* The answer may come before the call returns, so its place is listened to before. */
static char *
make_request_path (BeckonScreenshot *self, const char *token)
{
  g_autofree char *sender = g_strdup (g_dbus_connection_get_unique_name (self->connection) + 1);

  return g_strconcat (PORTAL_PATH "/request/", g_strdelimit (sender, ".", '_'), "/", token, NULL);
}

void
beckon_screenshot_take (BeckonScreenshot *self)
{
  g_autofree char *token = NULL;
  g_autofree char *path = NULL;
  GVariantBuilder options;

  g_return_if_fail (BECKON_IS_SCREENSHOT (self));

  if (!self->available || self->subscription != 0)
    return;
  token = g_strdup_printf ("beckon%u", g_random_int ());
  path = make_request_path (self, token);
  self->subscription = g_dbus_connection_signal_subscribe (self->connection, PORTAL, REQUEST, "Response", path, NULL,
                                                           G_DBUS_SIGNAL_FLAGS_NONE, on_response, self, NULL);
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "handle_token", g_variant_new_string (token));
  g_variant_builder_add (&options, "{sv}", "interactive", g_variant_new_boolean (TRUE));
  g_dbus_connection_call (self->connection, PORTAL, PORTAL_PATH, SCREENSHOT, "Screenshot",
                          g_variant_new ("(sa{sv})", "", &options), G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NONE, -1,
                          self->ending, on_asked, self);
}

gboolean
beckon_screenshot_is_available (BeckonScreenshot *self)
{
  g_return_val_if_fail (BECKON_IS_SCREENSHOT (self), FALSE);

  return self->available;
}

/* A portal may be there without this part of it. */
static void
on_version (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_available (BECKON_SCREENSHOT (user_data), reply != NULL);
}

static void
on_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  BeckonScreenshot *self = user_data;

  g_set_object (&self->connection, connection);
  g_dbus_connection_call (connection, PORTAL, PORTAL_PATH, "org.freedesktop.DBus.Properties", "Get",
                          g_variant_new ("(ss)", SCREENSHOT, "version"), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, self->ending, on_version, self);
}

static void
on_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BeckonScreenshot *self = user_data;

  if (self->connection != NULL)
    stop_waiting (self);
  set_available (self, FALSE);
}

static void
beckon_screenshot_dispose (GObject *object)
{
  BeckonScreenshot *self = BECKON_SCREENSHOT (object);

  g_cancellable_cancel (self->ending);
  if (self->watch != 0)
    g_bus_unwatch_name (self->watch);
  self->watch = 0;
  if (self->connection != NULL)
    stop_waiting (self);
  g_clear_object (&self->connection);
  G_OBJECT_CLASS (beckon_screenshot_parent_class)->dispose (object);
}

static void
beckon_screenshot_finalize (GObject *object)
{
  g_object_unref (BECKON_SCREENSHOT (object)->ending);
  G_OBJECT_CLASS (beckon_screenshot_parent_class)->finalize (object);
}

static void
beckon_screenshot_class_init (BeckonScreenshotClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_screenshot_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_screenshot_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", BECKON_TYPE_SCREENSHOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_TAKEN] = g_signal_new ("taken", BECKON_TYPE_SCREENSHOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                        1, G_TYPE_FILE);
  signals[SIGNAL_FAILED] = g_signal_new ("failed", BECKON_TYPE_SCREENSHOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
beckon_screenshot_init (BeckonScreenshot *self)
{
  self->ending = g_cancellable_new ();
  self->watch = g_bus_watch_name (G_BUS_TYPE_SESSION, PORTAL, G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared, on_vanished, self,
                                  NULL);
}

BeckonScreenshot *
beckon_screenshot_new (void)
{
  return g_object_new (BECKON_TYPE_SCREENSHOT, NULL);
}
