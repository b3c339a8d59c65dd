/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

G_BEGIN_DECLS

/** How to reply to a question, in one line; translated, static. */
const char *beckon_plain_reply_hint (const BeckonQuestionItem *item);

G_END_DECLS
