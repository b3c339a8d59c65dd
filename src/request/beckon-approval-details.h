/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "form/beckon-parameters.h"

#include <json-glib/json-glib.h>
#include "domain/beckon-rule.h"

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

/**
 * BeckonApprovalDetails:
 * @schema: (nullable): the JSON Schema of the arguments
 * @server: (nullable): the MCP server that offers the tool; %NULL for a built-in one
 * @folder: (nullable): the folder that it works in
 * @command: (nullable): the command line that would run
 * @paths: (nullable): the files that it touches, absolute
 * @hosts: (nullable): the hosts that it speaks to
 * @changes: it changes something
 * @leaves_folder: it goes out of @folder
 * @uses_network: it can carry data out
 * @local_network: it reaches services of this computer and its network
 * @parameters: (nullable): what the person settled about the arguments
 *
 * What an approval's card shows beside tool and arguments, as it was when it was asked for; kept with the request, so that it
 * is the same in every front end and after a restart. Not changed once it is the request's.
 */
typedef struct
{
  char *schema;
  char *server;
  char *folder;
  char *command;
  char **paths;
  char **hosts;
  gboolean changes;
  gboolean leaves_folder;
  gboolean uses_network;
  gboolean local_network;
  BeckonParameters *parameters;
} BeckonApprovalDetails;

BeckonApprovalDetails *beckon_approval_details_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                   beckon_approval_details_free (BeckonApprovalDetails *details);

/** As one JSON value, and back; what cannot be read is as if it were not there. @object: (nullable). */
void                   beckon_approval_details_write (const BeckonApprovalDetails *details, BeckonJsonWriter *writer);
BeckonApprovalDetails *beckon_approval_details_read (JsonObject *object) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_approval_details_check_edit:
 * @details: (nullable): of the approval
 * @proposed: the arguments that were shown
 * @edited: what somebody made of them, a JSON object
 * @error: return location
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_INVALID, translated, where @edited may not run: it does not fit the schema, or
 *   changes what is settled
 */
gboolean beckon_approval_details_check_edit (const BeckonApprovalDetails *details, const char *proposed, const char *edited,
                                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonApprovalDetails, beckon_approval_details_free)

G_END_DECLS
