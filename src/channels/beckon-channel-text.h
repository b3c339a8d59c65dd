/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-adapter.h"
#include "domain/beckon-channel-account.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonChannelOffer:
 * @BECKON_CHANNEL_OFFER_NOTICE: it is said that something waits, to be answered on the desktop
 * @BECKON_CHANNEL_OFFER_WHOLE: it is shown, and can be answered
 *
 * How much of a request goes over a channel.
 */
typedef enum
{
  BECKON_CHANNEL_OFFER_NOTICE,
  BECKON_CHANNEL_OFFER_WHOLE,
} BeckonChannelOffer;

/**
 * beckon_channel_text_get_offer:
 * @request: a request
 * @account: the account
 * @limits: what its adapter can do
 *
 * Questions without masked answers and flat forms without secrets are shown, but not whether a server may do something; calls
 * only where the account may approve, and all of the call fits one message and nothing of it is hidden. All else is answered on
 * the desktop. Pure.
 */
BeckonChannelOffer beckon_channel_text_get_offer (BeckonRequest *request, const BeckonChannelAccount *account,
                                                  const BeckonChannelLimits *limits);

/** Whether @text is no longer than one message. */
gboolean beckon_channel_text_fits (const char *text, const BeckonChannelLimits *limits);

/** Writes a part of a request as text, with its code; a notice without any content for %BECKON_CHANNEL_OFFER_NOTICE. Caller
 *  frees. */
char *beckon_channel_text_format (BeckonRequest *request, guint item, BeckonChannelOffer offer) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a line answers it only if it names it: calls, so that what was written about something else never runs one. */
gboolean beckon_channel_text_is_named (BeckonRequest *request);

/** A line that says what kind of thing waits, and nothing of its content; translated, static. */
const char *beckon_channel_text_get_title (BeckonRequest *request);

/** Labels for buttons, a JSON array; %NULL where a button can't say it, or there is no room for all. Caller frees. */
char *beckon_channel_text_format_choices (BeckonRequest *request, guint item,
                                          const BeckonChannelLimits *limits) G_GNUC_WARN_UNUSED_RESULT;

/** How a request ended, unless only its notice was sent, with who answered, where and when. Caller frees. */
char *beckon_channel_text_format_end (BeckonRequest *request, BeckonChannelOffer offer) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_channel_text_check_answer:
 * @request: a request
 * @answer: an answer that was typed to it
 * @error: return location
 *
 * Over a channel calls run as they were shown or are denied, and nothing is remembered.
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_INVALID, in words to be sent
 */
gboolean beckon_channel_text_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error);

/**
 * beckon_channel_text_split:
 * @text: valid UTF-8
 * @limits: how long a message may be
 *
 * Cuts where a paragraph, a line or a word ends, where there is such a place in the second half of a piece; nothing is lost but
 * white space around a cut, and what can't be seen is marked.
 *
 * Returns: (transfer full) (array zero-terminated=1): the pieces, at least one
 */
char **beckon_channel_text_split (const char *text, const BeckonChannelLimits *limits) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
