/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-policy.h"

#include <glib/gi18n-lib.h>

#define UNASKED                                                                                                                \
  "Not run, and nothing was changed: it needs the user's approval, and nobody can be asked here. Do not try it again; say "    \
  "what you would have run and that it can be approved in the window or in a terminal."

/* (nullable): why it is not only about what is in the folder. */
static const char *
find_reach (const BeckonEffects *effects)
{
  if (beckon_effects_get_reach (effects, "local_network") != NULL)
    return _("It reaches services of this computer and its network.");
  if (effects->uses_network)
    return _("It uses the network, and could carry data out.");
  if (effects->leaves_folder)
    return _("It reaches outside the folder.");
  if (effects->outlives)
    return _("Every later conversation reads what it writes.");
  if (!effects->feeds_others)
    return NULL;
  return effects->runner != NULL ? effects->runner : _("It writes what other programs run by themselves.");
}

/* A command of which nothing can be shown first. */
static gboolean
works_in_folder (const BeckonEffects *effects)
{
  return effects->command != NULL && !effects->read_only && !effects->lands;
}

static const char *
describe_change (const BeckonEffects *effects)
{
  return works_in_folder (effects) ? _("It works in the folder itself: what it changes can't be shown first.")
                                   : _("It can change something.");
}

/* Whether a call may run without a question, and the rule in words. What lands is asked about then, or left out where nobody
 * is there. */
static gboolean
is_allowed (const BeckonEffects *effects, BeckonMode mode, const char **reason)
{
  const char *reach = find_reach (effects);

  /* A server's word about its tools is only a hint. */
  if (effects->server != NULL && mode != BECKON_MODE_ASK_EVERYTHING)
    {
      *reason = _("It is a tool of a server, which does with it what it likes.");
      return FALSE;
    }

  switch (mode)
    {
    case BECKON_MODE_ASK_OUTSIDE:
      *reason = reach == NULL && works_in_folder (effects) ? describe_change (effects) : reach;
      return *reason == NULL;

    case BECKON_MODE_ASK_CHANGES:
      *reason = reach != NULL ? reach : describe_change (effects);
      return reach == NULL && (effects->read_only || effects->lands);

    case BECKON_MODE_ASK_EVERYTHING:
    default:
      *reason = effects->feeds_others ? reach : _("You chose to be asked for everything.");
      return FALSE;
    }
}

static const char *
describe_permission (const BeckonEffects *effects, BeckonMode mode, gboolean has_person)
{
  if (effects->read_only)
    return _("It only reads, inside the folder.");
  if (effects->lands && mode == BECKON_MODE_ASK_CHANGES)
    return has_person ? _("What it changes is shown before it is in the folder.")
                      : _("What it changes is left out, unless a rule or the mode saves it.");

  return _("It stays inside the folder.");
}

gboolean
beckon_policy_was_unasked (const char *result)
{
  return g_strcmp0 (result, UNASKED) == 0;
}

BeckonDecision
beckon_policy_decide (const BeckonEffects *effects, BeckonMode mode, gboolean has_person)
{
  BeckonDecision decision = { BECKON_VERDICT_DENY, NULL, NULL };

  g_return_val_if_fail (effects != NULL, decision);

  if (is_allowed (effects, mode, &decision.reason))
    {
      decision.verdict = BECKON_VERDICT_ALLOW;
      decision.reason = describe_permission (effects, mode, has_person);
    }
  else if (has_person)
    {
      decision.verdict = BECKON_VERDICT_ASK;
    }
  else
    {
      decision.verdict = BECKON_VERDICT_DENY;
      decision.reason = _("This call needs somebody's approval, and nobody can be asked here. Run it in the window or in "
                          "a terminal, where it can be approved.");
      decision.refusal = UNASKED;
    }

  return decision;
}
