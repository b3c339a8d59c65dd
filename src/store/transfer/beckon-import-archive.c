/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-import-archive.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-import.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (64 * 1024)
#define MAX_ENTRIES 200000
#define MAX_DOCUMENTS 256

struct _BeckonImportArchive
{
  GBytes *bytes; /* (owned) (nullable) */
  int fd;
  gboolean is_zip;
  guint n_documents;
  guint n_read;
};

typedef struct archive Reader;

static void
reader_free (Reader *reader)
{
  archive_read_free (reader);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reader, reader_free)

static gboolean
archive_refuse (GError **error, const char *why)
{
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         /* Translators: %s is what a library said, in English */
                         _("This .zip can't be read: %s"), why != NULL ? why : "?");
  return FALSE;
}

static gboolean
refuse_size (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, _("This file is too large to be imported."));
  return FALSE;
}

/* The library reads more; only this is used. */
static Reader *
open_reader (BeckonImportArchive *self, GError **error)
{
  g_autoptr (Reader) reader = archive_read_new ();
  int code;

  archive_read_support_format_zip (reader);
  if (self->bytes != NULL)
    code = archive_read_open_memory (reader, g_bytes_get_data (self->bytes, NULL), g_bytes_get_size (self->bytes));
  else
    code = lseek (self->fd, 0, SEEK_SET) == 0 ? archive_read_open_fd (reader, self->fd, BLOCK) : ARCHIVE_FATAL;
  if (code == ARCHIVE_OK)
    return g_steal_pointer (&reader);
  archive_refuse (error, archive_error_string (reader));
  return NULL;
}

/* (nullable): the last part of its name; %NULL for what is no file. */
static const char *
archive_get_name (struct archive_entry *entry)
{
  const char *path = archive_entry_pathname_utf8 (entry);
  const char *slash;

  if (path == NULL)
    path = archive_entry_pathname (entry);
  if (path == NULL || archive_entry_filetype (entry) != AE_IFREG || !g_utf8_validate (path, -1, NULL))
    return NULL;
  slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* ChatGPT numbers them when there are many: conversations-000.json. */
static gboolean
is_document (struct archive_entry *entry)
{
  const char *name = archive_get_name (entry);
  gsize length = strlen ("conversations");

  if (name == NULL || !g_str_has_prefix (name, "conversations"))
    return FALSE;
  if (name[length] == '-')
    length += 1 + strspn (name + length + 1, "0123456789");
  return g_str_equal (name + length, ".json");
}

/* %NULL with @error, also where there is more than @max. */
static GBytes *
read_entry (Reader *reader, gsize max, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree guint8 *block = g_malloc (BLOCK);
  la_ssize_t n;

  while ((n = archive_read_data (reader, block, BLOCK)) > 0)
    {
      if (all->len + (gsize) n > max)
        {
          refuse_size (error);
          return NULL;
        }
      g_byte_array_append (all, block, (guint) n);
    }
  if (n < 0)
    {
      archive_refuse (error, archive_error_string (reader));
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

/* The next file. %FALSE at the end; with @error where it is damaged. */
static gboolean
next_entry (Reader *reader, struct archive_entry **entry, GError **error)
{
  int code = archive_read_next_header (reader, entry);

  if (code == ARCHIVE_EOF)
    return FALSE;
  return code == ARCHIVE_OK || code == ARCHIVE_WARN || archive_refuse (error, archive_error_string (reader));
}

static gboolean
count_documents (BeckonImportArchive *self, GError **error)
{
  g_autoptr (Reader) reader = open_reader (self, error);
  g_autoptr (GError) fault = NULL;
  struct archive_entry *entry;
  guint n_entries = 0;

  if (reader == NULL)
    return FALSE;
  while (next_entry (reader, &entry, &fault))
    {
      if (++n_entries > MAX_ENTRIES)
        return refuse_size (error);
      self->n_documents += is_document (entry);
    }
  if (fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
  if (self->n_documents > MAX_DOCUMENTS)
    return refuse_size (error);
  if (self->n_documents > 0)
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("This .zip has no conversations.json. Choose the file that ChatGPT or Claude sent you."));
  return FALSE;
}

static gboolean
is_zip (BeckonImportArchive *self)
{
  char magic[4] = { 0 };

  if (self->bytes != NULL)
    {
      gsize length;
      const char *data = g_bytes_get_data (self->bytes, &length);

      return length >= 4 && memcmp (data, "PK\3\4", 4) == 0;
    }
  return pread (self->fd, magic, sizeof magic, 0) == sizeof magic && memcmp (magic, "PK\3\4", 4) == 0;
}

BeckonImportArchive *
beckon_import_archive_new (GBytes *bytes, int fd, GError **error)
{
  g_autoptr (BeckonImportArchive) self = g_new0 (BeckonImportArchive, 1);

  self->bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL;
  self->fd = bytes != NULL ? -1 : fd;
  self->is_zip = is_zip (self);
  self->n_documents = 1;
  if (self->is_zip)
    {
      self->n_documents = 0;
      if (!count_documents (self, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
beckon_import_archive_free (BeckonImportArchive *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->bytes, g_bytes_unref);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

/* A file without an end, such as a device, is not read to its end. */
static GBytes *
read_plain (BeckonImportArchive *self, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree guint8 *block = NULL;
  gssize n;

  if (self->bytes != NULL)
    {
      if (g_bytes_get_size (self->bytes) <= BECKON_IMPORT_MAX_BYTES)
        return g_bytes_ref (self->bytes);
      refuse_size (error);
      return NULL;
    }
  block = g_malloc (BLOCK);
  while ((n = read (self->fd, block, BLOCK)) > 0)
    {
      if (all->len + (gsize) n > BECKON_IMPORT_MAX_BYTES)
        {
          refuse_size (error);
          return NULL;
        }
      g_byte_array_append (all, block, (guint) n);
    }
  if (n == 0)
    return g_byte_array_free_to_bytes (g_steal_pointer (&all));
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("This file can't be read."));
  return NULL;
}

GBytes *
beckon_import_archive_next (BeckonImportArchive *self, GError **error)
{
  g_autoptr (Reader) reader = NULL;
  struct archive_entry *entry;
  guint n = 0;

  if (self->n_read == self->n_documents)
    return NULL;
  self->n_read++;
  if (!self->is_zip)
    return read_plain (self, error);
  reader = open_reader (self, error);
  while (reader != NULL && next_entry (reader, &entry, error))
    if (is_document (entry) && ++n == self->n_read)
      return read_entry (reader, BECKON_IMPORT_MAX_BYTES, error);
  return NULL;
}

/* An asset's name begins with its id, behind which comes what the person called it, or how it ends. (nullable) */
static char *
find_wanted (GHashTable *wanted, const char *name)
{
  for (gsize length = 1; length <= strlen (name); length++)
    {
      g_autofree char *key = NULL;

      if (name[length] != '\0' && strchr ("-._", name[length]) == NULL)
        continue;
      key = g_strndup (name, length);
      if (g_hash_table_contains (wanted, key))
        return g_steal_pointer (&key);
    }
  return NULL;
}

void
beckon_import_archive_read_assets (BeckonImportArchive *self, GHashTable *wanted)
{
  g_autoptr (Reader) reader = NULL;
  struct archive_entry *entry;
  gsize total = 0;

  if (!self->is_zip || g_hash_table_size (wanted) == 0)
    return;
  reader = open_reader (self, NULL);
  while (reader != NULL && next_entry (reader, &entry, NULL))
    {
      const char *name = archive_get_name (entry);
      g_autofree char *key = name != NULL ? find_wanted (wanted, name) : NULL;
      GBytes *found = NULL;

      if (key != NULL && g_hash_table_lookup (wanted, key) == NULL)
        found = read_entry (reader, MIN (BECKON_IMPORT_MAX_ASSET, BECKON_IMPORT_MAX_ASSETS - total), NULL);
      if (found == NULL)
        continue;
      total += g_bytes_get_size (found);
      g_hash_table_replace (wanted, g_steal_pointer (&key), found);
    }
}
