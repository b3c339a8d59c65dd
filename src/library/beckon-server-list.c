/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-server-list.h"

struct _BeckonServerList
{
  BeckonFollowedList parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonServerList, beckon_server_list, BECKON_TYPE_FOLLOWED_LIST)

static void
beckon_server_list_class_init (BeckonServerListClass *klass)
{
  BeckonFollowedListClass *list_class = BECKON_FOLLOWED_LIST_CLASS (klass);

  list_class->list_async = beckon_store_list_servers_async;
  list_class->list_finish = beckon_store_list_servers_finish;
}

static void
beckon_server_list_init (BeckonServerList *self)
{
}

BeckonServerList *
beckon_server_list_new (BeckonStore *store)
{
  BeckonServerList *self;

  g_return_val_if_fail (BECKON_IS_STORE (store), NULL);

  self = g_object_new (BECKON_TYPE_SERVER_LIST, NULL);
  beckon_followed_list_set_store (BECKON_FOLLOWED_LIST (self), store);
  return self;
}
