/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-http.h"
#include "channels/beckon-channel-message.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Telegram's Bot API: how it is called, and what its answers say. The token is a part of every address, so that no address
 * of it is ever shown or logged. */

#define BECKON_TELEGRAM_SERVER "https://api.telegram.org"

/**
 * BeckonTelegramAnswer:
 * @result: (nullable): what was asked for, where it went well
 * @code: 0 where it went well, the status or `error_code` otherwise
 * @retry_after_s: the seconds that the server wants to be left alone for; 0 without any
 * @description: what it says of an error; untrusted, never shown as it is
 */
typedef struct
{
  JsonNode *result;
  guint code;
  guint retry_after_s;
  char *description;
} BeckonTelegramAnswer;

void beckon_telegram_answer_free (BeckonTelegramAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTelegramAnswer, beckon_telegram_answer_free)

/** Whether @token has the form of a bot's token, so that it can be a part of an address. */
gboolean beckon_telegram_check_token (const char *token);

/** (nullable): the address of a method, or of the file at @path; %NULL where it would not be one. Caller frees. */
char *beckon_telegram_dup_url (const char *server, const char *token, const char *method, const char *path);

/** Asks for @method with @body, a JSON object, for at most @seconds. */
void beckon_telegram_call_async (SoupSession *session, BeckonClock *clock, const char *url, const char *body, guint seconds,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** An answer, a refusal too; %NULL with an error as beckon_channel_http_ask_finish() gives. Caller owns. */
BeckonTelegramAnswer *beckon_telegram_call_finish (SoupSession *session, GAsyncResult *result,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The error of a refusal, in words. Caller owns. */
GError *beckon_telegram_answer_to_error (const BeckonTelegramAnswer *answer) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_telegram_read_updates:
 * @result: of `getUpdates`
 * @next: (inout): the offset; behind the last of them then
 *
 * Returns: (transfer full) (element-type BeckonChannelIncoming): those that a person sent
 */
GPtrArray *beckon_telegram_read_updates (JsonNode *result, gint64 *next) G_GNUC_WARN_UNUSED_RESULT;

/** The id of the pressed button that a message tells of, for `answerCallbackQuery`; %NULL for others. Borrowed. */
const char *beckon_telegram_get_query (const BeckonChannelIncoming *incoming);

G_END_DECLS
