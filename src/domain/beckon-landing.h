/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-set.h"
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonLandingState:
 * @BECKON_LANDING_WAITING: the command has ended; its changes wait for a person
 * @BECKON_LANDING_DECIDED: every change is decided; it is being landed, or was when the program ended
 * @BECKON_LANDING_LANDED: done; what was kept is in the folder
 * @BECKON_LANDING_UNDONE: what had landed was taken back, as far as nobody had changed it since
 *
 * How far the changes of a command are.
 */
typedef enum
{
  BECKON_LANDING_WAITING,
  BECKON_LANDING_DECIDED,
  BECKON_LANDING_LANDED,
  BECKON_LANDING_UNDONE,
} BeckonLandingState;

/**
 * BeckonLanding:
 * @id: (owned): its own: that of the call for what it had changed at its end, and with something behind it for what landed
 *   while it still ran
 * @call_id: (owned): the call whose command made the changes
 * @folder: (owned): the absolute path of the working folder
 * @place: (owned): the absolute path of our private place with the new versions; once landed, with the old ones
 * @git: (owned) (nullable): the Git directory that .git in @folder stands for, where that lies elsewhere; not stored: rules
 *   judge its paths when the command has ended
 * @state: how far it is
 * @base: when the command began, by the clock of the file system's ctimes: nanoseconds since the epoch
 * @changes: (owned): what it changed, and what becomes of each
 * @output: (owned) (nullable): the result of the command, while it is not the call's yet
 * @is_failure: the command failed
 * @exit_status: of the command
 * @output_length: the bytes of @output that the command itself put out
 * @made_at: when the command ended, microseconds since the epoch
 * @undone_at: the same, 0 while it is not undone
 * @kept_bytes: the size of what is kept in @place for an undo
 * @is_gone: what was kept for an undo is gone: it was too old, or too much
 *
 * The changes of one command on their way into the folder, as the store keeps them. Of a command that runs long there may be
 * several, one behind the other.
 */
typedef struct
{
  char *id;
  char *call_id;
  char *folder;
  char *place;
  char *git;
  BeckonLandingState state;
  gint64 base;
  BeckonChangeSet *changes;
  char *output;
  gboolean is_failure;
  int exit_status;
  gsize output_length;
  gint64 made_at;
  gint64 undone_at;
  guint64 kept_bytes;
  gboolean is_gone;
} BeckonLanding;

/** Copies the strings, takes a reference on @changes. Its id is that of the call. Caller owns. */
BeckonLanding *beckon_landing_new (const char *call_id, const char *folder, const char *place, gint64 base,
                                   BeckonChangeSet *changes) G_GNUC_WARN_UNUSED_RESULT;

/** Makes it one of those that land while the command still runs. @id: begins with that of the call */
void beckon_landing_set_id (BeckonLanding *landing, const char *id);

/** Whether it landed, or is to land, while the command still ran. */
gboolean beckon_landing_is_early (const BeckonLanding *landing);

/** (transfer full): with a set of changes of its own. */
BeckonLanding *beckon_landing_copy (const BeckonLanding *landing) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_landing_free (BeckonLanding *landing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLanding, beckon_landing_free)

/** "waiting", "decided", "landed", "undone"; static. */
const char *beckon_landing_state_to_string (BeckonLandingState state);
gboolean    beckon_landing_state_from_string (const char *word, BeckonLandingState *state);

/**
 * BeckonLandingBy:
 * @asked: (nullable): the changes of which some were asked about: those that are open in it
 * @answered: (nullable): by what these were let through: "person", or "rule" for rules on their paths
 * @ordinary: (nullable): the same of other ordinary changes: "mode:outside", "rule:ID", "plan" or "rule"
 * @by_products: (nullable): the same of those that tools made for themselves, "mode:changes" too
 * @concerned: (nullable): the same of those that are asked about in every mode
 * @front_end: (nullable): where the person was
 * @actor: (nullable): who that was
 */
typedef struct
{
  const BeckonChangeSet *asked;
  const char *answered;
  const char *ordinary;
  const char *by_products;
  const char *concerned;
  const char *front_end;
  const char *actor;
} BeckonLandingBy;

/**
 * beckon_landing_log:
 * @landing: a landing
 * @by: who let its changes through, or took them back
 *
 * Returns: (transfer full): what the log of what was decided and run says of it, as JSON: for each file its path, what
 *   happened to it, its hashes before and after, what became of that, and by whom
 */
char *beckon_landing_log (const BeckonLanding *landing, const BeckonLandingBy *by) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_LANDINGS (beckon_landings_get_type ())
G_DECLARE_INTERFACE (BeckonLandings, beckon_landings, BECKON, LANDINGS, GObject)

/**
 * BeckonLandings:
 * @get_async: the landings of a call as they are stored now
 * @get_finish: (transfer full) (element-type BeckonLanding): the newest first; %BECKON_ERROR_NOT_FOUND if the call has none
 * @put_async: stores landings of one call as they are after they were undone or landed again, by whom, each with a line in the
 *   provenance; kept until it can be written. @event: "undone" or "redone"
 * @put_finish: %FALSE if it is not stored
 * @begin_async: notes, before anything is moved, that the changes of calls are about to be undone, in this order, or made
 *   again: should the process end in the middle, the next one finishes it. @now: (nullable): the file of a single call of a
 *   file tool, as it stands in the folder. Storing landings or a copy of a file ends what was noted of its call
 * @begin_finish: %FALSE if it is not noted; nothing may be moved then
 * @end: what was noted of a call is over, though nothing of it is stored
 *
 * Where the landings of commands are kept. Main thread.
 */
struct _BeckonLandingsInterface
{
  GTypeInterface parent_iface;

  void (*get_async) (BeckonLandings *self, const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer user_data);
  GPtrArray *(*get_finish) (BeckonLandings *self, GAsyncResult *result, GError **error);
  void (*put_async) (BeckonLandings *self, const char *conversation_id, GPtrArray *landings, const char *event,
                     const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*put_finish) (BeckonLandings *self, GAsyncResult *result, GError **error);
  void (*begin_async) (BeckonLandings *self, const char *const *call_ids, gboolean is_redo, const char *front_end, GBytes *now,
                       GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*begin_finish) (BeckonLandings *self, GAsyncResult *result, GError **error);
  void (*end) (BeckonLandings *self, const char *call_id);
};

/** See #BeckonLandings for all of them. */
void           beckon_landings_get_async (BeckonLandings *self, const char *call_id, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
GPtrArray     *beckon_landings_get_finish (BeckonLandings *self, GAsyncResult *result, GError **error);
void           beckon_landings_put_async (BeckonLandings *self, const char *conversation_id, GPtrArray *landings,
                                          const char *event, const char *front_end, gint64 at,
                                          GAsyncReadyCallback callback, gpointer user_data);
gboolean       beckon_landings_put_finish (BeckonLandings *self, GAsyncResult *result, GError **error);
void           beckon_landings_begin_async (BeckonLandings *self, const char *const *call_ids, gboolean is_redo,
                                            const char *front_end, GBytes *now, GAsyncReadyCallback callback,
                                            gpointer user_data);
gboolean       beckon_landings_begin_finish (BeckonLandings *self, GAsyncResult *result, GError **error);
void           beckon_landings_end (BeckonLandings *self, const char *call_id);

G_END_DECLS
