/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-mcp-import.h"

#include "base/beckon-error.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-command.h"
#include "beckon-cli-context.h"
#include "beckon-run-input.h"
#include "beckon-line-reader.h"
#include "mcp/beckon-mcp-paste.h"
#include "runtime/beckon-runtime.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  GMainLoop *loop;
  BeckonRuntime *runtime; /* (owned) (nullable): only where something is added */
  GPtrArray *drafts;      /* (owned) (element-type BeckonMcpDraft) */
  GPtrArray *places;      /* (owned) (element-type utf8): where each is from */
  char *from;
  char **values; /* (nullable): NAME=VALUE; with a name alone until its value was read */
  gboolean all;
  const char *file; /* (nullable): "-" for standard input */
  char **names;     /* (nullable) (unowned) */
  guint next;
  int status;
} Import;

static void add_next (Import *import);

static void
mcp_import_fail (Import *import, const char *words)
{
  beckon_command_complain ("mcp", words);
  import->status = 1;
}

static void
mcp_import_take (Import *import, GPtrArray *drafts, const char *place)
{
  while (drafts->len > 0)
    {
      g_ptr_array_add (import->drafts, g_ptr_array_steal_index (drafts, 0));
      g_ptr_array_add (import->places, g_strdup (place));
    }
}

/* --- Listing ------------------------------------------------------------------------------------------------------ */

/* As they are given with an option. */
static char *
dup_options (const BeckonMcpDraft *draft)
{
  g_autoptr (GString) options = g_string_new (NULL);

  for (guint i = 0; i < draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);

      if (blank->value == NULL)
        {
          g_autofree char *value = g_strconcat (blank->title, blank->is_secret ? "" : "=…", NULL);
          g_autofree char *quoted = g_shell_quote (value);

          g_string_append_printf (options, " --env %s", quoted);
        }
    }
  return g_string_free (g_steal_pointer (&options), FALSE);
}

/* A sentence of ours may quote what a file has. */
static void
print_foreign (const char *sentence)
{
  g_autofree char *shown = beckon_text_for_display (sentence, -1, BECKON_TEXT_EXACT);

  printf ("\t%s\n", shown);
}

static void
print_draft (const BeckonMcpDraft *draft, const char *place)
{
  g_autofree char *name = beckon_text_for_display (draft->server->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *summary = beckon_mcp_server_dup_summary (draft->server);
  g_autofree char *shown = beckon_text_for_display (summary, -1, BECKON_TEXT_EXACT);
  g_autofree char *options = dup_options (draft);
  g_autofree char *asked = beckon_text_for_display (options, -1, BECKON_TEXT_EXACT);

  printf ("%s\t%s\t%s\n", name, place, shown);
  if (draft->problem != NULL)
    print_foreign (draft->problem);
  else if (*asked != '\0')
    /* Translators: options of a command follow */
    printf ("\t%s%s\n", _("Needs:"), asked);
  for (guint i = 0; i < draft->notes->len; i++)
    print_foreign (g_ptr_array_index (draft->notes, i));
}

/* --- Adding ------------------------------------------------------------------------------------------------------- */

/* (nullable): behind NAME= of an option. */
static const char *
find_value (const Import *import, const BeckonMcpBlank *blank)
{
  for (guint i = 0; import->values != NULL && import->values[i] != NULL; i++)
    if (g_str_has_prefix (import->values[i], blank->title) && import->values[i][strlen (blank->title)] == '=')
      return import->values[i] + strlen (blank->title) + 1;
  return NULL;
}

static void
fail_one (Import *import, const BeckonMcpDraft *draft, const GError *error)
{
  g_autofree char *name = beckon_text_for_display (draft->server->name, -1, BECKON_TEXT_EXACT);
  g_autofree char *reason = beckon_text_for_display (error->message, -1, BECKON_TEXT_EXACT);
  g_autofree char *words = g_strdup_printf ("%s: %s", name, reason);

  mcp_import_fail (import, words);
}

static void
mcp_import_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpService) service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);

  if (service != NULL)
    printf ("%s\n", beckon_mcp_service_get_server (service)->name);
  else
    fail_one (import, g_ptr_array_index (import->drafts, import->next - 1), error);
  add_next (import);
}

static void
mcp_import_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_runtime_close_finish (BECKON_RUNTIME (source), result, NULL);
  g_main_loop_quit (((Import *) user_data)->loop);
}

/* A server that can't be added keeps none of the others away. */
static void
add_next (Import *import)
{
  while (import->next < import->drafts->len)
    {
      const BeckonMcpDraft *draft = g_ptr_array_index (import->drafts, import->next++);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonMcpServer) server = NULL;
      g_autofree const char **values = NULL;

      /* All that a program has is what its person set up there; what came with a folder is taken by its name. */
      if ((!import->all || (import->file == NULL && draft->came_with_folder))
          && (import->names == NULL || !g_strv_contains ((const char *const *)import->names, draft->server->name)))
        continue;

      values = g_new0 (const char *, draft->blanks->len + 1);
      for (guint i = 0; i < draft->blanks->len; i++)
        {
          const char *value = find_value (import, g_ptr_array_index (draft->blanks, i));

          values[i] = value != NULL ? value : "";
        }
      server = beckon_mcp_draft_make_server (draft, values, &error);
      if (server == NULL)
        {
          fail_one (import, draft, error);
          continue;
        }
      beckon_mcp_servers_save_async (beckon_runtime_get_servers (import->runtime), server, NULL, mcp_import_on_saved, import);
      return;
    }
  beckon_runtime_close_async (import->runtime, mcp_import_on_closed, import);
}

static void
mcp_import_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    {
      add_next (import);
      return;
    }
  mcp_import_fail (import, error->message);
  beckon_runtime_close_async (import->runtime, mcp_import_on_closed, import);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static gboolean
is_found (const Import *import, const char *name)
{
  for (guint i = 0; i < import->drafts->len; i++)
    if (g_str_equal (((BeckonMcpDraft *) g_ptr_array_index (import->drafts, i))->server->name, name))
      return TRUE;
  return FALSE;
}

/* A wrong name keeps all of them from being added. */
static gboolean
check_names (Import *import)
{
  for (guint i = 0; import->names != NULL && import->names[i] != NULL; i++)
    if (!is_found (import, import->names[i]))
      {
        g_autofree char *words = beckon_text_fill_in (_("No server “%s” was found there."), import->names[i]);

        mcp_import_fail (import, words);
        return FALSE;
      }
  return TRUE;
}

static void
mcp_import_go_on (Import *import)
{
  gboolean adds = import->all || (import->names != NULL && import->names[0] != NULL);

  for (guint i = 0; !adds && i < import->drafts->len; i++)
    print_draft (g_ptr_array_index (import->drafts, i), g_ptr_array_index (import->places, i));
  if (!adds && import->drafts->len == 0 && import->status == 0)
    fprintf (stderr, "%s\n", _("No servers were found."));
  if (!adds || !check_names (import))
    {
      g_main_loop_quit (import->loop);
      return;
    }
  import->runtime = beckon_runtime_new (NULL);
  beckon_health_line_follow (import->runtime);
  beckon_runtime_set_light (import->runtime, TRUE);
  beckon_runtime_open_async (import->runtime, NULL, mcp_import_on_opened, import);
}

static void
mcp_import_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = beckon_mcp_found_list_finish (result, &error);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      BeckonMcpFound *found = g_ptr_array_index (list, i);
      g_autofree char *path = beckon_text_for_display (found->path, -1, BECKON_TEXT_EXACT);

      mcp_import_take (import, found->drafts, path);
      if (found->error != NULL)
        fprintf (stderr, "%s: %s\n", path, found->error);
    }
  mcp_import_go_on (import);
}

static void
mcp_import_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) drafts = beckon_mcp_found_read_finish (result, &error);

  g_autofree char *problem = error != NULL ? g_strdup_printf ("%s: %s", import->file, error->message) : NULL;

  if (drafts != NULL)
    mcp_import_take (import, drafts, import->file);
  else
    mcp_import_fail (import, problem);
  mcp_import_go_on (import);
}

static gboolean
mcp_import_read_input (Import *import)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = beckon_run_input_read_prompt (FALSE, &error);
  g_autoptr (GPtrArray) drafts = text != NULL ? beckon_mcp_paste_read (text, NULL, &error) : NULL;

  if (drafts != NULL)
    mcp_import_take (import, drafts, "-");
  else
    mcp_import_fail (import, error->message);
  return drafts != NULL;
}

/* Values that other users of the computer must not see are not arguments. */
static gboolean
read_values (Import *import, GError **error)
{
  for (guint i = 0; import->values != NULL && import->values[i] != NULL; i++)
    {
      beckon_autowipe char *value = NULL;
      char *pair;

      if (strchr (import->values[i], '=') != NULL)
        continue;
      if (import->file != NULL && strcmp (import->file, "-") == 0)
        {
          g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                               _("Standard input has the servers, and no values. Give a file, or NAME=VALUE."));
          return FALSE;
        }
      value = beckon_secret_line_read (import->values[i], error);
      if (value == NULL)
        return FALSE;
      pair = g_strconcat (import->values[i], "=", value, NULL);
      g_free (import->values[i]);
      import->values[i] = pair;
    }
  return TRUE;
}

static gboolean
mcp_import_on_begun (gpointer user_data)
{
  mcp_import_go_on (user_data);
  return G_SOURCE_REMOVE;
}

static void
mcp_import_run (Import *import)
{
  import->drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);
  import->places = g_ptr_array_new_with_free_func (g_free);
  if (import->file == NULL || strcmp (import->file, "-") != 0 || mcp_import_read_input (import))
    {
      const char *program;

      import->loop = g_main_loop_new (NULL, FALSE);

      program = import->from != NULL && !g_str_equal (import->from, "all") ? import->from : NULL;
      if (import->file == NULL)
        beckon_mcp_found_list_async (program, NULL, mcp_import_on_found, import);
      else if (strcmp (import->file, "-") == 0)
        g_idle_add (mcp_import_on_begun, import);
      else
        beckon_mcp_found_read_async (import->file, NULL, mcp_import_on_read, import);

      g_main_loop_run (import->loop);
      g_main_loop_unref (import->loop);
    }
  g_clear_object (&import->runtime);
  g_ptr_array_unref (import->drafts);
  g_ptr_array_unref (import->places);
}

static void
clear_import (Import *import)
{
  g_free (import->from);
  for (guint i = 0; import->values != NULL && import->values[i] != NULL; i++)
    explicit_bzero (import->values[i], strlen (import->values[i]));
  g_strfreev (import->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, clear_import)

int
beckon_command_mcp_import (int argc, char **argv)
{
  g_auto (Import) import = { 0 };
  g_autoptr (GOptionContext) context = g_option_context_new (_("[FILE | -] [NAME…]"));
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_STRING, &import.from, N_("Take what a program has: claude-desktop, vscode …"), N_("PROGRAM") },
    { "all", 0, 0, G_OPTION_ARG_NONE, &import.all, N_("Add all of them"), NULL },
    { "env", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &import.values,
      N_("Give a value that a server needs, or read it from the input"), N_("NAME[=VALUE]") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_set_summary (context, _("Take servers over from other programs"));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!beckon_command_parse (context, &argc, &argv, &error))
    {
      beckon_command_complain ("mcp", error->message);
      return BECKON_COMMAND_MISUSED;
    }
  if (import.from != NULL && !g_str_equal (import.from, "all")
      && !g_strv_contains (beckon_mcp_found_list_programs (), import.from))
    {
      beckon_command_complain ("mcp", _("--from is claude-desktop, claude-code, vscode, cursor or all."));
      return BECKON_COMMAND_MISUSED;
    }
  import.file = import.from == NULL && argc > 1 ? argv[1] : NULL;
  import.names = argv + (import.file != NULL ? 2 : 1);
  if (!read_values (&import, &error))
    {
      beckon_command_complain ("mcp", error->message);
      return 1;
    }
  mcp_import_run (&import);
  return import.status;
}
