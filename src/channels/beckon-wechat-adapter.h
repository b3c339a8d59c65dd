/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"

G_BEGIN_DECLS

#define BECKON_TYPE_WECHAT_ADAPTER (beckon_wechat_adapter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWechatAdapter, beckon_wechat_adapter, BECKON, WECHAT_ADAPTER, BeckonChannelAdapter)

/**
 * BeckonWechatAdapter:
 *
 * WeChat by the iLink bot API: JSON over HTTPS, signed in to by a QR code. Its cursor is the server's `get_updates_buf`, the
 * context of a message its `context_token`. Pictures and files are named, and cannot be fetched.
 */

/** The kind "wechat". */
extern const BeckonChannelKind beckon_wechat_kind;

G_END_DECLS
