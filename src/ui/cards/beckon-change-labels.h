/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/* The words beside the path of a change. All translated; caller frees. */

/** How much it is: "+14 −9", "new folder, 120 files"; may be empty. */
char *beckon_change_labels_describe_extent (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** The same in words that a screen reader can say. */
char *beckon_change_labels_speak_extent (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** Why it needs a look, or what becomes of it, or became once @has_landed; %NULL for an ordinary change that waits. */
char *beckon_change_labels_describe_mark (const BeckonFileChange *change, gboolean has_landed) G_GNUC_WARN_UNUSED_RESULT;

/** The rest, which no difference shows: where a link leads, permissions, that it is no text; a line each. %NULL for none. */
char *beckon_change_labels_describe_notes (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** The changes of a command that landed, or wait to, in one sentence without a full stop. */
char *beckon_change_labels_describe_landing (const BeckonLanding *landing) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): a line of what landed while its command still ran; %NULL while nothing did. */
char *beckon_change_labels_describe_early (const BeckonLanding *landing) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the landing of a call that a person is asked about now. Borrowed, until the next change of the call. */
const BeckonLanding *beckon_change_labels_find_waiting (BeckonToolCall *call);

G_END_DECLS
