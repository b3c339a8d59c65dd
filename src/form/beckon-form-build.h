/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-form-shape.h"
#include "form/beckon-parameters.h"

G_BEGIN_DECLS

/**
 * BeckonFormBuild:
 * @schema: what describes the arguments
 * @text: the JSON text
 * @value: @text, read
 * @proposal_text: what was proposed
 * @proposal: @proposal_text, read
 * @parameters: (nullable): what is settled about parameters
 * @choices: (element-type utf8 int): by pointer, one more than the variant that the person chose; it counts while the
 *   value is one of that
 * @fills_in: the form is filled in by a person, and not changed: each member has its place, and blank is not given
 * @is_tried: for that: what is missing is said
 * @n_errors: (out): how much keeps the arguments from being run
 *
 * What a form's fields are made from. Private to the form.
 */
typedef struct
{
  BeckonJsonSchema *schema;
  const char *text;
  const BeckonJsonValue *value;
  const char *proposal_text;
  const BeckonJsonValue *proposal;
  BeckonParameters *parameters;
  GHashTable *choices;
  gboolean fills_in;
  gboolean is_tried;
  guint n_errors;

  GPtrArray *problems;
  GHashTable *explained;
  guint n_fields;
} BeckonFormBuild;

/** The whole form as fields, problems at their places. Pure. */
BeckonFormField *beckon_form_build (BeckonFormBuild *build) G_GNUC_WARN_UNUSED_RESULT;

/** Copies a value's source from @text. Caller frees. */
char *beckon_form_build_dup_slice (const char *text, const BeckonJsonValue *value);

/** The words of a field that its schema alone says: name, title, description, hint. */
void beckon_form_build_describe (BeckonFormField *field, const BeckonFormShape *shape, const char *name, gssize length);

/** Tells the fields what the validator says of them. */
void beckon_form_build_complain (BeckonFormBuild *build, BeckonFormField *root);

G_END_DECLS
