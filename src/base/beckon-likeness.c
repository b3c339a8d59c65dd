/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-likeness.h"

#include <string.h>

/* Longer texts are compared by their beginnings. */
#define MOST_COMPARED 400

static guint
hash_pair (const char *at)
{
  return ((guint) (guchar) at[0] * 31 + (guchar) at[1]) % G_N_ELEMENTS (((BeckonLikeness *) NULL)->counts);
}

void
beckon_likeness_init (BeckonLikeness *self, const char *text, gsize length)
{
  memset (self, 0, sizeof *self);
  for (gsize i = 0; i + 1 < MIN (length, MOST_COMPARED); i++)
    if (self->counts[hash_pair (text + i)] < G_MAXUINT8)
      {
        self->counts[hash_pair (text + i)]++;
        self->n++;
      }
}

guint
beckon_likeness_compare (const BeckonLikeness *self, const char *text, gsize length)
{
  BeckonLikeness left = *self;
  guint n_shared = 0, n = 0;

  for (gsize i = 0; i + 1 < MIN (length, MOST_COMPARED); i++, n++)
    if (left.counts[hash_pair (text + i)] > 0)
      {
        left.counts[hash_pair (text + i)]--;
        n_shared++;
      }
  return n + self->n > 0 ? 200 * n_shared / (n + self->n) : 0;
}

gboolean
beckon_likeness_is_same_word (const char *name, const char *other)
{
  for (;; name++, other++)
    {
      name += strspn (name, "_-");
      other += strspn (other, "_-");
      if (g_ascii_tolower (*name) != g_ascii_tolower (*other))
        return FALSE;
      if (*name == '\0')
        return TRUE;
    }
}
