/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

G_BEGIN_DECLS

/* A question that the model did not wait for is answered by a message of the person's own, which the application writes for the
 * model: its one part has the origin `answer:ID`, with the id of the request. */

/** (transfer full): a message of @text. @at: microseconds since the epoch */
BeckonMessage *beckon_late_message_new (const char *request_id, const char *text, gint64 at) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the id of the request that @message tells the answer of; %NULL for every other message. Borrowed. */
const char *beckon_late_message_get_request_id (BeckonMessage *message);

G_END_DECLS
