/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-prompt.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROMPT_FIELD (beckon_prompt_field_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPromptField, beckon_prompt_field, BECKON, PROMPT_FIELD, AdwBin)

/**
 * BeckonPromptField:
 *
 * The value of an argument of a prompt, with values that the server proposes below it. Signals: `proposals-wanted`, a moment
 * after it was typed in, or when it gets the focus; `activate`: Enter.
 */
GtkWidget *beckon_prompt_field_new (BeckonMcpPrompt *prompt, const BeckonMcpPromptArgument *argument) G_GNUC_WARN_UNUSED_RESULT;

/** The argument's name, as the server calls it. Borrowed. */
const char *beckon_prompt_field_get_name (BeckonPromptField *field);

/** Its title or name, for people; untrusted. Borrowed. */
const char *beckon_prompt_field_get_title (BeckonPromptField *field);

/** The value that stands in it. Borrowed, until it changes. */
const char *beckon_prompt_field_get_value (BeckonPromptField *field);
void        beckon_prompt_field_set_value (BeckonPromptField *field, const char *value);

/** @values: (nullable) (array zero-terminated=1): are shown as buttons, a few of them. */
void beckon_prompt_field_propose (BeckonPromptField *field, const char *const *values);

void beckon_prompt_field_focus (BeckonPromptField *field);

G_END_DECLS
