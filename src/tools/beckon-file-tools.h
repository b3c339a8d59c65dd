/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-folder-tool.h"

G_BEGIN_DECLS

/** The most text of one result that reads, in bytes. */
#define BECKON_FILE_TOOLS_MAX_RESULT (64 * 1024)

/** `read_file`: a part of a text file, by lines or bytes, or of what was left out of a result. */
BeckonTool *beckon_read_file_new (BeckonOutputStore *outputs) G_GNUC_WARN_UNUSED_RESULT;

/** `list_files`: what a folder holds. */
BeckonTool *beckon_list_files_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** `search_files`: lines that match, in all files below a folder. */
BeckonTool *beckon_search_files_new (BeckonOutputStore *outputs) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
