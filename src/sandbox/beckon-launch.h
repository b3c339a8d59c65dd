/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonLaunch:
 * @argv: (array zero-terminated=1): the program by its path, and its arguments
 * @fds: (element-type int): what it is given, each under the number that it has here; all others it does not see
 * @input: its standard input; 0 for one that is at its end
 * @output: where its standard output goes, and its standard error
 * @errors: where its standard error goes instead; 0 for @output
 * @environment: (nullable) (array zero-terminated=1): its environment; %NULL for an empty one
 * @directory: (nullable): where it begins; %NULL for the root folder
 * @watched: the reading end of a pipe: when its other end is closed, the process group is killed, and with it the process whose
 *   number (an int) was written, if one was; 0 for none
 * @ends_tree: all that it started ends with it, in whichever process group: its process is another one's child, which is given
 *   back in its place and ends as it does; only with @watched
 * @folder: (nullable): where the program and what it starts see an overlay, a copy-on-write view: an absolute path without
 *   symbolic links, which is only read
 * @place: (nullable): with @folder: a landing place with an upper and a work folder: there is what is written
 * @view: with @folder: one of @fds, whose number stands for the view in the program; -1 for none
 * @git: (nullable): with @folder: another folder of which it sees an overlay, whose layers are in the folder of
 *   BECKON_LANDING_ROOT_GIT in @place
 * @git_view: with @git: as @view
 * @loopback: a network to be in that leads nowhere: that of another program, by a descriptor; -1 for a new one; 0 for this
 *   program's network
 * @patience_ms: how long the start may take; 0 for ten seconds
 *
 * A program to be started with a process group of its own, by beckon-confine, and without a copy of this program, which would
 * keep the main loop waiting longer the larger it is.
 */
typedef struct
{
  const char *const *argv;
  GArray *fds;
  int input;
  int output;
  int errors;
  const char *const *environment;
  const char *directory;
  int watched;
  gboolean ends_tree;
  const char *folder;
  const char *place;
  int view;
  const char *git;
  int git_view;
  int loopback;
  guint patience_ms;
} BeckonLaunch;

/**
 * beckon_launch_async:
 * @launch: what is started; not needed any longer when this returns
 * @callback: called when the program has begun, after a millisecond or two, or has not
 * @user_data: for @callback
 *
 * Starts it. Not to be given up: its caller has to end what runs by now. Main thread.
 */
void beckon_launch_async (const BeckonLaunch *launch, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_launch_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Returns: the process, which is this program's child; 0 with BECKON_ERROR_UNAVAILABLE if nothing was started. Where no overlay
 *   can be mounted, commands have none in the folder from then on
 */
int beckon_launch_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_launch_try_overlay:
 * @folder: as in #BeckonLaunch
 * @place: as in #BeckonLaunch, for nothing else
 * @knows_all: (out): whether files of everybody can be changed there; %FALSE if in its user namespace only this program's own
 *   user and group are known
 *
 * Mounts one in a process of its own, which ends at once, and tries to write to it. Blocks for a few milliseconds: worker
 * threads only.
 *
 * Returns: whether that works here
 */
gboolean beckon_launch_try_overlay (const char *folder, const char *place, gboolean *knows_all);

/**
 * beckon_launch_refresh_overlay:
 * @pid: a program that was launched with an overlay
 * @folder: the folder that it lies over
 *
 * Has the overlay look again at what is below it when something of that is opened next: what others changed in the folder since
 * the program looked first is not seen in it otherwise. Blocks for a few milliseconds: worker threads only.
 */
void beckon_launch_refresh_overlay (int pid, const char *folder);

G_END_DECLS
