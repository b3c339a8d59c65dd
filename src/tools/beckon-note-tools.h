/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-memory.h"
#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_NOTE_TOOL (beckon_note_tool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonNoteTool, beckon_note_tool, BECKON, NOTE_TOOL, BeckonBuiltinTool)

/** `remember`: keeps a note across conversations, which the person sees and may change. */
BeckonTool *beckon_remember_new (BeckonMemory *memory) G_GNUC_WARN_UNUSED_RESULT;

/** `recall`: notes that hold given words. */
BeckonTool *beckon_recall_new (BeckonMemory *memory) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_notes_describe:
 * @notes: (element-type BeckonMemo): all of them, the newest first
 *
 * Returns: (transfer full) (nullable): what a system prompt says of them: all, if that is short, or how many there are; %NULL
 *   if there are none
 */
char *beckon_notes_describe (GPtrArray *notes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
