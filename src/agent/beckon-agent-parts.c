/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-parts.h"

void
beckon_agent_parts_init (BeckonAgentParts *to, const BeckonAgentParts *from)
{
  to->store = g_object_ref (from->store);
  to->library = g_object_ref (from->library);
  to->profiles = g_object_ref (from->profiles);
  to->rules = g_object_ref (from->rules);
  to->parameters = from->parameters != NULL ? g_object_ref (from->parameters) : NULL;
  to->inbox = g_object_ref (from->inbox);
  to->provider = g_object_ref (from->provider);
  to->tools = g_object_ref (from->tools);
  to->servers = from->servers != NULL ? g_object_ref (from->servers) : NULL;
  to->settings = g_object_ref (from->settings);
  to->clock = g_object_ref (from->clock);
  to->meter = from->meter != NULL ? beckon_token_meter_ref (from->meter) : beckon_token_meter_new ();
  to->secrets = from->secrets != NULL ? g_object_ref (from->secrets) : beckon_known_secrets_new (from->store, from->inbox);
}

void
beckon_agent_parts_clear (BeckonAgentParts *parts)
{
  g_clear_object (&parts->store);
  g_clear_object (&parts->library);
  g_clear_object (&parts->profiles);
  g_clear_object (&parts->rules);
  g_clear_object (&parts->parameters);
  g_clear_object (&parts->inbox);
  g_clear_object (&parts->provider);
  g_clear_object (&parts->tools);
  g_clear_object (&parts->servers);
  g_clear_object (&parts->settings);
  g_clear_object (&parts->clock);
  g_clear_pointer (&parts->meter, beckon_token_meter_unref);
  g_clear_object (&parts->secrets);
}

BeckonProfile *
beckon_agent_parts_find_profile (const BeckonAgentParts *parts, BeckonConversation *conversation)
{
  g_autofree char *in_use = beckon_settings_dup_default_profile (parts->settings);
  const char *id = beckon_conversation_get_profile_id (conversation);
  BeckonProfile *profile = id != NULL ? beckon_profiles_lookup (parts->profiles, id) : NULL;

  return profile != NULL ? profile : beckon_profiles_lookup (parts->profiles, in_use);
}

typedef struct
{
  GPtrArray *snapshot; /* (owned): what the set was made of */
  BeckonRuleSet *set;  /* (owned) */
} Prepared;

static void
prepared_free (gpointer data)
{
  Prepared *prepared = data;

  g_ptr_array_unref (prepared->snapshot);
  beckon_rule_set_unref (prepared->set);
  g_free (prepared);
}

/* Made once for each snapshot, and shared by all runs. */
BeckonRuleSet *
beckon_agent_parts_get_rule_set (const BeckonAgentParts *parts)
{
  static const char key[] = "beckon-agent-rule-set";
  GPtrArray *snapshot = beckon_rules_get_snapshot (parts->rules);
  Prepared *prepared = g_object_get_data (G_OBJECT (parts->rules), key);

  if (snapshot == NULL)
    return NULL;
  if (prepared != NULL && prepared->snapshot == snapshot)
    return prepared->set;
  prepared = g_new0 (Prepared, 1);
  prepared->snapshot = g_ptr_array_ref (snapshot);
  prepared->set = beckon_rule_set_new (snapshot);
  g_object_set_data_full (G_OBJECT (parts->rules), key, prepared, prepared_free);
  return prepared->set;
}
