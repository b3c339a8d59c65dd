/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-channel-list.h"

struct _BeckonChannelList
{
  BeckonFollowedList parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonChannelList, beckon_channel_list, BECKON_TYPE_FOLLOWED_LIST)

static void
beckon_channel_list_class_init (BeckonChannelListClass *klass)
{
  BeckonFollowedListClass *list_class = BECKON_FOLLOWED_LIST_CLASS (klass);

  list_class->list_async = beckon_store_list_channels_async;
  list_class->list_finish = beckon_store_list_channels_finish;
}

static void
beckon_channel_list_init (BeckonChannelList *self)
{
}

BeckonChannelList *
beckon_channel_list_new (BeckonStore *store)
{
  BeckonChannelList *self;

  self = g_object_new (BECKON_TYPE_CHANNEL_LIST, NULL);
  beckon_followed_list_set_store (BECKON_FOLLOWED_LIST (self), store);
  return self;
}
