/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rules.h"

#include "beckon-store-private.h"

struct _BeckonRules
{
  GObject parent_instance;

  BeckonStore *store;  /* (owned) */
  GPtrArray *snapshot; /* (owned) (nullable) (element-type BeckonRule) */
  GPtrArray *unstored; /* (owned) (element-type BeckonRule): of temporary conversations */

  /* in progress */
  gboolean is_reloading;
  gboolean reload_again;
};

G_DEFINE_FINAL_TYPE (BeckonRules, beckon_rules, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GPtrArray *
rule_array_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
}

/* Takes @snapshot. */
static void
replace (BeckonRules *self, GPtrArray *snapshot)
{
  g_clear_pointer (&self->snapshot, g_ptr_array_unref);
  self->snapshot = snapshot;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* In their order; those without a place come last, in the order they came in. */
static GPtrArray *
copy_without (BeckonRules *self, const char *rule_id)
{
  GPtrArray *copy = rule_array_new ();

  for (guint i = 0; self->snapshot != NULL && i < self->snapshot->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (self->snapshot, i);

      if (g_strcmp0 (rule->id, rule_id) != 0)
        g_ptr_array_add (copy, beckon_rule_ref (rule));
    }

  return copy;
}

static void
insert (GPtrArray *rules, BeckonRule *rule)
{
  guint place = rules->len;

  while (rule->number > 0 && place > 0)
    {
      const BeckonRule *before = g_ptr_array_index (rules, place - 1);

      if (before->number > 0 && before->number < rule->number)
        break;
      place--;
    }
  g_ptr_array_insert (rules, (int) place, beckon_rule_ref (rule));
}

static void
take_in (BeckonRules *self, GPtrArray *listed)
{
  GPtrArray *snapshot = rule_array_new ();

  for (guint i = 0; i < listed->len; i++)
    g_ptr_array_add (snapshot, beckon_rule_ref (g_ptr_array_index (listed, i)));
  for (guint i = 0; i < self->unstored->len; i++)
    g_ptr_array_add (snapshot, beckon_rule_ref (g_ptr_array_index (self->unstored, i)));
  replace (self, snapshot);
}

static void reload (BeckonRules *self);

static void
on_reloaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRules) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = beckon_store_list_rules_finish (BECKON_STORE (source), result, &error);
  gboolean again = self->reload_again;

  self->is_reloading = FALSE;
  self->reload_again = FALSE;
  if (again)
    reload (self);
  else if (listed != NULL)
    take_in (self, listed);
  else
    g_message ("the rules were not read again: %s", error->message);
}

static void
reload (BeckonRules *self)
{
  if (self->snapshot == NULL)
    return;

  if (self->is_reloading)
    {
      self->reload_again = TRUE;
      return;
    }

  self->is_reloading = TRUE;
  beckon_store_list_rules_async (self->store, NULL, on_reloaded, g_object_ref (self));
}

static void
beckon_rules_dispose (GObject *object)
{
  g_clear_object (&BECKON_RULES (object)->store);

  G_OBJECT_CLASS (beckon_rules_parent_class)->dispose (object);
}

static void
beckon_rules_finalize (GObject *object)
{
  BeckonRules *self = BECKON_RULES (object);

  g_clear_pointer (&self->snapshot, g_ptr_array_unref);
  g_ptr_array_unref (self->unstored);

  G_OBJECT_CLASS (beckon_rules_parent_class)->finalize (object);
}

static void
beckon_rules_class_init (BeckonRulesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_rules_dispose;
  object_class->finalize = beckon_rules_finalize;

  signals[SIGNAL_CHANGED]
      = g_signal_new ("changed", BECKON_TYPE_RULES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_rules_init (BeckonRules *self)
{
  self->unstored = rule_array_new ();
}

BeckonRules *
beckon_rules_new (BeckonStore *store)
{
  BeckonRules *self;

  g_return_val_if_fail (BECKON_IS_STORE (store), NULL);

  self = g_object_new (BECKON_TYPE_RULES, NULL);
  self->store = g_object_ref (store);
  g_signal_connect_object (store, "changed-elsewhere", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);

  return self;
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = beckon_store_list_rules_finish (BECKON_STORE (source), result, &error);

  if (listed == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  take_in (g_task_get_source_object (task), listed);
  g_task_return_boolean (task, TRUE);
}

void
beckon_rules_load_async (BeckonRules *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_RULES (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_rules_load_async);
  beckon_store_list_rules_async (self->store, cancellable, on_loaded, task);
}

gboolean
beckon_rules_load_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_rules_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

GPtrArray *
beckon_rules_get_snapshot (BeckonRules *self)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), NULL);

  return self->snapshot;
}

BeckonRule *
beckon_rules_lookup (BeckonRules *self, const char *rule_id)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), NULL);
  g_return_val_if_fail (rule_id != NULL, NULL);

  for (guint i = 0; self->snapshot != NULL && i < self->snapshot->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (self->snapshot, i);

      if (g_str_equal (rule->id, rule_id))
        return rule;
    }

  return NULL;
}

void
beckon_rules_add_now (BeckonRules *self, BeckonRule *rule)
{
  GPtrArray *snapshot;

  g_return_if_fail (BECKON_IS_RULES (self));
  g_return_if_fail (rule != NULL && rule->id != NULL);

  if (self->snapshot == NULL)
    return;
  if (rule->conversation_id != NULL
      && g_hash_table_contains (beckon_store_get_temporary (self->store), rule->conversation_id))
    g_ptr_array_add (self->unstored, beckon_rule_ref (rule));
  snapshot = copy_without (self, rule->id);
  insert (snapshot, rule);
  replace (self, snapshot);
}

/* What was written is read again for its place and its number; what could not be written does not go on as if it were. */
static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean written = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  reload (g_task_get_source_object (task));
  if (written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
commit (BeckonRules *self, BeckonBatch *batch, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer user_data, gpointer tag)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  /* A listing that is under way does not know of it yet. */
  self->reload_again = self->is_reloading;

  g_task_set_source_tag (task, tag);
  g_task_set_check_cancellable (task, FALSE);
  beckon_store_commit_async (self->store, batch, cancellable, on_committed, task);
}

void
beckon_rules_save_async (BeckonRules *self, BeckonRule *rule, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_RULES (self));
  g_return_if_fail (rule != NULL && rule->id != NULL);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_put_rule (batch, rule);
  beckon_rules_add_now (self, rule);
  commit (self, batch, cancellable, callback, user_data, beckon_rules_save_async);
}

gboolean
beckon_rules_save_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_rules_save_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_rules_remove_async (BeckonRules *self, const char *rule_id, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *id = g_strdup (rule_id);
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_RULES (self));
  g_return_if_fail (rule_id != NULL);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_rule (batch, id);
  for (guint i = self->unstored->len; i > 0; i--)
    if (g_str_equal (((BeckonRule *) g_ptr_array_index (self->unstored, i - 1))->id, id))
      g_ptr_array_remove_index (self->unstored, i - 1);
  if (self->snapshot != NULL)
    replace (self, copy_without (self, id));
  commit (self, batch, cancellable, callback, user_data, beckon_rules_remove_async);
}

gboolean
beckon_rules_remove_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_rules_remove_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
