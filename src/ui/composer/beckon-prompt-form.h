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
 * Asks for the arguments of a server's prompt, with the values that the server proposes, and has it filled in; or for the
 * variables of a template of resources. Made in templates; not visible while nothing is asked. Signals: `filled` (text): what
 * the server made of a prompt, untrusted; `addressed` (uri): the resource that the person wants; `closed`: it is over, after
 * the others too.
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

/** Shows the form for a template of resources. @error: in words to be shown, for one that can't be filled in; then nothing
 *  changes. */
gboolean beckon_prompt_form_ask_template (BeckonPromptForm *form, BeckonMcpService *service, const BeckonMcpResource *resource,
                                          GError **error);

/** (nullable): the server that is asked. Borrowed. */
BeckonMcpService *beckon_prompt_form_get_service (BeckonPromptForm *form);

/** Ends it. */
void beckon_prompt_form_close (BeckonPromptForm *form);

G_END_DECLS
