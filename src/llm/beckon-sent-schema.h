/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_sent_schema_mend:
 * @schema: a JSON Schema of a tool, as its server wrote it
 *
 * Says in words that strict providers take what means the same to the others: members that are null are left out, arrays say
 * that they take anything, draft 4's truth values beside limits become the limits of later drafts, and the arguments are an
 * object. Pure; any thread.
 *
 * Returns: (transfer full) (nullable): the same schema in those words; %NULL if it is in them already
 */
char *beckon_sent_schema_mend (const char *schema) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
