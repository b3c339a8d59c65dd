/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-vault.h"

#include <string.h>

G_DEFINE_INTERFACE (BeckonVault, beckon_vault, G_TYPE_OBJECT)

static void
beckon_vault_default_init (BeckonVaultInterface *iface)
{
}

void
beckon_vault_keep_async (BeckonVault *self, const char *handle, const char *value, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_VAULT_GET_IFACE (self)->keep_async (self, handle, value, cancellable, callback, user_data);
}

gboolean
beckon_vault_keep_finish (BeckonVault *self, GAsyncResult *result, GError **error)
{
  return BECKON_VAULT_GET_IFACE (self)->keep_finish (self, result, error);
}

void
beckon_vault_look_up_async (BeckonVault *self, const char *handle, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (BECKON_IS_VAULT (self));
  g_return_if_fail (handle != NULL);

  BECKON_VAULT_GET_IFACE (self)->look_up_async (self, handle, cancellable, callback, user_data);
}

char *
beckon_vault_look_up_finish (BeckonVault *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), NULL);

  return BECKON_VAULT_GET_IFACE (self)->look_up_finish (self, result, error);
}

void
beckon_vault_forget (BeckonVault *self, const char *handle)
{
  g_return_if_fail (BECKON_IS_VAULT (self));

  BECKON_VAULT_GET_IFACE (self)->forget (self, handle);
}

gboolean
beckon_vault_is_for_session (BeckonVault *self, const char *handle)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), FALSE);

  return BECKON_VAULT_GET_IFACE (self)->is_for_session (self, handle);
}

gboolean
beckon_vault_is_at_hand (BeckonVault *self, const char *handle)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), FALSE);

  return BECKON_VAULT_GET_IFACE (self)->is_at_hand (self, handle);
}

void
beckon_vault_flush_async (BeckonVault *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_VAULT (self));

  BECKON_VAULT_GET_IFACE (self)->flush_async (self, cancellable, callback, user_data);
}

gboolean
beckon_vault_flush_finish (BeckonVault *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_VAULT (self), FALSE);

  return BECKON_VAULT_GET_IFACE (self)->flush_finish (self, result, error);
}

#define PREFIX "secret:"
#define NAME_LENGTH 24
#define ID_LENGTH 12

static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

char *
beckon_secret_handle_new (const char *name)
{
  GString *handle = g_string_new (PREFIX);
  g_autofree char *ascii = g_str_to_ascii (name != NULL ? name : "", "C");
  gsize start = handle->len;

  for (const char *p = ascii; *p != '\0' && handle->len - start < NAME_LENGTH; p++)
    {
      if (g_ascii_isalnum (*p))
        g_string_append_c (handle, g_ascii_tolower (*p));
      else if (handle->len > start && handle->str[handle->len - 1] != '-')
        g_string_append_c (handle, '-');
    }
  while (handle->len > start && handle->str[handle->len - 1] == '-')
    g_string_truncate (handle, handle->len - 1);
  if (handle->len == start)
    g_string_append (handle, "answer");

  g_string_append_c (handle, '-');
  for (guint i = 0; i < ID_LENGTH; i++)
    g_string_append_c (handle, letters[g_random_int_range (0, (gint32) strlen (letters))]);
  return g_string_free (handle, FALSE);
}

/* The bytes of the handle at the beginning of @text; 0 if there is none. */
static gsize
secret_handle_measure (const char *text)
{
  gsize length = strlen (PREFIX);
  const char *id;

  length += strspn (text + length, "abcdefghijklmnopqrstuvwxyz0123456789-");
  id = text + length;
  while (id > text && id[-1] != '-' && id[-1] != ':')
    id--;
  return text + length - id == ID_LENGTH && id[-1] == '-' ? length : 0;
}

const char *
beckon_secret_handle_find (const char *text, gsize *length)
{
  g_return_val_if_fail (text != NULL && length != NULL, NULL);

  while ((text = strstr (text, PREFIX)) != NULL)
    {
      *length = secret_handle_measure (text);
      if (*length > 0)
        return text;
      text += strlen (PREFIX);
    }
  return NULL;
}

gboolean
beckon_secret_handle_is (const char *text)
{
  gsize length;

  return text != NULL && beckon_secret_handle_find (text, &length) == text && text[length] == '\0';
}
