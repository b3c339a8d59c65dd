/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-registry.h"

#include "beckon-ask-user.h"
#include "beckon-change-tool.h"
#include "beckon-current-time.h"
#include "beckon-end-command.h"
#include "beckon-file-tools.h"
#include "beckon-find-tool.h"
#include "beckon-move-files.h"
#include "beckon-note-tools.h"
#include "beckon-propose-plan.h"
#include "beckon-read-skill.h"
#include "beckon-run-command.h"
#include "beckon-update-plan.h"
#include "beckon-web-tools.h"

struct _BeckonToolRegistry
{
  GObject parent_instance;

  GPtrArray *tools;    /* in the order they were added */
  GHashTable *by_name; /* (element-type utf8 BeckonTool): names and aliases; the array owns the tools */
  BeckonServerInstructions *instructions;
  char **disabled;     /* (owned) (nullable): names of tools that are switched off */
};

G_DEFINE_FINAL_TYPE (BeckonToolRegistry, beckon_tool_registry, G_TYPE_OBJECT)

static void
beckon_tool_registry_finalize (GObject *object)
{
  BeckonToolRegistry *self = BECKON_TOOL_REGISTRY (object);

  g_strfreev (self->disabled);
  beckon_server_instructions_free (self->instructions);
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->tools);

  G_OBJECT_CLASS (beckon_tool_registry_parent_class)->finalize (object);
}

static void
beckon_tool_registry_class_init (BeckonToolRegistryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_tool_registry_finalize;
}

static void
beckon_tool_registry_init (BeckonToolRegistry *self)
{
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->instructions = beckon_server_instructions_new ();
}

BeckonToolRegistry *
beckon_tool_registry_new (void)
{
  return g_object_new (BECKON_TYPE_TOOL_REGISTRY, NULL);
}

/* An alias gives way to a tool that really has the name; two tools of one name are a programming error. */
static gboolean
is_taken (BeckonToolRegistry *self, const char *name)
{
  BeckonTool *tool = g_hash_table_lookup (self->by_name, name);

  return tool != NULL && g_str_equal (beckon_tool_get_name (tool), name);
}

void
beckon_tool_registry_add (BeckonToolRegistry *registry, BeckonTool *tool)
{
  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));
  g_return_if_fail (BECKON_IS_TOOL (tool));
  g_return_if_fail (!is_taken (registry, beckon_tool_get_name (tool)));

  g_ptr_array_add (registry->tools, g_object_ref (tool));
  g_hash_table_replace (registry->by_name, g_strdup (beckon_tool_get_name (tool)), tool);
}

void
beckon_tool_registry_remove (BeckonToolRegistry *registry, BeckonTool *tool)
{
  GHashTableIter iter;
  gpointer named;

  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));
  g_return_if_fail (BECKON_IS_TOOL (tool));

  g_hash_table_iter_init (&iter, registry->by_name);
  while (g_hash_table_iter_next (&iter, NULL, &named))
    if (named == tool)
      g_hash_table_iter_remove (&iter);
  g_ptr_array_remove (registry->tools, tool);
}

BeckonServerInstructions *
beckon_tool_registry_get_instructions (BeckonToolRegistry *registry)
{
  g_return_val_if_fail (BECKON_IS_TOOL_REGISTRY (registry), NULL);

  return registry->instructions;
}

void
beckon_tool_registry_add_builtin (BeckonToolRegistry *registry)
{
  static const char *const aliases[] = BECKON_ASK_USER_ALIASES;
  g_autoptr (BeckonTool) ask_user = beckon_ask_user_new ();
  g_autoptr (BeckonTool) current_time = beckon_current_time_new ();
  g_autoptr (BeckonTool) propose_plan = beckon_propose_plan_new ();
  g_autoptr (BeckonTool) update_plan = beckon_update_plan_new ();

  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));

  beckon_tool_registry_add (registry, ask_user);
  beckon_tool_registry_add (registry, current_time);
  beckon_tool_registry_add (registry, propose_plan);
  beckon_tool_registry_add (registry, update_plan);
  for (guint i = 0; i < G_N_ELEMENTS (aliases); i++)
    {
      const char *alias = aliases[i];

      if (!g_hash_table_contains (registry->by_name, alias))
        g_hash_table_insert (registry->by_name, g_strdup (alias), ask_user);
    }
}

void
beckon_tool_registry_add_working (BeckonToolRegistry *registry, const BeckonToolParts *parts)
{
  BeckonTool *run = beckon_run_command_new (parts->outputs);
  BeckonTool *tools[] = {
    beckon_read_file_new (parts->outputs),
    beckon_list_files_new (),
    beckon_search_files_new (parts->outputs),
    beckon_write_file_new (parts->copies),
    beckon_edit_file_new (parts->copies),
    beckon_move_files_new (BECKON_RUN_COMMAND (run)),
    beckon_delete_files_new (BECKON_RUN_COMMAND (run)),
    run,
    beckon_end_command_new (),
    beckon_fetch_url_new (parts->outputs),
    beckon_web_search_new (),
    beckon_remember_new (parts->memory),
    beckon_recall_new (parts->memory),
    beckon_read_skill_new (),
    beckon_find_tool_new (registry),
  };

  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      beckon_tool_registry_add (registry, tools[i]);
      g_object_unref (tools[i]);
    }
  beckon_run_command_set_skills (BECKON_RUN_COMMAND (run),
                                 BECKON_READ_SKILL (beckon_tool_registry_lookup (registry, BECKON_READ_SKILL_NAME)));
}

BeckonTool *
beckon_tool_registry_lookup (BeckonToolRegistry *registry, const char *name)
{
  g_return_val_if_fail (BECKON_IS_TOOL_REGISTRY (registry), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return g_hash_table_lookup (registry->by_name, name);
}

static gboolean
is_off (BeckonToolRegistry *self, BeckonTool *tool)
{
  return self->disabled != NULL && g_strv_contains ((const char *const *) self->disabled, beckon_tool_get_name (tool));
}

void
beckon_tool_registry_set_disabled (BeckonToolRegistry *registry, const char *const *names)
{
  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));

  g_strfreev (registry->disabled);
  registry->disabled = g_strdupv ((char **) names);
}

gboolean
beckon_tool_registry_is_disabled (BeckonToolRegistry *registry, const char *name)
{
  BeckonTool *tool = beckon_tool_registry_lookup (registry, name);

  return tool != NULL && is_off (registry, tool);
}

GPtrArray *
beckon_tool_registry_list (BeckonToolRegistry *registry, gboolean ask_user, gboolean has_person, const char *folder)
{
  GPtrArray *list;

  g_return_val_if_fail (BECKON_IS_TOOL_REGISTRY (registry), NULL);

  list = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  for (guint i = 0; i < registry->tools->len; i++)
    {
      BeckonTool *tool = g_ptr_array_index (registry->tools, i);
      g_autofree char *absence = beckon_tool_get_absence (tool, folder);

      if (absence == NULL && !is_off (registry, tool)
          && (BECKON_IS_ASK_USER (tool) ? ask_user : has_person || !beckon_tool_needs_person (tool)))
        g_ptr_array_add (list, beckon_tool_definition_ref (beckon_tool_get_definition (tool)));
    }

  return list;
}

GPtrArray *
beckon_tool_registry_list_all (BeckonToolRegistry *registry)
{
  g_return_val_if_fail (BECKON_IS_TOOL_REGISTRY (registry), NULL);

  return registry->tools;
}

void
beckon_tool_registry_set_web (BeckonToolRegistry *registry, gboolean private_too, const char *search_address)
{
  BeckonTool *fetch;
  BeckonTool *search;

  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));

  fetch = beckon_tool_registry_lookup (registry, "fetch_url");
  search = beckon_tool_registry_lookup (registry, "web_search");
  if (fetch != NULL)
    beckon_fetch_url_set_private_too (BECKON_FETCH_URL (fetch), private_too);
  if (search != NULL)
    beckon_web_search_set_address (BECKON_WEB_SEARCH (search), search_address);
}

void
beckon_tool_registry_set_tool_chains (BeckonToolRegistry *registry, const char *const *names)
{
  BeckonTool *run;

  g_return_if_fail (BECKON_IS_TOOL_REGISTRY (registry));

  run = beckon_tool_registry_lookup (registry, "run_command");
  if (run != NULL)
    beckon_run_command_set_tool_chains (BECKON_RUN_COMMAND (run), names);
}

const char *const *
beckon_tool_registry_get_tool_chains (BeckonToolRegistry *registry)
{
  BeckonTool *run;

  g_return_val_if_fail (BECKON_IS_TOOL_REGISTRY (registry), NULL);

  run = beckon_tool_registry_lookup (registry, "run_command");
  return run != NULL ? beckon_run_command_get_tool_chains (BECKON_RUN_COMMAND (run)) : NULL;
}
