/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TELEGRAM_ADAPTER (beckon_telegram_adapter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTelegramAdapter, beckon_telegram_adapter, BECKON, TELEGRAM_ADAPTER, BeckonChannelAdapter)

/**
 * BeckonTelegramAdapter:
 *
 * A bot of Telegram, by its Bot API: private chats with text, pictures, files and buttons. Its cursor is the offset of
 * `getUpdates`, which confirms what came before: it moves once that is stored. Verified against emulators only.
 */

/** The kind "telegram". */
extern const BeckonChannelKind beckon_telegram_kind;

G_END_DECLS
