/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonPlainLoss:
 * @BECKON_PLAIN_LOSS_NONE: everything landed but for what a person left out or a rule denies
 * @BECKON_PLAIN_LOSS_FAILED: something could not land: a conflict, a full disk, a folder that was moved
 * @BECKON_PLAIN_LOSS_UNASKED: something did not land because the person couldn't be asked about it
 *
 * What is to be told about a landing, as flags.
 */
typedef enum
{
  BECKON_PLAIN_LOSS_NONE = 0,
  BECKON_PLAIN_LOSS_FAILED = 1 << 0,
  BECKON_PLAIN_LOSS_UNASKED = 1 << 1,
} BeckonPlainLoss;

/**
 * beckon_plain_landed_describe:
 * @landing: (nullable): what became of a command's changes; %NULL and one that has not landed yet count as no loss
 * @request: (nullable): where the person was asked about it
 * @loss: (out): what is lost
 *
 * Tells what did not land: a translated line for each cause, with how many changes it was and the first of their paths, what to
 * do about it, and a line for what the person who was asked left out, files and parts of them.
 *
 * Returns: (transfer full) (array zero-terminated=1): the lines, perhaps none
 */
char **beckon_plain_landed_describe (const BeckonLanding *landing, BeckonRequest *request,
                                     BeckonPlainLoss *loss) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
