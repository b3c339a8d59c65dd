/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-folder-extras.h"
#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_READ_SKILL_NAME "read_skill"

#define BECKON_TYPE_READ_SKILL (beckon_read_skill_get_type ())
G_DECLARE_FINAL_TYPE (BeckonReadSkill, beckon_read_skill, BECKON, READ_SKILL, BeckonBuiltinTool)

/**
 * BeckonReadSkill:
 *
 * Reads a skill, or a file beside it, for a conversation that has been told of it. The skill is as it was when the person was
 * asked about it. It is offered while there are skills.
 */

BeckonTool *beckon_read_skill_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_read_skill_set:
 * @self: the tool
 * @conversation_id: a conversation
 * @brought: (nullable): what its folder brings, and the person uses
 * @own: (nullable): the person's own
 *
 * Says which skills a conversation has. Main thread.
 */
void beckon_read_skill_set (BeckonReadSkill *self, const char *conversation_id, BeckonFolderExtras *brought,
                            BeckonFolderExtras *own);

/** The skills as the system prompt lists them; "" without any. @brought, @own: (nullable). Caller frees. */
char *beckon_read_skill_describe (BeckonFolderExtras *brought, BeckonFolderExtras *own) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_read_skill_list_folders:
 * @self: the tool
 * @conversation_id: a conversation
 * @folder: its working folder, without symbolic links
 *
 * Lists the folders of its skills that are not in @folder, nor hold it, for scripts in them. Blocks; any thread.
 *
 * Returns: (transfer full) (array zero-terminated=1): absolute paths without symbolic links
 */
char **beckon_read_skill_list_folders (BeckonReadSkill *self, const char *conversation_id,
                                       const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @conversation_id has any. */
gboolean beckon_read_skill_has (BeckonReadSkill *self, const char *conversation_id);

G_END_DECLS
