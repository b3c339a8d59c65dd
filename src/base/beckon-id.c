/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-id.h"

#include <string.h>
#include <sys/random.h>

/* An id is 16 bytes, the first six of them milliseconds, read as one big-endian number. Within a millisecond, and
 * whenever the clock stands still or jumps back, the next id is the last one plus one: this keeps the order without
 * waiting. A carry out of the random part runs into the time, which then is ahead of the clock until that catches
 * up. */

#define ID_BYTES 16
#define TIME_BYTES 6

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static GMutex last_lock;
static guint8 last_id[ID_BYTES];

static void
put_random (guint8 *bytes, gsize length)
{
  if (getrandom (bytes, length, 0) == (gssize) length)
    return;
  for (gsize i = 0; i < length; i++)
    bytes[i] = (guint8) g_random_int_range (0, 256);
}

static void
next_id (guint8 *bytes)
{
  guint8 now[TIME_BYTES];
  guint64 milliseconds = (guint64) (g_get_real_time () / 1000);

  for (int i = TIME_BYTES - 1; i >= 0; i--)
    {
      now[i] = (guint8) (milliseconds & 0xff);
      milliseconds >>= 8;
    }

  g_mutex_lock (&last_lock);
  if (memcmp (now, last_id, TIME_BYTES) > 0)
    {
      memcpy (last_id, now, TIME_BYTES);
      put_random (last_id + TIME_BYTES, ID_BYTES - TIME_BYTES);
    }
  else
    {
      int i = ID_BYTES - 1;

      while (++last_id[i] == 0 && i > 0)
        i--;
    }
  memcpy (bytes, last_id, ID_BYTES);
  g_mutex_unlock (&last_lock);
}

char *
beckon_id_new (void)
{
  guint8 bytes[ID_BYTES];
  char *id = g_malloc (BECKON_ID_LENGTH + 1);

  next_id (bytes);
  for (int i = BECKON_ID_LENGTH - 1; i >= 0; i--)
    {
      /* Five bits a character from the end; 26 characters are 130 bits, so the first holds only three. */
      guint bit = 5 * (guint) (BECKON_ID_LENGTH - 1 - i);
      guint byte = ID_BYTES - 1 - bit / 8;
      guint value = bytes[byte];

      if (byte > 0)
        value |= (guint) bytes[byte - 1] << 8;
      id[i] = alphabet[(value >> (bit % 8)) & 31];
    }
  id[BECKON_ID_LENGTH] = '\0';
  return id;
}

gboolean
beckon_id_is_valid (const char *id)
{
  if (id == NULL || id[0] < '0' || id[0] > '7')
    return FALSE;
  for (gsize i = 0; i < BECKON_ID_LENGTH; i++)
    {
      if (id[i] == '\0' || strchr (alphabet, id[i]) == NULL)
        return FALSE;
    }
  return id[BECKON_ID_LENGTH] == '\0';
}

char *
beckon_id_new_code (guint length)
{
  guint8 bytes[64];
  char *code;

  g_return_val_if_fail (length <= sizeof bytes, NULL);

  put_random (bytes, length);
  code = g_malloc (length + 1);
  for (guint i = 0; i < length; i++)
    code[i] = alphabet[bytes[i] & 31];
  code[length] = '\0';
  return code;
}
