/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_NOTIFICATION_SERVICE (beckon_notification_service_get_type ())
G_DECLARE_FINAL_TYPE (BeckonNotificationService, beckon_notification_service, BECKON, NOTIFICATION_SERVICE, GObject)

/**
 * BeckonNotificationService:
 *
 * Whoever shows notifications in this session: GNOME, any other desktop, a sandbox's portal. GIO finds them by itself, but
 * complains where there is none, and gives the text as it is to desktops that read it as markup. Main thread.
 */
BeckonNotificationService *beckon_notification_service_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether there is one. */
gboolean beckon_notification_service_is_present (BeckonNotificationService *service);

/** @text as the body has to be so that exactly @text is seen. Caller frees. */
char *beckon_notification_service_make_body (BeckonNotificationService *service, const char *text);

G_END_DECLS
