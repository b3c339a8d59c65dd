/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"

G_BEGIN_DECLS

/**
 * beckon_tokens_of_text:
 * @text: UTF-8 or almost so; may hold NUL
 * @length: its bytes
 *
 * Estimates how many tokens a model makes of a text: two thirds for a character of Chinese, Japanese or Korean, a quarter for
 * any other. Pure.
 */
gint64 beckon_tokens_of_text (const char *text, gsize length);

/** The same for a part: a fixed amount for an image, and for a PDF that goes as a file 1,500 for each page beside its text. */
gint64 beckon_tokens_of_part (BeckonPart *part);

/** The same for a whole message, with 4 for what frames it. */
gint64 beckon_tokens_of_message (BeckonMessage *message);

gint64 beckon_tokens_of_messages (GPtrArray *messages);

/** The same for everything that one request sends. */
gint64 beckon_tokens_of_request (const BeckonLlmRequest *request);

/**
 * BeckonTokenMeter:
 *
 * What is known of how models count, by profile: how far off the estimate was the last time that a provider said what it
 * counted, and the size at which one said that it was too much. Shared by all runs of a process. Main thread.
 */
typedef struct _BeckonTokenMeter BeckonTokenMeter;

BeckonTokenMeter *beckon_token_meter_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonTokenMeter *beckon_token_meter_ref (BeckonTokenMeter *meter);
void              beckon_token_meter_unref (BeckonTokenMeter *meter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTokenMeter, beckon_token_meter_unref)

/** A provider counted @reported where @estimate was expected. */
void beckon_token_meter_note (BeckonTokenMeter *meter, const char *profile_id, gint64 estimate, gint64 reported);

/**
 * beckon_token_meter_note_too_long:
 * @meter: the meter
 * @profile_id: whose server refused it
 * @estimate: what was sent, as it was estimated
 * @words: (nullable): what the server said; where it names its window, that is taken, and where it says how much was sent,
 *   the next estimates follow that
 */
void beckon_token_meter_note_too_long (BeckonTokenMeter *meter, const char *profile_id, gint64 estimate,
                                       const char *words);

/**
 * beckon_token_meter_get_budget:
 * @meter: the meter
 * @profile: whose window it is
 *
 * Returns: how much may be sent, in the units of the estimate: 90 % of the window, or of what turned out to be one
 */
gint64 beckon_token_meter_get_budget (BeckonTokenMeter *meter, BeckonProfile *profile);

G_END_DECLS
