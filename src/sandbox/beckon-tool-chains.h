/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonToolChain:
 * @name: by which it is known in the settings, such as "rust"; static
 * @title: for people; static
 * @folder: its folder, with "~" for the home
 *
 * Compilers, interpreters and the like that a person has in their home.
 */
typedef struct
{
  const char *name;
  const char *title;
  char *folder;
} BeckonToolChain;

/** (transfer full) (element-type BeckonToolChain): those that are below @home, one each by its name. Blocks. */
GPtrArray *beckon_tool_chains_find (const char *home) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonToolChainView:
 *
 * What commands are shown of tool chains: the programs and what they need, to be read alone. Of each chain only folders are
 * shown that are known to hold nothing else, never the chain's own folder, in which credentials are kept; files that usually
 * hold them are empty in there.
 */
typedef struct _BeckonToolChainView BeckonToolChainView;

/**
 * beckon_tool_chains_look:
 * @home: the home
 * @names: (array zero-terminated=1): which tool chains
 * @folder: the working folder; a chain that it is a part of, or holds, is left out, because a command could put links into it
 * @network: whether packages can be fetched: what was fetched before is then not shown, because it could not be added to
 *
 * Looks at what there is now. Blocks.
 *
 * Returns: (transfer full): a view, which may be empty
 */
BeckonToolChainView *beckon_tool_chains_look (const char *home, const char *const *names, const char *folder,
                                              gboolean network) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_tool_chains_show:
 * @home: the home
 * @names: (array zero-terminated=1): which tool chains
 * @folder: the working folder
 * @path: absolute, its links resolved
 *
 * Whether @path is in what commands are shown of @names where it lies, as beckon_tool_chains_look() finds it. Blocks.
 */
gboolean beckon_tool_chains_show (const char *home, const char *const *names, const char *folder, const char *path);

/** The folders of programs, each with a colon behind it; "" without any. Borrowed. */
const char *beckon_tool_chain_view_get_path (const BeckonToolChainView *view);

/** (array zero-terminated=1): the folders and files that are shown where they lie. Borrowed. */
const char *const *beckon_tool_chain_view_list_shown (const BeckonToolChainView *view);

/** Adds bubblewrap's arguments, to stand behind those of the temporary folders and before that of the working folder. */
void beckon_tool_chain_view_add_arguments (BeckonToolChainView *view, GString *arguments);

void beckon_tool_chain_view_free (BeckonToolChainView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonToolChainView, beckon_tool_chain_view_free)

G_END_DECLS
