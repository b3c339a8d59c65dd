/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Characters of an id, without the closing NUL. */
#define BECKON_ID_LENGTH 26

/**
 * beckon_id_new:
 *
 * A ULID: 48 bits of milliseconds and 80 random bits in Crockford's base 32. Ids made by one process sort in the order
 * they were made. Any thread.
 *
 * Returns: (transfer full): the id
 */
char *beckon_id_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_id_is_valid:
 * @id: (nullable): text from outside
 *
 * Returns: %TRUE if @id has the form of an id
 */
gboolean beckon_id_is_valid (const char *id);

/**
 * beckon_id_new_code:
 * @length: how many characters, at most 64
 *
 * A code that nobody guesses, not even from another one: each character holds 5 random bits, in the alphabet of ids, which has
 * no letters that are mistaken for digits. Any thread.
 *
 * Returns: (transfer full): the code
 */
char *beckon_id_new_code (guint length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
