/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

G_BEGIN_DECLS

/**
 * BeckonFormDifference:
 * @title: how people call the place; of a place within another "items › 2 › name"
 * @before: (nullable): what was proposed there, fit to show; %NULL where nothing was
 * @after: (nullable): what is there now; %NULL where it was taken out
 */
typedef struct
{
  char *title;
  char *before;
  char *after;
} BeckonFormDifference;

/** Lists a person's changes, place by place: (element-type BeckonFormDifference) (transfer full); can be empty. */
GPtrArray *beckon_form_list_differences (BeckonForm *form) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_form_print_lines:
 * @json: one JSON text
 *
 * For reading and comparing: a line for each member and element, line breaks in strings as they are, everything that would
 * not be seen written out. What is no JSON comes as it is, made visible.
 *
 * Returns: (transfer full): lines
 */
char *beckon_form_print_lines (const char *json) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
