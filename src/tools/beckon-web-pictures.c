/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-web-pictures.h"

#include "beckon-web-picture.h"

#include <string.h>

/* All of them together. */
#define MOST_BYTES (64 * 1024 * 1024)

/* So many bytes at the beginning of an address are part of its hash, and as many of the rest. */
#define HASHED_BYTES 128

typedef struct
{
  BeckonWebPictures *pictures; /* (nullable): %NULL once that is gone */
  char *address;
  BeckonWebPictureState state;
  GCancellable *cancellable; /* (owned) (nullable): while it is on its way */
  BeckonPart *part;          /* (owned) (nullable) */
  char *error;               /* (nullable) */
} Entry;

struct _BeckonWebPictures
{
  GObject parent_instance;

  gboolean private_too;
  GHashTable *entries; /* (owned): address → Entry (owned) */
  GQueue order;        /* (element-type Entry): borrowed, the one asked for last at the end */
};

G_DEFINE_FINAL_TYPE (BeckonWebPictures, beckon_web_pictures, G_TYPE_OBJECT)

static guint changed_signal;

static void
pictures_entry_free (Entry *entry)
{
  g_assert (entry->cancellable == NULL);
  g_clear_object (&entry->part);
  g_free (entry->address);
  g_free (entry->error);
  g_free (entry);
}

static gsize
count_bytes (BeckonWebPictures *self)
{
  gsize bytes = 0;

  for (GList *at = self->order.head; at != NULL; at = at->next)
    {
      Entry *entry = at->data;

      bytes += strlen (entry->address) + (entry->part != NULL ? beckon_part_get_length (entry->part) : 0);
    }
  return bytes;
}

/* (nullable): what was asked for first, and is not on its way. */
static Entry *
find_oldest (BeckonWebPictures *self)
{
  for (GList *at = self->order.head; at != NULL; at = at->next)
    if (((Entry *) at->data)->cancellable == NULL)
      return at->data;
  return NULL;
}

static void
pictures_set_state (Entry *entry, BeckonWebPictureState state)
{
  g_autoptr (BeckonWebPictures) self = g_object_ref (entry->pictures);
  g_autofree char *address = g_strdup (entry->address);

  entry->state = state;
  g_signal_emit (self, changed_signal, 0, address);
}

static void
pictures_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Entry *entry = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = beckon_web_picture_load_finish (result, &error);
  BeckonWebPictures *self;
  Entry *oldest;

  g_clear_object (&entry->cancellable);
  if (entry->pictures == NULL)
    {
      pictures_entry_free (entry);
      return;
    }
  g_set_object (&entry->part, part);
  entry->error = error != NULL ? g_strdup (error->message) : NULL;
  /* Pictures on screen are held by the views. */
  self = entry->pictures;
  while ((self->order.length > BECKON_WEB_PICTURES_MOST || count_bytes (self) > MOST_BYTES)
         && (oldest = find_oldest (self)) != NULL && oldest != entry)
    {
      g_queue_remove (&self->order, oldest);
      g_hash_table_remove (self->entries, oldest->address);
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    pictures_set_state (entry, BECKON_WEB_PICTURE_UNKNOWN);
  else
    pictures_set_state (entry, part != NULL ? BECKON_WEB_PICTURE_LOADED : BECKON_WEB_PICTURE_FAILED);
}

void
beckon_web_pictures_load (BeckonWebPictures *self, const char *address, const char *name)
{
  Entry *entry;

  g_return_if_fail (BECKON_IS_WEB_PICTURES (self));
  g_return_if_fail (address != NULL && name != NULL);

  entry = g_hash_table_lookup (self->entries, address);

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->pictures = self;
      entry->address = g_strdup (address);
      g_hash_table_insert (self->entries, entry->address, entry);
    }
  g_queue_remove (&self->order, entry);
  g_queue_push_tail (&self->order, entry);
  if (entry->cancellable != NULL || entry->state == BECKON_WEB_PICTURE_LOADED)
    return;
  g_clear_pointer (&entry->error, g_free);
  entry->cancellable = g_cancellable_new ();
  beckon_web_picture_load_async (address, name, self->private_too, entry->cancellable, pictures_on_loaded, entry);
  pictures_set_state (entry, BECKON_WEB_PICTURE_LOADING);
}

void
beckon_web_pictures_cancel (BeckonWebPictures *self, const char *address)
{
  Entry *entry;

  g_return_if_fail (BECKON_IS_WEB_PICTURES (self));

  entry = g_hash_table_lookup (self->entries, address);
  if (entry != NULL && entry->cancellable != NULL)
    g_cancellable_cancel (entry->cancellable);
}

BeckonWebPictureState
beckon_web_pictures_get_state (BeckonWebPictures *self, const char *address)
{
  Entry *entry;

  g_return_val_if_fail (BECKON_IS_WEB_PICTURES (self), BECKON_WEB_PICTURE_UNKNOWN);

  entry = g_hash_table_lookup (self->entries, address);
  return entry != NULL ? entry->state : BECKON_WEB_PICTURE_UNKNOWN;
}

BeckonPart *
beckon_web_pictures_get_part (BeckonWebPictures *self, const char *address)
{
  Entry *entry;

  g_return_val_if_fail (BECKON_IS_WEB_PICTURES (self), NULL);

  entry = g_hash_table_lookup (self->entries, address);
  return entry != NULL ? entry->part : NULL;
}

const char *
beckon_web_pictures_get_error (BeckonWebPictures *self, const char *address)
{
  Entry *entry;

  g_return_val_if_fail (BECKON_IS_WEB_PICTURES (self), NULL);

  entry = g_hash_table_lookup (self->entries, address);
  return entry != NULL && entry->state == BECKON_WEB_PICTURE_FAILED ? entry->error : NULL;
}

/* A pending one goes when it came. */
static void
pictures_release (gpointer data)
{
  Entry *entry = data;

  entry->pictures = NULL;
  if (entry->cancellable != NULL)
    g_cancellable_cancel (entry->cancellable);
  else
    pictures_entry_free (entry);
}

static void
beckon_web_pictures_finalize (GObject *object)
{
  BeckonWebPictures *self = BECKON_WEB_PICTURES (object);

  g_queue_clear (&self->order);
  g_hash_table_unref (self->entries);
  G_OBJECT_CLASS (beckon_web_pictures_parent_class)->finalize (object);
}

static void
beckon_web_pictures_class_init (BeckonWebPicturesClass *klass)
{
  changed_signal = g_signal_new ("changed", BECKON_TYPE_WEB_PICTURES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_STRING);
  G_OBJECT_CLASS (klass)->finalize = beckon_web_pictures_finalize;
}

/* An address that holds a picture has millions of bytes, and is looked up for each thing that is shown of it. */
static guint
hash_address (gconstpointer key)
{
  const char *address = key;
  gsize length = strlen (address);
  guint hash = (guint) length;

  for (gsize i = 0; i < length; i += i < HASHED_BYTES ? 1 : MAX (length / HASHED_BYTES, 1))
    hash = hash * 33 + (guchar) address[i];
  return hash;
}

static void
beckon_web_pictures_init (BeckonWebPictures *self)
{
  self->entries = g_hash_table_new_full (hash_address, g_str_equal, NULL, pictures_release);
}

void
beckon_web_pictures_set_private_too (BeckonWebPictures *self, gboolean private_too)
{
  g_return_if_fail (BECKON_IS_WEB_PICTURES (self));

  self->private_too = private_too;
}

BeckonWebPictures *
beckon_web_pictures_new (void)
{
  return g_object_new (BECKON_TYPE_WEB_PICTURES, NULL);
}
