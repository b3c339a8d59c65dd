/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-memory.h"

#include "base/beckon-id.h"

static guint changed_signal;

G_DEFINE_INTERFACE (BeckonMemory, beckon_memory, G_TYPE_OBJECT)

static void
beckon_memory_default_init (BeckonMemoryInterface *iface)
{
  changed_signal = g_signal_new ("notes-changed", BECKON_TYPE_MEMORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

BeckonMemo *
beckon_memo_new (const char *id, const char *text, gint64 now)
{
  BeckonMemo *note;

  g_return_val_if_fail (text != NULL, NULL);

  note = g_new0 (BeckonMemo, 1);
  note->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  note->text = g_strdup (text);
  note->created_at = now;
  note->updated_at = now;
  return note;
}

BeckonMemo *
beckon_memo_copy (const BeckonMemo *note)
{
  BeckonMemo *copy;

  g_return_val_if_fail (note != NULL, NULL);

  copy = g_memdup2 (note, sizeof *note);
  copy->id = g_strdup (note->id);
  copy->text = g_strdup (note->text);
  return copy;
}

void
beckon_memo_free (BeckonMemo *note)
{
  if (note == NULL)
    return;

  g_free (note->id);
  g_free (note->text);
  g_free (note);
}

void
beckon_memory_put_async (BeckonMemory *self, const BeckonMemo *note, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MEMORY (self));
  g_return_if_fail (note != NULL);

  BECKON_MEMORY_GET_IFACE (self)->put_async (self, note, callback, user_data);
}

gboolean
beckon_memory_put_finish (BeckonMemory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_MEMORY (self), FALSE);

  return BECKON_MEMORY_GET_IFACE (self)->put_finish (self, result, error);
}

void
beckon_memory_remove_async (BeckonMemory *self, const char *id, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MEMORY (self));
  g_return_if_fail (id != NULL);

  BECKON_MEMORY_GET_IFACE (self)->remove_async (self, id, callback, user_data);
}

gboolean
beckon_memory_remove_finish (BeckonMemory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_MEMORY (self), FALSE);

  return BECKON_MEMORY_GET_IFACE (self)->remove_finish (self, result, error);
}

void
beckon_memory_list_async (BeckonMemory *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MEMORY (self));

  BECKON_MEMORY_GET_IFACE (self)->list_async (self, cancellable, callback, user_data);
}

GPtrArray *
beckon_memory_list_finish (BeckonMemory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_MEMORY (self), NULL);

  return BECKON_MEMORY_GET_IFACE (self)->list_finish (self, result, error);
}

void
beckon_memory_changed (BeckonMemory *self)
{
  g_return_if_fail (BECKON_IS_MEMORY (self));

  g_signal_emit (self, changed_signal, 0);
}
