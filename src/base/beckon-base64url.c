/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-base64url.h"

#include <string.h>
#include <sys/random.h>

#define RANDOM_BYTES 32

/* @bytes as RFC 4648, 5 has them, without padding: text that stands for itself in an address. Caller frees. */
static char *
base64url_encode (const void *bytes, gsize length)
{
  char *text = g_base64_encode (bytes, length);

  g_strdelimit (g_strdelimit (text, "+", '-'), "/", '_');
  text[strcspn (text, "=")] = '\0';
  return text;
}

char *
beckon_base64url_digest (const char *text)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;

  g_return_val_if_fail (text != NULL, NULL);

  g_checksum_update (sum, (const guchar *) text, -1);
  g_checksum_get_digest (sum, digest, &length);
  return base64url_encode (digest, length);
}

char *
beckon_base64url_random (void)
{
  guchar bytes[RANDOM_BYTES];

  if (getrandom (bytes, sizeof bytes, 0) != sizeof bytes)
    g_error ("the kernel has no random bytes");
  return base64url_encode (bytes, sizeof bytes);
}
