/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_oauth_url_check:
 * @url: (nullable): what claims to be an address to sign in by
 * @error: return location
 *
 * Pure. OAuth speaks https; http is for this computer itself.
 *
 * Returns: %FALSE with %BECKON_OAUTH_ERROR_UNSAFE if it is anything else, or has a user or a fragment
 */
gboolean beckon_oauth_url_check (const char *url, GError **error);

/** The server's own name as a resource (RFC 8707, 2): no lone slash, scheme and host in small letters. Caller frees. */
char *beckon_oauth_url_dup_resource (const char *server) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a token for @resource is one for @server: both on one server, @server at or below the path of @resource. */
gboolean beckon_oauth_url_covers (const char *resource, const char *server);

/** The places of a server's metadata, in the order of RFC 9728, 3.1 and MCP. Caller frees. */
char **beckon_oauth_url_list_resource_metadata (const char *server) G_GNUC_WARN_UNUSED_RESULT;

/** The places of an authorization server's metadata, in the order of MCP: RFC 8414, 3.1 and OpenID Discovery. Caller frees. */
char **beckon_oauth_url_list_server_metadata (const char *issuer) G_GNUC_WARN_UNUSED_RESULT;

/** @path at the root of the server of @url. Caller frees. */
char *beckon_oauth_url_at_root (const char *url, const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** Whether two addresses name one issuer: they are the same, but for a lone slash as the path. Both: (nullable). */
gboolean beckon_oauth_url_is_issuer (const char *one, const char *other);

/** Host and port as they are shown to people; @url itself if it is no address. Caller frees. */
char *beckon_oauth_url_dup_host (const char *url) G_GNUC_WARN_UNUSED_RESULT;

/** Adds "&name=value", or without the "&" at the beginning, as forms are encoded. @value: (nullable): adds nothing. */
void beckon_oauth_form_add (GString *form, const char *name, const char *value);

G_END_DECLS
