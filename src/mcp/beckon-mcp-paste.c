/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-paste-private.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "domain/beckon-profile.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Bytes of the longest ${reference} or <placeholder>. */
#define MARK_MAX 258

gboolean
beckon_mcp_paste_fail_at (const char *text, gsize offset, const char *words, GError **error)
{
  guint line = 1, column = 1;

  for (const char *at = text; *at != '\0' && at < text + offset; at++)
    if (*at == '\n')
      {
        line++;
        column = 1;
      }
    else if ((*at & 0xc0) != 0x80)
      column++;
  /* Translators: where something is wrong in a text, and what */
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Line %1$u, column %2$u: %3$s"), line, column, words);
  return FALSE;
}

/* --- Values that stand for others --------------------------------------------------------------------------------- */

/* "${NAME:-value}" and the forms of editors. */
typedef struct
{
  char *token;
  char *kind;    /* "env", "input", or "" */
  char *name;
  char *instead; /* (nullable): behind :- */
} Reference;

static void
clear_reference (Reference *reference)
{
  g_free (reference->token);
  g_free (reference->kind);
  g_free (reference->name);
  g_free (reference->instead);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reference, clear_reference)

/* (nullable): the next @mark; nothing that stands for a value is longer, and a long text is not read to its end for each. */
static const char *
find_near (const char *text, char mark)
{
  return memchr (text, mark, strnlen (text, MARK_MAX));
}

static gboolean
read_reference (const char *text, Reference *reference)
{
  const char *end = g_str_has_prefix (text, "${") ? find_near (text, '}') : NULL;
  g_autofree char *inner = end != NULL ? g_strndup (text + 2, (gsize) (end - text - 2)) : NULL;
  char *behind = inner != NULL ? strstr (inner, ":-") : NULL;
  char *colon;

  if (inner == NULL || *inner == '\0')
    return FALSE;
  reference->token = g_strndup (text, (gsize) (end + 1 - text));
  reference->instead = behind != NULL ? g_strdup (behind + 2) : NULL;
  if (behind != NULL)
    *behind = '\0';
  colon = strchr (inner, ':');
  reference->name = g_strdup (colon != NULL ? colon + 1 : inner);
  if (colon != NULL)
    *colon = '\0';
  reference->kind = g_strdup (colon != NULL ? inner : "");
  return TRUE;
}

/* (nullable): what a folder's name stands for; caller frees. */
static char *
find_folder (const BeckonMcpReading *reading, const char *name)
{
  static const char *const folders[] = { "workspaceFolder", "workspaceRoot", "PWD", "CLAUDE_PROJECT_DIR", NULL };

  if (g_str_equal (name, "userHome") || g_str_equal (name, "HOME"))
    return g_strdup (g_get_home_dir ());
  if (g_str_equal (name, "pathSeparator") || g_str_equal (name, "/"))
    return g_strdup (G_DIR_SEPARATOR_S);
  if (reading->context.folder == NULL)
    return NULL;
  if (g_str_equal (name, "workspaceFolderBasename"))
    return g_path_get_basename (reading->context.folder);
  return g_strv_contains (folders, name) ? g_strdup (reading->context.folder) : NULL;
}

/* (nullable): what VS Code says of an input. */
static const BeckonJsonValue *
find_input (const BeckonMcpReading *reading, const char *id)
{
  for (guint i = 0; reading->inputs != NULL && i < beckon_json_value_get_n_children (reading->inputs); i++)
    {
      const BeckonJsonValue *input = beckon_json_value_get_child (reading->inputs, i);

      if (g_strcmp0 (beckon_json_value_get_string (beckon_json_value_get (input, "id")), id) == 0)
        return input;
    }
  return NULL;
}

static void
add_input (const BeckonMcpReading *reading, BeckonMcpDraft *draft, const Reference *reference)
{
  const BeckonJsonValue *input = find_input (reading, reference->name);
  const char *description = beckon_json_value_get_string (beckon_json_value_get (input, "description"));
  const BeckonJsonValue *password = beckon_json_value_get (input, "password");

  beckon_mcp_draft_add_blank (draft, reference->token, description != NULL ? description : reference->name,
                              beckon_json_value_get_string (beckon_json_value_get (input, "default")),
                              (password != NULL && password->kind == BECKON_JSON_VALUE_TRUE)
                              || beckon_mcp_variable_is_secret_name (reference->name));
}

static void
add_reference (const BeckonMcpReading *reading, BeckonMcpDraft *draft, const Reference *reference)
{
  gboolean is_secret = beckon_mcp_variable_is_secret_name (reference->name);
  const char *value = reading->context.is_foreign || is_secret ? NULL : g_getenv (reference->name);

  if (g_str_equal (reference->kind, "input"))
    add_input (reading, draft, reference);
  else
    beckon_mcp_draft_add_blank (draft, reference->token, reference->name,
                                value != NULL && g_utf8_validate (value, -1, NULL) ? value : reference->instead, is_secret);
}

/* Bytes of what stands at @text in the place of a value, as READMEs write it: <token>, YOUR_KEY, /path/to/files. */
static gsize
measure_placeholder (const char *text, gboolean is_at_word)
{
  static const char *const beginnings[] = { "your_", "your-", "your ", "yourapi", "yourtoken", "xxxx", "/path/to",
                                            "/users/username", "path/to", "insert_", "insert-", "replace_", "replace-" };
  const char *end = *text == '<' ? find_near (text, '>') : NULL;

  if (end != NULL && strcspn (text + 1, "<>\n") == (gsize) (end - text - 1))
    return (gsize) (end - text) + 1;
  if (!is_at_word)
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_ascii_strncasecmp (text, beginnings[i], strlen (beginnings[i])) == 0)
      return beginnings[i][strlen (beginnings[i]) - 1] == ' ' ? strlen (text) : strcspn (text, " \t\n\"'<>,;&|");
  return 0;
}

char *
beckon_mcp_paste_take_text (const BeckonMcpReading *reading, BeckonMcpDraft *draft, const char *text, const char *name)
{
  GString *taken = g_string_new (NULL);

  for (const char *at = text; *at != '\0';)
    {
      g_auto (Reference) reference = { 0 };
      gboolean is_at_word = at == text || strchr (" =:\t", at[-1]) != NULL;
      gsize length = measure_placeholder (at, is_at_word);

      if (read_reference (at, &reference))
        {
          g_autofree char *folder = find_folder (reading, reference.name);

          g_string_append (taken, folder != NULL ? folder : reference.token);
          if (folder == NULL)
            add_reference (reading, draft, &reference);
          at += strlen (reference.token);
        }
      else if (length > 0)
        {
          g_autofree char *token = g_strndup (at, length);

          g_string_append (taken, token);
          beckon_mcp_draft_add_blank (draft, token, name != NULL ? name : token, NULL,
                                      beckon_mcp_variable_is_secret_name (name != NULL ? name : token));
          at += length;
        }
      else
        g_string_append_c (taken, *at++);
    }
  return g_string_free (taken, FALSE);
}

/* A variable that only hands on this program's own of the same name is not copied. */
static gboolean
is_handed_on (const BeckonMcpReading *reading, const char *name, const char *value)
{
  g_auto (Reference) reference = { 0 };

  return !reading->context.is_foreign && read_reference (value, &reference) && strlen (reference.token) == strlen (value)
         && (g_str_equal (reference.kind, "") || g_str_equal (reference.kind, "env")) && g_str_equal (reference.name, name)
         && reference.instead == NULL && g_getenv (name) != NULL;
}

void
beckon_mcp_paste_take_variable (const BeckonMcpReading *reading, BeckonMcpDraft *draft, GPtrArray *variables, const char *name,
                                const char *value)
{
  g_autofree char *taken = NULL;

  if (variables == draft->server->variables && is_handed_on (reading, name, value))
    {
      g_ptr_array_add (variables, beckon_mcp_variable_new (name, NULL, BECKON_MCP_VALUE_INHERITED));
      return;
    }
  taken = beckon_mcp_paste_take_text (reading, draft, value, name);
  if (*taken == '\0' && beckon_mcp_variable_is_secret_name (name))
    {
      g_free (taken);
      taken = g_strdup_printf ("${%s}", name);
      beckon_mcp_draft_add_blank (draft, taken, name, NULL, TRUE);
    }
  beckon_mcp_draft_add_variable (draft, variables, name, taken);
}

/* --- The end of reading ------------------------------------------------------------------------------------------- */

static gboolean
mcp_paste_has_key (char **arguments)
{
  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    {
      const char *value = strchr (arguments[i], '=');

      if (beckon_profile_looks_like_key (value != NULL ? value + 1 : arguments[i]))
        return TRUE;
    }
  return FALSE;
}

/* Whether a key will be entered for a part of @text. */
static gboolean
wants_key (const BeckonMcpDraft *draft, const char *text)
{
  for (guint i = 0; text != NULL && i < draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);

      if (blank->is_secret && strstr (text, blank->token) != NULL)
        return TRUE;
    }
  return FALSE;
}

static gboolean
wants_key_as_argument (const BeckonMcpDraft *draft)
{
  char **arguments = draft->server->arguments;

  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    if (wants_key (draft, arguments[i]))
      return TRUE;
  return wants_key (draft, draft->server->program);
}

void
beckon_mcp_paste_finish (BeckonMcpDraft *draft)
{
  g_autoptr (GError) error = NULL;
  BeckonMcpServer *server = draft->server;

  if (server->name == NULL || *server->name == '\0')
    {
      g_free (server->name);
      server->name = beckon_mcp_draft_propose_name (server);
    }
  if (mcp_paste_has_key (server->arguments) || wants_key_as_argument (draft))
    beckon_mcp_draft_take_note (draft, g_strdup (_("An argument looks like a key. Arguments are saved as plain text, which "
                                                   "other programs can read: use an environment variable if the server has "
                                                   "one.")));
  if (wants_key (draft, server->address))
    beckon_mcp_draft_take_note (draft, g_strdup (_("The address has a key in it. Addresses are saved as plain text: use a "
                                                   "header if the server takes one.")));
  if (draft->problem == NULL && draft->blanks->len == 0 && !beckon_mcp_server_check (server, &error))
    beckon_mcp_draft_take_problem (draft, g_strdup (error->message));
}

/* --- Kinds of texts ----------------------------------------------------------------------------------------------- */

/* The text between the marks of a code block in Markdown. */
static char *
strip_fence (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  char *line, *end;

  if (!g_str_has_prefix (stripped, "```"))
    return g_steal_pointer (&stripped);
  line = strchr (stripped, '\n');
  end = line != NULL ? g_strrstr (line, "```") : NULL;
  if (end != NULL)
    *end = '\0';
  return g_strstrip (g_strdup (line != NULL ? line + 1 : ""));
}

static GPtrArray *
mcp_paste_make_list (BeckonMcpDraft *draft)
{
  GPtrArray *drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);

  beckon_mcp_paste_finish (draft);
  g_ptr_array_add (drafts, draft);
  return drafts;
}

static gboolean
is_address (const char *text)
{
  return (g_ascii_strncasecmp (text, "https://", 8) == 0 || g_ascii_strncasecmp (text, "http://", 7) == 0)
         && strpbrk (text, " \t\n") == NULL;
}

BeckonMcpDraft *
beckon_mcp_paste_read_address (const BeckonMcpReading *reading, const char *address)
{
  BeckonMcpDraft *draft = beckon_mcp_draft_new (NULL, BECKON_MCP_KIND_HTTP);

  draft->server->address = beckon_mcp_paste_take_text (reading, draft, address, NULL);
  return draft;
}

GPtrArray *
beckon_mcp_paste_read (const char *text, const BeckonMcpPasteContext *context, GError **error)
{
  BeckonMcpReading reading = { 0 };
  g_autofree char *stripped = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (context != NULL)
    reading.context = *context;
  if (strlen (text) > BECKON_MCP_PASTE_MAX || !g_utf8_validate (text, -1, NULL))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The text is too long, or is not text."));
      return NULL;
    }
  stripped = strip_fence (text);
  if (*stripped == '\0')
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("Paste the JSON, the command line or the address that the server’s README shows."));
      return NULL;
    }
  if (strchr ("{[\"/", *stripped) != NULL && (*stripped != '/' || strchr ("/*", stripped[1]) != NULL))
    return beckon_mcp_paste_read_json (stripped, strlen (stripped), context, error);
  if (is_address (stripped))
    return mcp_paste_make_list (beckon_mcp_paste_read_address (&reading, stripped));
  return beckon_mcp_paste_read_command (&reading, stripped, error);
}
