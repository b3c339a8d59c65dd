/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/**
 * BeckonWechatTyping:
 *
 * Shows people on WeChat that the agent works. What that takes is a ticket for each of them, kept for a day at most. Whatever
 * fails is forgotten. Main thread.
 */
typedef struct _BeckonWechatTyping BeckonWechatTyping;

/** @base, @token: of the account. Caller frees. */
BeckonWechatTyping *beckon_wechat_typing_new (SoupSession *session, BeckonClock *clock, const char *base,
                                              const char *token) G_GNUC_WARN_UNUSED_RESULT;

/** Ends what is under way. */
void beckon_wechat_typing_free (BeckonWechatTyping *typing);

/** @context: (nullable): the newest context of that person. */
void beckon_wechat_typing_show (BeckonWechatTyping *typing, const char *user, const char *context, gboolean is_typing);

G_END_DECLS
