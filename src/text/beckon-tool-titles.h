/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_tool_titles_set:
 * @tool: the name of a server's tool, as models say it
 * @title: (nullable): what its server calls it for people; untrusted
 *
 * What sentences about calls say from now on, beside the name, which is what rules and models go by. Any thread.
 */
void beckon_tool_titles_set (const char *tool, const char *title);

/** (nullable): the title of a tool, short and safe to be shown; caller frees. Any thread. */
char *beckon_tool_titles_dup (const char *tool) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
