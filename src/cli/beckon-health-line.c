/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-health-line.h"

#include "beckon-command.h"

#include <stdio.h>
#include <unistd.h>

/* How many changes wait is no news by itself; that one waits is. */
typedef struct
{
  BeckonFault fault;
  gboolean has_unsaved;
} Said;

static void
on_problem (BeckonHealth *health, GParamSpec *pspec, gpointer user_data)
{
  Said *said = user_data;
  const char *problem = beckon_health_get_problem (health);
  gboolean has_unsaved = beckon_health_get_n_unsaved (health) > 0;

  if (problem != NULL && (said->fault != beckon_health_get_fault (health) || (has_unsaved && !said->has_unsaved)))
    beckon_command_complain (NULL, problem);
  said->fault = beckon_health_get_fault (health);
  said->has_unsaved = has_unsaved;
}

/* A person at a terminal has read it; a log has not. */
static void
on_notice (BeckonHealth *health, GParamSpec *pspec, gpointer store)
{
  if (beckon_health_get_notice (health) == NULL)
    return;

  beckon_command_complain (NULL, beckon_health_get_notice (health));
  if (isatty (STDERR_FILENO))
    beckon_store_dismiss_notice (store);
}

static void
free_said (gpointer said, GClosure *closure)
{
  g_free (said);
}

void
beckon_health_line_follow (BeckonRuntime *runtime)
{
  BeckonHealth *health;

  health = beckon_store_get_health (beckon_runtime_get_store (runtime));
  g_signal_connect_data (health, "notify::problem", G_CALLBACK (on_problem), g_new0 (Said, 1), free_said, 0);
  g_signal_connect (health, "notify::notice", G_CALLBACK (on_notice), beckon_runtime_get_store (runtime));
}
