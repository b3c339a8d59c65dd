/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_recent_folders_list:
 * @conversations: (element-type BeckonConversation): in any order; temporary ones leave no trace here either
 * @most: how many
 *
 * The folders of conversations, the one that was worked in last first. Nothing is looked up: they may be gone.
 *
 * Returns: (transfer full) (element-type utf8): absolute paths, each once
 */
GPtrArray *beckon_recent_folders_list (GListModel *conversations, guint most) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_recent_folders_list_begun:
 * @conversations: as above
 * @folder: (nullable): a folder; %NULL for none
 * @most: how many
 *
 * Returns: (transfer full) (element-type BeckonConversation): those with a title that work in @folder, the newest first
 */
GPtrArray *beckon_recent_folders_list_begun (GListModel *conversations, const char *folder,
                                             guint most) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
