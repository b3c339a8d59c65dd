/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-folder-extras.h"

G_BEGIN_DECLS

/** Most servers of a folder, and characters of the name of one. */
#define BECKON_EXTRAS_MAX_SERVERS 32
#define BECKON_EXTRAS_MAX_SERVER_NAME 64

/**
 * beckon_extras_servers_read:
 * @text: what a .mcp.json says
 * @path: its path, relative to the root
 * @extras: takes its servers of tools, each as a few lines of JSON
 *
 * A server that has no name, or the name of one that is there, is listed with the reason, and so is a file that can't be read.
 * Values that a person has to enter are found later. Pure.
 */
void beckon_extras_servers_read (const char *text, const char *path, BeckonFolderExtras *extras);

G_END_DECLS
