/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PORTAL (beckon_portal_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPortal, beckon_portal, BECKON, PORTAL, GObject)

/** The desktop's portal on the session bus. */
#define BECKON_PORTAL_NAME "org.freedesktop.portal.Desktop"
#define BECKON_PORTAL_PATH "/org/freedesktop/portal/desktop"

/**
 * BeckonPortal:
 *
 * One interface of the desktop's portal (XDG Desktop Portal): whether it is there, and requests to it, which a person
 * answers. The signal `changed` says that it came or went. Main thread.
 */

/** @interface: its whole name; it must live as long as the portal, as a literal does. */
BeckonPortal *beckon_portal_new (const char *interface) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the desktop has it. It is not started to find that out. */
gboolean beckon_portal_is_available (BeckonPortal *portal);

/** Returns: (transfer none) (nullable): the bus that it is or was on; %NULL before it was there */
GDBusConnection *beckon_portal_get_connection (BeckonPortal *portal);

/** Makes the path of a session asked for with @token, once it was available. Caller frees. */
char *beckon_portal_make_session_path (BeckonPortal *portal, const char *token) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_portal_request_async:
 * @arguments: (transfer floating): a tuple of what @method takes before its options
 * @options: (transfer full): the options, but for the token, which is added; it is used up
 *
 * Calls a method that answers by an `org.freedesktop.portal.Request`, and waits for the answer. It must be available. When
 * @cancellable is cancelled, the desktop is told that nobody waits any more, and asks nobody any more.
 */
void beckon_portal_request_async (BeckonPortal *portal, const char *method, GVariant *arguments, GVariantBuilder *options,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_portal_request_finish:
 *
 * Returns: (transfer full) (nullable): the results, `a{sv}`; %NULL with %G_IO_ERROR_PERMISSION_DENIED when the person does not
 *   want it, %G_IO_ERROR_CLOSED when the portal went, %G_IO_ERROR_CANCELLED, %G_IO_ERROR_FAILED or an error of D-Bus
 */
GVariant *beckon_portal_request_finish (BeckonPortal *portal, GAsyncResult *result, GError **error);

/**
 * beckon_background_ask:
 * @application: goes on without a window
 *
 * Where there is a portal for it, asks the desktop to let it go on. Nothing depends on the answer: a desktop that says no ends
 * the program itself.
 */
void beckon_background_ask (GApplication *application);

G_END_DECLS
