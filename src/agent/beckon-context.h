/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/**
 * beckon_context_list:
 * @conversation: a conversation, loaded as beckon_context_is_loaded() says
 *
 * What a model is to be told of a conversation: where there is a summary, its text as a message of the person's, and the
 * messages after those that it stands for; else all. Beckon's own notes are left out, and so is a reply at the end that was
 * cut off or failed before it called anything, because it is about to be made anew.
 *
 * Returns: (transfer full) (element-type BeckonMessage): not repaired yet
 */
GPtrArray *beckon_context_list (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Whether all of @conversation is loaded that a model is told of: what came since the last summary, and the last turn. */
gboolean beckon_context_is_loaded (BeckonConversation *conversation);

/** Place of the last message that a summary stands for; -1 without one. */
gint64 beckon_context_get_summarized (BeckonConversation *conversation);

/**
 * beckon_context_choose_cut:
 * @messages: (element-type BeckonMessage): what is to be sent
 * @too_many: how many tokens too many there are, as estimated
 * @n_recent: how many of the last messages stay whole
 *
 * Returns: the `seq` up to which results have to be shortened to save enough, or all that can be; -1 if there is
 *   nothing to save
 */
gint64 beckon_context_choose_cut (GPtrArray *messages, gint64 too_many, guint n_recent);

/**
 * beckon_context_cut_results:
 * @messages: (element-type BeckonMessage): what is to be sent; messages that change are replaced by copies
 * @through: `seq` of the last message whose results are shortened; -1 for none
 *
 * Shortens results of tools and leaves out their pictures. Says in each of them what is missing. The same for the same message,
 * whatever follows it.
 */
void beckon_context_cut_results (GPtrArray *messages, gint64 through);

/** Leaves out what may be bound to its place (see beckon-prefix.h), of messages whose `seq` is at most @through; likewise. */
void beckon_context_drop_bound_blocks (GPtrArray *messages, gint64 through);

/** Shortens in the middle, likewise, every result that has more than @most bytes: one of them alone may be too much. */
void beckon_context_bound_results (GPtrArray *messages, gsize most);

/**
 * beckon_context_bound_images:
 * @messages: as above
 * @takes_images: whether the model takes any
 *
 * Leaves out pictures of results, the oldest first, until there are as many as a provider takes at once. Says so in each.
 */
void beckon_context_bound_images (GPtrArray *messages, gboolean takes_images);

/** Whether @message has pictures: attached, or in results of its calls. */
gboolean beckon_context_has_pictures (BeckonMessage *message);

/** Leaves out all pictures of the messages with @ids, and says so in each. */
void beckon_context_leave_out_pictures (GPtrArray *messages, const char *const *ids);

G_END_DECLS
