/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"
#include "domain/beckon-usage.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** The speaker. Results of tools are not messages of their own: they belong to their call. */
typedef enum
{
  BECKON_ROLE_USER,
  BECKON_ROLE_ASSISTANT,
} BeckonRole;

/**
 * BeckonMessageStatus:
 * @BECKON_MESSAGE_COMPLETE: whole
 * @BECKON_MESSAGE_STREAMING: still coming
 * @BECKON_MESSAGE_CUT_OFF: ended without the protocol's end; what came is kept
 * @BECKON_MESSAGE_STOPPED: the person stopped it
 * @BECKON_MESSAGE_FAILED: an error ended it; what came is kept
 */
typedef enum
{
  BECKON_MESSAGE_COMPLETE,
  BECKON_MESSAGE_STREAMING,
  BECKON_MESSAGE_CUT_OFF,
  BECKON_MESSAGE_STOPPED,
  BECKON_MESSAGE_FAILED,
} BeckonMessageStatus;

#define BECKON_MESSAGE_N_STATUSES (BECKON_MESSAGE_FAILED + 1)

#define BECKON_TYPE_MESSAGE (beckon_message_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMessage, beckon_message, BECKON, MESSAGE, GObject)

/**
 * BeckonMessage:
 *
 * One message, a #GListModel of its #BeckonPart. Main thread. Properties, notified: `status` (int, a #BeckonMessageStatus),
 * `versions` (uint: how many there are at its place, or left from it; see beckon_message_get_n_versions()).
 */

/**
 * beckon_message_new:
 * @id: (nullable): a unique id; %NULL makes one
 * @role: who speaks
 * @created_at: microseconds since the epoch
 *
 * Returns: (transfer full): a complete message without parts
 */
BeckonMessage *beckon_message_new (const char *id, BeckonRole role, gint64 created_at) G_GNUC_WARN_UNUSED_RESULT;

const char         *beckon_message_get_id (BeckonMessage *message);
BeckonRole          beckon_message_get_role (BeckonMessage *message);
gint64              beckon_message_get_created_at (BeckonMessage *message);
BeckonMessageStatus beckon_message_get_status (BeckonMessage *message);
void                beckon_message_set_status (BeckonMessage *message, BeckonMessageStatus status);
const BeckonUsage  *beckon_message_get_usage (BeckonMessage *message);
void                beckon_message_set_usage (BeckonMessage *message, const BeckonUsage *usage);

/** Place along its branch, from 0: every message has a larger one than those before it; -1 until it is in a conversation. */
gint64 beckon_message_get_seq (BeckonMessage *message);
void   beckon_message_set_seq (BeckonMessage *message, gint64 seq);

/** The message that it follows; %NULL for the first of a conversation, and for one that is in none yet. */
const char *beckon_message_get_parent_id (BeckonMessage *message);
void        beckon_message_set_parent_id (BeckonMessage *message, const char *parent_id);

/** How many messages follow the same one, each with a branch of its own: this one is number @version of them, from 0. */
guint beckon_message_get_n_versions (BeckonMessage *message);
guint beckon_message_get_version (BeckonMessage *message);
void  beckon_message_set_version (BeckonMessage *message, guint version, guint n_versions);

/** Only in the shown branch's last message: how many branches continue from it without being shown. */
guint beckon_message_get_n_left (BeckonMessage *message);
void  beckon_message_set_n_left (BeckonMessage *message, guint n_left);

/** Borrowed; parts are only added at the end. */
guint       beckon_message_get_n_parts (BeckonMessage *message);
BeckonPart *beckon_message_get_part (BeckonMessage *message, guint index);

/** Its calls, each followed by the steps of the plan that it holds: (transfer container) (element-type BeckonToolCall). */
GPtrArray *beckon_message_list_calls (BeckonMessage *message) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_message_add_part (BeckonMessage *message, BeckonPart *part);

/** All text parts joined, without files that are attached (beckon-attachment.h). Caller frees. */
char *beckon_message_dup_text (BeckonMessage *message);

/** The same with these files, as a model reads it. */
char *beckon_message_dup_whole_text (BeckonMessage *message);

const char *beckon_message_status_to_string (BeckonMessageStatus status);
gboolean    beckon_message_status_from_string (const char *word, BeckonMessageStatus *status);

/* A question that the model did not wait for is answered by a message of the person's own, which the application writes for the
 * model: its one part has the origin `answer:ID`, with the id of the request. */

/** (transfer full): a message of @text. @at: microseconds since the epoch */
BeckonMessage *beckon_late_message_new (const char *request_id, const char *text, gint64 at) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the id of the request that @message tells the answer of; %NULL for every other message. Borrowed. */
const char *beckon_late_message_get_request_id (BeckonMessage *message);

G_END_DECLS
