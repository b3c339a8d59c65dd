/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-lander-private.h"
#include "beckon-landing-content.h"
#include "beckon-landing-place.h"
#include "beckon-landing-survey.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Behind the name of what was in the folder, while it has no place of its own. */
#define THIRD_NAME ".beckon-third"

#define STATES "states"
#define STATES_PART "states.part"

void (*beckon_lander_hook) (void);
gboolean beckon_lander_renames_plainly;
gboolean beckon_lander_is_always_apart;

/* The ledger. */

/* Beyond this it begins anew: what is forgotten is taken for changed, and left alone. */
#define MAX_LEDGER 200000

static GMutex ledger_lock;
static GHashTable *ledger; /* (element-type utf8) */

/* A file with its ctime, which it never has again. */
static char *
ledger_dup_key (const struct stat *info)
{
  return g_strdup_printf ("%lu:%lu:%" G_GINT64_FORMAT, (gulong) info->st_dev, (gulong) info->st_ino,
                          beckon_landing_tree_get_ctime (info));
}

void
beckon_lander_ledger_note (const struct stat *now)
{
  g_mutex_lock (&ledger_lock);
  if (ledger == NULL || g_hash_table_size (ledger) >= MAX_LEDGER)
    {
      g_clear_pointer (&ledger, g_hash_table_unref);
      ledger = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    }
  g_hash_table_add (ledger, ledger_dup_key (now));
  g_mutex_unlock (&ledger_lock);
}

gboolean
beckon_lander_ledger_has (const struct stat *info)
{
  g_autofree char *key = ledger_dup_key (info);
  gboolean is_noted;

  g_mutex_lock (&ledger_lock);
  is_noted = ledger != NULL && g_hash_table_contains (ledger, key);
  g_mutex_unlock (&ledger_lock);
  return is_noted;
}

/* Opening and closing. */

void
beckon_lander_reach (void)
{
  if (beckon_lander_hook != NULL)
    beckon_lander_hook ();
}

static gboolean
open_all (BeckonLander *self, GError **error)
{
  BeckonLanding *landing = self->landing;

  self->place = open (landing->place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (self->place < 0)
    return beckon_landing_tree_refuse (landing->place, error);
  if (!beckon_landing_root_open (&self->root, landing->folder, self->place, error))
    return FALSE;
  beckon_landing_place_lock (self->place);
  self->layer = beckon_landing_tree_open (self->place, "upper", O_RDONLY | O_DIRECTORY);
  if (self->layer < 0)
    return beckon_landing_tree_refuse (landing->place, error);

  self->reader = beckon_landing_reader_new (self->place, &self->n_steps, error);
  return self->reader != NULL;
}

typedef struct
{
  guint32 phase;
  guint32 n_steps;
  gint64 done_at;
} Header;

static void
load_states (BeckonLander *self)
{
  gsize size = self->n_steps * sizeof (BeckonStepState);
  g_auto (BeckonFd) fd = openat (self->place, STATES, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  Header header;

  if (fd < 0)
    return;
  if (read (fd, &header, sizeof header) == (gssize) sizeof header && header.n_steps == self->n_steps
      && read (fd, self->states, size) == (gssize) size)
    {
      self->resumed = (BeckonLanderPhase) header.phase;
      self->done_at = header.done_at;
    }
  else
    memset (self->states, 0, size);
}

BeckonLander *
beckon_lander_open (BeckonLanding *landing, GError **error)
{
  g_autoptr (BeckonLander) self = g_new0 (BeckonLander, 1);

  self->landing = landing;
  self->root = (BeckonLandingRoot) BECKON_LANDING_ROOT_INIT;
  self->place = self->layer = self->stage = self->in_folder = self->in_layer = -1;
  self->touched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->stirred = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->above = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->inside = g_ptr_array_new_with_free_func (g_free);
  self->index = beckon_landing_index_new (landing->changes);
  if (!open_all (self, error))
    return NULL;

  self->states = g_new0 (BeckonStepState, self->n_steps + 1);
  self->is_done_now = g_new0 (gboolean, self->n_steps + 1);
  load_states (self);
  return g_steal_pointer (&self);
}

void
beckon_lander_foreach (BeckonLander *self, BeckonLanderFunc func, gpointer data)
{
  BeckonLandingStep step;
  const char *path;

  g_ptr_array_set_size (self->inside, 0);
  for (guint i = 0; beckon_landing_reader_next (self->reader, &step, &path); i++)
    {
      if (step.action == BECKON_LANDING_INSIDE || step.action == BECKON_LANDING_HOLDS)
        {
          BeckonInsideStep *inside = g_malloc (sizeof (BeckonInsideStep) + strlen (path) + 1);

          *inside = (BeckonInsideStep){ i, step.stays, step.action == BECKON_LANDING_HOLDS };
          strcpy (inside->path, path);
          g_ptr_array_add (self->inside, inside);
          continue;
        }
      func (data, i, &step, path);
      g_ptr_array_set_size (self->inside, 0);
    }
}

/* A change of what is in them sets the ctime of folders as well. */
static void
note_stirred (BeckonLander *self)
{
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->stirred);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    {
      g_auto (BeckonFd) fd = beckon_landing_root_open_at (&self->root, path, O_RDONLY | O_DIRECTORY);

      if (fd >= 0)
        beckon_lander_note_folder (fd);
    }
}

static void
moves_close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
beckon_lander_close (BeckonLander *self)
{
  int *const fds[] = { &self->place, &self->layer, &self->stage, &self->in_folder, &self->in_layer };

  if (self->root.folder >= 0)
    note_stirred (self);
  beckon_landing_root_clear (&self->root);
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    moves_close_fd (fds[i]);
  beckon_landing_reader_free (self->reader);
  beckon_landing_index_free (self->index);
  g_hash_table_unref (self->touched);
  g_hash_table_unref (self->stirred);
  g_hash_table_unref (self->kept);
  g_hash_table_unref (self->above);
  g_ptr_array_unref (self->inside);
  g_free (self->states);
  g_free (self->is_done_now);
  g_free (self->parent);
  g_free (self);
}

gboolean
beckon_lander_save (BeckonLander *self, BeckonLanderPhase phase, GError **error)
{
  const Header header
      = { phase, self->n_steps, phase == BECKON_LANDER_RESTS ? beckon_landing_survey_now () : self->done_at };
  int fd = openat (self->place, STATES_PART, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  gboolean is_written;

  beckon_lander_reach ();
  if (phase == BECKON_LANDER_RESTS)
    beckon_landing_tree_wait_for_tick (header.done_at);
  is_written = fd >= 0 && beckon_landing_tree_write (fd, &header, sizeof header)
               && beckon_landing_tree_write (fd, self->states, self->n_steps * sizeof (BeckonStepState))
               && (phase != BECKON_LANDER_RESTS || fdatasync (fd) == 0);
  if (fd >= 0)
    is_written = close (fd) == 0 && is_written;
  return (is_written && renameat (self->place, STATES_PART, self->place, STATES) == 0)
         || beckon_landing_tree_refuse (self->landing->place, error);
}

/* Looking. */

static void
open_parents (BeckonLander *self, const char *path)
{
  const char *slash = strrchr (path, '/');
  g_autofree char *parent = slash != NULL ? g_strndup (path, (gsize) (slash - path)) : g_strdup (".");

  if (g_strcmp0 (parent, self->parent) == 0 && self->in_folder >= 0 && self->in_layer >= 0)
    return;

  moves_close_fd (&self->in_folder);
  moves_close_fd (&self->in_layer);
  self->in_folder = beckon_landing_root_open_at (&self->root, parent, O_RDONLY | O_DIRECTORY);
  self->in_layer = beckon_landing_tree_open (self->layer, parent, O_RDONLY | O_DIRECTORY);
  g_free (self->parent);
  self->parent = g_steal_pointer (&parent);
}

static void
look_again (BeckonSpot *spot)
{
  spot->is_in_folder = spot->folder >= 0 && beckon_landing_tree_look (spot->folder, spot->name, &spot->in_folder);
  spot->is_in_layer = spot->layer >= 0 && beckon_landing_tree_look (spot->layer, spot->kept_name, &spot->in_layer);
}

/* A crash in the middle of an exchange by three names. */
static void
end_exchange (BeckonLander *self, BeckonSpot *spot)
{
  g_autofree char *third = g_strconcat (spot->kept_name, THIRD_NAME, NULL);
  struct stat info;

  if (spot->folder < 0 || spot->layer < 0 || !beckon_landing_tree_look (spot->layer, third, &info))
    return;
  if (!beckon_landing_tree_look (spot->folder, spot->name, &info))
    {
      renameat (spot->layer, third, spot->folder, spot->name);
      if (beckon_landing_tree_look (spot->folder, spot->name, &info))
        g_hash_table_add (self->touched, ledger_dup_key (&info));
    }
  else if (!beckon_landing_tree_look (spot->layer, spot->kept_name, &info))
    renameat (spot->layer, third, spot->layer, spot->kept_name);
}

void
beckon_lander_look (BeckonLander *self, const char *path, int merged, BeckonSpot *spot)
{
  const char *slash = strrchr (path, '/');

  open_parents (self, path);
  spot->folder = self->in_folder;
  spot->name = slash != NULL ? slash + 1 : path;
  spot->layer = merged < 0 ? self->in_layer : self->stage >= 0 ? self->stage : self->place;
  spot->kept_name = merged >= 0 ? g_strdup_printf ("merged/%d", merged) : g_strdup (spot->name);
  if (self->resumed != BECKON_LANDER_RESTS)
    end_exchange (self, spot);
  look_again (spot);
  if (spot->is_in_layer && beckon_landing_tree_is_whiteout (spot->layer, spot->kept_name, &spot->in_layer))
    spot->is_in_layer = FALSE;
}

void
beckon_spot_clear (BeckonSpot *spot)
{
  g_clear_pointer (&spot->kept_name, g_free);
}

static gboolean
is_touched_here (BeckonLander *self, const struct stat *info)
{
  g_autofree char *key = ledger_dup_key (info);

  return g_hash_table_contains (self->touched, key) || beckon_lander_ledger_has (info);
}

gboolean
beckon_spot_has_hash (const BeckonSpot *spot, const char *hash, guint mode)
{
  g_autofree char *found = NULL;
  g_auto (BeckonFd) fd = -1;

  if (hash == NULL || !spot->is_in_folder || !S_ISREG (spot->in_folder.st_mode)
      || (spot->in_folder.st_mode & 07777) != mode)
    return FALSE;

  fd = openat (spot->folder, spot->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  found = fd >= 0 ? beckon_landing_content_hash (fd, NULL) : NULL;
  return g_strcmp0 (found, hash) == 0;
}

gboolean
beckon_lander_is_unchanged (BeckonLander *self, const struct stat *info, gint64 changed_at)
{
  return beckon_landing_tree_get_ctime (info) == changed_at || is_touched_here (self, info);
}

/* Renaming a file sets its ctime, and so that of its other names. */
static void
note_touched (BeckonLander *self, int folder, const char *name)
{
  struct stat info;

  if (beckon_landing_tree_look (folder, name, &info) && !S_ISDIR (info.st_mode) && info.st_nlink > 1)
    g_hash_table_add (self->touched, ledger_dup_key (&info));
}

/* Notes what stands in the folder now, by which the next run tells whether anybody has changed it. %FALSE if it is another
 * writer's: what was written after a crash is never noted as ours. */
static gboolean
record (BeckonLander *self, guint number, const BeckonLandingStep *step, const char *path, BeckonLanderKnows knows,
        gint64 since)
{
  BeckonStepState *state = &self->states[number];
  g_auto (BeckonSpot) spot = { 0 };
  gboolean is_somebodys;

  beckon_lander_look (self, path, -1, &spot);
  is_somebodys = self->resumed != BECKON_LANDER_RESTS && spot.is_in_folder && S_ISREG (spot.in_folder.st_mode)
                 && !knows (self, step, path, &spot) && beckon_landing_tree_get_mtime (&spot.in_folder) > since;
  state->inode = spot.is_in_folder ? spot.in_folder.st_ino : 0;
  state->changed_at = spot.is_in_folder && !is_somebodys ? beckon_landing_tree_get_ctime (&spot.in_folder) : 0;
  state->done_at = beckon_landing_survey_now ();
  return !is_somebodys;
}

gboolean
beckon_lander_record_all (BeckonLander *self, BeckonLanderKnows knows, gint64 since, GError **error)
{
  gboolean is_ours = TRUE;
  BeckonLandingStep step;
  const char *path;

  for (guint i = 0; beckon_landing_reader_next (self->reader, &step, &path); i++)
    {
      gboolean is_inside = step.action == BECKON_LANDING_INSIDE || step.action == BECKON_LANDING_HOLDS;

      if (self->is_done_now[i] && step.action != BECKON_LANDING_FOLDER)
        is_ours = record (self, i, &step, path, knows, since) && is_ours;
      if (is_inside)
        continue;
      if (!is_ours && self->is_done_now[i])
        self->states[i].changed_at = 0;
      is_ours = TRUE;
    }
  return beckon_lander_save (self, BECKON_LANDER_RESTS, error);
}

void
beckon_lander_note_done (BeckonLander *self, const BeckonSpot *spot)
{
  if (spot->is_in_folder)
    note_touched (self, spot->folder, spot->name);
  if (spot->is_in_layer)
    note_touched (self, spot->layer, spot->kept_name);
}

void
beckon_lander_note_folder (int fd)
{
  struct stat now;

  if (fstat (fd, &now) == 0)
    beckon_lander_ledger_note (&now);
}

gboolean
beckon_lander_is_quiet_inside (BeckonLander *self, int folder, const char *name, gint64 since, guint depth)
{
  g_autoptr (BeckonEntries) entries = beckon_landing_tree_list (folder, name, TRUE);
  const char *inner;
  struct stat info;

  if (entries == NULL || depth > BECKON_LANDING_TREE_MAX_DEPTH)
    return FALSE;
  while ((inner = beckon_landing_tree_next (entries)) != NULL)
    if (!beckon_landing_tree_look (dirfd (entries), inner, &info)
        || (beckon_landing_tree_get_ctime (&info) > since && !is_touched_here (self, &info))
        || (S_ISDIR (info.st_mode) && !beckon_lander_is_quiet_inside (self, dirfd (entries), inner, since, depth + 1)))
      return FALSE;
  return TRUE;
}

/* Moving. */

typedef struct
{
  int fd;
  mode_t mode;
} Opened;

/* A folder that must not be written is opened for the moment; so is one that moves, whose .. changes. */
static Opened
open_for_moment (int folder, const char *name)
{
  Opened opened = { openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0 };
  struct stat info;

  if (opened.fd < 0 || fstat (opened.fd, &info) != 0 || (info.st_mode & 0700) == 0700)
    {
      moves_close_fd (&opened.fd);
      return opened;
    }

  opened.mode = info.st_mode & 07777;
  if (fchmod (opened.fd, opened.mode | 0700) != 0)
    moves_close_fd (&opened.fd);
  return opened;
}

static void
correct_mode (BeckonLander *self, int folder, const char *name, struct stat *info, guint mode)
{
  if (!S_ISDIR (info->st_mode) || (info->st_mode & 07777) == mode || (info->st_mode & 07777) != (mode | 0700))
    return;

  beckon_landing_tree_set_mode (folder, name, mode);
  if (beckon_landing_tree_look (folder, name, info))
    g_hash_table_add (self->touched, ledger_dup_key (info));
}

void
beckon_lander_correct_step (BeckonLander *self, const BeckonLandingStep *step, BeckonSpot *spot, gboolean is_old)
{
  const gboolean is_exchange = step->action == BECKON_LANDING_EXCHANGE, is_deletion = step->action == BECKON_LANDING_DELETE;
  const gboolean in_folder = is_deletion || (is_exchange && is_old), in_layer = is_deletion || (is_exchange && !is_old);

  if (spot->is_in_folder)
    correct_mode (self, spot->folder, spot->name, &spot->in_folder, in_folder ? step->mode_before : step->mode_after);
  if (spot->is_in_layer)
    correct_mode (self, spot->layer, spot->kept_name, &spot->in_layer, in_layer ? step->mode_before : step->mode_after);
}

gboolean
beckon_lander_is_mode (BeckonLander *self, mode_t now, guint mode)
{
  now &= 07777;
  return now == mode || (self->resumed != BECKON_LANDER_RESTS && now == (mode | 0700));
}

void
beckon_lander_set_time (int fd, gint64 time)
{
  const struct timespec times[2]
      = { { 0, UTIME_OMIT }, { time / G_GINT64_CONSTANT (1000000000), time % G_GINT64_CONSTANT (1000000000) } };

  futimens (fd, times);
  beckon_lander_note_folder (fd);
}

BeckonFileChange *
beckon_lander_find (BeckonLander *self, const char *path, gboolean exactly, int *number)
{
  *number = (exactly ? beckon_landing_index_find_exactly : beckon_landing_index_find) (self->index, path);
  return *number >= 0 ? beckon_change_set_get (self->landing->changes, (guint) *number) : NULL;
}

int
beckon_lander_get_merged (BeckonLander *self, const BeckonLandingStep *step, const char *path)
{
  int number;
  const BeckonFileChange *change = beckon_lander_find (self, path, TRUE, &number);

  return step->action == BECKON_LANDING_EXCHANGE && change != NULL && change->kept_hunks != NULL ? number : -1;
}

gboolean
beckon_lander_is_new_object (const BeckonLandingStep *step, const char *path)
{
  return step->action == BECKON_LANDING_CREATE && beckon_landing_is_object (path);
}

char *
beckon_lander_dup_bond (BeckonLander *self, const char *path)
{
  int number;
  const BeckonFileChange *change = beckon_lander_find (self, path, FALSE, &number);
  gboolean is_object;
  gsize length = beckon_landing_get_git_length (path, &is_object);

  if (change != NULL && change->bound != NULL)
    return g_strdup_printf ("/%d", number);
  return length > 0 && !is_object ? g_strndup (path, length) : NULL;
}

/* In the network, and elsewhere, nothing is renamed in a way that spares what is there. A second name is refused as
 * well where one is taken, and a folder that is made empty holds the place for another. */
static gboolean
rename_plainly (int from, const char *name, int to, const char *new_name)
{
  struct stat info;
  gboolean is_folder;
  int saved_errno;

  if (!beckon_landing_tree_look (from, name, &info))
    return FALSE;
  is_folder = S_ISDIR (info.st_mode);
  if ((is_folder ? mkdirat (to, new_name, 0700) : linkat (from, name, to, new_name, 0)) != 0)
    return FALSE;
  if ((is_folder ? renameat (from, name, to, new_name) : unlinkat (from, name, 0)) == 0)
    return TRUE;

  saved_errno = errno;
  unlinkat (to, new_name, is_folder ? AT_REMOVEDIR : 0);
  errno = saved_errno;
  return FALSE;
}

/* The thing at @new_name gets a third name beside @name first. */
static gboolean
exchange_plainly (int from, const char *name, int to, const char *new_name)
{
  g_autofree char *third = g_strconcat (name, THIRD_NAME, NULL);
  int saved_errno;

  if (renameat (to, new_name, from, third) != 0)
    return FALSE;
  beckon_lander_reach ();
  if (rename_plainly (from, name, to, new_name))
    {
      beckon_lander_reach ();
      return renameat (from, third, from, name) == 0;
    }

  saved_errno = errno;
  rename_plainly (from, third, to, new_name);
  errno = saved_errno;
  return FALSE;
}

static gboolean
rename_once (int from, const char *name, int to, const char *new_name, guint flags)
{
  beckon_lander_reach ();
  if (!beckon_lander_renames_plainly && renameat2 (from, name, to, new_name, flags) == 0)
    return TRUE;
  if (!beckon_lander_renames_plainly && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
    return FALSE;

  return flags == RENAME_EXCHANGE ? exchange_plainly (from, name, to, new_name)
                                  : rename_plainly (from, name, to, new_name);
}

static gboolean
rename_with_rights (int from, const char *name, int to, const char *new_name, guint flags)
{
  Opened opened[4];
  gboolean is_done;
  int saved_errno;

  if (rename_once (from, name, to, new_name, flags))
    return TRUE;
  if (errno != EACCES)
    return FALSE;

  opened[0] = open_for_moment (from, ".");
  opened[1] = open_for_moment (to, ".");
  opened[2] = open_for_moment (from, name);
  opened[3] = open_for_moment (to, new_name);
  is_done = rename_once (from, name, to, new_name, flags);
  saved_errno = errno;
  for (guint i = 0; i < G_N_ELEMENTS (opened); i++)
    {
      if (opened[i].fd >= 0)
        fchmod (opened[i].fd, opened[i].mode);
      moves_close_fd (&opened[i].fd);
    }
  errno = saved_errno;
  return is_done;
}

void
beckon_lander_stir (BeckonLander *self)
{
  g_hash_table_add (self->stirred, g_strdup (self->parent));
}

/* The layer says of what was deleted that it was; that goes first. Folders that it no longer has are made again. */
static gboolean
moves_make_room (BeckonLander *self, const char *path, BeckonSpot *spot)
{
  struct stat info;

  if (spot->layer < 0)
    {
      const char *name;

      self->in_layer = spot->layer = beckon_landing_tree_make_parent (self->layer, path, &name);
      if (spot->layer < 0)
        return FALSE;
    }
  if (!beckon_landing_tree_look (spot->layer, spot->kept_name, &info)
      || !beckon_landing_tree_is_whiteout (spot->layer, spot->kept_name, &info))
    return TRUE;

  beckon_lander_reach ();
  return beckon_landing_tree_remove (spot->layer, spot->kept_name, NULL);
}

/* The thing in the folder has to be the one that was looked at. */
BeckonMove
beckon_lander_move (BeckonLander *self, const char *path, BeckonSpot *spot, gboolean comes, gboolean goes)
{
  const guint flags = comes && goes ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  struct stat before = spot->in_folder;

  if (spot->folder < 0 || (comes && spot->layer < 0))
    return BECKON_MOVE_CHANGED;
  if (comes ? !beckon_landing_tree_strip (spot->layer, spot->kept_name) : !moves_make_room (self, path, spot))
    return BECKON_MOVE_FAILED;
  if (comes ? !rename_with_rights (spot->layer, spot->kept_name, spot->folder, spot->name, flags)
      : !rename_with_rights (spot->folder, spot->name, spot->layer, spot->kept_name, flags))
    return errno == EEXIST || errno == ENOENT || errno == ENOTDIR ? BECKON_MOVE_CHANGED : BECKON_MOVE_FAILED;

  look_again (spot);
  /* With renaming the ctime has changed. */
  if (goes
      && (!spot->is_in_layer || before.st_ino != spot->in_layer.st_ino || before.st_size != spot->in_layer.st_size
          || before.st_mode != spot->in_layer.st_mode
          || beckon_landing_tree_get_mtime (&before) != beckon_landing_tree_get_mtime (&spot->in_layer)))
    {
      rename_with_rights (spot->layer, spot->kept_name, spot->folder, spot->name, flags);
      return BECKON_MOVE_CHANGED;
    }
  if (comes)
    {
      note_touched (self, spot->folder, spot->name);
      beckon_lander_ledger_note (&spot->in_folder);
    }
  if (goes)
    {
      note_touched (self, spot->layer, spot->kept_name);
      beckon_lander_ledger_note (&spot->in_layer);
    }
  beckon_lander_stir (self);
  return BECKON_MOVE_DONE;
}
