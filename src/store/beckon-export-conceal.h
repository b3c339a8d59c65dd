/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonExportConcealed:
 * @concealed: (nullable): which arguments of the call are not to be seen; see beckon_tool_call_get_concealed()
 * @arguments: (nullable): the call's, in which they stand
 * @plan_concealed: (nullable): of a step: the same of the call that holds the plan
 * @plan_arguments: (nullable): that call's
 *
 * What is not to be seen of the call that is written.
 */
typedef struct
{
  char *concealed;
  char *arguments;
  char *plan_concealed;
  char *plan_arguments;
} BeckonExportConcealed;

/** %FALSE where all of it may be seen. */
gboolean beckon_export_conceals (const BeckonExportConcealed *what);

/**
 * beckon_export_conceal:
 * @what: what is not to be seen
 * @column: what is written: "arguments", "document", "body", "draft", "answer", or anything else
 * @text: (nullable): it
 *
 * What a person masked is in no export: neither in the arguments, nor in what was planned, asked, drafted or answered about
 * them, nor in what came of it.
 *
 * Returns: (transfer full) (nullable): what may be written instead; it can be read as what it is
 */
char *beckon_export_conceal (const BeckonExportConcealed *what, const char *column, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
