/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

#include "base/beckon-loopback.h"
#include "beckon-model-table.h"

#include <stdio.h>

/* A model on this computer has the window that its server was started with, not the one that it could have. */
static guint
find_known_window (BeckonProfile *profile)
{
  BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;

  if (!beckon_uri_is_loopback (beckon_profile_get_base_url (profile)))
    beckon_model_table_complete (beckon_profile_get_model (profile), &details);
  return details.facts.window;
}

/* Three numbers, as they are stored. What is no such thing says nothing. */
void
beckon_profile_get_facts (BeckonProfile *self, BeckonModelFacts *facts)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;
  g_autofree char *text = NULL;

  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (facts != NULL);

  g_object_get (self, "facts", &text, NULL);
  *facts = none;
  if (sscanf (text, "%u %u %d", &facts->window, &facts->output, &facts->images) != 3)
    *facts = none;
  facts->window = MIN (facts->window, BECKON_PROFILE_WINDOW_MAX);
  facts->output = MIN (facts->output, BECKON_PROFILE_OUTPUT_LIMIT_MAX);
  facts->images = CLAMP (facts->images, -1, 1);
}

void
beckon_profile_set_facts (BeckonProfile *self, const BeckonModelFacts *facts)
{
  g_autofree char *text = g_strdup_printf ("%u %u %d", facts->window, facts->output, facts->images);
  gboolean is_something = facts->window > 0 || facts->output > 0 || facts->images >= 0;

  g_return_if_fail (BECKON_IS_PROFILE (self));

  g_object_set (self, "facts", is_something ? text : "", NULL);
}

BeckonFactSource
beckon_profile_get_window_source (BeckonProfile *self)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_FACT_UNKNOWN);

  beckon_profile_get_facts (self, &facts);
  if (beckon_profile_get_context_window (self) != 0)
    return BECKON_FACT_ENTERED;
  if (facts.window != 0)
    return BECKON_FACT_SERVER;
  return find_known_window (self) != 0 ? BECKON_FACT_TABLE : BECKON_FACT_UNKNOWN;
}

guint
beckon_profile_get_effective_window (BeckonProfile *self)
{
  BeckonModelFacts facts;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_WINDOW_DEFAULT);

  beckon_profile_get_facts (self, &facts);
  switch (beckon_profile_get_window_source (self))
    {
    case BECKON_FACT_ENTERED:
      return beckon_profile_get_context_window (self);
    case BECKON_FACT_SERVER:
      return facts.window;
    case BECKON_FACT_TABLE:
      return find_known_window (self);
    case BECKON_FACT_UNKNOWN:
    default:
      return BECKON_PROFILE_WINDOW_DEFAULT;
    }
}
