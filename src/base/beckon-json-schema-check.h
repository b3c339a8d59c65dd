/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-json-schema-private.h"

G_BEGIN_DECLS

/**
 * BeckonJsonSchemaCheck:
 * @pointer: where in the value the check is
 * @problems: (nullable): where problems go; %NULL while something is only tried
 * @keyword: (nullable): by which word it is being checked
 * @gave_up: it went too deep or took too long, so that nothing fits any more
 *
 * One validation in progress.
 */
typedef struct
{
  BeckonJsonSchema *schema;
  GString *pointer;
  GPtrArray *problems;
  const char *keyword;
  guint depth;
  guint n_steps;
  gboolean gave_up;
} BeckonJsonSchemaCheck;

/** Checks a value for a keyword; @word is its value in @schema. */
typedef gboolean (*BeckonJsonSchemaWordFunc) (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                              const BeckonJsonValue *word, const BeckonJsonValue *value);

/** The function of a word that looks at the value alone; %NULL if there is none. */
BeckonJsonSchemaWordFunc beckon_json_schema_find_assertion (const char *name);

/** The function of a word that applies schemas; %NULL if there is none. */
BeckonJsonSchemaWordFunc beckon_json_schema_find_applicator (const char *name);

/** Does @value fit @schema? */
gboolean beckon_json_schema_check (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                   const BeckonJsonValue *value);

/** As beckon_json_schema_check(), for a child of the value where the check is, by name or index. */
gboolean beckon_json_schema_check_child (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                         const BeckonJsonValue *child, guint index);

/** As beckon_json_schema_check(), but says nothing. */
gboolean beckon_json_schema_try (BeckonJsonSchemaCheck *check, const BeckonJsonValue *schema,
                                 const BeckonJsonValue *value);

/** Counts @n_steps of work; %FALSE when it is too much. */
gboolean beckon_json_schema_step (BeckonJsonSchemaCheck *check, guint n_steps);

/**
 * beckon_json_schema_complain:
 * @check: the check
 * @message: untranslated words, with %s where @detail goes
 * @detail: (nullable): what it is about, untrusted
 *
 * Returns: %FALSE
 */
gboolean beckon_json_schema_complain (BeckonJsonSchemaCheck *check, const char *message, const char *detail);

/**
 * beckon_json_schema_suggest:
 * @check: the check
 * @message: untranslated words, with %s for the name
 * @names: (nullable): an object, one name of which may be meant
 * @taken: (nullable): an object whose names are not meant
 * @name: what was written, or is missed
 *
 * Complains with the name of @names that is like @name, if there is one.
 */
void beckon_json_schema_suggest (BeckonJsonSchemaCheck *check, const char *message, const BeckonJsonValue *names,
                                 const BeckonJsonValue *taken, const GString *name);

/** %TRUE if @pattern is found in @text; what cannot be decided is not. */
gboolean beckon_json_schema_matches (BeckonJsonSchemaCheck *check, const char *pattern, const GString *text);

G_END_DECLS
