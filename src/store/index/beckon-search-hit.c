/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-search-hit.h"

BeckonSearchHit *
beckon_search_hit_new (void)
{
  BeckonSearchHit *hit = g_new0 (BeckonSearchHit, 1);

  hit->matches = g_array_new (FALSE, FALSE, sizeof (BeckonSearchMatch));

  return hit;
}

void
beckon_search_hit_free (BeckonSearchHit *hit)
{
  g_return_if_fail (hit != NULL);

  g_free (hit->conversation_id);
  g_free (hit->title);
  g_free (hit->message_id);
  g_free (hit->snippet);
  g_array_unref (hit->matches);
  g_free (hit);
}
