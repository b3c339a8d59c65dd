/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "domain/beckon-profile.h"

G_BEGIN_DECLS

/**
 * beckon_sent_files_bound:
 * @messages: (element-type BeckonMessage): a history; messages that change are replaced by copies
 * @profile: who is asked
 * @as_text: %TRUE if the server refused PDFs of this conversation
 *
 * Leaves the PDFs that go to the model as files, and of others their text: all of them where the model reads none, else those
 * that are above the limits of a request or take more than half of the window together. The earlier ones come first, so that a
 * PDF that was sent as a file is in every later request. Pure.
 */
void beckon_sent_files_bound (GPtrArray *messages, BeckonProfile *profile, gboolean as_text);

/** Whether a PDF alone, in a request with nothing else, would go to @profile as a file. */
gboolean beckon_sent_files_fits (BeckonPart *pdf, BeckonProfile *profile);

/**
 * beckon_sent_files_describe:
 * @files: (element-type BeckonPart): files that are about to be sent
 * @profile: who gets them
 *
 * Returns: (transfer full) (nullable): what the person is told of PDFs that do not go as files, a sentence in a line; %NULL for
 *   nothing. Pure.
 */
char *beckon_sent_files_describe (GPtrArray *files, BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/** How many PDFs of @messages from @first on go as files. */
guint beckon_sent_files_count (GPtrArray *messages, guint first);

G_END_DECLS
