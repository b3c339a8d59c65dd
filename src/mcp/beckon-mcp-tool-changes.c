/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-tool-changes.h"

static gboolean
has_rule (const BeckonMcpServiceParts *parts, const BeckonMcpServer *server, const char *name)
{
  GPtrArray *rules = parts->rules != NULL ? beckon_rules_get_snapshot (parts->rules) : NULL;

  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (rules, i);

      if (g_strcmp0 (rule->server, server->name) == 0 && (rule->tool == NULL || g_str_equal (rule->tool, name)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_override (const BeckonMcpServiceParts *parts, const BeckonMcpServer *server, const char *name)
{
  GPtrArray *overrides = parts->overrides != NULL
                           ? beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (parts->overrides)) : NULL;

  for (guint i = 0; overrides != NULL && i < overrides->len; i++)
    {
      const BeckonToolParameter *override = g_ptr_array_index (overrides, i);

      if (g_strcmp0 (override->server, server->name) == 0 && g_strcmp0 (override->tool, name) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_trusted (const BeckonMcpServiceParts *parts, const BeckonMcpServer *server, const BeckonMcpToolInfo *info)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *name = beckon_mcp_tool_info_make_name (info, prefix);

  return has_rule (parts, server, name) || has_override (parts, server, name);
}

static void
keep (GHashTable *previous, BeckonMcpToolInfo *info)
{
  g_hash_table_replace (previous, g_strdup (info->name), beckon_mcp_tool_info_ref (info));
}

void
beckon_mcp_tool_changes_note (GHashTable *previous, GPtrArray *before, GPtrArray *now, const BeckonMcpServer *server,
                              const BeckonMcpServiceParts *parts)
{
  /* A tool that goes and comes back is compared with what it was. */
  for (guint i = 0; i < before->len; i++)
    {
      BeckonMcpToolInfo *gone = g_ptr_array_index (before, i);

      if (beckon_mcp_tool_infos_find (now, gone->name) == NULL && !g_hash_table_contains (previous, gone->name)
          && is_trusted (parts, server, gone))
        keep (previous, gone);
    }
  for (guint i = 0; i < now->len; i++)
    {
      const BeckonMcpToolInfo *new_info = g_ptr_array_index (now, i);
      const BeckonMcpToolInfo *kept = g_hash_table_lookup (previous, new_info->name);
      BeckonMcpToolInfo *old_info = beckon_mcp_tool_infos_find (before, new_info->name);

      if (kept != NULL && g_str_equal (kept->digest, new_info->digest))
        g_hash_table_remove (previous, new_info->name);
      else if (kept == NULL && old_info != NULL && !g_str_equal (old_info->digest, new_info->digest)
               && is_trusted (parts, server, new_info))
        keep (previous, old_info);
    }
}

gboolean
beckon_mcp_tool_changes_follow (GHashTable *previous, GPtrArray *now, GPtrArray *stored)
{
  gboolean is_behind = FALSE;

  for (guint i = 0; i < stored->len; i++)
    {
      BeckonMcpToolInfo *trusted = g_ptr_array_index (stored, i);
      const BeckonMcpToolInfo *info = beckon_mcp_tool_infos_find (now, trusted->name);

      if (info == NULL || g_hash_table_contains (previous, trusted->name))
        continue;
      if (g_str_equal (info->digest, trusted->digest))
        is_behind = TRUE;
      else
        keep (previous, trusted);
    }
  return is_behind;
}

gboolean
beckon_mcp_tool_changes_are_none (GPtrArray *one, GPtrArray *other)
{
  if (one->len != other->len)
    return FALSE;
  for (guint i = 0; i < one->len; i++)
    if (!g_str_equal (((BeckonMcpToolInfo *) g_ptr_array_index (one, i))->digest,
                      ((BeckonMcpToolInfo *) g_ptr_array_index (other, i))->digest))
      return FALSE;
  return TRUE;
}
