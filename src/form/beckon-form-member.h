/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

G_BEGIN_DECLS

/**
 * beckon_form_new_member:
 * @schema: (nullable): the JSON Schema of all arguments
 * @name: one of them
 * @json: (nullable): its value
 *
 * Returns: (transfer full): a form of that argument alone, whose field is at "/" and its name
 */
BeckonForm *beckon_form_new_member (const char *schema, const char *name, const char *json) G_GNUC_WARN_UNUSED_RESULT;

/** The only field of such a form. Borrowed until the next change. */
BeckonFormField *beckon_form_get_member (BeckonForm *form);

/** The names of all arguments that @schema knows. Caller frees with g_strfreev(). @schema: (nullable). */
char **beckon_form_list_members (const char *schema) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_form_join_values:
 * @lines: a value on each line
 * @are_texts: whether a line is a text as it is; otherwise it is JSON
 *
 * Returns: (transfer full) (nullable): a JSON array of them; %NULL where there are none
 */
char *beckon_form_join_values (const char *lines, gboolean are_texts) G_GNUC_WARN_UNUSED_RESULT;

/** The same the other way round; "" where @array is %NULL or no array. @array: (nullable). Caller frees. */
char *beckon_form_split_values (const char *array, gboolean are_texts) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
