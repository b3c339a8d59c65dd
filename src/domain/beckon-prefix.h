/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Why a prefix is as it is. They are stored. */
#define BECKON_PREFIX_FIRST "first"       /* the first request */
#define BECKON_PREFIX_TOOLS "tools"       /* a tool was added, changed, or may no longer be offered */
#define BECKON_PREFIX_PROMPT "prompt"     /* the words of the system prompt were changed */
#define BECKON_PREFIX_SUMMARY "summary"   /* earlier messages were summarized */
#define BECKON_PREFIX_RESULTS "results"   /* older results were shortened */
#define BECKON_PREFIX_THINKING "thinking" /* the server refused older thinking blocks */
#define BECKON_PREFIX_PROFILE "profile"   /* another profile replied in between */
#define BECKON_PREFIX_EFFORT "effort"     /* how much the model is to reason is not what it was */
#define BECKON_PREFIX_FILES "files"       /* the server refused PDFs, whose text is sent in their place */
#define BECKON_PREFIX_REFUSED "refused"   /* the server refused pictures or a tool, which are left out */
#define BECKON_PREFIX_UNTRUSTED "untrusted" /* only of a note: files of the folder are not used */
#define BECKON_PREFIX_HISTORY "history"   /* an earlier message is no longer what it was: undone, edited, removed */

/**
 * BeckonPrefix:
 * @profile_id: whose requests begin with it
 * @number: how often it was made, from 1
 * @reason: why it was made the last time, one of the words above
 * @system: the system prompt
 * @tools: the tool definitions, as beckon-prompt-tools.c writes them
 * @facts: what the system prompt says of what can change, as beckon-prompt-facts.c writes it
 * @cut_through: `seq` of the last message whose results are shortened; -1 for none
 * @most_of_a_result: bytes of the longest result; 0 while there is no limit
 * @bare_through: `seq` of the last message that is sent without what may be bound to its place: sealed thinking blocks,
 *   searches of the provider's own, citations; -1 for none
 * @is_bound: the server refuses thinking blocks when what stands before them is not what it was
 * @summarized: `seq` of the last message that a summary stands for; -1 for none
 * @n_sent: how many messages of the last request are final
 * @sent: a hash of those
 * @used: larger for a profile that was asked later
 *
 * The beginning of a conversation's requests to one profile, which stays as it is so that a provider can keep what it has read
 * of it. What changes meanwhile is told behind it.
 */
typedef struct
{
  char *profile_id;
  guint number;
  char *reason;
  char *system;
  char *tools;
  char *facts;
  gint64 cut_through;
  gint64 most_of_a_result;
  gint64 bare_through;
  gboolean is_bound;
  gint64 summarized;
  guint n_sent;
  guint64 sent;
  gint64 used;
} BeckonPrefix;

/** Without texts, cuts or a number yet. Caller owns. */
BeckonPrefix *beckon_prefix_new (const char *profile_id) G_GNUC_WARN_UNUSED_RESULT;
void          beckon_prefix_free (BeckonPrefix *prefix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPrefix, beckon_prefix_free)

/**
 * BeckonTold:
 * @message_id: a message of the person's
 * @facts: what is different since what was told before, written as the facts of a prefix
 * @text: the same in words for the model, which are sent behind the message and shown to nobody
 *
 * What a model is told of what changed since the prefix was made.
 */
typedef struct
{
  char *message_id;
  char *facts;
  char *text;
} BeckonTold;

BeckonTold *beckon_told_new (const char *message_id, const char *facts, const char *text) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_told_free (BeckonTold *told);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTold, beckon_told_free)

/**
 * BeckonPrefixes:
 * @by_profile: (element-type utf8 BeckonPrefix)
 * @told: (element-type utf8 BeckonTold): by the id of the message
 *
 * All that is stored of a conversation.
 */
typedef struct
{
  GHashTable *by_profile;
  GHashTable *told;
} BeckonPrefixes;

BeckonPrefixes *beckon_prefixes_new (void) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_prefixes_free (BeckonPrefixes *prefixes);

/** Both take what they are given. */
void beckon_prefixes_take_prefix (BeckonPrefixes *prefixes, BeckonPrefix *prefix);
void beckon_prefixes_take_told (BeckonPrefixes *prefixes, BeckonTold *told);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPrefixes, beckon_prefixes_free)

G_END_DECLS
