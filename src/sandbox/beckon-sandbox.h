/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "git/beckon-git-elsewhere.h"
#include "sandbox/beckon-denied-view.h"
#include "sandbox/beckon-guarded-paths.h"
#include "sandbox/beckon-job.h"
#include "sandbox/beckon-seccomp.h"
#include "sandbox/beckon-tool-chains.h"

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonSandboxOptions:
 * @folder: the working folder: an absolute path without symbolic links; all that is writable, unless @is_read_only
 * @directory: (nullable): where the command starts, within @folder; %NULL for @folder itself
 * @network: whether the command may use the internet: through a proxy that leads nowhere else (beckon-sandbox-proxy.h)
 * @local_network: whether it may reach this computer's services, which are at 127.0.0.1 as outside, and by the proxy its
 *   network. With @network and without @hosts it shares this computer's network, all protocols
 * @hosts: (nullable) (array zero-terminated=1): the only hosts that it may reach; %NULL for any
 * @memory_bytes: the most memory of all processes together, with what they keep in temporary files; 0 for half of what the
 *   computer has, and 4 GiB at least
 * @file_bytes: the largest file that may be written; 0 for 4 GiB
 * @written_bytes: the most that is written to disks in all; 0 for 64 GiB
 * @n_processes: the most processes and threads at a time; 0 for 512. The kernel holds everybody to it but the
 *   administrator, whose commands are watched, and killed when they have more
 * @tool_chains: (nullable): what the command is shown of the person's home
 * @shown: (nullable) (array zero-terminated=1): folders that it may read as well: absolute paths without symbolic links; not
 *   within a Flatpak
 * @git: (nullable): what of the folder's repository lies elsewhere, which it may read; with a @place that
 *   beckon_sandbox_view_make_git() has prepared it has a view of it, too. Not within a Flatpak
 * @temporary: (nullable): the folder that it finds at /tmp, and writes to, with the home in it; %NULL for one in memory that
 *   goes with it. Not within a Flatpak
 * @denied: (nullable): what the command must not see, or not change, in the folder and elsewhere
 * @is_read_only: the folder can be read, and nothing in it be changed; not within a Flatpak, and not with @place
 * @guarded: (nullable): what else in the folder must not be changed, and which pipes not be seen; not within a Flatpak, and not
 *   with @place
 * @is_temporary: the folder is there for this command alone: it is taken away behind it if it is empty
 * @place: (nullable): the landing place of the command, made by beckon_sandbox_view_make(): the command works on a
 *   copy-on-write view of the folder, and what it changes is there; %NULL if it works in the folder itself
 * @loopback: without @network and @local_network: the network to be in, of a command that was given a new one, by a descriptor;
 *   -1 for a new one that others can be given, see beckon_job_open_network(); 0 for one that no other command can be in. Not
 *   within a Flatpak
 * @streams: (nullable) (array fixed-size=3): descriptors that are its standard input, output and error, in place of none and of
 *   the job's output; not within a Flatpak
 * @variables: (nullable) (array zero-terminated=1): names and values in turn, which it has in its environment besides
 *
 * What a command is given.
 */
typedef struct
{
  const char *folder;
  const char *directory;
  gboolean network;
  gboolean local_network;
  const char *const *hosts;
  guint64 memory_bytes;
  guint64 file_bytes;
  guint64 written_bytes;
  guint n_processes;
  BeckonToolChainView *tool_chains;
  const char *const *shown;
  BeckonGitElsewhere *git;
  const char *temporary;
  BeckonDeniedView *denied;
  BeckonGuardedPaths *guarded;
  gboolean is_read_only;
  gboolean is_temporary;
  const char *place;
  int loopback;
  const int *streams;
  const char *const *variables;
} BeckonSandboxOptions;

/**
 * beckon_sandbox_start_async:
 * @argv: the command, %NULL-terminated; it is looked up in the sandbox's PATH
 * @options: what it is given; has to be there until @callback is called
 * @callback: called when it runs, or when it is known why it does not
 * @user_data: for @callback
 *
 * Runs a command in a sandbox of its own (bubblewrap; within a Flatpak, which refuses that,
 * beckon-sandbox-portal.h): the system is read-only, of /etc only what programs need is there,
 * the homes, keyrings, buses and displays are not, /tmp, /proc and /dev are its own, and so is the network, which leads
 * nowhere unless @options say otherwise. With a landing place nothing of the command reaches the folder. Without one, what
 * other programs run by themselves out of the folder (hooks of Git, .envrc, editors' tasks) is read-only, and cannot be made
 * where it is missing; in a read-only folder nothing is laid. Nothing of this program's environment reaches it. Without a
 * landing place it gets no sockets of Unix, of which there may be such of other programs in the folder, and makes no pipes
 * where those could open them. Without a working sandbox nothing runs. The wait for the job ends when no process is left that
 * could change anything.
 *
 * The folder is looked at on a worker thread. A start is not given up: a caller that wants no more of it kills the job. Main
 * thread.
 */
void beckon_sandbox_start_async (const char *const *argv, const BeckonSandboxOptions *options, GAsyncReadyCallback callback,
                                 gpointer user_data);

/**
 * beckon_sandbox_start_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Returns: (transfer full): the running command; %NULL with BECKON_ERROR_UNAVAILABLE where there can be no sandbox, or
 * BECKON_ERROR_INVALID for a folder that must not be handed out, in words to be shown
 */
BeckonJob *beckon_sandbox_start_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The path of bubblewrap, %NULL if it is not there. Caller frees. Main thread. */
char *beckon_sandbox_find_program (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sandbox_shows_of_system:
 * @path: absolute, its links resolved
 *
 * Whether @path is in one of the system's folders of programs, which every command finds where they are and can only read.
 */
gboolean beckon_sandbox_shows_of_system (const char *path);

/**
 * beckon_sandbox_check_folder:
 * @folder: an absolute path
 * @error: return location for an error
 *
 * Whether @folder may be a working folder: not the root, not a home or what holds one, not a folder of the system, and not
 * where this program or the keyring keeps its data.
 *
 * Returns: %TRUE if so; %FALSE with BECKON_ERROR_INVALID, or with BECKON_ERROR_UNAVAILABLE for one that a Flatpak was handed
 *   by the desktop and cannot hand on, in words to be shown
 */
gboolean beckon_sandbox_check_folder (const char *folder, GError **error);

/**
 * beckon_sandbox_holds_more:
 * @folder: an absolute path without links
 *
 * Whether @folder is never an agent's to work in, by whatever tool: the root and what is directly in it, a home or what holds
 * one, the folder of all configuration, a folder of the system, or where this program, the keyring or keys are. A folder of one
 * program within that of all configuration is not. Any thread; blocks at its first call.
 */
gboolean beckon_sandbox_holds_more (const char *folder);

/** Whether @folder, an absolute path without links, holds or is within what no command may see, such as keys. Any thread. */
gboolean beckon_sandbox_is_private (const char *folder);

/** Whether a command shares this computer's network, so that nothing of it can be kept from it. */
gboolean beckon_sandbox_shares_network (const BeckonSandboxOptions *options);

/** How much of other programs on this computer is in the reach of a command. */
BeckonSeccompReach beckon_sandbox_get_reach (const BeckonSandboxOptions *options);

/** Returns limits from @options, or the default ones. */
guint64 beckon_sandbox_get_file_size (const BeckonSandboxOptions *options);
void beckon_sandbox_get_limits (const BeckonSandboxOptions *options, BeckonJobLimits *limits);

/**
 * beckon_sandbox_probe_async:
 * @cancellable: (nullable): ends the wait
 * @callback: called when it is known
 * @user_data: for @callback
 *
 * Tries once whether commands can be sandboxed here, by running nothing in a sandbox.
 */
void beckon_sandbox_probe_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** %TRUE if they can; %FALSE with BECKON_ERROR_UNAVAILABLE and the reason in words to be shown. */
gboolean beckon_sandbox_probe_finish (GAsyncResult *result, GError **error);

/*
 * Arguments of bubblewrap, each with a zero byte behind it, as it reads them from a descriptor: they need not be known when it
 * begins, and they are not in the list of processes.
 */

/** Adds the strings, up to a %NULL. */
void beckon_bwrap_add (GString *arguments, const char *first, ...) G_GNUC_NULL_TERMINATED;

/** Adds @option with the number of @fd, which @fds (element-type int) takes; bubblewrap is given it under that number. */
void beckon_bwrap_add_fd (GString *arguments, GArray *fds, const char *option, int fd);

/** Adds a file, @path, of what @fd has, for all to read; @fds (element-type int) takes @fd. */
void beckon_bwrap_add_file (GString *arguments, GArray *fds, int fd, const char *path);

/**
 * Whether the bubblewrap at @program has --bind-fd: then it binds what was opened, whatever became of its path meanwhile. Its
 * version does not tell, because distributions added that to older ones, and to ask it would cost a start. Any thread.
 */
gboolean beckon_bwrap_binds_descriptors (const char *program);

G_END_DECLS
