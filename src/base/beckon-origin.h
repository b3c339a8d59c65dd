/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_uri_dup_origin:
 * @uri: (nullable): an absolute URI
 *
 * Pure; any thread.
 *
 * Returns: (transfer full) (nullable): the server that @uri is on, such as "https://api.example.com:443", in small letters;
 *   %NULL if it is no http or https address with a host
 */
char *beckon_uri_dup_origin (const char *uri) G_GNUC_WARN_UNUSED_RESULT;

/** %TRUE if both are on one server; %FALSE if either is no address. */
gboolean beckon_uri_same_origin (const char *uri, const char *other);

G_END_DECLS
