/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-preview.h"
#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/* Approvals in plain text, as #BeckonPlainClass says. */

void beckon_plain_approval_append_heading (GString *text, BeckonRequest *request, guint item);
void beckon_plain_approval_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_approval_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                               BeckonAnswer **whole, char **message);

/** Whether it is shown with what its call would change. @previewer: (nullable) */
gboolean beckon_plain_approval_has_preview (BeckonRequest *request, BeckonCallPreviewer *previewer);

/**
 * beckon_plain_approval_format:
 * @request: an approval
 * @edited: (nullable): the arguments that the person made of its own
 * @preview: (nullable): what the call would change
 * @problem: (nullable): why there is no preview, for people
 * @colour: whether the terminal has colours
 * @is_cut: (out): whether something of what would happen was left out of the text, as too long
 *
 * Returns: (transfer full): the approval as a terminal shows it
 */
char *beckon_plain_approval_format (BeckonRequest *request, const char *edited, const BeckonCallPreview *preview,
                                    const char *problem, gboolean colour, gboolean *is_cut) G_GNUC_WARN_UNUSED_RESULT;

/** The approval in a list, with its code, and all of what it would change. @preview, @problem: (nullable): as above. Caller
 *  frees. */
char *beckon_plain_approval_format_listed (BeckonRequest *request, const BeckonCallPreview *preview,
                                           const char *problem) G_GNUC_WARN_UNUSED_RESULT;

/** All of what would happen, and of the arguments as far as they are shown; for after that. Caller frees. */
char *beckon_plain_approval_format_all (BeckonRequest *request, const char *edited, const BeckonCallPreview *preview,
                                        gboolean colour) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
