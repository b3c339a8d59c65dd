/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-background.h"

#include "beckon-portal.h"

#include <glib/gi18n-lib.h>

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
