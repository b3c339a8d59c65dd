/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/** `beckonctl mcp import`: servers of other programs, of a file or of standard input. Returns the exit status. */
int beckon_command_mcp_import (int argc, char **argv);
