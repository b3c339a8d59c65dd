/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-notification-service.h"

#define FREEDESKTOP "org.freedesktop.Notifications"

/* In the order in which GIO looks for them. */
static const char *const names[] = { "org.freedesktop.portal.Desktop", "org.gtk.Notifications", FREEDESKTOP };

#define GNOME_BIT (1u << 1)
#define FREEDESKTOP_BIT (1u << 2)

struct _BeckonNotificationService
{
  GObject parent_instance;

  guint watches[G_N_ELEMENTS (names)];
  guint present; /* a bit for each of the names that is there */
  gboolean reads_markup;
  GCancellable *asking; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonNotificationService, beckon_notification_service, G_TYPE_OBJECT)

static guint
find_bit (const char *name)
{
  guint i = 0;

  while (!g_str_equal (names[i], name))
    i++;
  return 1u << i;
}

static void
on_capabilities (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonNotificationService) self = user_data;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autofree const char **capabilities = NULL;

  if (reply == NULL)
    return;

  g_variant_get (reply, "(^a&s)", &capabilities);
  self->reads_markup = g_strv_contains (capabilities, "body-markup");
}

static void
on_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  BeckonNotificationService *self = user_data;

  self->present |= find_bit (name);
  if (g_str_equal (name, FREEDESKTOP))
    g_dbus_connection_call (connection, FREEDESKTOP, "/org/freedesktop/Notifications", FREEDESKTOP, "GetCapabilities",
                            NULL, G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, self->asking,
                            on_capabilities, g_object_ref (self));
}

static void
on_vanished (GDBusConnection *connection, const char *name, gpointer user_data)
{
  BeckonNotificationService *self = user_data;

  self->present &= ~find_bit (name);
}

gboolean
beckon_notification_service_is_present (BeckonNotificationService *self)
{
  return self->present != 0;
}

/* GNOME's and the portal's take plain text. Within a sandbox GIO uses the portal even if the others are there. */
char *
beckon_notification_service_make_body (BeckonNotificationService *self, const char *text)
{
  gboolean is_freedesktop;

  is_freedesktop = (self->present & (GNOME_BIT | FREEDESKTOP_BIT)) == FREEDESKTOP_BIT
                   && !g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS);
  return is_freedesktop && self->reads_markup ? g_markup_escape_text (text, -1) : g_strdup (text);
}

static void
beckon_notification_service_dispose (GObject *object)
{
  BeckonNotificationService *self = BECKON_NOTIFICATION_SERVICE (object);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_clear_handle_id (&self->watches[i], g_bus_unwatch_name);
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  G_OBJECT_CLASS (beckon_notification_service_parent_class)->dispose (object);
}

static void
beckon_notification_service_class_init (BeckonNotificationServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_notification_service_dispose;
}

static void
beckon_notification_service_init (BeckonNotificationService *self)
{
  self->asking = g_cancellable_new ();
}

BeckonNotificationService *
beckon_notification_service_new (void)
{
  BeckonNotificationService *self = g_object_new (BECKON_TYPE_NOTIFICATION_SERVICE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    self->watches[i] = g_bus_watch_name (G_BUS_TYPE_SESSION, names[i], G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared,
                                         on_vanished, self, NULL);
  return self;
}
