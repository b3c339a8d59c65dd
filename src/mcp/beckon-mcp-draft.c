/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-draft.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "domain/beckon-profile.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
blank_free (BeckonMcpBlank *blank)
{
  g_free (blank->token);
  g_free (blank->title);
  beckon_wipe (blank->value);
  g_free (blank);
}

BeckonMcpDraft *
beckon_mcp_draft_new (const char *name, BeckonMcpTransportKind kind)
{
  BeckonMcpDraft *draft = g_new0 (BeckonMcpDraft, 1);

  draft->server = beckon_mcp_server_new (name, kind);
  draft->blanks = g_ptr_array_new_with_free_func ((GDestroyNotify) blank_free);
  draft->notes = g_ptr_array_new_with_free_func (g_free);
  return draft;
}

void
beckon_mcp_draft_free (BeckonMcpDraft *draft)
{
  if (draft == NULL)
    return;
  beckon_mcp_server_unref (draft->server);
  g_ptr_array_unref (draft->blanks);
  g_ptr_array_unref (draft->notes);
  g_free (draft->problem);
  g_free (draft);
}

void
beckon_mcp_draft_take_note (BeckonMcpDraft *draft, char *note)
{
  if (g_ptr_array_find_with_equal_func (draft->notes, note, g_str_equal, NULL))
    g_free (note);
  else
    g_ptr_array_add (draft->notes, note);
}

void
beckon_mcp_draft_take_problem (BeckonMcpDraft *draft, char *problem)
{
  if (draft->problem != NULL)
    g_free (problem);
  else
    draft->problem = problem;
}

void
beckon_mcp_draft_add_blank (BeckonMcpDraft *draft, const char *token, const char *title, const char *value,
                            gboolean is_secret)
{
  BeckonMcpBlank *blank;

  for (guint i = 0; i < draft->blanks->len; i++)
    if (g_str_equal (((BeckonMcpBlank *) g_ptr_array_index (draft->blanks, i))->token, token))
      return;
  if (draft->blanks->len == BECKON_MCP_BLANKS_MAX)
    {
      beckon_mcp_draft_take_problem (draft, g_strdup (_("More values have to be entered than a server can have.")));
      return;
    }
  blank = g_new0 (BeckonMcpBlank, 1);
  blank->token = g_strdup (token);
  blank->title = g_strdup (title);
  blank->value = g_strdup (value);
  blank->is_secret = is_secret;
  g_ptr_array_add (draft->blanks, blank);
}

void
beckon_mcp_draft_add_variable (BeckonMcpDraft *draft, GPtrArray *variables, const char *name, const char *value)
{
  gboolean is_secret = beckon_mcp_variable_is_secret_name (name) || beckon_profile_looks_like_key (value);

  for (guint i = 0; i < draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);

      is_secret = is_secret || (blank->is_secret && strstr (value, blank->token) != NULL);
    }
  g_ptr_array_add (variables, beckon_mcp_variable_new (name, value,
                                                       is_secret ? BECKON_MCP_VALUE_SECRET : BECKON_MCP_VALUE_PLAIN));
}

gboolean
beckon_mcp_draft_has_blank (const BeckonMcpDraft *draft, const BeckonMcpVariable *variable)
{
  for (guint i = 0; i < draft->blanks->len; i++)
    if (variable->value != NULL
        && strstr (variable->value, ((BeckonMcpBlank *) g_ptr_array_index (draft->blanks, i))->token) != NULL)
      return TRUE;
  return FALSE;
}

/* --- Filling in --------------------------------------------------------------------------------------------------- */

/* Each place is filled once: what was entered may hold what looks like another blank. */
static char *
mcp_draft_fill (const BeckonMcpDraft *draft, const char *const *values, const char *text)
{
  GString *filled;

  if (text == NULL)
    return NULL;
  filled = g_string_new (NULL);
  while (*text != '\0')
    {
      const BeckonMcpBlank *found = NULL;
      guint index = 0;

      for (guint i = 0; i < draft->blanks->len; i++)
        {
          const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);

          if (g_str_has_prefix (text, blank->token) && (found == NULL || strlen (blank->token) > strlen (found->token)))
            {
              found = blank;
              index = i;
            }
        }
      if (found != NULL)
        {
          g_string_append (filled, values[index]);
          text += strlen (found->token);
        }
      else
        g_string_append_c (filled, *text++);
    }
  return g_string_free (filled, FALSE);
}

static void
mcp_draft_replace (const BeckonMcpDraft *draft, const char *const *values, char **text)
{
  char *filled = mcp_draft_fill (draft, values, *text);

  g_free (*text);
  *text = filled;
}

/* (nullable): values for all blanks; borrowed. */
static const char **
choose_values (const BeckonMcpDraft *draft, const char *const *values, GError **error)
{
  g_autofree const char **chosen = g_new0 (const char *, draft->blanks->len + 1);
  gboolean has_more = values != NULL;

  for (guint i = 0; i < draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);
      const char *given = has_more ? values[i] : NULL;

      has_more = given != NULL;
      chosen[i] = given != NULL && *given != '\0' ? given : blank->value;
      if (chosen[i] == NULL)
        {
          g_autofree char *shown = beckon_text_for_display (blank->title, -1, BECKON_TEXT_EXACT);

          /* Translators: a value that a server needs, by its name, such as API_KEY */
          beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Enter a value for “%s”."), shown);
          return NULL;
        }
    }
  return g_steal_pointer (&chosen);
}

BeckonMcpServer *
beckon_mcp_draft_make_server (const BeckonMcpDraft *draft, const char *const *values, GError **error)
{
  g_autoptr (BeckonMcpServer) server = NULL;
  g_autofree const char **chosen = NULL;

  g_return_val_if_fail (draft != NULL, NULL);

  if (draft->problem != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, draft->problem);
      return NULL;
    }
  chosen = choose_values (draft, values, error);
  if (chosen == NULL)
    return NULL;
  server = beckon_mcp_server_copy (draft->server);
  mcp_draft_replace (draft, chosen, &server->program);
  mcp_draft_replace (draft, chosen, &server->directory);
  mcp_draft_replace (draft, chosen, &server->address);
  for (guint i = 0; server->arguments != NULL && server->arguments[i] != NULL; i++)
    mcp_draft_replace (draft, chosen, &server->arguments[i]);
  for (guint i = 0; i < server->variables->len; i++)
    mcp_draft_replace (draft, chosen, &((BeckonMcpVariable *) g_ptr_array_index (server->variables, i))->value);
  for (guint i = 0; i < server->headers->len; i++)
    mcp_draft_replace (draft, chosen, &((BeckonMcpVariable *) g_ptr_array_index (server->headers, i))->value);
  return beckon_mcp_server_check (server, error) ? g_steal_pointer (&server) : NULL;
}

/* --- Commands ----------------------------------------------------------------------------------------------------- */

gboolean
beckon_mcp_draft_set_command (BeckonMcpServer *server, const char *line, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (!g_shell_parse_argv (line, NULL, &words, NULL))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           *line == '\0' ? _("Enter the command that starts the server.") : _("A quotation mark has no end."));
      return FALSE;
    }
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] == '~' && (words[i][1] == '/' || words[i][1] == '\0'))
      {
        char *path = g_build_filename (g_get_home_dir (), words[i] + 1, NULL);

        g_free (words[i]);
        words[i] = path;
      }
  g_free (server->program);
  g_strfreev (server->arguments);
  server->program = g_strdup (words[0]);
  server->arguments = g_strdupv (words + 1);
  return TRUE;
}

/* --- Names -------------------------------------------------------------------------------------------------------- */

static gboolean
is_runner (const char *program)
{
  static const char *const runners[] = { "npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "node", "uvx", "uv",
                                         "pipx", "python", "python3", "docker", "podman", NULL };

  return g_strv_contains (runners, program);
}

static gboolean
is_verb (const char *word)
{
  static const char *const verbs[] = { "run", "exec", "dlx", "x", "tool", "start", NULL };

  return g_strv_contains (verbs, word);
}

/* Options of runners that have a value behind them. */
static gboolean
takes_value (const char *word)
{
  static const char *const options[] = { "--directory", "--project", "--with", "--env", "-e", "-v", "--volume", "--mount",
                                         "--name", "--network", "-p", "--env-file", "--python", NULL };

  return g_strv_contains (options, word);
}

/* (nullable): the package, image, module or file that a runner is to run. */
static const char *
find_package (char **arguments)
{
  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    if (takes_value (arguments[i]) && arguments[i + 1] != NULL)
      i++;
    else if (*arguments[i] != '-' && !is_verb (arguments[i]))
      return arguments[i];
  return NULL;
}

char *
beckon_mcp_draft_propose_name (const BeckonMcpServer *server)
{
  g_autofree char *program = server->program != NULL ? g_path_get_basename (server->program) : NULL;
  const char *package = program != NULL && is_runner (program) ? find_package (server->arguments) : NULL;
  g_autofree char *name = NULL;

  if (server->kind == BECKON_MCP_KIND_HTTP)
    {
      g_autoptr (GUri) uri = server->address != NULL ? g_uri_parse (server->address, G_URI_FLAGS_NONE, NULL) : NULL;
      const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
      g_auto (GStrv) parts = host != NULL ? g_strsplit (host, ".", -1) : NULL;
      guint n = parts != NULL ? g_strv_length (parts) : 0;

      /* The name before the last part of the host, as "linear" of mcp.linear.app. */
      if (n >= 2 && !g_hostname_is_ip_address (host))
        name = g_strdup (parts[n - 2]);
      else
        name = g_strdup (host);
    }
  else if (package != NULL || program != NULL)
    {
      const char *word = package != NULL ? package : program;
      static const char *const before[] = { "mcp-server-", "server-", "mcp-", NULL };
      static const char *const after[] = { "-mcp-server", "-mcp", "-server", ".js", ".py", NULL };
      const char *slash = strrchr (word, '/');

      /* "@scope/server-files@1.2" is known as "files", and so is "mcp-server-files". */
      name = g_strdup (slash != NULL ? slash + 1 : word);

      name[strcspn (name, "@:=[<>~")] = '\0';
      for (guint i = 0; before[i] != NULL; i++)
        if (g_str_has_prefix (name, before[i]) && strlen (name) > strlen (before[i]))
          {
            memmove (name, name + strlen (before[i]), strlen (name) - strlen (before[i]) + 1);
            break;
          }
      for (guint i = 0; after[i] != NULL; i++)
        if (g_str_has_suffix (name, after[i]) && strlen (name) > strlen (after[i]))
          {
            name[strlen (name) - strlen (after[i])] = '\0';
            break;
          }
    }
  if (name == NULL || *name == '\0')
    return g_strdup ("server");
  if (!g_utf8_validate (name, -1, NULL))
    return g_utf8_make_valid (name, MIN ((gssize) strlen (name), 16));
  return g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), BECKON_MCP_SERVER_NAME_MAX));
}
