/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The damaged file and its log get second names first, so that they are kept whatever happens; what is read is those. Then a
 * new file is made beside them, and only when it is whole it takes the place of the old one. The log goes before that: a log
 * beside a file that is not its own would be taken for the truth. In between a note says under which name the old file is, and
 * a program that finds the note begins again from there.
 *
 * A copy takes the place of the file in the same way. Its note names the copy, and stays until what the copy was doing was
 * stopped: see beckon_salvage_finish().
 */

#include "beckon-config.h"

#include "beckon-salvage.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-file-check.h"
#include "beckon-history-copies.h"
#include "beckon-salvage-rows.h"
#include "store/sqlite/beckon-schema.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP "repair"
#define LEAST_FILE 4096

static const char note_name[] = "damaged";
static const char copy_note_name[] = "copy-to-open";
static const char report_name[] = "repaired";

static gboolean
salvage_fail (GError **error)
{
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE,
                         _("The history’s file is damaged, and what can be read could not be saved (%s). The file is "
                           "untouched."),
                         g_strerror (errno));

  return FALSE;
}

static char *
in_folder (const char *directory, const char *name, const char *suffix)
{
  g_autofree char *whole = g_strconcat (name, suffix, NULL);

  return g_build_filename (directory, whole, NULL);
}

static gboolean
salvage_is_empty (const char *directory, const char *name, const char *suffix)
{
  g_autofree char *path = in_folder (directory, name, suffix);
  struct stat info;

  return stat (path, &info) != 0 || info.st_size == 0;
}

static gboolean
write_note (const char *directory, const char *note, const char *text, GError **error)
{
  g_autofree char *path = in_folder (directory, note, "");

  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

void
beckon_salvage_request (const char *directory)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_salvage_is_due (directory) && !write_note (directory, note_name, "", &error))
    g_message ("%s", error->message);
}

gboolean
beckon_salvage_request_copy (const char *directory, const char *name, GError **error)
{
  return write_note (directory, copy_note_name, name, error);
}

/* The copy that is to be opened and, once that has begun, the name under which the present file is kept; %NULL if there is
 * none. */
static char **
salvage_read_copy_note (const char *directory)
{
  g_autofree char *path = in_folder (directory, copy_note_name, "");
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL) || *text == '\0' || strchr (text, '/') != NULL)
    return NULL;

  return g_strsplit (text, "\n", 2);
}

gboolean
beckon_salvage_opens_copy (const char *directory)
{
  g_auto (GStrv) note = salvage_read_copy_note (directory);

  return note != NULL;
}

gboolean
beckon_salvage_is_due (const char *directory)
{
  g_autofree char *path = in_folder (directory, note_name, "");

  return beckon_salvage_opens_copy (directory) || g_file_test (path, G_FILE_TEST_EXISTS)
         || (salvage_is_empty (directory, "beckon.db", "") && !salvage_is_empty (directory, "beckon.db", "-wal"));
}

/* A second name where the file system has that, else a copy. */
static gboolean
salvage_keep (const char *directory, const char *from_name, const char *to_name, const char *suffix, GError **error)
{
  g_autofree char *from = in_folder (directory, from_name, suffix);
  g_autofree char *to = in_folder (directory, to_name, suffix);
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return g_access (from, F_OK) != 0 || link (from, to) == 0
         || g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, error);
}

/* Gives the present file a second name, with the date, and notes it behind @begin. Caller frees. */
static char *
keep_old (const char *directory, const char *format, const char *note, const char *begin, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *name = g_date_time_format (now, format);
  g_autofree char *text = g_strconcat (begin, name, NULL);

  if (!salvage_keep (directory, "beckon.db", name, "", error) || !salvage_keep (directory, "beckon.db", name, "-wal", error)
      || !write_note (directory, note, text, error))
    return NULL;

  return g_steal_pointer (&name);
}

/* The name under which the damaged file is kept, and it is kept under it. Caller frees. */
static char *
keep_damaged (const char *directory, GError **error)
{
  g_autofree char *note = in_folder (directory, note_name, "");
  g_autofree char *name = NULL;

  if (g_file_get_contents (note, &name, NULL, NULL) && *name != '\0' && strchr (name, '/') == NULL)
    return g_steal_pointer (&name);

  return keep_old (directory, "beckon-damaged-%Y%m%d-%H%M%S.db", note_name, "", error);
}

/* Reads what the head of the file denies, and changes neither the file nor its log. */
static BeckonDatabase *
open_damaged (const char *path, GError **error)
{
  BeckonDatabase *database;
  struct stat info;
  int fd;

  /* A log without its file may hold everything; the library throws it away beside an empty one, but not beside a page of
   * nothing. That page is made in the kept copy, where nothing was. */
  if (stat (path, &info) != 0 || info.st_size <= 0)
    {
      fd = g_open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
      if (fd >= 0 && ftruncate (fd, LEAST_FILE) != 0)
        g_message ("%s", g_strerror (errno));
      if (fd >= 0)
        close (fd);
    }
  database = beckon_database_open (path, error);
  if (database == NULL)
    return NULL;

  sqlite3_db_config (beckon_database_get_handle (database), SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  sqlite3_db_config (beckon_database_get_handle (database), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_db_config (beckon_database_get_handle (database), SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
  beckon_database_script (database, "PRAGMA query_only = 1", NULL);

  return database;
}

static BeckonDatabase *
make_new (const char *path, GError **error)
{
  g_autoptr (BeckonDatabase) database = NULL;
  int fd;

  g_unlink (path);
  fd = g_open (path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      salvage_fail (error);
      return NULL;
    }
  close (fd);

  database = beckon_database_open (path, error);
  if (database == NULL || !beckon_schema_create (database, error))
    return NULL;

  sqlite3_db_config (beckon_database_get_handle (database), SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);

  return g_steal_pointer (&database);
}

/* 0 where the head of the file is lost. */
static gint64
get_version (BeckonDatabase *database)
{
  gint64 version = 0;

  return beckon_database_get_number (database, "PRAGMA user_version", &version, NULL) ? version : 0;
}

static void
save_report (const char *directory, GKeyFile *report)
{
  g_autofree char *path = in_folder (directory, report_name, "");
  g_autoptr (GError) error = NULL;

  if (!g_key_file_save_to_file (report, path, &error))
    g_message ("%s", error->message);
}

static void
remove_file (const char *directory, const char *name, const char *suffix)
{
  g_autofree char *path = in_folder (directory, name, suffix);

  g_unlink (path);
}

static gboolean
salvage_replace (const char *directory, const char *old_name)
{
  g_autofree char *new_path = in_folder (directory, "beckon.db", ".new");
  g_autofree char *path = in_folder (directory, "beckon.db", "");
  int fd;
  gboolean synced;

  remove_file (directory, "beckon.db", "-wal");
  remove_file (directory, "beckon.db", "-shm");
  remove_file (directory, old_name, "-shm");

  if (g_rename (new_path, path) != 0)
    return FALSE;

  fd = g_open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  synced = fd >= 0 && fsync (fd) == 0;
  if (fd >= 0)
    close (fd);

  return synced;
}

static gboolean
repair (const char *directory, GError **error)
{
  g_autofree char *old_name = keep_damaged (directory, error);
  g_autofree char *old_path = old_name != NULL ? in_folder (directory, old_name, "") : NULL;
  g_autofree char *new_path = in_folder (directory, "beckon.db", ".new");
  g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);
  BeckonSalvage salvage = { .damaged = damaged };
  g_autoptr (BeckonDatabase) from = NULL;
  g_autoptr (BeckonDatabase) to = NULL;
  g_autoptr (GKeyFile) report = NULL;

  if (old_name == NULL)
    return FALSE;

  from = open_damaged (old_path, error);
  to = from != NULL ? make_new (new_path, error) : NULL;
  /* All in the file, nothing in a log; both are closed before any file changes its name. */
  if (to == NULL || !beckon_database_begin (to, BECKON_DURABILITY_FULL, error)
      || !beckon_salvage_copy_rows (from, to, &salvage, error) || !beckon_schema_update_rows (to, get_version (from), error)
      || !beckon_database_commit (to, error)
      || !beckon_database_script (to, "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE", error)
      || !beckon_database_script (to, "PRAGMA journal_mode = WAL", error))
    return FALSE;
  g_clear_pointer (&to, beckon_database_close);
  g_clear_pointer (&from, beckon_database_close);

  report = g_key_file_new ();
  g_key_file_set_string (report, GROUP, "file", old_name);
  g_key_file_set_int64 (report, GROUP, "conversations", salvage.n_conversations);
  g_key_file_set_int64 (report, GROUP, "messages", salvage.n_messages);
  g_key_file_set_int64 (report, GROUP, "lost-conversations", salvage.n_lost_conversations);
  g_key_file_set_int64 (report, GROUP, "lost-messages", salvage.n_lost_messages);
  g_key_file_set_string_list (report, GROUP, "damaged", (const char *const *) salvage.damaged->pdata, salvage.damaged->len);
  save_report (directory, report);
  if (!salvage_replace (directory, old_name))
    return salvage_fail (error);

  remove_file (directory, note_name, "");

  return TRUE;
}

static gboolean
salvage_open_copy (const char *directory, GError **error)
{
  g_auto (GStrv) note = salvage_read_copy_note (directory);
  g_autofree char *begin = g_strconcat (note[0], "\n", NULL);
  g_autofree char *old_name = g_strdup (note[1]);
  g_autoptr (GKeyFile) report = g_key_file_new ();
  g_autofree char *path = in_folder (directory, note[0], "");
  g_autofree char *new_path = in_folder (directory, "beckon.db", ".new");
  g_autoptr (BeckonDatabase) copy = NULL;
  gboolean is_current;

  /* The files that are there stay as they are. */
  if (!beckon_file_check_is_whole (path))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_STORE,
                           _("This copy can’t be read. Nothing was changed; open another one."));
      return FALSE;
    }
  copy = beckon_history_copies_open (path, error);
  if (copy == NULL || !beckon_schema_is_current (copy, &is_current, error)
      || !beckon_database_copy_to (copy, new_path, NULL, NULL, error))
    return FALSE;
  g_clear_pointer (&copy, beckon_database_close);
  if (old_name == NULL)
    old_name = keep_old (directory, "beckon-replaced-%Y%m%d-%H%M%S.db", copy_note_name, begin, error);
  if (old_name == NULL)
    return FALSE;

  g_key_file_set_string (report, GROUP, "file", old_name);
  g_key_file_set_string (report, GROUP, "copy", note[0]);
  save_report (directory, report);
  if (salvage_replace (directory, old_name))
    return TRUE;

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The history could not be copied (%s)."),
                         g_strerror (errno));

  return FALSE;
}

/* As long as it has not begun a start without it works. */
static void
withdraw_copy (const char *directory)
{
  g_auto (GStrv) note = salvage_read_copy_note (directory);

  if (note != NULL && note[1] == NULL)
    remove_file (directory, copy_note_name, "");
}

void
beckon_salvage_finish (const char *directory)
{
  remove_file (directory, copy_note_name, "");
  remove_file (directory, note_name, "");
}

gboolean
beckon_salvage_run (const char *directory, int usage_fd, GError **error)
{
  const gboolean opens_copy = beckon_salvage_opens_copy (directory);
  gboolean done;

  if (flock (usage_fd, LOCK_EX | LOCK_NB) != 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           opens_copy
                             ? _("The copy could not be opened, because another window or terminal of Beckon is using the "
                                 "history. Close them all, then try again.")
                             : _("The history’s file is damaged and must be repaired, and another window or terminal of "
                                 "Beckon is using it. Close them all, then try again."));
      withdraw_copy (directory);
      return FALSE;
    }

  done = opens_copy ? salvage_open_copy (directory, error) : repair (directory, error);
  if (!done)
    withdraw_copy (directory);
  flock (usage_fd, LOCK_SH);

  return done;
}

static char *
describe_lost (guint n_conversations, guint n_messages)
{
  g_autofree char *messages = g_strdup_printf (ngettext ("%u message", "%u messages", n_messages), n_messages);
  g_autofree char *conversations =
    g_strdup_printf (ngettext ("%u conversation", "%u conversations", n_conversations), n_conversations);

  if (n_messages == 0 && n_conversations == 0)
    return g_strdup (_("Nothing is known to be lost."));

  /* Translators: the places are “3 messages” and “1 conversation”. */
  return beckon_text_printf (_("At least %s and the heads of %s could not be read."), messages, conversations);
}

/* For people, what the rows of a table are; several tables may hold one kind of thing. */
static const char *
describe_table (const char *name)
{
  static const struct
  {
    const char *names; /* each with a blank before it and behind it */
    const char *noun;
  } kinds[] = {
    { " conversation message ", N_("conversations and messages") },
    { " part chunk call permit told result_image prefix prefix_sent ", N_("parts of messages and calls of tools") },
    { " request settlement remembered_answer ", N_("questions and their answers") },
    { " file_copy landing undoing ", N_("what undoes changes of files") },
    { " rule folder_trust parameter ", N_("rules and permissions") },
    { " profile ", N_("profiles") },
    { " server server_state ", N_("servers") },
    { " note ", N_("notes") },
    { " plan step run queued_message queued_file draft_file ", N_("plans, queued messages and drafts") },
    { " channel channel_inbound channel_message channel_peer ", N_("channels") },
    { " provenance ", N_("the audit log") },
  };
  g_autofree char *word = g_strconcat (" ", name, " ", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strstr (kinds[i].names, word) != NULL)
      return _(kinds[i].noun);
  return NULL;
}

static gboolean
has_lost_all (GKeyFile *report)
{
  g_auto (GStrv) names = g_key_file_get_string_list (report, GROUP, "damaged", NULL, NULL);

  return names != NULL && g_strv_contains ((const char *const *) names, "conversation");
}

static guint
get_count (GKeyFile *report, const char *key)
{
  return (guint) CLAMP (g_key_file_get_int64 (report, GROUP, key, NULL), 0, G_MAXINT);
}

gboolean
beckon_salvage_has_report (const char *directory)
{
  g_autofree char *path = in_folder (directory, report_name, "");

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

char *
beckon_salvage_dup_report (const char *directory, gboolean *is_repair)
{
  g_autofree char *path = in_folder (directory, report_name, "");
  g_autoptr (GKeyFile) report = g_key_file_new ();
  g_autofree char *known = NULL;
  g_autofree char *damaged = NULL;
  g_autofree char *lost = NULL;
  g_autofree char *file = NULL;
  g_autofree char *copy = NULL;
  g_auto (GStrv) names = NULL;
  g_autoptr (GPtrArray) nouns = NULL;
  g_autoptr (GString) list = NULL;

  *is_repair = FALSE;
  if (!g_key_file_load_from_file (report, path, G_KEY_FILE_NONE, NULL))
    return NULL;

  file = g_key_file_get_string (report, GROUP, "file", NULL);
  copy = g_key_file_get_string (report, GROUP, "copy", NULL);
  if (copy != NULL)
    /* Translators: both are names of files; the first one has the date of the copy in it. */
    return beckon_text_printf (_("Your history is now the copy %s. What was under way in it was stopped, and text channels "
                                 "are off. The file that was in use until now is kept as %s."),
                               copy, file != NULL ? file : "?");
  *is_repair = TRUE;
  known = describe_lost (get_count (report, "lost-conversations"), get_count (report, "lost-messages"));
  names = g_key_file_get_string_list (report, GROUP, "damaged", NULL, NULL);
  nouns = g_ptr_array_new ();
  list = g_string_new (NULL);
  /* A sentence about everything but messages. */
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const char *noun = describe_table (names[i]);

      if (noun == NULL || g_ptr_array_find (nouns, noun, NULL))
        continue;
      g_ptr_array_add (nouns, (gpointer) noun);
      beckon_text_append (list, "%s%s", list->len > 0 ? _(", ") : "", noun);
    }
  /* Translators: %s is a list, such as “rules and permissions, notes”. */
  damaged = list->len > 0
              ? beckon_text_printf (_("These were damaged as well, and some of them may be missing: %s."), list->str)
              : NULL;
  if (damaged == NULL)
    lost = g_steal_pointer (&known);
  else if (get_count (report, "lost-conversations") + get_count (report, "lost-messages") == 0)
    lost = g_steal_pointer (&damaged);
  else
    lost = g_strconcat (known, " ", damaged, NULL);

  if (get_count (report, "messages") + get_count (report, "conversations") == 0 && has_lost_all (report))
    return beckon_text_printf (_("The file of your conversations was damaged, and nothing in it could be read. It is kept as "
                                 "%s."),
                               file != NULL ? file : "?");

  /* Translators: the third place is a sentence about what was lost, the last one the name of a file. */
  return beckon_text_printf (_("The file of your conversations was damaged and has been repaired. Carried over: messages: %u, "
                               "conversations: %u. %s The damaged file is kept as %s."),
                             get_count (report, "messages"), get_count (report, "conversations"), lost,
                             file != NULL ? file : "?");
}

void
beckon_salvage_forget_report (const char *directory)
{
  remove_file (directory, report_name, "");
}
