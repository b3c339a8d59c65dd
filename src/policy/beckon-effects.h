/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonEffects:
 * @tool: the tool's name
 * @server: (nullable): the MCP server that offers it; %NULL for a built-in one
 * @read_only: running it changes nothing
 * @leaves_folder: it reads or writes outside the conversation's folder
 * @uses_network: it can carry data out
 * @feeds_others: it writes what other programs run by themselves, and so reaches further than the folder
 * @has_whole_folders: @paths may be folders, and stand for all that is in them
 * @runner: (nullable): which program that is, a translated sentence to be shown
 * @lands: it works on a view of the folder: what it changes is judged, and shown, before it is in the folder
 * @outlives: it writes what later conversations read, so that it is asked for in every mode
 * @folder: (nullable): the conversation's working folder
 * @conversation_id: (nullable): the conversation
 * @arguments: (nullable): the arguments that would run
 * @command: (nullable): the command line that would run
 * @paths: (nullable) (array zero-terminated=1): the files that it touches, absolute, with links resolved; of a command, those
 *   that it names and that are there
 * @aliases: (nullable) (array zero-terminated=1): other names of what it touches, absolute: as they are written, before links
 *   are resolved, and folders that a command names. Only what asks or denies looks at them
 * @hosts: (nullable) (array zero-terminated=1): the hosts that it speaks to, each written in the one way of
 *   beckon_host_name_normalize()
 * @reach: (nullable) (array zero-terminated=1): names and values in turn: the arguments by which it reaches further than a
 *   call with the defaults does (the network, another folder, a longer time), which a rule allows only where it names them
 * @kept: what of this is owned; see beckon_effects_add_path() and the others. %NULL where all is borrowed
 *
 * What a call would do, computed by its tool; the input of every decision. All is borrowed, but for what was added with the
 * functions below, which beckon_effects_clear() frees.
 */
typedef struct
{
  const char *tool;
  const char *server;
  gboolean read_only;
  gboolean leaves_folder;
  gboolean uses_network;
  gboolean feeds_others;
  gboolean has_whole_folders;
  gboolean lands;
  gboolean outlives;
  const char *runner;
  const char *folder;
  const char *conversation_id;
  JsonObject *arguments;
  const char *command;
  const char *const *paths;
  const char *const *aliases;
  const char *const *hosts;
  const char *const *reach;
  struct _BeckonEffectsKept *kept;
} BeckonEffects;

/** Copy what they are given; a host is normalized. */
void beckon_effects_add_path (BeckonEffects *effects, const char *path);
void beckon_effects_add_alias (BeckonEffects *effects, const char *path);
void beckon_effects_add_host (BeckonEffects *effects, const char *host);
void beckon_effects_set_command (BeckonEffects *effects, const char *command);
void beckon_effects_set_runner (BeckonEffects *effects, const char *runner);

/**
 * beckon_effects_add_reach:
 * @effects: the effects
 * @name: an argument's name
 * @value: its value, written in one way
 *
 * Says that the call reaches further by this argument than without it.
 */
void beckon_effects_add_reach (BeckonEffects *effects, const char *name, const char *value);

/** (nullable): the value of @name in the reach of @effects; %NULL where the call does not go beyond the default. Borrowed. */
const char *beckon_effects_get_reach (const BeckonEffects *effects, const char *name);

/** Takes a reference. */
void beckon_effects_set_arguments (BeckonEffects *effects, JsonObject *arguments);

/** Frees what is owned and empties @effects, which may be empty. */
void beckon_effects_clear (BeckonEffects *effects);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonEffects, beckon_effects_clear)

G_END_DECLS
