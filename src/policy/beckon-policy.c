/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-policy.h"

#include <glib/gi18n-lib.h>

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
  return effects->feeds_others ? _("It writes what other programs run by themselves.") : NULL;
}

/* Whether a call may run without a question, and the rule in words. */
static gboolean
is_allowed (const BeckonEffects *effects, BeckonMode mode, const char **reason)
{
  const char *reach = find_reach (effects);

  /* What a server says of its tools is a hint and no promise. */
  if (effects->server != NULL && mode != BECKON_MODE_ASK_EVERYTHING)
    {
      *reason = _("It is a tool of a server, which does with it what it likes.");
      return FALSE;
    }

  switch (mode)
    {
    case BECKON_MODE_ASK_OUTSIDE:
      *reason = reach;
      return reach == NULL;

    case BECKON_MODE_ASK_CHANGES:
      *reason = reach != NULL ? reach : _("It can change something.");
      return effects->read_only && reach == NULL;

    case BECKON_MODE_ASK_EVERYTHING:
    default:
      *reason = _("You chose to be asked for everything.");
      return FALSE;
    }
}

BeckonDecision
beckon_policy_decide (const BeckonEffects *effects, BeckonMode mode, gboolean has_person)
{
  BeckonDecision decision = { BECKON_VERDICT_DENY, NULL, NULL };

  g_return_val_if_fail (effects != NULL, decision);

  if (is_allowed (effects, mode, &decision.reason))
    {
      decision.verdict = BECKON_VERDICT_ALLOW;
      decision.reason = effects->read_only ? _("It only reads, inside the folder.") : _("It stays inside the folder.");
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
      decision.refusal = "Not run, and nothing was changed: it needs the user's approval, and nobody can be asked here. "
                         "Do not try it again; say what you would have run and that it can be approved in the window or "
                         "in a terminal.";
    }

  return decision;
}
