/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-memory.h"

#include <malloc.h>

/* Each step over the limit is told: the first may come before there is anything to end. */
static void *
xmpp_memory_take (BeckonXmppMemory *self, void *block)
{
  self->bytes += malloc_usable_size (block);
  if (self->bytes > self->most)
    self->on_full (self->user_data);
  return block;
}

void *
beckon_xmpp_memory_allocate (size_t size, void *memory)
{
  return xmpp_memory_take (memory, g_malloc (MAX (size, 1)));
}

void
beckon_xmpp_memory_free (void *block, void *memory)
{
  BeckonXmppMemory *self = memory;

  self->bytes -= malloc_usable_size (block);
  g_free (block);
}

void *
beckon_xmpp_memory_reallocate (void *block, size_t size, void *memory)
{
  BeckonXmppMemory *self = memory;

  self->bytes -= malloc_usable_size (block);
  return xmpp_memory_take (self, g_realloc (block, MAX (size, 1)));
}
