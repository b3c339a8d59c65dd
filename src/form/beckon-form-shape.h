/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-schema.h"

G_BEGIN_DECLS

/* A schema's words on a place, for a form. Private to the form. */

/**
 * BeckonFormShape:
 * @schema: the whole schema, borrowed
 * @parts: (element-type BeckonJsonValue): the schemas that hold for the place, the nearest first, borrowed: what is written
 *   there, where its `$ref` leads, allOf, and what if and dependentSchemas add for the value at hand
 * @spent: (element-type BeckonJsonValue): choices (anyOf, oneOf, lists of types) that are made already, borrowed
 * @own: (nullable): of one of several variants, the schema that makes it one; borrowed
 * @type: (nullable): of one of several types, which; borrowed
 */
typedef struct _BeckonFormShape BeckonFormShape;

struct _BeckonFormShape
{
  BeckonJsonSchema *schema;
  GPtrArray *parts;
  GPtrArray *spent;
  const BeckonJsonValue *own;
  const char *type;
};

/** @value: (nullable): what stands at the place. */
BeckonFormShape *beckon_form_shape_new (BeckonJsonSchema *schema, const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_form_shape_free (BeckonFormShape *shape);

/** Makes an empty shape; adds a schema that holds for it too. @value: (nullable). */
BeckonFormShape *beckon_form_shape_new_empty (BeckonJsonSchema *schema) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_form_shape_add (BeckonFormShape *shape, const BeckonJsonValue *part, const BeckonJsonValue *value);

/** Makes the shape of a member, or an element. @value: (nullable). */
BeckonFormShape *beckon_form_shape_new_member (const BeckonFormShape *shape, const GString *name,
                                               const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;
BeckonFormShape *beckon_form_shape_new_element (const BeckonFormShape *shape, guint index,
                                                const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;

/** Returns the nearest part's value for @word; %NULL if none. */
const BeckonJsonValue *beckon_form_shape_get (const BeckonFormShape *shape, const char *word);
const char            *beckon_form_shape_get_string (const BeckonFormShape *shape, const char *word);

/** The sole type that is left; inferred from other words, then from @value, where none is given. %NULL: anything. Static or
 *  borrowed. */
const char *beckon_form_shape_get_type (const BeckonFormShape *shape, const BeckonJsonValue *value);

/** The names that a form shows a place for, in the schema's order: (element-type GString) (transfer container). */
GPtrArray *beckon_form_shape_list_members (const BeckonFormShape *shape);
gboolean   beckon_form_shape_requires (const BeckonFormShape *shape, const GString *name);

/** Whether there may be members of other names; whether there may be an element at @index. */
gboolean beckon_form_shape_takes_names (const BeckonFormShape *shape);
gboolean beckon_form_shape_takes_element (const BeckonFormShape *shape, guint index);

/**
 * beckon_form_shape_list_variants:
 * @shape: a shape
 * @value: (nullable): what stands there
 *
 * Returns: (transfer full) (nullable) (element-type BeckonFormShape): the shapes of which one is to be chosen; %NULL
 *   where there is nothing to choose
 */
GPtrArray *beckon_form_shape_list_variants (const BeckonFormShape *shape, const BeckonJsonValue *value);

/** Labels a variant: its title, its constant, or its type; fit to show. Caller frees. */
char *beckon_form_shape_dup_label (const BeckonFormShape *variant);

/** Whether @value is what this variant asks for. */
gboolean beckon_form_shape_is_variant (const BeckonFormShape *variant, const BeckonJsonValue *value);

/** Returns the constant of a variant with no other part; else NULL. */
const BeckonJsonValue *beckon_form_shape_get_constant (const BeckonFormShape *variant);

/** Makes a form's initial value: the constant, the default, or the least that has the type; JSON. Caller frees. */
char *beckon_form_shape_dup_default (const BeckonFormShape *shape) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFormShape, beckon_form_shape_free)

G_END_DECLS
