/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-adapter.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/**
 * BeckonWechatAccount:
 * @token: the secret, wiped when it is freed
 * @base: the server from now on
 * @bot: the bot's id
 * @user: (nullable): who scanned the code
 *
 * What a sign-in brought. When the account was bound already, it is what was known before.
 */
typedef struct
{
  char *token;
  char *base;
  char *bot;
  char *user;
} BeckonWechatAccount;

void                 beckon_wechat_account_free (BeckonWechatAccount *account);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonWechatAccount, beckon_wechat_account_free)

#define BECKON_TYPE_WECHAT_SIGN_IN (beckon_wechat_sign_in_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWechatSignIn, beckon_wechat_sign_in, BECKON, WECHAT_SIGN_IN, GObject)

/**
 * BeckonWechatSignIn:
 *
 * Leads a person through one sign-in to WeChat: a code to scan, three at most, in eight minutes. Used once. Main thread.
 *
 * Signal `prompt` (int prompt, const char *text): what is wanted of the person, a #BeckonChannelPrompt; @text (nullable) is
 * what the code says, or what is asked for.
 */

/**
 * beckon_wechat_sign_in_new:
 * @session: whose connections are used
 * @clock: for the time
 * @server: where it begins
 * @known: (nullable): what is known of the account, if @server may see its token
 *
 * Returns: (transfer full): a sign-in that has not begun
 */
BeckonWechatSignIn *beckon_wechat_sign_in_new (SoupSession *session, BeckonClock *clock, const char *server,
                                               const BeckonWechatAccount *known) G_GNUC_WARN_UNUSED_RESULT;

/** @cancellable: (nullable): ends it at once, with %G_IO_ERROR_CANCELLED, whatever it waits for. */
void beckon_wechat_sign_in_run_async (BeckonWechatSignIn *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);

/** (transfer full): the account; %NULL with #BeckonChannelError in words for people, or %G_IO_ERROR_CANCELLED. */
BeckonWechatAccount *beckon_wechat_sign_in_run_finish (BeckonWechatSignIn *self, GAsyncResult *result,
                                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Takes the code that the person read on the phone, while it is asked for. */
void beckon_wechat_sign_in_enter (BeckonWechatSignIn *self, const char *code);

G_END_DECLS
