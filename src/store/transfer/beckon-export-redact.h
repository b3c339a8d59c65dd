/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonExportRedacted:
 * @redacted: (nullable): which arguments of the call are not to be seen; see beckon_tool_call_get_redacted()
 * @arguments: (nullable): the call's, in which they stand
 * @plan_redacted: (nullable): of a step: the same of the call that holds the plan
 * @plan_arguments: (nullable): that call's
 *
 * What is not to be seen of the call that is written.
 */
typedef struct
{
  char *redacted;
  char *arguments;
  char *plan_redacted;
  char *plan_arguments;
} BeckonExportRedacted;

/** %FALSE where all of it may be seen. */
gboolean beckon_export_redacts (const BeckonExportRedacted *what);

/**
 * beckon_export_redact:
 * @what: what is not to be seen
 * @column: what is written: "arguments", "document", "body", "draft", "answer", or anything else
 * @text: (nullable): it
 *
 * What a person masked is in no export: neither in the arguments, nor in what was planned, asked, drafted or answered about
 * them, nor in what came of it.
 *
 * Returns: (transfer full) (nullable): what may be written instead; it can be read as what it is
 */
char *beckon_export_redact (const BeckonExportRedacted *what, const char *column, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
