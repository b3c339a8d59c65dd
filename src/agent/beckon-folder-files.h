/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-prefix.h"

G_BEGIN_DECLS

/**
 * beckon_folder_files_dup_text:
 * @prefixes: of a conversation, as they are stored
 *
 * Returns: (transfer full): the files of instructions, skills and commands that the last request was made with, a translated
 *   line each, with their sizes and whether they were used; "" without any. Safe to be shown
 */
char *beckon_folder_files_dup_text (const BeckonPrefixes *prefixes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
