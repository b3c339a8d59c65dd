/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-resource.h"

G_BEGIN_DECLS

/** Most prompts of a server, arguments of one, and characters of its text. */
#define BECKON_MCP_PROMPTS_MAX 200
#define BECKON_MCP_PROMPT_ARGUMENTS_MAX 32
#define BECKON_MCP_PROMPT_TEXT_MAX 100000

/**
 * BeckonMcpPromptArgument:
 * @name: as the server calls it
 * @title: (nullable): for people; untrusted
 * @description: (nullable): likewise
 * @is_required: there is no prompt without it
 */
typedef struct
{
  char *name;
  char *title;
  char *description;
  gboolean is_required;
} BeckonMcpPromptArgument;

/**
 * BeckonMcpPrompt:
 * @name: as the server calls it, without blanks
 * @title: (nullable): for people; untrusted
 * @description: (nullable): likewise
 * @arguments: (element-type BeckonMcpPromptArgument): what it is filled in with
 *
 * A text that a server offers to be sent to a model. Immutable; counted by references; any thread.
 */
typedef struct
{
  char *name;
  char *title;
  char *description;
  GPtrArray *arguments;
} BeckonMcpPrompt;

BeckonMcpPrompt *beckon_mcp_prompt_ref (BeckonMcpPrompt *prompt);
void             beckon_mcp_prompt_unref (BeckonMcpPrompt *prompt);

/**
 * beckon_mcp_prompt_new_for_template:
 * @resource: a template of resources
 * @error: %BECKON_ERROR_INVALID, in words to be shown, for one that can't be filled in
 *
 * Returns: (transfer full) (nullable): its variables as the arguments of a prompt with its address as the name, to be asked
 *   for in the same way
 */
BeckonMcpPrompt *beckon_mcp_prompt_new_for_template (const BeckonMcpResource *resource,
                                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_prompts_read:
 * @prompts: (element-type BeckonMcpPrompt): what was read before, to which those of the page are added, bounded
 * @page: a result of `prompts/list`, or what beckon_mcp_prompts_print() gave
 * @cursor: (out) (optional) (transfer full) (nullable): for the next page
 *
 * What can't be used is left out.
 *
 * Returns: %FALSE if it is none
 */
gboolean beckon_mcp_prompts_read (GPtrArray *prompts, const char *page, char **cursor);

/** (transfer full) (element-type BeckonMcpPrompt): an empty list. */
GPtrArray *beckon_mcp_prompts_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** As it is stored. Caller frees. */
char *beckon_mcp_prompts_print (GPtrArray *prompts) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): borrowed. */
BeckonMcpPrompt *beckon_mcp_prompts_find (GPtrArray *prompts, const char *name);

/**
 * beckon_mcp_prompt_read_values:
 * @prompt: a prompt
 * @words: (array zero-terminated=1): `name=value`; where the prompt has a single argument, words without a name are its value
 * @error: %BECKON_ERROR_INVALID, in words to be shown, for an unknown name, or where a required one is missing
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): values by the names of arguments
 */
GHashTable *beckon_mcp_prompt_read_values (const BeckonMcpPrompt *prompt, const char *const *words,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Members of the params of `prompts/get`, as JSON. @values: (nullable) (element-type utf8 utf8). Caller frees. */
char *beckon_mcp_prompt_make_members (const char *name, GHashTable *values) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_prompt_read_text:
 * @json: a result of `prompts/get`
 *
 * Returns: (transfer full) (nullable): its messages as one text for the person to look at, bounded: those of the model's are
 *   quoted, and what is no text is named. %NULL if it is none
 */
char *beckon_mcp_prompt_read_text (const char *json) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpPrompt, beckon_mcp_prompt_unref)

G_END_DECLS
