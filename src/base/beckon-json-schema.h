/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-value.h"

G_BEGIN_DECLS

/**
 * BeckonJsonSchemaFlags:
 * @BECKON_JSON_SCHEMA_2020_12: a schema that does not say otherwise is of draft 2020-12
 * @BECKON_JSON_SCHEMA_DRAFT_7: of draft 7
 * @BECKON_JSON_SCHEMA_CHECK_FORMATS: a string that is not of its `format` is a problem; by itself a format only
 *   describes
 */
typedef enum
{
  BECKON_JSON_SCHEMA_2020_12 = 0,
  BECKON_JSON_SCHEMA_DRAFT_7 = 1 << 0,
  BECKON_JSON_SCHEMA_CHECK_FORMATS = 1 << 1,
} BeckonJsonSchemaFlags;

/**
 * BeckonJsonProblem:
 * @pointer: where, as a JSON pointer; "" for the whole
 * @keyword: by which word of the schema
 * @message: what is wrong, in English, for a model
 * @shown: the same, translated, for a person; untrusted words in it are fit to show
 *
 * Why a value does not fit its schema.
 */
typedef struct
{
  char *pointer;
  char *keyword;
  char *message;
  char *shown;
} BeckonJsonProblem;

void beckon_json_problem_free (BeckonJsonProblem *problem);

/**
 * BeckonJsonSchema:
 *
 * A schema, of which these words count: type, enum, const, properties, required, additionalProperties,
 * patternProperties, propertyNames, dependentRequired, dependentSchemas, dependencies, items, prefixItems,
 * additionalItems, contains, minContains, maxContains, uniqueItems, the minimum, maximum and length family, multipleOf,
 * pattern, format, allOf, anyOf, oneOf, not, if, then, else, $ref, $defs, definitions, $id and $anchor. A $ref leads
 * nowhere but into the schema itself; nothing is ever fetched. Never changed once made; any thread.
 */
typedef struct _BeckonJsonSchema BeckonJsonSchema;

/**
 * beckon_json_schema_new:
 * @text: the schema, strict JSON, an object or a boolean
 * @length: its bytes, -1 if it ends in NUL
 * @flags: how it is to be understood
 * @error: return location
 *
 * Returns: (transfer full): the schema; %NULL with %BECKON_ERROR_INVALID or %BECKON_ERROR_TOO_DEEP
 */
BeckonJsonSchema *beckon_json_schema_new (const char *text, gssize length, BeckonJsonSchemaFlags flags,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_json_schema_free (BeckonJsonSchema *schema);

/**
 * beckon_json_schema_validate:
 * @schema: a schema
 * @value: what is to fit it
 *
 * Bounded in depth and steps: what cannot be decided within them does not fit.
 *
 * Returns: (transfer full) (nullable) (element-type BeckonJsonProblem): %NULL when @value fits; otherwise some of what
 *   is wrong, at least one
 */
GPtrArray *beckon_json_schema_validate (BeckonJsonSchema *schema, const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonJsonSynonym:
 * @name: what some write; upper case, "_" and "-" do not count
 * @meant: (nullable): the property that is meant; %NULL where nothing is lost without it
 *
 * A name that is not the schema's own.
 */
typedef struct
{
  const char *name;
  const char *meant;
} BeckonJsonSynonym;

/**
 * beckon_json_schema_complete:
 * @schema: a schema
 * @text: JSON of an object
 * @synonyms: (nullable): other names of properties, up to one without a name; for objects that take no unknown ones
 * @leaves_out: whether such an object loses whatever it does not know
 * @told: (out) (optional) (nullable): the names that were taken for others or left out, in English sentences
 *
 * Puts into @text what can only be meant so: the default of a property that is required and missing; a number, a truth value,
 * an array or an object where one is written as a text; nothing for a null; a property's name for one that is only written
 * otherwise. Whatever does not fit then stays as it is.
 *
 * Returns: (transfer full) (nullable): the same in other words; %NULL if nothing changes
 */
char *beckon_json_schema_complete (BeckonJsonSchema *schema, const char *text, const BeckonJsonSynonym *synonyms,
                                   gboolean leaves_out, char **told) G_GNUC_WARN_UNUSED_RESULT;

/** As beckon_json_schema_validate(), for a text; one that is no strict JSON has that for its problem. */
GPtrArray *beckon_json_schema_validate_text (BeckonJsonSchema *schema, const char *text,
                                             gssize length) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_json_schema_validate_part:
 * @schema: a schema
 * @part: a schema within it
 * @value: what is to fit @part
 * @place: where @value stands, as a JSON pointer, for the problems
 *
 * As beckon_json_schema_validate(), by a part alone, such as the one of several that was chosen.
 *
 * Returns: (transfer full) (nullable) (element-type BeckonJsonProblem): %NULL when it fits
 */
GPtrArray *beckon_json_schema_validate_part (BeckonJsonSchema *schema, const BeckonJsonValue *part,
                                             const BeckonJsonValue *value,
                                             const char *place) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @value fits @part of the schema; says nothing of why not. */
gboolean beckon_json_schema_fits (BeckonJsonSchema *schema, const BeckonJsonValue *part, const BeckonJsonValue *value);

/** Whether @pattern, which is one of the schema's own, is found in @text. */
gboolean beckon_json_schema_has_pattern (BeckonJsonSchema *schema, const char *pattern, const GString *text);

/** %FALSE when @text is certainly not of @format; what is not known is not checked. */
gboolean beckon_json_schema_check_format (const char *format, const char *text);

/** Problems as lines of English, "/a/b: words". Caller frees. */
char *beckon_json_problems_to_message (GPtrArray *problems) G_GNUC_WARN_UNUSED_RESULT;

/** Problems as lines in the person's language. Caller frees. */
char *beckon_json_problems_to_shown (GPtrArray *problems) G_GNUC_WARN_UNUSED_RESULT;

/** The schema itself; borrowed. */
const BeckonJsonValue *beckon_json_schema_get_root (BeckonJsonSchema *schema);

/** Resolves the `$ref` of @part; %NULL if it has none, or it leads nowhere. Borrowed. */
const BeckonJsonValue *beckon_json_schema_get_target (BeckonJsonSchema *schema, const BeckonJsonValue *part);

/** Members beside a `$ref` do not count there, and a list of `items` is prefixItems. */
gboolean beckon_json_schema_is_draft_7 (BeckonJsonSchema *schema);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonJsonSchema, beckon_json_schema_free)

G_END_DECLS
