/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

#include <gio/gio.h>

G_BEGIN_DECLS

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
