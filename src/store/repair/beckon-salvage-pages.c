/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The format is the library's, written down at sqlite.org/fileformat2.html. Nothing that is read here is believed: every length
 * and every place is held against the page or the file it must lie in.
 */

#include "beckon-salvage-pages.h"

#include <sqlite3.h>
#include <string.h>

#define MAX_VALUES 64
#define MAX_PAYLOAD (64 * 1024 * 1024)
#define LOG_HEADER 32
#define FRAME_HEADER 24

enum
{
  PAGE_INTERIOR_KEY = 0x02,
  PAGE_LEAF_KEY = 0x0a,
  PAGE_LEAF_NUMBER = 0x0d,
};

typedef struct
{
  GMappedFile *file;
  GMappedFile *log;  /* (nullable) */
  GHashTable *frames; /* (element-type guint32 gsize): where in the log a page is, as it was last committed */
  gsize page_size;
  guint32 n_pages;
  BeckonRecordFunc func;
  gpointer user_data;
} Scan;

static guint32
get_32 (const guint8 *at)
{
  return (guint32) at[0] << 24 | (guint32) at[1] << 16 | (guint32) at[2] << 8 | at[3];
}

static guint
get_16 (const guint8 *at)
{
  return (guint) at[0] << 8 | at[1];
}

/* Moves @at on; 0 behind the end. */
static gint64
get_varint (const guint8 **at, const guint8 *end)
{
  guint64 value = 0;

  for (int i = 0; i < 9 && *at < end; i++)
    {
      guint8 byte = *(*at)++;

      if (i == 8)
        return (gint64) (value << 8 | byte);
      value = value << 7 | (byte & 0x7f);
      if ((byte & 0x80) == 0)
        return (gint64) value;
    }

  return 0;
}

static const guint8 *
get_page (Scan *scan, guint32 number)
{
  const guint8 *bytes = (const guint8 *) g_mapped_file_get_contents (scan->file);
  gpointer place;

  if (number == 0)
    return NULL;
  if (g_hash_table_lookup_extended (scan->frames, GUINT_TO_POINTER (number), NULL, &place))
    return (const guint8 *) g_mapped_file_get_contents (scan->log) + GPOINTER_TO_SIZE (place);
  if ((guint64) number * scan->page_size > g_mapped_file_get_length (scan->file))
    return NULL;

  return bytes + (gsize) (number - 1) * scan->page_size;
}

/* Frames count up to the last one that ends a transaction, as long as they have the salt of the log's head. */
static void
read_log (Scan *scan)
{
  const guint8 *bytes = scan->log != NULL ? (const guint8 *) g_mapped_file_get_contents (scan->log) : NULL;
  gsize length = scan->log != NULL ? g_mapped_file_get_length (scan->log) : 0;
  g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL);

  for (gsize at = LOG_HEADER; at + FRAME_HEADER + scan->page_size <= length; at += FRAME_HEADER + scan->page_size)
    {
      GHashTableIter iter;
      gpointer page, place;

      if (memcmp (bytes + at + 8, bytes + 16, 8) != 0 || get_32 (bytes + at) == 0)
        return;
      g_hash_table_insert (open, GUINT_TO_POINTER (get_32 (bytes + at)), GSIZE_TO_POINTER (at + FRAME_HEADER));
      scan->n_pages = MAX (scan->n_pages, get_32 (bytes + at + 4));
      if (get_32 (bytes + at + 4) == 0)
        continue;
      g_hash_table_iter_init (&iter, open);
      while (g_hash_table_iter_next (&iter, &page, &place))
        g_hash_table_insert (scan->frames, page, place);
      g_hash_table_remove_all (open);
    }
}

double
beckon_record_value_get_real (const BeckonRecordValue *value)
{
  double real;

  memcpy (&real, &value->number, sizeof real);
  return real;
}

static gboolean
salvage_pages_read_value (BeckonRecordValue *value, gint64 serial, const guint8 **at, const guint8 *end)
{
  static const guint8 sizes[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };
  gint64 length = serial >= 12 ? (serial - 12) / 2 : serial >= 0 && serial < 10 ? sizes[serial] : -1;

  if (length < 0 || length > end - *at)
    return FALSE;

  value->bytes = *at;
  value->length = (gsize) length;
  value->number = serial == 9;
  if (serial >= 12)
    value->type = serial % 2 == 0 ? SQLITE_BLOB : SQLITE_TEXT;
  else
    value->type = serial == 0 ? SQLITE_NULL : serial == 7 ? SQLITE_FLOAT : SQLITE_INTEGER;
  if (serial >= 1 && serial <= 7)
    {
      guint64 bits = (gint8) (*at)[0] < 0 ? G_MAXUINT64 : 0;

      for (gint64 i = 0; i < length; i++)
        bits = bits << 8 | (*at)[i];
      value->number = (gint64) bits;
    }
  *at += length;

  return TRUE;
}

static void
read_record (Scan *scan, const guint8 *payload, gsize length, gboolean numbered, gint64 number)
{
  BeckonRecordValue values[MAX_VALUES];
  const guint8 *end = payload + length;
  const guint8 *head = payload;
  gint64 head_length = get_varint (&head, end);
  const guint8 *body = payload + head_length;
  guint n = 0;

  if (head_length <= 0 || head_length > (gint64) length)
    return;
  for (; head < payload + head_length && n < MAX_VALUES; n++)
    if (!salvage_pages_read_value (&values[n], get_varint (&head, payload + head_length), &body, end))
      return;
  if (n > 0)
    scan->func (values, n, numbered, number, scan->user_data);
}

/* Payload beyond its page continues on others, each of which names the next. */
static void
read_payload (Scan *scan, const guint8 *at, const guint8 *end, gint64 length, gboolean numbered, gint64 number)
{
  gint64 usable = (gint64) scan->page_size;
  gint64 most = numbered ? usable - 35 : (usable - 12) * 64 / 255 - 23;
  gint64 least = (usable - 12) * 32 / 255 - 23;
  gint64 local = length;
  g_autoptr (GByteArray) whole = NULL;
  guint32 next;

  if (length <= 0 || length > MAX_PAYLOAD)
    return;
  if (length > most)
    {
      local = least + (length - least) % (usable - 4);
      local = local > most ? least : local;
    }
  if (local + (length > most ? 4 : 0) > end - at)
    return;
  if (local == length)
    {
      read_record (scan, at, (gsize) length, numbered, number);
      return;
    }

  whole = g_byte_array_new ();
  g_byte_array_append (whole, at, (guint) local);
  for (next = get_32 (at + local); whole->len < length;)
    {
      const guint8 *page = get_page (scan, next);

      if (page == NULL)
        return;
      g_byte_array_append (whole, page + 4, (guint) MIN (length - whole->len, usable - 4));
      next = get_32 (page);
    }
  read_record (scan, whole->data, whole->len, numbered, number);
}

static void
salvage_pages_read_page (Scan *scan, guint32 number)
{
  const guint8 *page = get_page (scan, number);
  const guint8 *head = page != NULL && number == 1 ? page + 100 : page;
  guint n_cells, head_size;
  gboolean numbered;

  if (page == NULL || (head[0] != PAGE_LEAF_NUMBER && head[0] != PAGE_LEAF_KEY && head[0] != PAGE_INTERIOR_KEY))
    return;

  numbered = head[0] == PAGE_LEAF_NUMBER;
  head_size = head[0] == PAGE_INTERIOR_KEY ? 12 : 8;
  n_cells = MIN (get_16 (head + 3), (guint) scan->page_size / 4);
  for (guint i = 0; i < n_cells; i++)
    {
      const guint8 *pointer = head + head_size + 2 * i;
      const guint8 *end = page + scan->page_size;
      const guint8 *cell;
      gint64 length, key = 0;

      if (pointer + 2 > end || get_16 (pointer) + 4u > scan->page_size)
        return;
      cell = page + get_16 (pointer) + (head[0] == PAGE_INTERIOR_KEY ? 4 : 0);
      length = get_varint (&cell, end);
      if (numbered)
        key = get_varint (&cell, end);
      read_payload (scan, cell, end, length, numbered, key);
    }
}

void
beckon_salvage_scan_pages (const char *path, BeckonRecordFunc func, gpointer user_data)
{
  g_autofree char *log_path = g_strconcat (path, "-wal", NULL);
  Scan scan = { .func = func, .user_data = user_data };
  const guint8 *bytes;
  guint size;

  scan.file = g_mapped_file_new (path, FALSE, NULL);
  if (scan.file == NULL)
    return;

  scan.log = g_mapped_file_new (log_path, FALSE, NULL);
  scan.frames = g_hash_table_new (NULL, NULL);

  bytes = (const guint8 *) g_mapped_file_get_contents (scan.file);
  size = g_mapped_file_get_length (scan.file) >= 100 ? get_16 (bytes + 16) : 0;
  /* Ours are of this size; another one is believed if it is possible. */
  scan.page_size = size >= 512 && (size & (size - 1)) == 0 ? size : 4096;
  scan.n_pages = (guint32) MIN (g_mapped_file_get_length (scan.file) / scan.page_size, G_MAXUINT32);
  read_log (&scan);
  for (guint32 number = 1; number <= scan.n_pages && number > 0; number++)
    salvage_pages_read_page (&scan, number);

  g_hash_table_unref (scan.frames);
  g_clear_pointer (&scan.log, g_mapped_file_unref);
  g_mapped_file_unref (scan.file);
}
