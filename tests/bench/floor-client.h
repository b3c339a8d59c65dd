/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <libsoup/soup.h>

G_BEGIN_DECLS

/** A streaming POST of @size bytes to a chat completions endpoint, with the key that every program measured is given. */
SoupMessage *floor_client_message_new (const char *url, gsize size) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
