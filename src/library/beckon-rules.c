/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rules.h"

#include "store/db/beckon-store-follow.h"

struct _BeckonRules
{
  BeckonFollowedList parent_instance;

  GPtrArray *unstored; /* (owned) (element-type BeckonRule): of temporary conversations */
};

G_DEFINE_FINAL_TYPE (BeckonRules, beckon_rules, BECKON_TYPE_FOLLOWED_LIST)

static GPtrArray *
rule_array_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
}

static BeckonFollowedList *
get_list (BeckonRules *self)
{
  return BECKON_FOLLOWED_LIST (self);
}

/* In their order; those without a place come last, in the order they came in. */
static GPtrArray *
copy_without (BeckonRules *self, const char *rule_id)
{
  GPtrArray *snapshot = beckon_rules_get_snapshot (self);
  GPtrArray *copy = rule_array_new ();

  for (guint i = 0; snapshot != NULL && i < snapshot->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (snapshot, i);

      if (g_strcmp0 (rule->id, rule_id) != 0)
        g_ptr_array_add (copy, beckon_rule_ref (rule));
    }

  return copy;
}

static void
rules_insert (GPtrArray *rules, BeckonRule *rule)
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

static GPtrArray *
complete (BeckonFollowedList *list, GPtrArray *listed)
{
  BeckonRules *self = BECKON_RULES (list);
  GPtrArray *snapshot = rule_array_new ();

  for (guint i = 0; i < listed->len; i++)
    g_ptr_array_add (snapshot, beckon_rule_ref (g_ptr_array_index (listed, i)));
  for (guint i = 0; i < self->unstored->len; i++)
    g_ptr_array_add (snapshot, beckon_rule_ref (g_ptr_array_index (self->unstored, i)));

  return snapshot;
}

static void
beckon_rules_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_RULES (object)->unstored);

  G_OBJECT_CLASS (beckon_rules_parent_class)->finalize (object);
}

static void
beckon_rules_class_init (BeckonRulesClass *klass)
{
  BeckonFollowedListClass *list_class = BECKON_FOLLOWED_LIST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_rules_finalize;
  list_class->list_async = beckon_store_list_rules_async;
  list_class->list_finish = beckon_store_list_rules_finish;
  list_class->complete = complete;
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
  beckon_followed_list_set_store (get_list (self), store);

  return self;
}

void
beckon_rules_load_async (BeckonRules *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_RULES (self));

  beckon_followed_list_load_async (get_list (self), cancellable, callback, user_data);
}

gboolean
beckon_rules_load_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), FALSE);

  return beckon_followed_list_load_finish (get_list (self), result, error);
}

GPtrArray *
beckon_rules_get_snapshot (BeckonRules *self)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), NULL);

  return beckon_followed_list_get_snapshot (get_list (self));
}

BeckonRule *
beckon_rules_lookup (BeckonRules *self, const char *rule_id)
{
  GPtrArray *snapshot = beckon_rules_get_snapshot (self);

  for (guint i = 0; snapshot != NULL && i < snapshot->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (snapshot, i);

      if (g_str_equal (rule->id, rule_id))
        return rule;
    }

  return NULL;
}

void
beckon_rules_add_now (BeckonRules *self, BeckonRule *rule)
{
  BeckonStore *store;
  GPtrArray *snapshot;

  g_return_if_fail (BECKON_IS_RULES (self));
  g_return_if_fail (rule != NULL && rule->id != NULL);

  if (beckon_rules_get_snapshot (self) == NULL)
    return;
  store = beckon_followed_list_get_store (get_list (self));
  if (rule->conversation_id != NULL && g_hash_table_contains (beckon_store_get_temporary (store), rule->conversation_id))
    g_ptr_array_add (self->unstored, beckon_rule_ref (rule));
  snapshot = copy_without (self, rule->id);
  rules_insert (snapshot, rule);
  beckon_followed_list_replace (get_list (self), snapshot);
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
  beckon_followed_list_commit_async (get_list (self), batch, cancellable, callback, user_data);
}

gboolean
beckon_rules_save_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), FALSE);

  return beckon_followed_list_commit_finish (get_list (self), result, error);
}

static void
put_at (BeckonRules *self, BeckonRule *rule, gint64 number)
{
  g_autoptr (BeckonRule) moved = beckon_rule_copy (rule);
  GPtrArray *snapshot = copy_without (self, rule->id);

  moved->number = number;
  rules_insert (snapshot, moved);
  beckon_followed_list_replace (get_list (self), snapshot);
}

void
beckon_rules_swap_async (BeckonRules *self, BeckonRule *one, BeckonRule *other, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonRule) first = beckon_rule_ref (one);
  g_autoptr (BeckonRule) second = beckon_rule_ref (other);
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_RULES (self));
  g_return_if_fail (one->number > 0 && other->number > 0);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_swap_rules (batch, first, second);
  if (beckon_rules_get_snapshot (self) != NULL)
    {
      put_at (self, first, second->number);
      put_at (self, second, first->number);
    }
  beckon_followed_list_commit_async (get_list (self), batch, cancellable, callback, user_data);
}

gboolean
beckon_rules_swap_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), FALSE);

  return beckon_followed_list_commit_finish (get_list (self), result, error);
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
  if (beckon_rules_get_snapshot (self) != NULL)
    beckon_followed_list_replace (get_list (self), copy_without (self, id));
  beckon_followed_list_commit_async (get_list (self), batch, cancellable, callback, user_data);
}

gboolean
beckon_rules_remove_finish (BeckonRules *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_RULES (self), FALSE);

  return beckon_followed_list_commit_finish (get_list (self), result, error);
}
