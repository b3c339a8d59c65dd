/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-prefix.h"
#include "domain/beckon-profile.h"

G_BEGIN_DECLS

/* These are told to the model when they change. */
#define BECKON_PROMPT_FACT_DATE "date"
#define BECKON_PROMPT_FACT_MODE "mode" /* how much the user is asked, and whether they can be */
#define BECKON_PROMPT_FACT_FOLDER "folder"
#define BECKON_PROMPT_FACT_INSTRUCTIONS "instructions"
#define BECKON_PROMPT_FACT_MODEL_INSTRUCTIONS "model-instructions"
#define BECKON_PROMPT_FACT_FOLDER_INSTRUCTIONS "folder-instructions"
#define BECKON_PROMPT_FACT_SKILLS "skills"
#define BECKON_PROMPT_FACT_SERVERS "server-instructions"
#define BECKON_PROMPT_FACT_NEWS "ends" /* ends of commands that ran in the background, and what the user undid */
#define BECKON_PROMPT_FACT_MISSING "missing" /* names of tools that are off */

/* Facts that no model is told when they change. */
#define BECKON_PROMPT_FACT_UNDONE "undone" /* ids of calls whose changes are undone, as far as it was told that as news */
#define BECKON_PROMPT_FACT_BEGUN "begun " /* with a call's id behind it: how it began, which runs in the background */
#define BECKON_PROMPT_FACT_SURROUNDINGS "surroundings" /* the computer and the repository, as the conversation began */
#define BECKON_PROMPT_FACT_EXTRAS "folder-files" /* what the folder brings and how much of it counts: see BeckonExtrasNote */
#define BECKON_PROMPT_FACT_FILES "files" /* how the profile says PDFs go, once the server refused them */
#define BECKON_PROMPT_FACT_FORM "form" /* how PDFs are sent to this profile */
#define BECKON_PROMPT_FACT_PICTURES "pictures" /* ids of messages whose pictures the server refused */
#define BECKON_PROMPT_FACT_TOOLS "tools"       /* names and hashes of tools that the server refused */
#define BECKON_PROMPT_FACT_PROMPT "prompt" /* a checksum of the words that nothing is told about */
#define BECKON_PROMPT_FACT_EFFORT "effort" /* of those who keep nothing of the messages when it changes */

/**
 * BeckonPromptFacts:
 *
 * Values by the names above: what a model knows, or is to know, of the things that change while its system prompt stays.
 */
typedef struct _BeckonPromptFacts BeckonPromptFacts;

/** @text: (nullable): facts as they are stored; text that can't be read has none */
BeckonPromptFacts *beckon_prompt_facts_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_prompt_facts_free (BeckonPromptFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonPromptFacts, beckon_prompt_facts_free)

/** As they are stored. Caller frees. */
char *beckon_prompt_facts_print (BeckonPromptFacts *facts) G_GNUC_WARN_UNUSED_RESULT;

/** Adds those in @text to @facts, and replaces what they say otherwise. */
void beckon_prompt_facts_add (BeckonPromptFacts *facts, const char *text);

/** @value: (nullable): made valid; %NULL is "" */
void beckon_prompt_facts_set (BeckonPromptFacts *facts, const char *name, const char *value);

/** "" where nothing is known; borrowed. */
const char *beckon_prompt_facts_get (BeckonPromptFacts *facts, const char *name);
gboolean    beckon_prompt_facts_has (BeckonPromptFacts *facts, const char *name);

/** The server of @profile refuses PDFs, until the person chooses otherwise in the profile. Then whether it does. */
void     beckon_prompt_facts_refuse_files (BeckonPromptFacts *facts, BeckonProfile *profile);
gboolean beckon_prompt_facts_refuses_files (BeckonPromptFacts *facts, BeckonProfile *profile);

/**
 * beckon_prompt_facts_tell:
 * @known: what the model was told
 * @now: what holds
 * @message_id: behind which message it is told
 *
 * Returns: (transfer full) (nullable): what to tell; %NULL if nothing changed
 */
BeckonTold *beckon_prompt_facts_tell (BeckonPromptFacts *known, BeckonPromptFacts *now,
                                      const char *message_id) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_prompt_facts_dup_files:
 * @prefixes: of a conversation, as they are stored
 *
 * Returns: (transfer full): the files of instructions, skills and commands that the last request was made with, a translated
 *   line each, with their sizes and whether they were used; "" without any. Safe to be shown
 */
char *beckon_prompt_facts_dup_files (const BeckonPrefixes *prefixes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
