/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-import-draft.h"

G_BEGIN_DECLS

/* Other programs' conversations, as documents of our own form: one file for each program. Of theirs only what is needed is
 * looked at: their forms change, and a member we do not know is none of our business. */

/** A conversation with a `mapping`. @images: for beckon_import_drafts_fill(). @n_unknown: (inout): pieces that are of no use
 *  here, counted. (nullable): %NULL where there are no messages. */
JsonObject *beckon_import_read_chatgpt (JsonObject *object, GPtrArray *images, guint *n_unknown) G_GNUC_WARN_UNUSED_RESULT;

/** The same of one with `chat_messages`. */
JsonObject *beckon_import_read_claude (JsonObject *object, GPtrArray *images, guint *n_unknown) G_GNUC_WARN_UNUSED_RESULT;

/* beckon-import-claude.c: what both need. */

/** (nullable): an element that is an object. */
JsonObject *beckon_import_element_object (JsonArray *array, guint index);
gint64      beckon_import_seconds_to_time (double seconds);

/** (nullable): %NULL without an @id. */
char *beckon_import_make_source (const char *program, const char *id) G_GNUC_WARN_UNUSED_RESULT;

/** Code within the text of a message. @language: (nullable). */
char *beckon_import_fence (const char *language, const char *code) G_GNUC_WARN_UNUSED_RESULT;

/** That there was a file, which the export does not have. @name: (nullable). */
void beckon_import_add_missing_file (JsonObject *message, const char *name);

G_END_DECLS
