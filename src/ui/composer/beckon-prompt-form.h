/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROMPT_FORM (beckon_prompt_form_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPromptForm, beckon_prompt_form, BECKON, PROMPT_FORM, AdwBin)

/**
 * BeckonPromptForm:
 *
 * Asks for the arguments of a server's prompt, with the values that the server proposes, and has it filled in. Made in
 * templates; not visible while nothing is asked. Signals: `filled` (text): what the server made of it, untrusted; `closed`:
 * it is over, after `filled` too.
 */

/**
 * beckon_prompt_form_ask:
 * @form: the form
 * @service: a server
 * @prompt: one of its prompts
 * @words: (nullable) (array zero-terminated=1): what the person typed behind its name; if that is enough, nothing is asked
 *
 * Shows the form, in place of what was asked before.
 */
void beckon_prompt_form_ask (BeckonPromptForm *form, BeckonMcpService *service, BeckonMcpPrompt *prompt,
                             const char *const *words);

/** (nullable): the server that is asked. Borrowed. */
BeckonMcpService *beckon_prompt_form_get_service (BeckonPromptForm *form);

/** Ends it. */
void beckon_prompt_form_close (BeckonPromptForm *form);

G_END_DECLS
