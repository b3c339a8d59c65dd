/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonApprovalReason:
 * @rule_id: (nullable): the rule that asks; %NULL if it is the conversation's mode
 * @files: (nullable): what the files that the call works on were when it was asked for: a JSON object of stamps by path
 * @folder: (nullable): the working folder in which it would run, empty without one; %NULL where that is not known
 * @definition: (nullable): the digest of a server's tool as it was then; %NULL for a tool that is built in
 * @proposals: (element-type BeckonRuleProposal): what could be remembered; may be empty
 *
 * On what ground an approval is asked for; of changes that wait, @proposals alone. Immutable once it is the request's.
 */
typedef struct
{
  char *rule_id;
  char *files;
  char *folder;
  char *definition;
  GPtrArray *proposals;
} BeckonApprovalReason;

BeckonApprovalReason *beckon_approval_reason_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_approval_reason_free (BeckonApprovalReason *ground);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonApprovalReason, beckon_approval_reason_free)

/** As a JSON object, and back; what cannot be read of it is not there. @object: (nullable). Caller frees. */
char                 *beckon_approval_reason_to_json (const BeckonApprovalReason *ground);
BeckonApprovalReason *beckon_approval_reason_read (JsonObject *object) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a reason to ask says nothing that the call doesn't show anyway: that it changes something, say. @reason:
 *  (nullable). */
gboolean beckon_approval_reason_is_plain (const char *reason);

G_END_DECLS
