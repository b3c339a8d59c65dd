/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_host_name_normalize:
 * @host: a host as it was written, or a pattern of hosts
 *
 * The one way to write it: in small letters, without the dot at its end, and an address in its usual form, however the
 * system would read the number. Nothing is looked up. Pure; any thread.
 *
 * Returns: (transfer full): the same host
 */
char *beckon_host_name_normalize (const char *host) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
