/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-fixture-server.h"

G_BEGIN_DECLS

/**
 * BeckonWechatEmulator:
 *
 * A server of the iLink bot API on loopback, strict about what it is asked: one that is not asked as the protocol has it says
 * so in beckon_wechat_emulator_dup_complaint(). It keeps its messages as a list of which a `get_updates_buf` is a place, so that
 * what was not confirmed comes again. Its knobs may be turned at any time, from any thread.
 */
typedef struct _BeckonWechatEmulator BeckonWechatEmulator;

/** Things that the emulator hands out, and wants to see. */
#define BECKON_WECHAT_EMULATOR_TOKEN "token-of-the-bot"
#define BECKON_WECHAT_EMULATOR_BOT "7@im.bot"
#define BECKON_WECHAT_EMULATOR_USER "anna@im.wechat"
#define BECKON_WECHAT_EMULATOR_CODE "4711"

/** A ret code and an HTTP status are told apart by their sign; this is a connection that is closed within the answer. */
#define BECKON_WECHAT_EMULATOR_CUT 0

BeckonWechatEmulator *beckon_wechat_emulator_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_wechat_emulator_free (BeckonWechatEmulator *emulator);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonWechatEmulator, beckon_wechat_emulator_free)

/** "http://127.0.0.1:PORT/". */
const char *beckon_wechat_emulator_get_base (BeckonWechatEmulator *emulator);

/** Adds what a status of the QR code says next, one at each look; a look that finds none is held. "redirect" names this server by
 *  another name; "need_verifycode" goes on until the right code came. */
void beckon_wechat_emulator_add_state (BeckonWechatEmulator *emulator, const char *state);

/** A message comes: a JSON object, whose context and id are filled in where they are missing. */
void beckon_wechat_emulator_deliver (BeckonWechatEmulator *emulator, const char *message);

/** Sets when what is written from now on was written, in milliseconds since the epoch; 0: it is not said. */
void beckon_wechat_emulator_set_time (BeckonWechatEmulator *emulator, gint64 time_ms);

/** A person writes a text. */
void beckon_wechat_emulator_write (BeckonWechatEmulator *emulator, const char *user, const char *text);

/** The last @n messages come again, with the ids that they have. */
void beckon_wechat_emulator_repeat (BeckonWechatEmulator *emulator, guint n);

/** Sets what `longpolling_timeout_ms` says from now on; 0: nothing. */
void beckon_wechat_emulator_set_poll_ms (BeckonWechatEmulator *emulator, gint64 milliseconds);

/** An empty poll is answered at once, instead of being held until something comes. */
void beckon_wechat_emulator_set_hold (BeckonWechatEmulator *emulator, gboolean holds);

/**
 * beckon_wechat_emulator_fail:
 * @emulator: an emulator
 * @operation: such as "getupdates"
 * @after: how many go well first
 * @times: how many then fail; %G_MAXUINT for all
 * @code: a `ret` below 0, an HTTP status above it, or %BECKON_WECHAT_EMULATOR_CUT
 *
 * Replaces what was said for @operation before; a poll that is held fails at once.
 */
void beckon_wechat_emulator_fail (BeckonWechatEmulator *emulator, const char *operation, guint after, guint times, int code);

/** How often @operation was asked, however it ended. */
guint beckon_wechat_emulator_count (BeckonWechatEmulator *emulator, const char *operation);

/** How many asks are held just now. */
guint beckon_wechat_emulator_count_held (BeckonWechatEmulator *emulator);

/** The body of the @nth ask of @operation, from 0, or its path if it has none; %NULL if there is none yet. Caller frees. */
char *beckon_wechat_emulator_dup_body (BeckonWechatEmulator *emulator, const char *operation, guint nth);

/** The `Host` that @operation was asked at last. Caller frees. */
char *beckon_wechat_emulator_dup_host (BeckonWechatEmulator *emulator, const char *operation);

/** How many messages the emulator took, and the text of one; %NULL if there is none yet. Caller frees. */
guint beckon_wechat_emulator_count_sent (BeckonWechatEmulator *emulator);
char *beckon_wechat_emulator_dup_sent (BeckonWechatEmulator *emulator, guint nth);

/** The first thing that was not as the protocol has it; %NULL if all was. Caller frees. */
char *beckon_wechat_emulator_dup_complaint (BeckonWechatEmulator *emulator);

G_END_DECLS
