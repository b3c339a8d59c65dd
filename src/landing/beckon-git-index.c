/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-git-index.h"

#include <string.h>
#include <sys/stat.h>

#define HEADER 12

/* Times, device, inode, mode, owner and size, before the name of the object. */
#define STAT 40
#define MODE_AT 24

#define FLAG_EXTENDED 0x4000
#define NAME_MASK 0x0fff
#define KNOWN_FLAGS 0x6000 /* of the extended ones */

typedef struct
{
  const guchar *bytes;
  gsize at;
  gsize end; /* where the checksum begins */
  guint hash_length;
  guint32 version;
  GString *name; /* of the entry that was read last */
  GHashTable *names; /* (nullable): where they are collected, with the folders above */
  gboolean has_nameless; /* the other file of a split index names them */
  char *shared;
} Index;

static guint32
get_32 (const Index *self, gsize at)
{
  guint32 value;

  memcpy (&value, self->bytes + at, sizeof value);
  return GUINT32_FROM_BE (value);
}

static guint16
get_16 (const Index *self, gsize at)
{
  guint16 value;

  memcpy (&value, self->bytes + at, sizeof value);
  return GUINT16_FROM_BE (value);
}

static gboolean
has_left (const Index *self, gsize n)
{
  return self->end - self->at >= n;
}

/* Names. */

/* Windows knows it by a short name as well, ignores dots and spaces behind it, and takes a colon for the start of a stream. */
static gboolean
is_git_on_windows (const char *part, const char *name, const char *short_name)
{
  gsize length = 0;

  if (g_ascii_strncasecmp (part, name, strlen (name)) == 0)
    length = strlen (name);
  else if (g_ascii_strncasecmp (part, short_name, strlen (short_name)) == 0)
    length = strlen (short_name);
  if (length == 0)
    return FALSE;

  length += strspn (part + length, ". ");
  return part[length] == '\0' || part[length] == ':';
}

/* Windows parts a name at the other sign as well, and an empty part means nothing there. A folder of a sparse index ends with a
 * slash. */
static gboolean
may_name (const char *name, guint mode)
{
  g_auto (GStrv) parts = g_strsplit_set (name, "/\\", -1);

  if (*name == '/' || strstr (name, "//") != NULL || (g_str_has_suffix (name, "/") && (!S_ISDIR (mode) || name[1] == '\0')))
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    if (strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0 || is_git_on_windows (parts[i], ".git", "git~1")
        || (S_ISLNK (mode) && is_git_on_windows (parts[i], ".gitmodules", "gitmod~1")))
      return FALSE;

  return *name != '\0';
}

/* Entries. */

/* Git's own kind of number with a length of its own. */
static gboolean
git_index_read_number (Index *self, gsize *number)
{
  guchar c;

  *number = 0;
  for (guint i = 0; i < 4; i++)
    {
      if (!has_left (self, 1))
        return FALSE;
      c = self->bytes[self->at++];
      *number = (*number << 7) + (c & 0x7f);
      if ((c & 0x80) == 0)
        return TRUE;
      (*number)++;
    }

  return FALSE;
}

/* Versions before the fourth fill up with zeros to a multiple of eight. */
static gboolean
skip_filling (Index *self, gsize start)
{
  gsize length = self->at - start;
  gsize filling = ((length + 7) & ~(gsize) 7) - length;

  if (!has_left (self, filling))
    return FALSE;
  for (gsize i = 0; i < filling; i++)
    if (self->bytes[self->at++] != 0)
      return FALSE;

  return TRUE;
}

static gboolean
git_index_read_name (Index *self, guint length)
{
  const guchar *zero;
  gsize strip = 0;
  gsize n;

  if (self->version == 4 && (!git_index_read_number (self, &strip) || strip > self->name->len))
    return FALSE;

  g_string_truncate (self->name, self->version == 4 ? self->name->len - strip : 0);
  zero = memchr (self->bytes + self->at, '\0', self->end - self->at);
  if (zero == NULL)
    return FALSE;
  n = (gsize) (zero - (self->bytes + self->at));
  g_string_append_len (self->name, (const char *) self->bytes + self->at, (gssize) n);
  self->at += n + 1;
  return length == NAME_MASK ? self->name->len >= NAME_MASK : self->name->len == length;
}

/* Folders above one that is there already are there, too. A sparse index ends the name of a folder with a slash. */
static void
index_collect (Index *self, guint32 mode)
{
  char *name = g_strndup (self->name->str, self->name->len - (g_str_has_suffix (self->name->str, "/") ? 1 : 0));
  char *slash;

  g_hash_table_replace (self->names, name, GUINT_TO_POINTER (mode));
  while ((slash = strrchr (name, '/')) != NULL)
    {
      name = g_strndup (name, (gsize) (slash - name));
      if (!g_hash_table_replace (self->names, name, GUINT_TO_POINTER (S_IFDIR)))
        break;
    }
}

static gboolean
read_entry (Index *self)
{
  const gsize start = self->at;
  const gsize fixed = STAT + self->hash_length + 2;
  guint32 mode;
  guint flags;

  if (!has_left (self, fixed))
    return FALSE;

  mode = get_32 (self, start + MODE_AT);
  flags = get_16 (self, start + fixed - 2);
  self->at += fixed;
  if ((flags & FLAG_EXTENDED) != 0)
    {
      if (self->version < 3 || !has_left (self, 2) || (get_16 (self, self->at) & ~KNOWN_FLAGS) != 0)
        return FALSE;
      self->at += 2;
    }
  if (!git_index_read_name (self, flags & NAME_MASK) || (self->version < 4 && !skip_filling (self, start)))
    return FALSE;

  if (self->name->len == 0)
    {
      self->has_nameless = TRUE;
      return TRUE;
    }
  if (!may_name (self->name->str, mode))
    return FALSE;
  if (self->names != NULL)
    index_collect (self, mode);
  return TRUE;
}

/* Extensions. */

static gboolean
read_link (Index *self, gsize at, gsize length)
{
  GString *name;
  gboolean is_any = FALSE;

  if (self->shared != NULL || length < self->hash_length)
    return FALSE;

  name = g_string_new ("sharedindex.");
  for (guint i = 0; i < self->hash_length; i++)
    {
      g_string_append_printf (name, "%02x", self->bytes[at + i]);
      is_any = is_any || self->bytes[at + i] != 0;
    }
  self->shared = g_string_free (name, !is_any);
  return TRUE;
}

/* Tables of offsets, by which several threads of Git begin to read in the middle (index.threads), are asked about. */
static gboolean
read_extension (Index *self)
{
  static const char *const others[] = { "TREE", "REUC", "UNTR", "FSMN" };
  const char *name = (const char *) self->bytes + self->at;
  gsize length;
  gsize at;

  if (!has_left (self, 8))
    return FALSE;

  length = get_32 (self, self->at + 4);
  self->at += 8;
  at = self->at;
  if (!has_left (self, length))
    return FALSE;

  self->at += length;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (memcmp (name, others[i], 4) == 0)
      return TRUE;
  if (memcmp (name, "sdir", 4) == 0)
    return length == 0;

  return memcmp (name, "link", 4) == 0 && read_link (self, at, length);
}

static gboolean
index_read (Index *self, gsize length)
{
  const gsize end_of_entries = 8 + 4 + self->hash_length;
  g_autoptr (GString) name = g_string_new (NULL);

  if (length < HEADER + self->hash_length || length > BECKON_GIT_INDEX_MAX_SIZE)
    return FALSE;

  self->name = name;
  self->at = HEADER;
  self->end = length - self->hash_length;
  self->version = get_32 (self, 4);
  if (memcmp (self->bytes, "DIRC", 4) != 0 || self->version < 2 || self->version > 4)
    return FALSE;

  for (guint32 n = get_32 (self, 8); n > 0; n--)
    if (!read_entry (self))
      return FALSE;
  while (self->at < self->end)
    if (!read_extension (self))
      return FALSE;

  /* Git looks for the end of the entries at this place first, and would find one within another extension, too. */
  return (self->end < end_of_entries || memcmp (self->bytes + self->end - end_of_entries, "EOIE", 4) != 0)
         && (!self->has_nameless || self->shared != NULL);
}

gboolean
beckon_git_index_is_everyday (const guchar *bytes, gsize length, guint hash_length, char **shared)
{
  Index self = { .bytes = bytes, .hash_length = hash_length };
  gboolean is_fine;

  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (hash_length == BECKON_GIT_INDEX_SHA1 || hash_length == BECKON_GIT_INDEX_SHA256, FALSE);

  is_fine = index_read (&self, length) && (shared != NULL || self.shared == NULL);
  if (shared != NULL)
    *shared = is_fine ? g_steal_pointer (&self.shared) : NULL;
  g_free (self.shared);
  return is_fine;
}

GHashTable *
beckon_git_index_list (const guchar *bytes, gsize length, guint hash_length)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Index self = { .bytes = bytes, .hash_length = hash_length, .names = names };
  gboolean is_fine = index_read (&self, length) && self.shared == NULL;

  g_free (self.shared);
  return is_fine ? g_steal_pointer (&names) : NULL;
}
