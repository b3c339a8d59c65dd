/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-approval-details.h"
#include "request/beckon-call-preview.h"
#include "request/beckon-call-request.h"
#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonApprovalDraft:
 * @arguments: (nullable): what the arguments were made into so far, which need not be JSON yet; %NULL as proposed
 * @feedback: (nullable): why it would be denied
 * @page: (nullable): which view of the arguments is open, in the card's words
 *
 * A half-made decision, as a card keeps it.
 */
typedef struct
{
  char *arguments;
  char *feedback;
  char *page;
} BeckonApprovalDraft;

/** For beckon_inbox_save_draft(); %NULL where there is nothing worth keeping. Caller frees. */
char *beckon_approval_draft_to_json (const BeckonApprovalDraft *draft) G_GNUC_WARN_UNUSED_RESULT;

/** @draft: (out): filled in; clear it. @json: (nullable): what was stored; what is no draft of this kind is feedback. */
void beckon_approval_draft_read (BeckonApprovalDraft *draft, const char *json);
void beckon_approval_draft_clear (BeckonApprovalDraft *draft);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonApprovalDraft, beckon_approval_draft_clear)

#define BECKON_TYPE_APPROVAL_REQUEST (beckon_approval_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonApprovalRequest, beckon_approval_request, BECKON, APPROVAL_REQUEST, BeckonCallRequest)

/**
 * BeckonApprovalRequest:
 *
 * Whether a call may run: as it is, with other arguments, or not.
 */

/** @id: (nullable): %NULL makes one. @arguments: the JSON text that would run. @reason: (nullable): the policy's rule, in
 *  words. */
BeckonRequest *beckon_approval_request_new (const char *id, const char *conversation_id, const char *message_id,
                                            const char *call_id, const char *tool, const char *arguments,
                                            const char *reason, gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** %NULL where there is none, and unless it is an approval; as all below. Borrowed. */
const char *beckon_request_get_reason (BeckonRequest *request);

/** Its details; %NULL if there are none. Borrowed. @details: (transfer full): before it is stored. */
const BeckonApprovalDetails *beckon_request_get_details (BeckonRequest *request);
void                         beckon_request_take_details (BeckonRequest *request, BeckonApprovalDetails *details);

/** The changes that its call would make to the files as they were at that time; %NULL until they are set. Borrowed. */
const BeckonCallPreview *beckon_request_get_preview (BeckonRequest *request);

/** @preview: a reference is taken */
void beckon_request_set_preview (BeckonRequest *request, BeckonCallPreview *preview);

G_END_DECLS
