/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-followed-list.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANNEL_LIST (beckon_channel_list_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelList, beckon_channel_list, BECKON, CHANNEL_LIST, BeckonFollowedList)

/**
 * BeckonChannelList:
 *
 * The accounts of text channels as they are stored, by name; see #BeckonFollowedListClass, whose functions load it and give its
 * snapshot (element-type BeckonChannelAccount). Main thread.
 */
BeckonChannelList *beckon_channel_list_new (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
