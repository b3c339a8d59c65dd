/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-start.h"

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

BeckonJob *
beckon_start (const char *const *argv, const BeckonSandboxOptions *options, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_sandbox_start_async (argv, options, on_done, &result);
  return beckon_sandbox_start_finish (wait_for (&result), error);
}

int
beckon_start_launch (const BeckonLaunch *launch, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_launch_async (launch, on_done, &result);
  return beckon_launch_finish (wait_for (&result), error);
}
