/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-reader.h"
#include "beckon-json-value.h"

#include <json-glib/json-glib.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_json_check:
 * @text: (nullable): what claims to be JSON
 * @length: its bytes, -1 if it ends in NUL
 * @error: return location
 *
 * Checks that @text is one JSON value by RFC 8259, and nothing else: valid UTF-8 without a byte order mark, no lone
 * surrogates, no name twice in an object, at most %BECKON_JSON_MAX_DEPTH deep. Needs no recursion. Any thread.
 *
 * Returns: %FALSE with %BECKON_ERROR_TOO_DEEP or %BECKON_ERROR_INVALID; the message is English, for models, and says
 *   where
 */
gboolean beckon_json_check (const char *text, gssize length, GError **error);

/**
 * beckon_json_find_fault:
 * @text: (nullable): what claims to be JSON
 * @length: its bytes, -1 if it ends in NUL
 * @offset: (out): where the fault is, in bytes
 *
 * As beckon_json_check(), for showing the place.
 *
 * Returns: what is wrong; %BECKON_JSON_FAULT_NONE if nothing is
 */
BeckonJsonFault beckon_json_find_fault (const char *text, gssize length, gsize *offset);

/**
 * beckon_json_parse:
 * @text: (nullable): what claims to be JSON
 * @length: its bytes, -1 if it ends in NUL
 * @error: return location
 *
 * As beckon_json_check(), and makes a tree. Also refused is what the tree could not hold truly: U+0000 in a string, an
 * integer outside of 64 bits, a number too large for a double.
 *
 * Returns: (transfer full): the tree, %NULL on error
 */
JsonNode *beckon_json_parse (const char *text, gssize length, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** As beckon_json_parse(), for a text that has to be an object. Caller owns. */
JsonObject *beckon_json_parse_object (const char *text, gssize length, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_json_from_value:
 * @value: a value that was read
 * @error: return location
 *
 * Makes the tree that beckon_json_parse() would make of the same text, without reading it again.
 *
 * Returns: (transfer full): the tree, %NULL with %BECKON_ERROR_INVALID if it could not hold @value truly
 */
JsonNode *beckon_json_from_value (const BeckonJsonValue *value, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The tree as compact text, names in their order. Caller frees. */
char *beckon_json_print (JsonNode *node) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_json_get_string:
 * @object: (nullable): an object
 * @name: a member
 *
 * Returns: (nullable): the member if it is a string; %NULL when it is absent or anything else
 */
const char *beckon_json_get_string (JsonObject *object, const char *name);

/** The member if it is an array, %NULL otherwise; borrowed. */
JsonArray *beckon_json_get_array (JsonObject *object, const char *name);

/** The member if it is an object, %NULL otherwise; borrowed. */
JsonObject *beckon_json_get_object (JsonObject *object, const char *name);

/** The member if it is a boolean, @fallback otherwise. */
gboolean beckon_json_get_boolean (JsonObject *object, const char *name, gboolean fallback);

/** The member if it is an integer, @fallback otherwise. */
gint64 beckon_json_get_int (JsonObject *object, const char *name, gint64 fallback);

/** The member if it is a number, @fallback otherwise. */
double beckon_json_get_double (JsonObject *object, const char *name, double fallback);

/**
 * beckon_json_make_strict:
 * @text: JSON as people and editors write it
 * @length: its bytes
 *
 * Puts spaces in the place of a byte order mark, of comments and of commas before a closing bracket, so that all else stays
 * where it is. The result is not checked. Any thread.
 *
 * Returns: (transfer full): as many bytes, and a NUL
 */
char *beckon_json_make_strict (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
