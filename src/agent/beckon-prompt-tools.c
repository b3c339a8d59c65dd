/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prompt-tools.h"

#include "domain/beckon-provider-search.h"
#include "policy/beckon-rule-set.h"
#include "tools/beckon-ask-user.h"
#include "tools/beckon-find-tool.h"
#include "tools/beckon-read-skill.h"

#include <string.h>

#define TYPE_TOOLS "a(sssb)"

/* A web search of the provider's own. The model's server makes the queries and sends them, so that no card could show them
 * before. The switch of the profile is the person's word for all of them, and whatever else they said of the web is stronger:
 * where everything is asked for, or a rule denies the web, there is no search.
 *
 * It is one of the tools that requests begin with, by the name of ours, which it replaces, and without a schema, which no tool
 * of ours is. */

#define SEARCH_NAME "web_search"
#define SEARCH_DESCRIPTION "The provider's own web search."

gboolean
beckon_prompt_tools_is_search (const BeckonToolDefinition *tool)
{
  return *tool->schema == '\0';
}

gboolean
beckon_prompt_tools_have_search (GPtrArray *tools)
{
  for (guint i = 0; i < tools->len; i++)
    if (beckon_prompt_tools_is_search (g_ptr_array_index (tools, i)))
      return TRUE;
  return FALSE;
}

static gboolean
may_search (BeckonAgentParts *parts, BeckonConversation *conversation, BeckonProfile *profile)
{
  BeckonRuleSet *rules = beckon_agent_parts_get_rule_set (parts);

  return beckon_profile_get_web_search (profile) && beckon_provider_search_is_known (profile)
         && !beckon_tool_registry_is_disabled (parts->tools, SEARCH_NAME)
         && beckon_conversation_get_mode (conversation) != BECKON_MODE_ASK_EVERYTHING
         /* While nobody knows what is forbidden, nothing is allowed by itself. */
         && rules != NULL
         && !beckon_rule_set_restricts_search (rules, beckon_conversation_get_folder (conversation),
                                               beckon_conversation_get_id (conversation),
                                               beckon_clock_get_real_time (parts->clock));
}

static void
add_search (GPtrArray *tools)
{
  for (guint i = tools->len; i > 0; i--)
    if (g_str_equal (((const BeckonToolDefinition *) g_ptr_array_index (tools, i - 1))->name, SEARCH_NAME))
      g_ptr_array_remove_index (tools, i - 1);
  g_ptr_array_add (tools, beckon_tool_definition_new (SEARCH_NAME, SEARCH_DESCRIPTION, "", TRUE));
}

static void
remove_named (GPtrArray *tools, const char *name)
{
  for (guint i = tools->len; i > 0; i--)
    if (g_str_equal (((const BeckonToolDefinition *) g_ptr_array_index (tools, i - 1))->name, name))
      g_ptr_array_remove_index (tools, i - 1);
}

/* Without skills there is nothing to read. */
static void
remove_unread (BeckonAgentParts *parts, BeckonConversation *conversation, GPtrArray *tools)
{
  BeckonTool *reader = beckon_tool_registry_lookup (parts->tools, BECKON_READ_SKILL_NAME);

  if (reader == NULL || !BECKON_IS_READ_SKILL (reader)
      || beckon_read_skill_has (BECKON_READ_SKILL (reader), beckon_conversation_get_id (conversation)))
    return;
  remove_named (tools, BECKON_READ_SKILL_NAME);
}

/* The person's setting of the server that has the tool. */
static BeckonMcpOffer
get_offer (BeckonAgentParts *parts, const char *name)
{
  BeckonTool *owner = beckon_tool_registry_lookup (parts->tools, name);
  const char *server = owner != NULL ? beckon_tool_get_server (owner) : NULL;
  BeckonMcpService *service
    = server != NULL && parts->servers != NULL ? beckon_mcp_servers_find (parts->servers, server) : NULL;

  return service != NULL ? beckon_mcp_service_get_server (service)->offer : BECKON_MCP_OFFER_AUTO;
}

/* Tools of servers that were sent stay, so that what comes before the messages stays the same. */
static gboolean
may_be_found (BeckonAgentParts *parts, BeckonConversation *conversation, GPtrArray *sent, const BeckonToolDefinition *tool,
              BeckonTool *finder)
{
  BeckonTool *owner = beckon_tool_registry_lookup (parts->tools, tool->name);

  return owner != NULL && beckon_tool_get_server (owner) != NULL && !beckon_prompt_tools_have (sent, tool->name)
         && !beckon_find_tool_has_found (BECKON_FIND_TOOL (finder), beckon_conversation_get_id (conversation), tool->name);
}

static gboolean
is_searched_for (BeckonAgentParts *parts, const char *name, gboolean are_many)
{
  BeckonMcpOffer offer = get_offer (parts, name);

  return offer == BECKON_MCP_OFFER_SEARCH || (offer == BECKON_MCP_OFFER_AUTO && are_many);
}

/* Models choke on hundreds of tools. */
static void
remove_unfound (BeckonAgentParts *parts, BeckonConversation *conversation, const char *sent, GPtrArray *tools)
{
  BeckonTool *finder = beckon_tool_registry_lookup (parts->tools, BECKON_FIND_TOOL_NAME);
  g_autoptr (GPtrArray) before = beckon_prompt_tools_parse (sent != NULL ? sent : "");
  guint n = tools->len;

  if (finder == NULL || !BECKON_IS_FIND_TOOL (finder))
    return;
  for (guint i = n; i > 0; i--)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i - 1);

      if (is_searched_for (parts, tool->name, n > BECKON_FIND_TOOL_MOST + 1)
          && may_be_found (parts, conversation, before, tool, finder))
        g_ptr_array_remove_index (tools, i - 1);
    }
  if (tools->len == n)
    remove_named (tools, BECKON_FIND_TOOL_NAME);
}

GPtrArray *
beckon_prompt_tools_list (BeckonAgentParts *parts, BeckonConversation *conversation, BeckonProfile *profile,
                          gboolean has_person, const char *sent)
{
  gboolean may_ask = has_person && beckon_settings_get_enable_ask_user (parts->settings);
  GPtrArray *tools
    = beckon_tool_registry_list (parts->tools, may_ask, has_person, beckon_conversation_get_folder (conversation));

  remove_unread (parts, conversation, tools);
  remove_unfound (parts, conversation, sent, tools);
  if (may_search (parts, conversation, profile))
    add_search (tools);
  return tools;
}

char *
beckon_prompt_tools_print (GPtrArray *tools)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) list = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (TYPE_TOOLS));
  for (guint i = 0; i < tools->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      g_variant_builder_add (&builder, "(sssb)", tool->name, tool->description, tool->schema, tool->read_only);
    }
  list = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_print (list, FALSE);
}

GPtrArray *
beckon_prompt_tools_parse (const char *text)
{
  g_autoptr (GVariant) list = g_variant_parse (G_VARIANT_TYPE (TYPE_TOOLS), text, NULL, NULL, NULL);
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  const char *name, *description, *schema;
  gboolean read_only;
  GVariantIter iter;

  if (list == NULL)
    return tools;
  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(&s&s&sb)", &name, &description, &schema, &read_only))
    g_ptr_array_add (tools, beckon_tool_definition_new (name, description, schema, read_only));
  return tools;
}

static BeckonToolDefinition *
prompt_tools_find (GPtrArray *tools, const char *name)
{
  for (guint i = 0; i < tools->len; i++)
    {
      BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      if (g_str_equal (tool->name, name))
        return tool;
    }
  return NULL;
}

gboolean
beckon_prompt_tools_have (GPtrArray *tools, const char *name)
{
  return prompt_tools_find (tools, name) != NULL;
}

static gboolean
has_same (GPtrArray *tools, const BeckonToolDefinition *tool)
{
  const BeckonToolDefinition *known = prompt_tools_find (tools, tool->name);

  return known != NULL && known->read_only == tool->read_only && g_str_equal (known->description, tool->description)
         && g_str_equal (known->schema, tool->schema);
}

/* Tools that need a person are not offered while there is none. */
static gboolean
may_stay (BeckonToolRegistry *registry, const char *name)
{
  BeckonTool *tool = beckon_tool_registry_lookup (registry, name);

  return tool == NULL || (!BECKON_IS_ASK_USER (tool) && !beckon_tool_needs_person (tool));
}

gboolean
beckon_prompt_tools_cover (GPtrArray *sent, GPtrArray *now, BeckonToolRegistry *registry, GString *missing)
{
  for (guint i = 0; i < now->len; i++)
    if (!has_same (sent, g_ptr_array_index (now, i)))
      return FALSE;
  for (guint i = 0; i < sent->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (sent, i);

      if (prompt_tools_find (now, tool->name) != NULL)
        continue;
      if (beckon_prompt_tools_is_search (tool) || !may_stay (registry, tool->name))
        return FALSE;
      g_string_append_printf (missing, "%s%s", missing->len > 0 ? ", " : "", tool->name);
    }
  return TRUE;
}

/* --- What a server blames ------------------------------------------------------------------------------------------ */

static gboolean
prompt_tools_has_word (const char *words, const char *word)
{
  static const char in_names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  gsize length = strlen (word);

  for (const char *at = strstr (words, word); at != NULL; at = strstr (at + 1, word))
    if ((at == words || strchr (in_names, at[-1]) == NULL) && (at[length] == '\0' || strchr (in_names, at[length]) == NULL))
      return TRUE;
  return FALSE;
}

/* The number behind @name, as in "tools[3].function", "tools.3.custom" and "function_declarations[3]"; -1 if there is none. */
static gint64
read_place (const char *words, const char *name)
{
  const char *at = strstr (words, name);
  const char *number = at != NULL && strchr ("[.", at[strlen (name)]) != NULL ? at + strlen (name) + 1 : "";

  return g_ascii_isdigit (*number) ? g_ascii_strtoll (number, NULL, 10) : -1;
}

const BeckonToolDefinition *
beckon_prompt_tools_find_blamed (GPtrArray *sent, const char *words)
{
  static const char *const subjects[] = { "schema", "function", "tool", "parameter" };
  g_autofree char *lower = g_utf8_strdown (words, -1);
  gint64 declaration = read_place (lower, "function_declarations");
  gint64 place = declaration >= 0 ? declaration : read_place (lower, "tools");
  gboolean is_about_tools = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (subjects); i++)
    is_about_tools = is_about_tools || strstr (lower, subjects[i]) != NULL;
  for (guint i = 0; is_about_tools && i < sent->len; i++)
    if (prompt_tools_has_word (words, ((const BeckonToolDefinition *) g_ptr_array_index (sent, i))->name))
      return g_ptr_array_index (sent, i);
  /* The provider's own search has a place behind the others, and no schema. */
  for (guint i = 0; place >= 0 && i < sent->len; i++)
    if (!beckon_prompt_tools_is_search (g_ptr_array_index (sent, i)) && place-- == 0)
      return g_ptr_array_index (sent, i);
  return NULL;
}
