/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-landing.h"

#include "base/beckon-words.h"

#include <string.h>

static const char *const words[] = {
  [BECKON_LANDING_WAITING] = "waiting",
  [BECKON_LANDING_DECIDED] = "decided",
  [BECKON_LANDING_LANDED] = "landed",
  [BECKON_LANDING_UNDONE] = "undone",
};

BeckonLanding *
beckon_landing_new (const char *call_id, const char *folder, const char *place, gint64 base, BeckonChangeSet *changes)
{
  BeckonLanding *landing;

  g_return_val_if_fail (call_id != NULL && folder != NULL && place != NULL && changes != NULL, NULL);

  landing = g_new0 (BeckonLanding, 1);
  landing->id = g_strdup (call_id);
  landing->call_id = g_strdup (call_id);
  landing->folder = g_strdup (folder);
  landing->place = g_strdup (place);
  landing->base = base;
  landing->changes = beckon_change_set_ref (changes);
  landing->exit_status = -1;
  return landing;
}

void
beckon_landing_set_id (BeckonLanding *landing, const char *id)
{
  char *copy;

  g_return_if_fail (landing != NULL && id != NULL);

  copy = g_strdup (id);
  g_free (landing->id);
  landing->id = copy;
}

gboolean
beckon_landing_is_early (const BeckonLanding *landing)
{
  g_return_val_if_fail (landing != NULL, FALSE);

  return strcmp (landing->id, landing->call_id) != 0;
}

BeckonLanding *
beckon_landing_copy (const BeckonLanding *landing)
{
  BeckonLanding *copy;

  g_return_val_if_fail (landing != NULL, NULL);

  copy = g_new (BeckonLanding, 1);
  *copy = *landing;
  copy->id = g_strdup (landing->id);
  copy->call_id = g_strdup (landing->call_id);
  copy->folder = g_strdup (landing->folder);
  copy->place = g_strdup (landing->place);
  copy->git = g_strdup (landing->git);
  copy->changes = beckon_change_set_copy (landing->changes);
  copy->output = g_strdup (landing->output);
  return copy;
}

void
beckon_landing_free (BeckonLanding *landing)
{
  if (landing == NULL)
    return;

  g_free (landing->id);
  g_free (landing->call_id);
  g_free (landing->folder);
  g_free (landing->place);
  g_free (landing->git);
  beckon_change_set_unref (landing->changes);
  g_free (landing->output);
  g_free (landing);
}

BECKON_WORDS_TO (BeckonLandingState, beckon_landing_state_to_string, words)
BECKON_WORDS_FROM (BeckonLandingState, beckon_landing_state_from_string, words)
