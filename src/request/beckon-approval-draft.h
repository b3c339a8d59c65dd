/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

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

G_END_DECLS
