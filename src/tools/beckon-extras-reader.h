/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-folder-extras.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** Most bytes of one file of instructions, and of all; of a skill or a command, and of all. */
#define BECKON_EXTRAS_MAX_INSTRUCTIONS (32 * 1024)
#define BECKON_EXTRAS_MAX_ALL_INSTRUCTIONS (64 * 1024)
#define BECKON_EXTRAS_MAX_FILE (32 * 1024)
#define BECKON_EXTRAS_MAX_ALL (512 * 1024)

/** Most skills, and commands. */
#define BECKON_EXTRAS_MAX_SKILLS 64
#define BECKON_EXTRAS_MAX_COMMANDS 64

/** Most bytes of a description. */
#define BECKON_EXTRAS_MAX_DESCRIPTION 1024

/**
 * beckon_extras_read:
 * @folder: the absolute path of a working folder
 * @error: return location
 *
 * Reads what @folder brings for the agent, from the root of its repository down to it: AGENTS.md, or CLAUDE.md where there is
 * none, the skills and commands in .agents and .claude, and the servers of tools in .mcp.json. Links are followed within the
 * root only; what can't be read is listed with the reason. Blocks: worker threads.
 *
 * Returns: (transfer full): what it brings, which may be nothing; %NULL if the folder can't be opened
 */
BeckonFolderExtras *beckon_extras_read (const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): the person's own skills and commands, in @directory/skills and @directory/commands; likewise. */
BeckonFolderExtras *beckon_extras_read_personal (const char *directory) G_GNUC_WARN_UNUSED_RESULT;

/** Both, on a worker, which is waited for two seconds. @folder: (nullable): only the person's own */
void     beckon_extras_read_async (const char *folder, GAsyncReadyCallback callback, gpointer user_data);

/** @brought: (out) (transfer full): of the folder; @own: (out) (transfer full): the person's */
gboolean beckon_extras_read_finish (GAsyncResult *result, BeckonFolderExtras **brought, BeckonFolderExtras **own,
                                    GError **error);

G_END_DECLS
