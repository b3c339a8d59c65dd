/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-hooks.h"

#define PATIENCE_SECONDS 60

struct _BeckonHooks
{
  GObject parent_instance;

  GPtrArray *all; /* (owned) (element-type BeckonHook) */
};

G_DEFINE_INTERFACE (BeckonHook, beckon_hook, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE (BeckonHooks, beckon_hooks, G_TYPE_OBJECT)

static void
beckon_hook_default_init (BeckonHookInterface *iface)
{
}

static GPtrArray *
copy_list (BeckonHooks *self)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->all->len; i++)
    g_ptr_array_add (copy, g_object_ref (g_ptr_array_index (self->all, i)));

  return copy;
}

/* A call on its way through the hooks. */
typedef struct
{
  GPtrArray *hooks; /* (owned): as they were when it began */
  guint next;
  BeckonHookVerdict verdict;
  char *reason;
  GCancellable *cancellable; /* (owned) (nullable) */
  guint patience;
  gboolean answered; /* the task has returned; who is late speaks to nobody */

  char *conversation_id;
  BeckonToolCall *call;
  char *arguments;
  char *folder;
  char *decision_id;
} Check;

static void
check_free (gpointer data)
{
  Check *check = data;

  g_ptr_array_unref (check->hooks);
  g_free (check->reason);
  g_clear_object (&check->cancellable);
  g_free (check->conversation_id);
  g_object_unref (check->call);
  g_free (check->arguments);
  g_free (check->folder);
  g_free (check->decision_id);
  g_free (check);
}

static Check *
check_new (BeckonHooks *self, const BeckonHookCall *call, GCancellable *cancellable)
{
  Check *check = g_new0 (Check, 1);

  check->hooks = copy_list (self);
  check->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  check->conversation_id = g_strdup (call->conversation_id);
  check->call = g_object_ref (call->call);
  check->arguments = g_strdup (call->arguments);
  check->folder = g_strdup (call->folder);
  check->decision_id = g_strdup (call->decision_id);
  return check;
}

/* The last words of a task; @reason is taken. */
static void
hooks_finish (GTask *task, BeckonHookVerdict verdict, char *reason)
{
  Check *check = g_task_get_task_data (task);

  check->answered = TRUE;
  check->verdict = verdict;
  g_free (check->reason);
  check->reason = reason;
  g_clear_handle_id (&check->patience, g_source_remove);
  g_task_return_int (task, verdict);
}

static gboolean
hooks_on_patience_over (gpointer user_data)
{
  GTask *task = user_data;
  Check *check = g_task_get_task_data (task);

  check->patience = 0;
  hooks_finish (task, BECKON_HOOK_VETO, g_strdup ("What was to check this call said nothing, so that it does not run."));
  return G_SOURCE_REMOVE;
}

static void ask_next (GTask *task);

static void
hooks_on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Check *check = g_task_get_task_data (task);
  g_autofree char *reason = NULL;
  g_autoptr (GError) error = NULL;
  BeckonHookVerdict verdict = BECKON_HOOK_GET_IFACE (source)->check_finish (BECKON_HOOK (source), result, &reason, &error);

  if (check->answered)
    return;
  g_clear_handle_id (&check->patience, g_source_remove);
  if (error != NULL)
    hooks_finish (task, BECKON_HOOK_VETO,
                  g_strdup_printf ("What was to check this call failed, so that it does not run: %s", error->message));
  else if (verdict != BECKON_HOOK_PASS && verdict != BECKON_HOOK_ASK)
    hooks_finish (task, BECKON_HOOK_VETO, g_steal_pointer (&reason));
  else
    {
      if (verdict == BECKON_HOOK_ASK && check->verdict == BECKON_HOOK_PASS)
        {
          check->verdict = BECKON_HOOK_ASK;
          check->reason = g_steal_pointer (&reason);
        }
      ask_next (task);
    }
}

static void
ask_next (GTask *task)
{
  Check *check = g_task_get_task_data (task);
  const BeckonHookCall call = { check->conversation_id, check->call, check->arguments, check->folder, check->decision_id };

  while (check->next < check->hooks->len)
    {
      BeckonHook *hook = g_ptr_array_index (check->hooks, check->next++);
      BeckonHookInterface *iface = BECKON_HOOK_GET_IFACE (hook);

      if (iface->check_async == NULL)
        continue;
      check->patience = g_timeout_add_seconds (PATIENCE_SECONDS, hooks_on_patience_over, task);
      iface->check_async (hook, &call, check->cancellable, hooks_on_checked, g_object_ref (task));
      return;
    }

  hooks_finish (task, check->verdict, g_steal_pointer (&check->reason));
}

void
beckon_hooks_check_async (BeckonHooks *self, const BeckonHookCall *call, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_hooks_check_async);
  g_task_set_task_data (task, check_new (self, call, cancellable), check_free);
  ask_next (task);
}

BeckonHookVerdict
beckon_hooks_check_finish (BeckonHooks *self, GAsyncResult *result, char **reason)
{
  Check *check;
  gssize verdict;

  check = g_task_get_task_data (G_TASK (result));
  verdict = g_task_propagate_int (G_TASK (result), NULL);
  *reason = g_strdup (check->reason);
  return verdict == BECKON_HOOK_PASS || verdict == BECKON_HOOK_ASK ? (BeckonHookVerdict) verdict : BECKON_HOOK_VETO;
}

gboolean
beckon_hooks_intercept (BeckonHooks *self)
{
  for (guint i = 0; i < self->all->len; i++)
    if (BECKON_HOOK_GET_IFACE (g_ptr_array_index (self->all, i))->check_async != NULL)
      return TRUE;

  return FALSE;
}

/* A hook may take itself out while it is told. */
void
beckon_hooks_started (BeckonHooks *self, const BeckonHookCall *call)
{
  g_autoptr (GPtrArray) all = copy_list (self);

  for (guint i = 0; i < all->len; i++)
    {
      BeckonHookInterface *iface = BECKON_HOOK_GET_IFACE (g_ptr_array_index (all, i));

      if (iface->started != NULL)
        iface->started (g_ptr_array_index (all, i), call);
    }
}

void
beckon_hooks_ended (BeckonHooks *self, const BeckonHookCall *call, const char *result, gboolean is_error)
{
  g_autoptr (GPtrArray) all = copy_list (self);

  for (guint i = 0; i < all->len; i++)
    {
      BeckonHookInterface *iface = BECKON_HOOK_GET_IFACE (g_ptr_array_index (all, i));

      if (iface->ended != NULL)
        iface->ended (g_ptr_array_index (all, i), call, result, is_error);
    }
}

void
beckon_hooks_add (BeckonHooks *self, BeckonHook *hook)
{
  g_return_if_fail (BECKON_IS_HOOKS (self));
  g_return_if_fail (BECKON_IS_HOOK (hook));

  g_ptr_array_add (self->all, g_object_ref (hook));
}

static void
beckon_hooks_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_HOOKS (object)->all);

  G_OBJECT_CLASS (beckon_hooks_parent_class)->finalize (object);
}

static void
beckon_hooks_class_init (BeckonHooksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_hooks_finalize;
}

static void
beckon_hooks_init (BeckonHooks *self)
{
  self->all = g_ptr_array_new_with_free_func (g_object_unref);
}

BeckonHooks *
beckon_hooks_new (void)
{
  return g_object_new (BECKON_TYPE_HOOKS, NULL);
}
