/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The most that libstrophe may hold: servers limit a stanza to a quarter of a megabyte, libstrophe does not. */
#define BECKON_XMPP_MEMORY_MAX (4 * 1024 * 1024)

/**
 * BeckonXmppMemory:
 * @bytes: how much is taken now
 * @most: how much may be
 * @on_full: called when it is more; what is asked for is given all the same
 * @user_data: for @on_full
 *
 * What a library takes that has no limits itself. Filled in by its owner. One thread.
 */
typedef struct
{
  gsize bytes;
  gsize most;
  void (*on_full) (gpointer user_data);
  gpointer user_data;
} BeckonXmppMemory;

/** As malloc(), free() and realloc(), and never %NULL. @memory: a #BeckonXmppMemory. */
void *beckon_xmpp_memory_allocate (size_t size, void *memory);
void beckon_xmpp_memory_free (void *block, void *memory);
void *beckon_xmpp_memory_reallocate (void *block, size_t size, void *memory);

G_END_DECLS
