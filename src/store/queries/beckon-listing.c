/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-listing.h"

#include "store/db/beckon-store-private.h"

struct _BeckonListing
{
  gatomicrefcount references;
  GHashTable *rows; /* (owned) (element-type utf8 Row): by id */
  guint round;      /* of the reading */
};

typedef struct
{
  guint64 print;
  guint round; /* in which it was last seen */
} Row;

typedef struct
{
  BeckonListing *listing; /* (owned) */
  GHashTable *doubted;    /* (owned) (element-type utf8) */
  gboolean is_first;      /* reads the first ones only */
} Reading;

BeckonListing *
beckon_listing_new (void)
{
  BeckonListing *self = g_new0 (BeckonListing, 1);

  g_atomic_ref_count_init (&self->references);
  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

void
beckon_listing_unref (BeckonListing *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->references))
    return;

  g_hash_table_unref (self->rows);
  g_free (self);
}

void
beckon_listing_news_free (BeckonListingNews *news)
{
  g_ptr_array_unref (news->headers);
  g_ptr_array_unref (news->gone);
  g_free (news);
}

static void
listing_reading_free (gpointer data)
{
  Reading *reading = data;

  beckon_listing_unref (reading->listing);
  g_hash_table_unref (reading->doubted);
  g_free (reading);
}

/* FNV-1a: it has to tell a row from what the same row was, nothing else. */
static guint64
add_bytes (guint64 print, const void *bytes, gsize length)
{
  const guint8 *at = bytes;

  for (gsize i = 0; i < length; i++)
    print = (print ^ at[i]) * G_GUINT64_CONSTANT (0x100000001b3);

  return print;
}

static guint64
take_print (sqlite3_stmt *row)
{
  guint64 print = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (int i = 0; i < sqlite3_column_count (row); i++)
    {
      int type = sqlite3_column_type (row, i);

      print = add_bytes (print, &type, sizeof type);
      if (type == SQLITE_INTEGER)
        print = add_bytes (print, &(gint64) { sqlite3_column_int64 (row, i) }, sizeof (gint64));
      else if (type != SQLITE_NULL)
        {
          const void *bytes = sqlite3_column_blob (row, i);
          int length = sqlite3_column_bytes (row, i);

          print = add_bytes (print, &length, sizeof length);
          print = add_bytes (print, bytes, (gsize) length);
        }
    }

  return print;
}

static void
listing_look_at (BeckonListing *self, sqlite3_stmt *statement, BeckonListingNews *news)
{
  const char *id = beckon_column_text (statement, 0);
  guint64 print = take_print (statement);
  Row *row = g_hash_table_lookup (self->rows, id);

  if (row == NULL || row->print != print)
    g_ptr_array_add (news->headers, beckon_store_take_header (statement));
  if (row == NULL)
    {
      row = g_new0 (Row, 1);
      g_hash_table_insert (self->rows, g_strdup (id), row);
    }
  row->print = print;
  row->round = self->round;
}

static gpointer
read_news (BeckonSession *session, gpointer data, GError **error)
{
  Reading *reading = ((const BeckonValue *) data)->object;
  BeckonListing *self = reading->listing;
  g_autoptr (BeckonListingNews) news = g_new0 (BeckonListingNews, 1);
  GHashTableIter iter;
  gpointer id;
  sqlite3_stmt *statement;
  BeckonStep step;

  news->headers = g_ptr_array_new_with_free_func (g_object_unref);
  news->gone = g_ptr_array_new_with_free_func (g_free);
  news->is_whole = !reading->is_first && g_hash_table_size (self->rows) == 0;
  self->round++;
  g_hash_table_iter_init (&iter, reading->doubted);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_hash_table_remove (self->rows, id);

  statement = reading->is_first ? beckon_store_query_first_headers (session, error)
                                : beckon_store_query_headers (session, error);
  step = BECKON_STEP_ERROR;
  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    listing_look_at (reading->listing, statement, news);
  if (step != BECKON_STEP_DONE)
    return NULL;
  if (!reading->is_first)
    {
      GHashTable *doubted = reading->doubted;
      gpointer known, row;

      g_hash_table_iter_init (&iter, self->rows);
      while (g_hash_table_iter_next (&iter, &known, &row))
        if (((Row *) row)->round != self->round)
          {
            g_ptr_array_add (news->gone, g_strdup (known));
            g_hash_table_iter_remove (&iter);
          }

      g_hash_table_iter_init (&iter, doubted);
      while (g_hash_table_iter_next (&iter, &known, NULL))
        if (!g_hash_table_contains (self->rows, known))
          g_ptr_array_add (news->gone, g_strdup (known));
    }

  return g_steal_pointer (&news);
}

static void
read_async (BeckonListing *self, BeckonStore *store, GHashTable *doubted, gboolean is_first, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = read_news, .free_result = (GDestroyNotify) beckon_listing_news_free };
  Reading *reading = g_new0 (Reading, 1);

  g_atomic_ref_count_inc (&self->references);
  reading->listing = self;
  reading->doubted = doubted;
  reading->is_first = is_first;
  beckon_store_work_async (store, &op, beckon_listing_read_async, cancellable, callback, user_data,
                           BECKON_OWNED (reading, listing_reading_free));
}

void
beckon_listing_read_async (BeckonListing *self, BeckonStore *store, GHashTable *doubted, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (BECKON_IS_STORE (store));
  g_return_if_fail (doubted != NULL);

  read_async (self, store, doubted, FALSE, cancellable, callback, user_data);
}

void
beckon_listing_read_first_async (BeckonListing *self, BeckonStore *store, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (BECKON_IS_STORE (store));

  read_async (self, store, g_hash_table_new (g_str_hash, g_str_equal), TRUE, cancellable, callback, user_data);
}

BECKON_FINISH_POINTER (BeckonListingNews *, beckon_listing_read, BeckonStore)
