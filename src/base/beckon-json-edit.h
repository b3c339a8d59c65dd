/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-value.h"

G_BEGIN_DECLS

/**
 * BeckonJsonEdit:
 * @offset: where, in bytes
 * @length: how many bytes go
 * @text: what comes in their place
 *
 * A change of one place of a JSON text; every other byte stays as it was written. What is added keeps the style of its
 * neighbours.
 */
typedef struct
{
  gsize offset;
  gsize length;
  char *text;
} BeckonJsonEdit;

/** @text: (transfer full). */
BeckonJsonEdit *beckon_json_edit_new (gsize offset, gsize length, char *text) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_json_edit_free (BeckonJsonEdit *edit);

/** @json: one whole JSON value, checked before. */
BeckonJsonEdit *beckon_json_edit_replace (const BeckonJsonValue *value, const char *json) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_json_edit_insert:
 * @text: the text that @container was read from
 * @container: an object or array
 * @name: (nullable): the name of the new member; it must not be there. %NULL for an array
 * @index: before which child; the number of children for the end
 * @json: one whole JSON value, checked before
 */
BeckonJsonEdit *beckon_json_edit_insert (const char *text, const BeckonJsonValue *container, const GString *name, guint index,
                                         const char *json) G_GNUC_WARN_UNUSED_RESULT;

/** Takes a child with its name and one comma out of @container. */
BeckonJsonEdit *beckon_json_edit_remove (const BeckonJsonValue *container, guint index) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the element @from where @to is; those between move up. What stands between elements stays. */
BeckonJsonEdit *beckon_json_edit_move (const char *text, const BeckonJsonValue *array, guint from,
                                       guint to) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the change from one text to the other in as few bytes as it takes, never within a character. */
BeckonJsonEdit *beckon_json_edit_between (const char *before, const char *after) G_GNUC_WARN_UNUSED_RESULT;

/** @text with the change made. Caller frees. */
char *beckon_json_edit_apply (const BeckonJsonEdit *edit, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonJsonEdit, beckon_json_edit_free)

G_END_DECLS
