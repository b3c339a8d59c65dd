/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-builtin-tool.h"

G_BEGIN_DECLS

#define TEST_TYPE_CHANGING_TOOL (test_changing_tool_get_type ())
G_DECLARE_FINAL_TYPE (TestChangingTool, test_changing_tool, TEST, CHANGING_TOOL, BeckonBuiltinTool)

/**
 * TestChangingTool:
 *
 * `append_line {text}`: really changes something: it adds a line to a file. What it did can be counted after the process
 * that did it is gone.
 */
BeckonTool *test_changing_tool_new (const char *path);

G_END_DECLS
