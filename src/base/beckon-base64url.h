/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The SHA-256 of @text, so. Caller frees. */
char *beckon_base64url_digest (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** 256 random bits, so. Caller frees; see beckon_wipe(). */
char *beckon_base64url_random (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
