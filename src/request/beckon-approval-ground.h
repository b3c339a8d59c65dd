/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule-proposal.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonApprovalGround:
 * @rule_id: (nullable): the rule that asks; %NULL if it is the conversation's mode
 * @files: (nullable): what the files that the call works on were when it was asked for: a JSON object of stamps by path
 * @proposals: (element-type BeckonRuleProposal): what could be remembered; may be empty
 *
 * On what ground an approval is asked for. Immutable once it is the request's.
 */
typedef struct
{
  char *rule_id;
  char *files;
  GPtrArray *proposals;
} BeckonApprovalGround;

BeckonApprovalGround *beckon_approval_ground_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_approval_ground_free (BeckonApprovalGround *ground);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonApprovalGround, beckon_approval_ground_free)

/** As a JSON object, and back; what cannot be read of it is not there. @object: (nullable). Caller frees. */
char                 *beckon_approval_ground_to_json (const BeckonApprovalGround *ground);
BeckonApprovalGround *beckon_approval_ground_read (JsonObject *object) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
