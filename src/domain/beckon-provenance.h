/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonProvenance:
 * @seq: its place in the log, larger is later
 * @at: when, microseconds since the epoch
 * @conversation_id: (owned): where
 * @title: (owned) (nullable): that conversation's title
 * @call_id: (owned) (nullable): which call
 * @tool: (owned) (nullable): of which tool
 * @event: (owned): "asked", "decided", "settled", "started", "finished", "failed", "looked"…
 * @data: (owned): what there is to say of it, a JSON object
 *
 * One line of the log of what was asked, decided and run.
 */
typedef struct
{
  gint64 seq;
  gint64 at;
  char *conversation_id;
  char *title;
  char *call_id;
  char *tool;
  char *event;
  char *data;
} BeckonProvenance;

#define BECKON_TYPE_PROVENANCE (beckon_provenance_get_type ())
GType beckon_provenance_get_type (void) G_GNUC_CONST;

/** (transfer full): an empty line, to be filled before it is shared; counted by references. */
BeckonProvenance *beckon_provenance_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonProvenance *beckon_provenance_ref (BeckonProvenance *line);
void              beckon_provenance_unref (BeckonProvenance *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonProvenance, beckon_provenance_unref)

/** The line as one of JSON Lines, without its end: {seq, at, conversation, call, tool, event, data}; `at` is in the form
 *  of RFC 3339, in UTC. Caller frees. */
char *beckon_provenance_to_json (const BeckonProvenance *line);

G_END_DECLS
