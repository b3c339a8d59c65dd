/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-effort.h"
#include "domain/beckon-message.h"
#include "domain/beckon-profile.h"
#include "domain/beckon-tool-names.h"

G_BEGIN_DECLS

/**
 * BeckonLlmRequest:
 * @profile: which model
 * @system: (nullable): the system prompt
 * @messages: (element-type BeckonMessage): the history, repaired: every call has its one result
 * @tools: (element-type BeckonToolDefinition): may be empty
 * @searches: the provider may search the web itself, as far as its protocol has that
 * @effort: how much the model is to reason
 * @cache_key: (nullable): the same for requests that begin alike; no more than 64 characters
 *
 * What one round asks of a model, in no provider's words.
 */
typedef struct
{
  BeckonProfile *profile;
  char *system;
  GPtrArray *messages;
  GPtrArray *tools;
  gboolean searches;
  BeckonEffort effort;
  char *cache_key;
} BeckonLlmRequest;

BeckonLlmRequest *beckon_llm_request_new (BeckonProfile *profile, const char *system) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_llm_request_add_message (BeckonLlmRequest *request, BeckonMessage *message);
void              beckon_llm_request_add_tool (BeckonLlmRequest *request, BeckonToolDefinition *tool);
void              beckon_llm_request_free (BeckonLlmRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLlmRequest, beckon_llm_request_free)

G_END_DECLS
