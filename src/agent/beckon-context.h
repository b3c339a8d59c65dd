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

/** (transfer full) (nullable): what the last summary has word for word beside it. */
char *beckon_context_dup_kept (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Place of the last message that a summary stands for; -1 without one. */
gint64 beckon_context_get_summarized (BeckonConversation *conversation);

/**
 * beckon_context_shorten:
 * @text: what a tool gave, say
 * @beginning: how many bytes of its beginning stay
 * @end: and of its end
 * @way: (nullable): how to have the rest again, to be said behind "left out"
 *
 * Whole lines where there are any, with a line in brackets between them that says how much was left out, and those lines in
 * brackets that were: they tell where the rest is and what else happened.
 *
 * Returns: (transfer full): @text itself if it is no longer than that
 */
char *beckon_context_shorten (const char *text, gsize beginning, gsize end, const char *way) G_GNUC_WARN_UNUSED_RESULT;

/** How many tokens are saved by shortening the results of the first @n of @messages, but of those up to @after. */
gint64 beckon_context_count_cut (GPtrArray *messages, guint n, gint64 after);

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

/** The bytes that a single result may have in a request of @budget tokens. Pure. */
gsize beckon_context_get_most_of_a_result (gint64 budget);

/** How much of @most each result of @message may have: less where it has many calls. */
gsize beckon_context_get_share (BeckonMessage *message, gsize most);

/** Shortens in the middle, likewise, every result that has more than its share of @most bytes. */
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
