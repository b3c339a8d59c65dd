/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-argument-overrides.h"

#include "store/db/beckon-store-follow.h"

struct _BeckonArgumentOverrides
{
  BeckonFollowedList parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonArgumentOverrides, beckon_argument_overrides, BECKON_TYPE_FOLLOWED_LIST)

static void
beckon_argument_overrides_class_init (BeckonArgumentOverridesClass *klass)
{
  BeckonFollowedListClass *list_class = BECKON_FOLLOWED_LIST_CLASS (klass);

  list_class->list_async = beckon_store_list_parameters_async;
  list_class->list_finish = beckon_store_list_parameters_finish;
}

static void
beckon_argument_overrides_init (BeckonArgumentOverrides *self)
{
}

BeckonArgumentOverrides *
beckon_argument_overrides_new (BeckonStore *store)
{
  BeckonArgumentOverrides *self;

  g_return_val_if_fail (BECKON_IS_STORE (store), NULL);

  self = g_object_new (BECKON_TYPE_ARGUMENT_OVERRIDES, NULL);
  beckon_followed_list_set_store (BECKON_FOLLOWED_LIST (self), store);

  return self;
}

BeckonParameters *
beckon_argument_overrides_collect (BeckonArgumentOverrides *self, const char *tool, const char *server)
{
  if (self == NULL)
    return beckon_parameters_new ();

  return beckon_tool_parameters_collect (beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (self)), tool, server);
}

BeckonToolParameter *
beckon_argument_overrides_lookup (BeckonArgumentOverrides *self, const char *tool, const char *server, const char *name)
{
  g_autoptr (BeckonToolParameter) wanted = beckon_tool_parameter_new (tool, server, name);
  GPtrArray *snapshot;

  g_return_val_if_fail (BECKON_IS_ARGUMENT_OVERRIDES (self), NULL);

  snapshot = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (self));
  for (guint i = 0; snapshot != NULL && i < snapshot->len; i++)
    if (beckon_tool_parameter_is_same (g_ptr_array_index (snapshot, i), wanted))
      return g_ptr_array_index (snapshot, i);

  return NULL;
}

static int
argument_overrides_compare (gconstpointer a, gconstpointer b)
{
  const BeckonToolParameter *one = *(BeckonToolParameter *const *) a;
  const BeckonToolParameter *other = *(BeckonToolParameter *const *) b;
  int order = g_strcmp0 (one->tool, other->tool);

  if (order == 0)
    order = g_strcmp0 (one->server, other->server);

  return order != 0 ? order : g_strcmp0 (one->name, other->name);
}

void
beckon_argument_overrides_save_async (BeckonArgumentOverrides *self, BeckonToolParameter *parameter,
                                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonBatch *batch;
  GPtrArray *snapshot;
  GPtrArray *copy;

  g_return_if_fail (BECKON_IS_ARGUMENT_OVERRIDES (self));
  g_return_if_fail (parameter != NULL);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_put_parameter (batch, parameter);
  snapshot = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (self));
  /* The override holds before a re-read. */
  if (snapshot != NULL)
    {
      copy = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_parameter_unref);
      for (guint i = 0; i < snapshot->len; i++)
        if (!beckon_tool_parameter_is_same (g_ptr_array_index (snapshot, i), parameter))
          g_ptr_array_add (copy, beckon_tool_parameter_ref (g_ptr_array_index (snapshot, i)));
      if (beckon_tool_parameter_says_something (parameter))
        g_ptr_array_add (copy, beckon_tool_parameter_ref (parameter));
      g_ptr_array_sort (copy, argument_overrides_compare);
      beckon_followed_list_replace (BECKON_FOLLOWED_LIST (self), copy);
    }
  beckon_followed_list_commit_async (BECKON_FOLLOWED_LIST (self), batch, cancellable, callback, user_data);
}

gboolean
beckon_argument_overrides_save_finish (BeckonArgumentOverrides *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_ARGUMENT_OVERRIDES (self), FALSE);

  return beckon_followed_list_commit_finish (BECKON_FOLLOWED_LIST (self), result, error);
}
