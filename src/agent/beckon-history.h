/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"

G_BEGIN_DECLS

/**
 * beckon_history_repair:
 * @messages: (element-type BeckonMessage): a history in order, of any age and from anywhere
 * @origin: (nullable): the name of the protocol it is to be sent in, such as "chat"
 *
 * Makes of a history one that every provider takes. Pure: what is given is not touched, and messages that are well already
 * are in the result themselves. Repairing twice is repairing once. Of what people and models wrote in words nothing is lost.
 *
 * What holds afterwards: the first message is the person's, and the roles alternate but where results of calls stand between
 * (neighbours of one role are joined); no message is without anything to send; calls stand only in replies; every call has
 * exactly one result, and one that is not known says so; no id is empty or there twice. A call that was cut while it was
 * being received, and so never was one, is dropped.
 *
 * Returns: (transfer full) (element-type BeckonMessage): the repaired history
 */
GPtrArray *beckon_history_repair (GPtrArray *messages, const char *origin) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): what a model is told of @call: its result, or how it began where it runs in the background. Borrowed. */
const char *beckon_history_get_told (BeckonToolCall *call);

/**
 * beckon_history_add:
 * @request: what is to be sent
 * @messages: (element-type BeckonMessage): what the model is to be told, see beckon_context_list()
 * @origin: the name of the protocol it is sent in
 *
 * Adds the messages, repaired: see beckon_history_repair(). A model that is known not to see pictures is told their names.
 */
void beckon_history_add (BeckonLlmRequest *request, GPtrArray *messages, const char *origin);

/** Whether the person attached pictures to @message. */
gboolean beckon_history_has_pictures (BeckonMessage *message);

/** (transfer full): @message with words in the place of each of them. */
BeckonMessage *beckon_history_copy_without_pictures (BeckonMessage *message) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
