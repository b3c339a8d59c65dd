/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-run.h"
#include "llm/beckon-codec.h"

G_BEGIN_DECLS

/**
 * BeckonPromptPrefix:
 *
 * The prefix of a conversation's requests: system prompt and tool definitions, as they were when the first of them was made,
 * by profile, and how earlier messages are sent. Providers keep what they have read as long as it comes again byte by byte, and
 * some models bind their thinking blocks to all that stands before them. So the date, the mode, the folder, the instructions
 * and tools that are off are told behind the person's next message. That text is stored, so that every later request has it in
 * the same place.
 *
 * Other changes break the prefix. The reason is stored with it, and where the person can't know it, the conversation says it.
 * Main thread.
 */
typedef struct _BeckonPromptPrefix BeckonPromptPrefix;

/**
 * beckon_prompt_prefix_new:
 * @parts: what to work with; references are taken
 * @conversation: the conversation, all of it loaded
 * @has_person: whether there is a person to answer
 * @stored: (transfer full): what earlier requests began with, whichever process sent them
 * @run: whose it is; told what the conversation has to say, within the functions below
 *
 * Returns: (transfer full): the prefix of the requests of this process
 */
BeckonPromptPrefix *beckon_prompt_prefix_new (const BeckonAgentParts *parts, BeckonConversation *conversation,
                                              gboolean has_person, BeckonPrefixes *stored,
                                              BeckonRun *run) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_prompt_prefix_free (BeckonPromptPrefix *prefix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPromptPrefix, beckon_prompt_prefix_free)

/**
 * beckon_prompt_prefix_set_extras:
 * @prefix: the prefix
 * @instructions: (nullable): what the folder brings of them, and counts
 * @skills: (nullable): the skills that there are
 * @extras: (nullable): what is stored beside the request of all that the folder brings
 *
 * Says what holds from the next request on.
 */
void beckon_prompt_prefix_set_extras (BeckonPromptPrefix *prefix, const char *instructions, const char *skills,
                                      const char *extras);

/**
 * beckon_prompt_prefix_set_beginning:
 * @prefix: the prefix
 * @notes: (nullable): what was remembered
 * @surroundings: (nullable): the computer and the repository
 *
 * Says what a conversation begins with; later notes and surroundings are not told. Without @surroundings they are those that
 * the last request had.
 */
void beckon_prompt_prefix_set_beginning (BeckonPromptPrefix *prefix, const char *notes, const char *surroundings);

/** Whether a request to @profile was made before in this conversation. */
gboolean beckon_prompt_prefix_knows (BeckonPromptPrefix *prefix, BeckonProfile *profile);

/** Chooses what a request to @profile begins with. Before anything below. */
void beckon_prompt_prefix_choose (BeckonPromptPrefix *prefix, BeckonProfile *profile);

/** (transfer full) (element-type BeckonMessage): the history as it is sent to @profile. What was cut once stays cut. */
GPtrArray *beckon_prompt_prefix_list_messages (BeckonPromptPrefix *prefix,
                                               BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_prompt_prefix_make_request:
 * @prefix: the prefix
 * @profile: who is asked
 * @messages: (element-type BeckonMessage): the history as it is sent
 *
 * Returns: (transfer full): a whole request
 */
BeckonLlmRequest *beckon_prompt_prefix_make_request (BeckonPromptPrefix *prefix, BeckonProfile *profile,
                                                     GPtrArray *messages) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @request begins with what the last one had before its last message of the person's. */
gboolean beckon_prompt_prefix_is_kept (BeckonPromptPrefix *prefix, const BeckonLlmRequest *request);

/** Earlier messages are not those that were sent. */
void beckon_prompt_prefix_begin_history (BeckonPromptPrefix *prefix);

/**
 * beckon_prompt_prefix_cut:
 * @prefix: the prefix
 * @messages: (element-type BeckonMessage): a history that is too long
 * @wide: only if that makes room for long
 * @room: how many tokens they may have
 * @budget: and the request
 *
 * Shortens all results of tools but the newest.
 *
 * Returns: %FALSE if nothing was changed
 */
gboolean beckon_prompt_prefix_cut (BeckonPromptPrefix *prefix, GPtrArray *messages, gboolean wide, gint64 room,
                                   gint64 budget);

/** Whether the server of @profile refused PDFs, and has their text instead. */
gboolean beckon_prompt_prefix_refuses_files (BeckonPromptPrefix *prefix, BeckonProfile *profile);

/** From here on the conversation's PDFs go to @profile as text, which is said once; see beckon_prompt_prefix_restore(). */
void beckon_prompt_prefix_refuse_files (BeckonPromptPrefix *prefix, BeckonProfile *profile);

/** The model refuses earlier thinking: it is left out from here on. %FALSE if there is none that was sent. */
gboolean beckon_prompt_prefix_refuse_thinking (BeckonPromptPrefix *prefix, BeckonProfile *profile);

/**
 * beckon_prompt_prefix_leave_out_pictures:
 * @prefix: the prefix
 * @profile: whose server refused a request
 * @reason: what it said
 *
 * Leaves out the newest pictures; all of them when it is called again. They stay left out, which is said in the conversation,
 * unless beckon_prompt_prefix_restore() comes before beckon_prompt_prefix_accept().
 *
 * Returns: %FALSE if no pictures are left
 */
gboolean beckon_prompt_prefix_leave_out_pictures (BeckonPromptPrefix *prefix, BeckonProfile *profile, const char *reason);

/** The server said that it took what it got. */
void beckon_prompt_prefix_accept (BeckonPromptPrefix *prefix);

/** The server refused that without what was left out, too, which was not the reason. (transfer full) (nullable): a batch that
 *  stores that. */
BeckonBatch *beckon_prompt_prefix_restore (BeckonPromptPrefix *prefix) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_prompt_prefix_leave_out_tool:
 * @prefix: the prefix
 * @profile: whose server refused a request
 * @reason: what it said
 *
 * Leaves out the tool that @reason is about, until its schema changes; likewise.
 *
 * Returns: %FALSE if it is about no tool that was sent
 */
gboolean beckon_prompt_prefix_leave_out_tool (BeckonPromptPrefix *prefix, BeckonProfile *profile, const char *reason);

/** (nullable): the name of the tool that a call by @name can only mean, of those that were sent; borrowed. */
const char *beckon_prompt_prefix_find_name (BeckonPromptPrefix *prefix, const char *name);

/** Says what a call by a name that no tool has is answered, see beckon_tool_names_refuse(). Caller frees. */
char *beckon_prompt_prefix_refuse_name (BeckonPromptPrefix *prefix, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Leaves out of @messages what the server of the last beckon_prompt_prefix_choose() refused. */
void beckon_prompt_prefix_bound_pictures (BeckonPromptPrefix *prefix, GPtrArray *messages);

/** How many PDFs of @request the last one did not have. */
guint beckon_prompt_prefix_count_new_files (BeckonPromptPrefix *prefix, const BeckonLlmRequest *request);

/** Stores behind the last reply of a turn that is over what is known of the ends of background commands: the next request may
 *  be another program's. */
void beckon_prompt_prefix_keep_ends (BeckonConversation *conversation, BeckonBatch *batch);

/** @request is sent now. (transfer full): a batch with what the next one has to begin with, and what was told. */
BeckonBatch *beckon_prompt_prefix_send (BeckonPromptPrefix *prefix,
                                        const BeckonLlmRequest *request) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
