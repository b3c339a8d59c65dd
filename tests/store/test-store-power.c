/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The power goes at every sync, and between them. What was not synced is on the disk in any part and any order, by sectors: none
 * of it, all of it, or what chance leaves of it, even half of a page. The store opens, the file is whole, what was durably
 * acknowledged is there, and of the rest there is a beginning without gaps. The room that is made in the log ahead of answers,
 * and checkpoints of another connection, are among what is going on.
 */

#include "beckon-store-fixture.h"

#include "beckon-faults.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512
#ifdef __SANITIZE_ADDRESS__
#define N_ROUNDS 4
#else
#define N_ROUNDS 10
#endif
#define N_CHANCES 2

typedef struct
{
  uint64_t id;
  const char *name;
  GByteArray *base; /* as it was when the tracing began, on the disk */
} File;

typedef struct
{
  size_t step;  /* acknowledged when so many steps were done */
  guint n_sure; /* so many messages must be there after it */
} Promise;

static void
write_at (GByteArray *disk, gint64 offset, const guint8 *bytes, gsize length)
{
  gsize before = disk->len;

  if (disk->len < offset + length)
    {
      g_byte_array_set_size (disk, (guint) (offset + length));
      memset (disk->data + before, 0, disk->len - before);
    }
  memcpy (disk->data + offset, bytes, length);
}

/* @random: (nullable): what is not synced is there as it decides, sector by sector. */
static void
apply (GByteArray *disk, const BeckonFaultsStep *step, GRand *random)
{
  if (step->kind == 't')
    {
      if (random == NULL || g_rand_boolean (random))
        {
          gsize before = disk->len;

          g_byte_array_set_size (disk, (guint) step->offset);
          if (disk->len > before)
            memset (disk->data + before, 0, disk->len - before);
        }
      return;
    }

  for (gsize at = 0; at < step->length; at += SECTOR)
    if (random == NULL || g_rand_boolean (random))
      write_at (disk, step->offset + (gint64) at, step->bytes + at, MIN (SECTOR, step->length - at));
}

typedef enum
{
  UNSYNCED_LOST,
  UNSYNCED_THERE,
  UNSYNCED_BY_CHANCE,
} Unsynced;

static GByteArray *
make_disk (const File *file, size_t cut, Unsynced unsynced, GRand *random)
{
  GByteArray *disk = g_byte_array_new ();
  size_t synced = 0;

  g_byte_array_append (disk, file->base->data, file->base->len);
  for (size_t i = 0; i < cut; i++)
    if (beckon_faults_get_step (i)->file == file->id && beckon_faults_get_step (i)->kind == 's')
      synced = i;
  for (size_t i = 0; i < cut; i++)
    {
      const BeckonFaultsStep *step = beckon_faults_get_step (i);

      if (step->file != file->id || step->kind == 's' || (i > synced && unsynced == UNSYNCED_LOST))
        continue;
      apply (disk, step, i > synced && unsynced == UNSYNCED_BY_CHANCE ? random : NULL);
    }

  return disk;
}

static void
read_file (const char *directory, File *file)
{
  g_autofree char *path = g_build_filename (directory, file->name, NULL);
  struct stat info;
  char *contents;
  gsize length;

  g_assert_no_errno (g_stat (path, &info));
  file->id = info.st_ino;
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  file->base = g_byte_array_new_take ((guint8 *) contents, length);
}

static void
check (const File *files, const char *conversation_id, size_t cut, Unsynced unsynced, guint n_sure, GRand *random)
{
  g_autofree char *directory = beckon_store_fixture_make_folder ();
  g_autofree char *integrity = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  BeckonStore *store;

  g_assert_no_errno (g_mkdir_with_parents (directory, 0700));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (directory, files[i].name, NULL);
      g_autoptr (GByteArray) disk = make_disk (&files[i], cut, unsynced, random);

      g_assert_true (g_file_set_contents (path, (const char *) disk->data, disk->len, NULL));
    }

  store = beckon_store_fixture_open (directory);
  g_assert_null (beckon_health_get_notice (beckon_store_get_health (store)));
  messages = beckon_store_fixture_load (store, conversation_id);
  g_assert_cmpuint (messages->len, >=, n_sure);
  for (guint i = 0; i < messages->len; i++)
    {
      g_autofree char *expected = g_strdup_printf ("message %u", i);
      g_autofree char *text = beckon_message_dup_text (g_ptr_array_index (messages, i));

      g_assert_cmpstr (text, ==, expected);
    }
  g_object_unref (store);
  integrity = beckon_store_fixture_sql (directory, "PRAGMA integrity_check");
  g_assert_cmpstr (integrity, ==, "ok");
  beckon_store_fixture_clear (g_steal_pointer (&directory));
}

static void
add_message (BeckonStore *store, BeckonConversation *conversation, guint seq, BeckonDurability durability)
{
  g_autofree char *text = g_strdup_printf ("message %u", seq);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, seq, text);
  BeckonBatch *batch = beckon_batch_new (durability);

  beckon_batch_add_message (batch, beckon_conversation_get_id (conversation), message);
  beckon_store_fixture_commit (store, batch);
}

static void
work (BeckonStore *store, const char *directory, BeckonConversation *conversation, GArray *promises)
{
  guint seq = 0;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (BeckonTurn) turn = beckon_turn_new ("Room?");
      Promise promise;

      add_message (store, conversation, seq++, BECKON_DURABILITY_NORMAL);
      add_message (store, conversation, seq++, BECKON_DURABILITY_FULL);
      promise = (Promise) { beckon_faults_get_n_steps (), seq };
      g_array_append_val (promises, promise);
      /* Asking makes room in the log. */
      beckon_store_fixture_commit (store, beckon_turn_to_batch (turn));
      if (round % 3 == 2)
        g_free (beckon_store_fixture_sql (directory, round % 2 == 0 ? "PRAGMA wal_checkpoint (PASSIVE)"
                                                                     : "PRAGMA wal_checkpoint (TRUNCATE)"));
    }
}

static guint
find_promise (GArray *promises, size_t cut)
{
  guint n_sure = 0;

  for (guint i = 0; i < promises->len; i++)
    if (g_array_index (promises, Promise, i).step <= cut)
      n_sure = g_array_index (promises, Promise, i).n_sure;

  return n_sure;
}

/* Only zeros are written in larger pieces than a page. */
static gboolean
has_made_room (uint64_t log)
{
  for (size_t i = 0; i < beckon_faults_get_n_steps (); i++)
    if (beckon_faults_get_step (i)->file == log && beckon_faults_get_step (i)->length == 16 * 1024)
      return TRUE;

  return FALSE;
}

static void
test_power (void)
{
  g_autofree char *directory = beckon_store_fixture_make_folder ();
  g_autoptr (GArray) promises = g_array_new (FALSE, FALSE, sizeof (Promise));
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Power?");
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonStore *store = beckon_store_fixture_open (directory);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  File files[] = { { .name = "beckon.db" }, { .name = "beckon.db-wal" } };
  guint n_cuts = 0;

  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_store_fixture_commit (store, batch);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    read_file (directory, &files[i]);
  beckon_faults_trace (directory);
  work (store, directory, turn->conversation, promises);
  beckon_faults_trace (NULL);

  for (size_t cut = 1; cut <= beckon_faults_get_n_steps (); cut++)
    {
      gboolean is_sync = beckon_faults_get_step (cut - 1)->kind == 's';
      guint n_sure = find_promise (promises, cut);

      /* At each sync, before and after it, and now and then between two. */
      if (!is_sync && cut % 7 != 0 && !(cut < beckon_faults_get_n_steps () && beckon_faults_get_step (cut)->kind == 's'))
        continue;
      check (files, id, cut, UNSYNCED_LOST, n_sure, NULL);
      check (files, id, cut, UNSYNCED_THERE, n_sure, NULL);
      for (guint i = 0; i < N_CHANCES; i++)
        check (files, id, cut, UNSYNCED_BY_CHANCE, n_sure, random);
      n_cuts++;
    }
  g_assert_true (has_made_room (files[1].id));
  g_test_message ("%u cuts in %zu steps", n_cuts, beckon_faults_get_n_steps ());
  g_assert_cmpuint (n_cuts, >, 2 * N_ROUNDS);

  g_object_unref (store);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_byte_array_unref (files[i].base);
  beckon_store_fixture_clear (g_steal_pointer (&directory));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);

  g_test_add_func ("/store/power/at-every-sync", test_power);

  return g_test_run ();
}
