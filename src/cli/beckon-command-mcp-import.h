/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/** `beckonctl mcp import`: servers that other programs have, or that a file or standard input holds. Returns the exit status. */
int beckon_command_mcp_import (int argc, char **argv);
