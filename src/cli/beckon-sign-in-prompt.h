/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel.h"

G_BEGIN_DECLS

/**
 * BeckonSignInPrompt:
 *
 * Leads a person through the sign-in of a channel in a terminal: a QR code is drawn on the standard error, and what it says is
 * a line of the standard output; a code that the phone shows is read from the standard input.
 */
typedef struct _BeckonSignInPrompt BeckonSignInPrompt;

/** Says each prompt once, as it comes. */
BeckonSignInPrompt *beckon_sign_in_prompt_new (BeckonChannel *channel) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_sign_in_prompt_free (BeckonSignInPrompt *self);

G_END_DECLS
