/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-names.h"

#include "base/beckon-text.h"

#include <string.h>

G_DEFINE_BOXED_TYPE (BeckonToolDefinition, beckon_tool_definition, beckon_tool_definition_ref,
                     beckon_tool_definition_unref)

BeckonToolDefinition *
beckon_tool_definition_new (const char *name, const char *description, const char *schema, gboolean read_only)
{
  BeckonToolDefinition *definition;

  g_return_val_if_fail (name != NULL && *name != '\0', NULL);
  g_return_val_if_fail (description != NULL, NULL);
  g_return_val_if_fail (schema != NULL, NULL);

  definition = g_atomic_rc_box_new0 (BeckonToolDefinition);
  definition->name = g_strdup (name);
  definition->description = g_strdup (description);
  definition->schema = g_strdup (schema);
  definition->read_only = read_only;

  return definition;
}

BeckonToolDefinition *
beckon_tool_definition_ref (BeckonToolDefinition *definition)
{
  g_return_val_if_fail (definition != NULL, NULL);

  return g_atomic_rc_box_acquire (definition);
}

static void
beckon_tool_definition_clear (BeckonToolDefinition *definition)
{
  g_free (definition->name);
  g_free (definition->description);
  g_free (definition->schema);
}

void
beckon_tool_definition_unref (BeckonToolDefinition *definition)
{
  g_return_if_fail (definition != NULL);

  g_atomic_rc_box_release_full (definition, (GDestroyNotify) beckon_tool_definition_clear);
}

#define NO_TOOL "There is no tool"

/* So many are named to a model that calls one that isn't there. */
#define MOST_NAMES 40

#define LEAST_ALIKE 50

/* The names that other agents have for tools that do the same. */
static const struct
{
  const char *name;
  const char *tool;
} others[] = {
  { "bash", "run_command" },          { "shell", "run_command" },        { "terminal", "run_command" },
  { "execute_command", "run_command" }, { "exec_command", "run_command" }, { "run_terminal_cmd", "run_command" },
  { "run_shell_command", "run_command" }, { "python", "run_command" },
  { "edit", "edit_file" },            { "multi_edit", "edit_file" },     { "str_replace", "edit_file" },
  { "str_replace_editor", "edit_file" }, { "str_replace_based_edit_tool", "edit_file" }, { "apply_patch", "edit_file" },
  { "replace_in_file", "edit_file" }, { "apply_diff", "edit_file" },
  { "write", "write_file" },          { "write_to_file", "write_file" }, { "create_file", "write_file" },
  { "create", "write_file" },         { "read", "read_file" },           { "cat", "read_file" },
  { "view", "read_file" },            { "open_file", "read_file" },
  { "grep", "search_files" },         { "rg", "search_files" },          { "grep_search", "search_files" },
  { "codebase_search", "search_files" }, { "ls", "list_files" },         { "glob", "list_files" },
  { "list_dir", "list_files" },       { "list_directory", "list_files" }, { "web_fetch", "fetch_url" },
  { "todo_write", "update_plan" },    { "exit_plan_mode", "propose_plan" },
};

/* Behind the prefix of another interface. */
static const char *
find_base (const char *name)
{
  gsize length = strlen (name);

  while (length > 0 && strchr (".:", name[length - 1]) == NULL)
    length--;
  return name + length;
}

const BeckonToolDefinition *
beckon_tool_names_find_meant (GPtrArray *tools, const char *name)
{
  const char *base = find_base (name);
  const BeckonToolDefinition *meant = NULL;
  gboolean is_clear = TRUE;

  for (guint i = 0; i < tools->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      if (g_str_equal (tool->name, name))
        return tool;
      if (!beckon_likeness_is_same_word (tool->name, base))
        continue;
      /* Two that differ in their case alone are both meant, or neither. */
      is_clear = meant == NULL;
      meant = tool;
    }
  return is_clear ? meant : NULL;
}

char *
beckon_tool_names_refuse (GPtrArray *tools, const char *name)
{
  const char *base = find_base (name);
  g_autoptr (GString) names = g_string_new (NULL);
  const char *near = NULL;
  const char *same = NULL;
  guint best = LEAST_ALIKE - 1;
  BeckonLikeness likeness;

  for (gsize i = 0; i < G_N_ELEMENTS (others) && same == NULL; i++)
    same = beckon_likeness_is_same_word (others[i].name, base) ? others[i].tool : NULL;
  beckon_likeness_init (&likeness, base, strlen (base));
  for (guint i = 0; i < tools->len; i++)
    {
      const char *known = ((const BeckonToolDefinition *) g_ptr_array_index (tools, i))->name;
      guint alike = g_strcmp0 (known, same) == 0 ? 100 : beckon_likeness_compare (&likeness, known, strlen (known));

      if (alike > best)
        {
          best = alike;
          near = known;
        }
      if (i >= MOST_NAMES)
        continue;
      /* The tool that most models look for stands first. */
      if (g_str_equal (known, "run_command"))
        g_string_prepend (names, names->len > 0 ? "run_command, " : "run_command");
      else
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", known);
    }
  return near != NULL
           ? g_strdup_printf (NO_TOOL " named \"%.100s\". Did you mean “%s”? The tools are: %s.", name, near,
                              names->str)
           : g_strdup_printf (NO_TOOL " named \"%.100s\". The tools are: %s.", name, names->str);
}

gboolean
beckon_tool_names_is_refusal (const char *result)
{
  return result != NULL && g_str_has_prefix (result, NO_TOOL " named ");
}
