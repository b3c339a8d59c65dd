/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_TELEGRAM_EMULATOR_TOKEN "123456:Secret_Part-of-the-TOKEN"

/**
 * BeckonTelegramEmulator:
 *
 * The part of Telegram's Bot API that Beckon uses, as a real HTTP server on this computer: updates are confirmed by the next
 * offset and come again until then, polls are held, and it can be wrong on demand. Any thread.
 */
typedef struct _BeckonTelegramEmulator BeckonTelegramEmulator;

BeckonTelegramEmulator *beckon_telegram_emulator_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                    beckon_telegram_emulator_free (BeckonTelegramEmulator *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTelegramEmulator, beckon_telegram_emulator_free)

/** Its address. Borrowed. */
const char *beckon_telegram_emulator_get_address (BeckonTelegramEmulator *self);

/** A person writes in their chat; another member of the message, such as "\"caption\":\"x\"", instead of a text: @more. */
void beckon_telegram_emulator_write (BeckonTelegramEmulator *self, gint64 user, const char *text, const char *more);

/** A person presses a button with @data below message @message. */
void beckon_telegram_emulator_press (BeckonTelegramEmulator *self, gint64 user, gint64 message, const char *data);

/** The next @times calls of @method get this instead. @body: (nullable): none: the connection is closed without a word. */
void beckon_telegram_emulator_fail (BeckonTelegramEmulator *self, const char *method, guint status, const char *body,
                                    guint times);

/** How often @method was called, and the body of its @nth call, from 0 (caller frees). */
guint beckon_telegram_emulator_count (BeckonTelegramEmulator *self, const char *method);
char *beckon_telegram_emulator_dup_call (BeckonTelegramEmulator *self, const char *method, guint nth);

/** How many updates are not confirmed yet. */
guint beckon_telegram_emulator_count_unconfirmed (BeckonTelegramEmulator *self);

/** Sets the file that every id leads to. */
void beckon_telegram_emulator_set_file (BeckonTelegramEmulator *self, const char *path, const char *content);

G_END_DECLS
