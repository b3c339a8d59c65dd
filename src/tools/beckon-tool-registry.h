/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-file-copies.h"
#include "domain/beckon-memory.h"
#include "tools/beckon-output-store.h"
#include "tools/beckon-server-instructions.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TOOL_REGISTRY (beckon_tool_registry_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolRegistry, beckon_tool_registry, BECKON, TOOL_REGISTRY, GObject)

/** An empty registry. beckon_tool_registry_add_builtin() fills in what every program has. Main thread. */
BeckonToolRegistry *beckon_tool_registry_new (void) G_GNUC_WARN_UNUSED_RESULT;

void beckon_tool_registry_add (BeckonToolRegistry *registry, BeckonTool *tool);

/** Removes a tool that was added: its server is gone, say. A call that runs goes on; one that is decided does not start. */
void beckon_tool_registry_remove (BeckonToolRegistry *registry, BeckonTool *tool);

/** Instructions of the servers of its tools. Borrowed. */
BeckonServerInstructions *beckon_tool_registry_get_instructions (BeckonToolRegistry *registry);

/** The tools that come with the program. */
void beckon_tool_registry_add_builtin (BeckonToolRegistry *registry);

/**
 * BeckonToolParts:
 * @copies: where what files were is kept until they are put back
 * @memory: where notes are kept
 * @outputs: where outputs that are too long for a result are kept
 *
 * What the tools that work for the person stand on.
 */
typedef struct
{
  BeckonFileCopies *copies;
  BeckonMemory *memory;
  BeckonOutputStore *outputs;
} BeckonToolParts;

/** The tools that read and change files, run commands and the like. Takes references on @parts. */
void beckon_tool_registry_add_working (BeckonToolRegistry *registry, const BeckonToolParts *parts);

/** Whether pages of this computer and its network may be fetched, and where to search; @search_address: (nullable). */
void beckon_tool_registry_set_web (BeckonToolRegistry *registry, gboolean private_too, const char *search_address);

/** Which tools are switched off, by their names: they are listed no longer. Names that no tool has are let be. */
void beckon_tool_registry_set_disabled (BeckonToolRegistry *registry, const char *const *names);

/** Whether the tool of a name is switched off; an alias is its tool. */
gboolean beckon_tool_registry_is_disabled (BeckonToolRegistry *registry, const char *name);

/** Which tool chains of the person's home commands are shown, by their names. */
void beckon_tool_registry_set_tool_chains (BeckonToolRegistry *registry, const char *const *names);

/** (nullable) (array zero-terminated=1): those. Borrowed until they are set. */
const char *const *beckon_tool_registry_get_tool_chains (BeckonToolRegistry *registry);

/** By exact name; a call of `question` or `clarify` is one of `ask_user`. %NULL if there is none. Borrowed. */
BeckonTool *beckon_tool_registry_lookup (BeckonToolRegistry *registry, const char *name);

/**
 * beckon_tool_registry_list:
 * @registry: the registry
 * @ask_user: whether `ask_user` may be advertised now
 * @has_person: whether there is anybody to answer; without, no tool is advertised that needs a person
 * @folder: (nullable): the conversation's working folder
 *
 * Returns: (transfer full) (element-type BeckonToolDefinition): definitions of the tools that are there now, in the order they
 *   were added
 */
GPtrArray *beckon_tool_registry_list (BeckonToolRegistry *registry, gboolean ask_user, gboolean has_person,
                                      const char *folder);

/** (transfer none) (element-type BeckonTool): all, in the order they were added. */
GPtrArray *beckon_tool_registry_list_all (BeckonToolRegistry *registry);

G_END_DECLS
