/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BECKON_FINISH_POINTER: (skip)
 * @Type: a pointer type
 * @name: the name of an operation, whose task has `name_async` as its source tag
 * @Source: the type of the task's source
 *
 * Defines `name_finish (source, result, error)` for an operation whose finish function has nothing to do but return what the
 * task holds. `static` stands before it where the function is of one file.
 */
#define BECKON_FINISH_POINTER(Type, name, Source)                                                                             \
  Type name##_finish (Source *source, GAsyncResult *result, GError **error)                                                  \
  {                                                                                                                           \
    g_return_val_if_fail (g_task_is_valid (result, source), NULL);                                                            \
    g_return_val_if_fail (g_async_result_is_tagged (result, name##_async), NULL);                                             \
                                                                                                                              \
    return g_task_propagate_pointer (G_TASK (result), error);                                                                 \
  }

/** BECKON_FINISH_BOOLEAN: (skip): the same for a task that returns a truth value. */
#define BECKON_FINISH_BOOLEAN(name, Source)                                                                                   \
  gboolean name##_finish (Source *source, GAsyncResult *result, GError **error)                                               \
  {                                                                                                                           \
    g_return_val_if_fail (g_task_is_valid (result, source), FALSE);                                                           \
    g_return_val_if_fail (g_async_result_is_tagged (result, name##_async), FALSE);                                            \
                                                                                                                              \
    return g_task_propagate_boolean (G_TASK (result), error);                                                                 \
  }

/** BECKON_FINISH_LONE_POINTER: (skip): the same for an operation of no object: `name_finish (result, error)`. */
#define BECKON_FINISH_LONE_POINTER(Type, name)                                                                                \
  Type name##_finish (GAsyncResult *result, GError **error)                                                                   \
  {                                                                                                                           \
    g_return_val_if_fail (g_async_result_is_tagged (result, name##_async), NULL);                                             \
                                                                                                                              \
    return g_task_propagate_pointer (G_TASK (result), error);                                                                 \
  }

/** BECKON_FINISH_LONE_BOOLEAN: (skip) */
#define BECKON_FINISH_LONE_BOOLEAN(name)                                                                                      \
  gboolean name##_finish (GAsyncResult *result, GError **error)                                                               \
  {                                                                                                                           \
    g_return_val_if_fail (g_async_result_is_tagged (result, name##_async), FALSE);                                            \
                                                                                                                              \
    return g_task_propagate_boolean (G_TASK (result), error);                                                                 \
  }

G_END_DECLS
