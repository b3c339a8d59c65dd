/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A handle stands for a secret that a person typed: "secret:photo-token-k3x9q2mf7d". Whoever sees one knows what it is for
 * and not what it is. It has nothing in it that JSON, a URL or a shell would write otherwise.
 */

/** @name: (nullable): what it is for, in any writing. Caller frees. */
char *beckon_secret_handle_new (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** The first handle in @text, borrowed; %NULL if there is none. @length: (out): its bytes. */
const char *beckon_secret_handle_find (const char *text, gsize *length);

/** Whether @text is a handle and nothing else. @text: (nullable). */
gboolean beckon_secret_handle_is (const char *text);

G_END_DECLS
