/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-options.h"
#include "domain/beckon-effort.h"
#include <glib.h>

G_BEGIN_DECLS

/* The members of a request that ask for an effort and for what the model thought, in each protocol's words and in those of the
 * model's family. Nothing is written for the default, nor where the profile's extra body has the member. A level that a model
 * lacks becomes the nearest that it has, as far as that is known from facts about it (beckon_profile_get_effort_levels()) or by
 * its name; else the server says that it does not know it. */

/** %FALSE if the profile's model is known to have no levels; nothing is written for it then. */
gboolean beckon_effort_is_settable (BeckonProfile *profile);

/** %FALSE if the profile's model is known to make no difference between @effort and another one. The default always is. */
gboolean beckon_effort_is_offered (BeckonProfile *profile, BeckonEffort effort);

void beckon_effort_write_chat (BeckonOptions *options, BeckonEffort effort);
void beckon_effort_write_responses (BeckonOptions *options, BeckonEffort effort);
void beckon_effort_write_ollama (BeckonOptions *options, BeckonEffort effort);

/**
 * BeckonAnthropicThinking:
 * @BECKON_ANTHROPIC_THINKING_OWN: it is the model's own matter, or the extra body's
 * @BECKON_ANTHROPIC_THINKING_ON: it was asked to, and so takes no temperature
 * @BECKON_ANTHROPIC_THINKING_OFF: it does not, and takes no thinking blocks in the turn that it is at
 *
 * Whether a model thinks that is asked by Anthropic's protocol.
 */
typedef enum
{
  BECKON_ANTHROPIC_THINKING_OWN,
  BECKON_ANTHROPIC_THINKING_ON,
  BECKON_ANTHROPIC_THINKING_OFF,
} BeckonAnthropicThinking;

/** @max_tokens: of the request, which reasoning is a part of; @may_think: %FALSE if a budget would be refused. */
BeckonAnthropicThinking beckon_effort_write_anthropic (BeckonOptions *options, BeckonEffort effort, gint64 max_tokens,
                                                       gboolean may_think);

/** %TRUE if there is a `thinkingConfig` to write: for an effort, or because thoughts are asked for of every model that has
 *  some. */
gboolean beckon_effort_has_gemini (BeckonProfile *profile, BeckonEffort effort);

/** To be called within `generationConfig`, if there is something to write. */
void beckon_effort_write_gemini (BeckonOptions *options, BeckonEffort effort);

/* A model keeps its habits wherever it is served, so they are known by its name and not by the host. */

/**
 * beckon_model_name_is_of:
 * @model: a model's name, which may have a maker or folders before it, as gateways write it: "deepseek/deepseek-v4"
 * @family: how the family's names begin, in lower case
 *
 * Returns: %TRUE if the name, or one of the words that slashes part it into, begins with @family; in any case
 */
gboolean beckon_model_name_is_of (const char *model, const char *family);

/**
 * beckon_model_name_get_version:
 * @model: a model's name
 * @before: what stands before the version, such as "gemini-"; in lower case
 *
 * Returns: the version behind the first @before that a number follows, times 100: 405 of "claude-opus-4-5-20251101", 205
 *   of "gemini-2.5-pro"; 0 if there is none. A number of more than two digits is a date and no part of a version.
 */
guint beckon_model_name_get_version (const char *model, const char *before);

G_END_DECLS
