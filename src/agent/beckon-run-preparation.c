/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-preparation.h"

#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "beckon-context.h"
#include "beckon-run-extras.h"
#include "beckon-steering.h"
#include "git/beckon-git-standing.h"
#include "sandbox/beckon-sandbox-variables.h"
#include "sandbox/beckon-sandbox-view.h"
#include "tools/beckon-note-tools.h"

#include <gio/gio.h>
#include <sys/utsname.h>

/* The first request of a conversation waits no longer: for the count of changed files, and for all. */
#define COUNT_MS 300
#define PATIENCE_MS 600

static void
surroundings_read (GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  g_autofree char *git = folder != NULL ? beckon_git_standing_describe (folder, COUNT_MS) : NULL;
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  g_autofree char *shell = g_path_get_basename (beckon_sandbox_get_shell ());
  struct utsname machine;
  gboolean is_known = uname (&machine) == 0;
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "The system is %s%s%s, the shell %s.", system != NULL ? system : "Linux",
                          is_known ? " on " : "", is_known ? machine.machine : "", shell);
  if (git != NULL)
    g_string_append_printf (words, " When this conversation began, Git was on %s.", git);
  g_task_return_pointer (task, g_string_free (words, FALSE), g_free);
}

/* Reads what a model is told of the computer and of the repository of @folder. @folder: (nullable) */
static void
surroundings_read_async (const char *folder, GAsyncReadyCallback callback, gpointer user_data)
{
  beckon_worker_wait_async (surroundings_read, g_strdup (folder), g_free, PATIENCE_MS, callback, user_data);
}

/* (transfer full) (nullable): in sentences, in English; %NULL where a file system does not answer. */
static char *
surroundings_read_finish (GAsyncResult *result)
{
  return beckon_worker_wait_finish (result, NULL);
}

struct _BeckonRunPreparation
{
  BeckonRunScope *scope; /* (owned) */
  BeckonTurn *turn;      /* (nullable): %NULL once it is abandoned */
  BeckonRunExtras *extras; /* (owned) */
  BeckonPrefixes *stored; /* (owned) (nullable): until the notes are read, too */
  char *surroundings;    /* (owned) (nullable): as they are when the conversation begins */
  gboolean has_begun;    /* a round of the turn was made before, in another process */
  guint steered_round;   /* the last round before which it was asked what a person wants the model to see now */
  char *viewed_folder;   /* (owned) (nullable): the folder of which it is known what commands in it work on */
};

BeckonRunPreparation *
beckon_run_preparation_new (const BeckonRunScope *scope, BeckonTurn *turn, gboolean has_begun)
{
  BeckonRunPreparation *self = g_rc_box_new0 (BeckonRunPreparation);

  self->scope = beckon_run_scope_ref (scope);
  self->turn = turn;
  self->extras = beckon_run_extras_new (scope, turn);
  self->has_begun = has_begun;
  return self;
}

BeckonRunPreparation *
beckon_run_preparation_ref (BeckonRunPreparation *self)
{
  return g_rc_box_acquire (self);
}

static void
preparation_clear (gpointer data)
{
  BeckonRunPreparation *self = data;

  beckon_run_extras_unref (self->extras);
  beckon_run_scope_unref (self->scope);
  g_clear_pointer (&self->stored, beckon_prefixes_free);
  g_free (self->surroundings);
  g_free (self->viewed_folder);
}

void
beckon_run_preparation_unref (BeckonRunPreparation *self)
{
  g_rc_box_release_full (self, preparation_clear);
}

void
beckon_run_preparation_abandon (BeckonRunPreparation *self)
{
  self->turn = NULL;
  beckon_run_extras_abandon (self->extras);
}

/* A view is content with the end of a long conversation. The model is told what came since the last summary, and the limit of
 * spending is about all of it. */
static gboolean
has_history (const BeckonRunPreparation *self)
{
  return beckon_settings_get_spending_limit (self->scope->parts.settings) > 0
           ? !beckon_conversation_get_has_earlier (self->scope->conversation)
           : beckon_context_is_loaded (self->scope->conversation);
}

/* The words about commands depend on whether they work on a view of the folder. */
static gboolean
knows_view (const BeckonRunPreparation *self)
{
  const char *folder = beckon_conversation_get_folder (self->scope->conversation);

  return folder == NULL || g_strcmp0 (self->viewed_folder, folder) == 0;
}

gboolean
beckon_run_preparation_is_done (const BeckonRunPreparation *self)
{
  return has_history (self) && beckon_turn_has_prefix (self->turn) && knows_view (self)
         && beckon_run_extras_is_read (self->extras) && !beckon_run_extras_is_starting (self->extras);
}

static void
on_history_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Without notes it goes on as well. */
static void
on_notes_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRunPreparation *self = g_task_get_task_data (task);
  g_autoptr (GPtrArray) notes = beckon_memory_list_finish (BECKON_MEMORY (source), result, NULL);
  g_autofree char *words = notes != NULL ? beckon_notes_describe (notes) : NULL;

  if (self->turn != NULL && !beckon_turn_has_prefix (self->turn))
    beckon_turn_take_prefixes (self->turn, g_steal_pointer (&self->stored), words, self->surroundings);
  g_task_return_boolean (task, TRUE);
}

static void
on_surroundings_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRunPreparation *self = g_task_get_task_data (task);

  g_free (self->surroundings);
  self->surroundings = surroundings_read_finish (result);
  beckon_memory_list_async (BECKON_MEMORY (self->scope->parts.store), NULL, on_notes_read, g_steal_pointer (&task));
}

static void
on_prefixes_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRunPreparation *self = g_task_get_task_data (task);
  GError *error = NULL;

  g_clear_pointer (&self->stored, beckon_prefixes_free);
  self->stored = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);
  if (self->stored == NULL)
    g_task_return_error (task, error);
  else if (g_hash_table_size (self->stored->by_profile) == 0)
    surroundings_read_async (beckon_conversation_get_folder (self->scope->conversation), on_surroundings_read,
                             g_steal_pointer (&task));
  else
    beckon_memory_list_async (BECKON_MEMORY (source), NULL, on_notes_read, g_steal_pointer (&task));
}

static void
on_view_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  beckon_sandbox_view_learn_finish (result, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_extras_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_run_extras_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_servers_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_run_extras_wait_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

gboolean
beckon_run_preparation_is_asking (BeckonRunPreparation *self)
{
  return beckon_run_extras_is_asking (self->extras);
}

void
beckon_run_preparation_take_back (BeckonRunPreparation *self)
{
  beckon_run_extras_take_back (self->extras);
}

void
beckon_run_preparation_async (BeckonRunPreparation *self, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonRunScope *scope = self->scope;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_run_preparation_async);
  g_task_set_task_data (task, beckon_run_preparation_ref (self), (GDestroyNotify) beckon_run_preparation_unref);
  if (!has_history (self))
    {
      /* Page by page, as far as it is needed. It stays in memory while the run is open. */
      beckon_library_open_earlier_async (scope->parts.library, scope->conversation, NULL, on_history_read,
                                         g_steal_pointer (&task));
      return;
    }
  if (!beckon_turn_has_prefix (self->turn))
    {
      beckon_store_load_prefixes_async (scope->parts.store, beckon_run_scope_get_id (scope), NULL, on_prefixes_read,
                                        g_steal_pointer (&task));
      return;
    }
  if (knows_view (self) && beckon_run_extras_is_starting (self->extras))
    {
      beckon_run_extras_wait_async (self->extras, on_servers_ready, g_steal_pointer (&task));
      return;
    }
  if (knows_view (self))
    {
      beckon_run_extras_async (self->extras, !self->has_begun, on_extras_read, g_steal_pointer (&task));
      return;
    }
  g_free (self->viewed_folder);
  self->viewed_folder = g_strdup (beckon_conversation_get_folder (scope->conversation));
  beckon_sandbox_view_learn_async (self->viewed_folder, NULL, on_view_learned, g_steal_pointer (&task));
}

BECKON_FINISH_LONE_BOOLEAN (beckon_run_preparation)

gboolean
beckon_run_preparation_is_steered (const BeckonRunPreparation *self, const BeckonRunRecord *record)
{
  return self->steered_round == record->round + 1;
}

void
beckon_run_preparation_steer_async (BeckonRunPreparation *self, const BeckonRunRecord *record, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  self->steered_round = record->round + 1;
  beckon_steering_take_async (&self->scope->parts, self->scope->conversation, record, FALSE, FALSE, callback, user_data);
}
