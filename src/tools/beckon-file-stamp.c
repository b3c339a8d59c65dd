/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-file-stamp.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-tree-stamp.h"
#include "sandbox/beckon-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES (1024 * 1024)
#define MAX_ALL_BYTES (4 * 1024 * 1024)

/* %FALSE if it became longer or shorter while it was read. */
static gboolean
hash_content (int fd, goffset size, GChecksum *checksum)
{
  guint8 buffer[16384];
  goffset total = 0;
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    {
      if (n < 0)
        continue;
      total += n;
      if (total > size)
        return FALSE;
      g_checksum_update (checksum, buffer, n);
    }

  return n == 0 && total == size;
}

static char *
stamp_describe (const struct stat *info)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT
                          ".%09ld:%" G_GINT64_FORMAT ".%09ld",
                          (guint64) info->st_dev, (guint64) info->st_ino, (gint64) info->st_size,
                          (gint64) info->st_mtim.tv_sec, info->st_mtim.tv_nsec, (gint64) info->st_ctim.tv_sec,
                          info->st_ctim.tv_nsec);
}

static char *
stamp_open (int fd, goffset *budget)
{
  g_autoptr (GChecksum) checksum = NULL;
  struct stat info;

  if (fstat (fd, &info) != 0)
    return g_strdup ("unreadable");
  if (!S_ISREG (info.st_mode))
    return g_strdup_printf ("other:%o:%" G_GUINT64_FORMAT, (guint) (info.st_mode & S_IFMT), (guint64) info.st_ino);
  if (info.st_size > MAX_FILE_BYTES || info.st_size > *budget)
    return stamp_describe (&info);

  *budget -= info.st_size;
  checksum = g_checksum_new (G_CHECKSUM_SHA256);
  return hash_content (fd, info.st_size, checksum) ? g_strdup (g_checksum_get_string (checksum)) : stamp_describe (&info);
}

/* A pipe without a writer is not waited for. */
static char *
stamp (const char *path, goffset *budget)
{
  int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  int why = errno;
  struct stat info;
  char *text;

  if (fd < 0 && why == ELOOP && lstat (path, &info) == 0)
    return stamp_describe (&info);
  if (fd < 0)
    return g_strdup_printf ("absent:%d", why);
  text = stamp_open (fd, budget);
  close (fd);
  return text;
}

static char *
stamp_dated (const char *path, goffset *budget)
{
  g_autofree char *plain = stamp (path, budget);
  struct stat info;

  return lstat (path, &info) == 0 && S_ISREG (info.st_mode)
           ? g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, plain, (gint64) info.st_size,
                              (gint64) info.st_mtim.tv_sec)
           : g_steal_pointer (&plain);
}

gboolean
beckon_file_stamp_equal (const char *then, const char *now)
{
  gsize length = then != NULL ? strcspn (then, " ") : 0;

  return then != NULL && now != NULL && length == strcspn (now, " ") && strncmp (then, now, length) == 0;
}

gboolean
beckon_file_stamp_is_of (const char *stamp, const char *hash, guint64 inode, gint64 changed_at)
{
  guint64 stamped = 0;
  gint64 seconds = 0;
  long rest = 0;

  if (stamp == NULL || (hash != NULL && g_str_equal (stamp, hash)))
    return stamp != NULL;
  if (sscanf (stamp, "other:%*o:%" G_GUINT64_FORMAT, &stamped) == 1)
    return stamped == inode;
  return sscanf (stamp, "%*u:%" G_GUINT64_FORMAT ":%*d:%*d.%*d:%" G_GINT64_FORMAT ".%ld", &stamped, &seconds, &rest) == 3
         && stamped == inode && seconds * G_GINT64_CONSTANT (1000000000) + rest == changed_at;
}

gboolean
beckon_file_stamp_read (const char *stamp, gint64 *size, gint64 *changed_at)
{
  return sscanf (stamp, "%*s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, size, changed_at) == 2;
}

/* @whole: (nullable) (element-type utf8): those of @paths that are folders of which all in them counts */
static char *
stamps_take (const char *const *paths, GHashTable *whole, char *(*take_one) (const char *path, goffset *budget))
{
  g_autoptr (GString) text = NULL;
  guint left = BECKON_TREE_STAMP_MAX_ENTRIES;
  goffset budget = MAX_ALL_BYTES;
  BeckonJsonWriter writer;

  if (paths == NULL || paths[0] == NULL)
    return NULL;

  text = g_string_new (NULL);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  for (guint i = 0; paths[i] != NULL && i < BECKON_FILE_STAMP_MAX_PATHS; i++)
    {
      g_autofree char *value = NULL;

      if (!g_utf8_validate (paths[i], -1, NULL) || g_strv_contains (paths + i + 1, paths[i]))
        continue;
      if (whole != NULL && g_hash_table_contains (whole, paths[i]))
        value = beckon_tree_stamp_take (paths[i], &left);
      if (value == NULL)
        value = take_one (paths[i], &budget);
      beckon_json_writer_member_string (&writer, paths[i], value);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_file_stamps_take (const char *const *paths)
{
  return stamps_take (paths, NULL, stamp);
}

char *
beckon_file_stamps_take_whole (const char *const *paths, GHashTable *whole)
{
  return stamps_take (paths, whole, stamp);
}

char *
beckon_file_stamps_take_dated (const char *const *paths)
{
  return stamps_take (paths, NULL, stamp_dated);
}

static int
stamp_compare (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

static char *
find_change (JsonObject *then, JsonObject *now)
{
  g_autoptr (GList) paths = g_list_sort (json_object_get_members (then), stamp_compare);

  for (GList *each = paths; each != NULL; each = each->next)
    if (g_strcmp0 (beckon_json_get_string (then, each->data), beckon_json_get_string (now, each->data)) != 0)
      return g_strdup (each->data);

  return NULL;
}

/* (transfer full) (nullable): @then anew, in the order in which it was taken, so that the budget reaches as far. */
static char *
take_again (JsonObject *then)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_null_terminated (8, NULL, TRUE);
  g_autoptr (GHashTable) whole = g_hash_table_new (g_str_hash, g_str_equal);
  JsonObjectIter iter;
  const char *path;
  JsonNode *value;
  guint64 inode;

  json_object_iter_init_ordered (&iter, then);
  while (json_object_iter_next_ordered (&iter, &path, &value))
    {
      g_ptr_array_add (paths, (gpointer) path);
      if (beckon_tree_stamp_read (json_node_get_string (value), &inode, NULL))
        g_hash_table_add (whole, (gpointer) path);
    }
  return stamps_take ((const char *const *) paths->pdata, whole, stamp);
}

char *
beckon_file_stamps_narrow (const char *stamps)
{
  g_autoptr (JsonNode) node = beckon_json_parse (stamps, -1, NULL);
  JsonObject *then = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autofree char *again = then != NULL ? take_again (then) : NULL;
  g_autoptr (JsonObject) now = again != NULL ? beckon_json_parse_object (again, -1, NULL) : NULL;
  g_autoptr (GList) paths = now != NULL ? json_object_get_members (then) : NULL;

  for (GList *each = paths; each != NULL; each = each->next)
    if (beckon_tree_stamp_covers (beckon_json_get_string (then, each->data), beckon_json_get_string (now, each->data)))
      json_object_set_string_member (then, each->data, beckon_json_get_string (now, each->data));
  return now != NULL ? beckon_json_print (node) : g_strdup (stamps);
}

char *
beckon_file_stamp_dup_outside (const char *stamp)
{
  guint64 inode;

  return beckon_tree_stamp_read (stamp, &inode, NULL)
           ? g_strdup_printf ("other:%o:%" G_GUINT64_FORMAT, (guint) S_IFDIR, inode) : g_strdup (stamp);
}

char *
beckon_file_stamps_find_change (const char *stamps)
{
  g_autoptr (JsonObject) then = stamps != NULL ? beckon_json_parse_object (stamps, -1, NULL) : NULL;
  g_autoptr (JsonObject) now = NULL;
  g_autofree char *again = NULL;

  if (stamps == NULL)
    return NULL;
  /* Unreadable stamps say nothing, which is no reason to continue. */
  if (then == NULL)
    return g_strdup ("?");

  again = take_again (then);
  now = again != NULL ? beckon_json_parse_object (again, -1, NULL) : json_object_new ();
  return now != NULL ? find_change (then, now) : g_strdup ("?");
}

/* Goes back from what the file is to what it was, call by call. */
static gboolean
leads_back (const char *path, const char *now, const char *then, GPtrArray *copies, gint64 until)
{
  g_autofree char *stamp = g_strdup (now);

  for (guint i = 0; i < copies->len && g_strcmp0 (stamp, then) != 0; i++)
    {
      const BeckonFileCopy *copy = g_ptr_array_index (copies, i);
      g_autofree char *changed = copy->made_at <= until && copy->before != NULL && g_strcmp0 (copy->after_hash, stamp) == 0
                                   ? beckon_folder_resolve (copy->folder, copy->path, NULL)
                                   : NULL;

      if (g_strcmp0 (changed, path) != 0)
        continue;
      g_free (stamp);
      stamp = beckon_file_copy_hash (copy->before);
    }
  return g_strcmp0 (stamp, then) == 0;
}

char *
beckon_file_stamps_fill_in (const char *stamps, GPtrArray *copies)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (stamps, -1, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;
  JsonObjectIter iter;
  const char *path;
  JsonNode *value;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &path, &value))
    {
      const char *known = json_node_get_string (value);

      for (guint i = 0; copies != NULL && g_str_has_prefix (known, BECKON_FILE_STAMP_BY_CALL) && i < copies->len; i++)
        {
          const BeckonFileCopy *copy = g_ptr_array_index (copies, i);

          if (g_str_equal (copy->call_id, known + strlen (BECKON_FILE_STAMP_BY_CALL)))
            known = copy->after_hash;
        }
      beckon_json_writer_member_string (&writer, path, known);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_file_stamps_follow (const char *stamps, GPtrArray *copies, gint64 until)
{
  g_autoptr (JsonObject) then = beckon_json_parse_object (stamps, -1, NULL);
  g_autofree char *again = then != NULL ? take_again (then) : NULL;
  g_autoptr (JsonObject) now = again != NULL ? beckon_json_parse_object (again, -1, NULL) : NULL;
  g_autoptr (GList) paths = now != NULL ? json_object_get_members (then) : NULL;

  for (GList *each = paths; each != NULL; each = each->next)
    if (!leads_back (each->data, beckon_json_get_string (now, each->data), beckon_json_get_string (then, each->data), copies,
                     until))
      return NULL;

  return now != NULL ? g_steal_pointer (&again) : NULL;
}
