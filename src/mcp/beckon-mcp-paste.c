/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-json-value.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "domain/beckon-mcp-entry.h"
#include "domain/beckon-profile.h"
#include "mcp/beckon-mcp-draft.h"
#include "mcp/beckon-mcp-paste.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 @context: what is known of the text
 * @inputs: (nullable): the list `inputs` beside the servers, as VS Code has it
 *
 * What the readers of one text share.
 */
typedef struct
{
  BeckonMcpPasteContext context;
  const BeckonJsonValue *inputs;
} BeckonMcpReading;

static GPtrArray *mcp_paste_read_command (const BeckonMcpReading *reading, const char *text,
                                          GError **error);

/* Bytes of the longest ${reference} or <placeholder>. */
#define MARK_MAX 258

/* %FALSE with @error: "Line 3, column 5: …". @text: what was read; @offset: bytes. */
static gboolean
mcp_paste_fail_at (const char *text, gsize offset, const char *words, GError **error)
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

/* Puts folders in the place of ${workspaceFolder} and the like, and makes blanks of all else that stands for a value.
 * Returns (transfer full): the text */
static char *
mcp_paste_take_text (const BeckonMcpReading *reading, BeckonMcpDraft *draft, const char *text, const char *name)
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
            {
              gboolean is_secret = beckon_mcp_variable_is_secret_name (reference.name);
              const char *value = reading->context.is_foreign || is_secret ? NULL : g_getenv (reference.name);

              if (g_str_equal (reference.kind, "input"))
                {
                  const BeckonJsonValue *input = find_input (reading, reference.name);
                  const char *description = beckon_json_value_get_string (beckon_json_value_get (input, "description"));
                  const BeckonJsonValue *password = beckon_json_value_get (input, "password");

                  beckon_mcp_draft_add_blank (draft, reference.token, description != NULL ? description : reference.name,
                                              beckon_json_value_get_string (beckon_json_value_get (input, "default")),
                                              (password != NULL && password->kind == BECKON_JSON_VALUE_TRUE)
                                                  || beckon_mcp_variable_is_secret_name (reference.name));
                }
              else
                beckon_mcp_draft_add_blank (draft, reference.token, reference.name,
                                            value != NULL && g_utf8_validate (value, -1, NULL) ? value : reference.instead,
                                            is_secret);
            }
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

/* Adds a variable or header with what its value stands for. */
static void
mcp_paste_take_variable (const BeckonMcpReading *reading, BeckonMcpDraft *draft, GPtrArray *variables, const char *name,
                         const char *value)
{
  g_autofree char *taken = NULL;

  if (variables == draft->server->variables && is_handed_on (reading, name, value))
    {
      g_ptr_array_add (variables, beckon_mcp_variable_new (name, NULL, BECKON_MCP_VALUE_INHERITED));
      return;
    }
  taken = mcp_paste_take_text (reading, draft, value, name);
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

/* Gives the server a name if it has none, looks at its arguments, and checks it if nothing is left to be entered. */
static void
mcp_paste_finish (BeckonMcpDraft *draft)
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

static gboolean
is_address (const char *text)
{
  return (g_ascii_strncasecmp (text, "https://", 8) == 0 || g_ascii_strncasecmp (text, "http://", 7) == 0)
         && strpbrk (text, " \t\n") == NULL;
}

/* A server by its address. */
static BeckonMcpDraft *
mcp_paste_read_address (const BeckonMcpReading *reading, const char *address)
{
  BeckonMcpDraft *draft = beckon_mcp_draft_new (NULL, BECKON_MCP_KIND_HTTP);

  draft->server->address = mcp_paste_take_text (reading, draft, address, NULL);
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
    {
      BeckonMcpDraft *draft = mcp_paste_read_address (&reading, stripped);
      GPtrArray *drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);

      mcp_paste_finish (draft);
      g_ptr_array_add (drafts, draft);
      return drafts;
    }
  return mcp_paste_read_command (&reading, stripped, error);
}

static gboolean
is_assignment (const char *word)
{
  const char *equals = strchr (word, '=');

  if (equals == NULL || equals == word || g_ascii_isdigit (*word))
    return FALSE;
  for (const char *at = word; at < equals; at++)
    if (!g_ascii_isalnum (*at) && *at != '_')
      return FALSE;
  return TRUE;
}

static void
take_assignment (const BeckonMcpReading *reading, BeckonMcpDraft *draft, const char *word)
{
  g_auto (GStrv) parts = g_strsplit (word, "=", 2);

  mcp_paste_take_variable (reading, draft, draft->server->variables, parts[0], parts[1] != NULL ? parts[1] : "");
}

/* There is no shell to do it later. $NAME is written as ${NAME}, which is read below. */
static char *
expand (const char *word)
{
  g_autofree char *name = NULL;
  gsize length;

  if (*word == '~' && (word[1] == '/' || word[1] == '\0'))
    return g_build_filename (g_get_home_dir (), word + 1, NULL);
  if (*word != '$' || (!g_ascii_isalpha (word[1]) && word[1] != '_'))
    return g_strdup (word);
  for (length = 1; g_ascii_isalnum (word[length]) || word[length] == '_'; length++)
    ;
  name = g_strndup (word + 1, length - 1);
  return g_strdup_printf ("${%s}%s", name, word + length);
}

/* A server by its command line. @words: (array zero-terminated=1): of a program and its arguments */
static BeckonMcpDraft *
mcp_paste_read_words (const BeckonMcpReading *reading, char **words)
{
  BeckonMcpDraft *draft = beckon_mcp_draft_new (NULL, BECKON_MCP_KIND_STDIO);
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  if (words[0] != NULL && strcmp (words[0], "env") == 0 && words[1] != NULL && is_assignment (words[1]))
    words++;
  for (; *words != NULL && is_assignment (*words); words++)
    take_assignment (reading, draft, *words);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *expanded = expand (words[i]);
      g_autofree char *word = mcp_paste_take_text (reading, draft, expanded, NULL);

      if (i == 0)
        draft->server->program = g_steal_pointer (&word);
      else
        g_strv_builder_add (arguments, word);
    }
  draft->server->arguments = g_strv_builder_end (arguments);
  return draft;
}

/* --- What other programs are told --------------------------------------------------------------------------------- */

/* `claude mcp add [OPTION…] NAME [--] COMMAND…` and its kin. */
typedef struct
{
  const char *name;
  gboolean is_address;
  GPtrArray *environment; /* (element-type utf8): NAME=VALUE; borrowed */
  GPtrArray *headers;     /* (element-type utf8): NAME: VALUE; borrowed */
  char **rest;
} Adding;

static void
clear_adding (Adding *adding)
{
  g_clear_pointer (&adding->environment, g_ptr_array_unref);
  g_clear_pointer (&adding->headers, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Adding, clear_adding)

static gboolean
is_option (const char *word, const char *letter, const char *name)
{
  return strcmp (word, letter) == 0 || strcmp (word, name) == 0
         || (g_str_has_prefix (word, name) && word[strlen (name)] == '=');
}

/* (nullable): the option's value; moves @words behind it. */
static const char *
take_value (char ***words)
{
  const char *equals = g_str_has_prefix (**words, "--") ? strchr (**words, '=') : NULL;

  (*words)++;
  if (equals != NULL)
    return equals + 1;
  return **words != NULL ? *(*words)++ : NULL;
}

static void
take_option (Adding *adding, char ***words)
{
  const char *word = **words;
  const char *value;

  if (is_option (word, "-e", "--env"))
    {
      value = take_value (words);
      if (value != NULL && is_assignment (value))
        g_ptr_array_add (adding->environment, (gpointer) value);
      while (**words != NULL && is_assignment (**words))
        g_ptr_array_add (adding->environment, *(*words)++);
    }
  else if (is_option (word, "-H", "--header"))
    {
      value = take_value (words);
      if (value != NULL)
        g_ptr_array_add (adding->headers, (gpointer) value);
    }
  else if (is_option (word, "-t", "--transport"))
    {
      value = take_value (words);
      adding->is_address = g_strcmp0 (value, "http") == 0 || g_strcmp0 (value, "sse") == 0;
    }
  else if (is_option (word, "-s", "--scope") || is_option (word, "--client-id", "--client-id")
           || is_option (word, "--callback-port", "--callback-port") || is_option (word, "--timeout", "--timeout"))
    take_value (words);
  else if (is_option (word, "--url", "--url"))
    adding->is_address = TRUE, (*words)++;
  else
    (*words)++;
}

/* Options stand before the name, and behind it up to the command. */
static void
read_adding (char **words, Adding *adding)
{
  adding->environment = g_ptr_array_new ();
  adding->headers = g_ptr_array_new ();
  while (*words != NULL && strcmp (*words, "--") != 0)
    if (**words == '-')
      take_option (adding, &words);
    else if (adding->name == NULL)
      adding->name = *words++;
    else
      break;
  if (*words != NULL && strcmp (*words, "--") == 0)
    words++;
  adding->rest = words;
  /* Behind an address there are options alone. */
  if (*words != NULL && (adding->is_address || g_str_has_prefix (*words, "https://") || g_str_has_prefix (*words, "http://")))
    {
      adding->is_address = TRUE;
      for (words++; *words != NULL;)
        if (**words == '-')
          take_option (adding, &words);
        else
          words++;
    }
}

static BeckonMcpDraft *
make_added (const BeckonMcpReading *reading, const Adding *adding)
{
  BeckonMcpDraft *draft = adding->is_address ? mcp_paste_read_address (reading, adding->rest[0])
                                             : mcp_paste_read_words (reading, adding->rest);

  draft->server->name = g_strdup (adding->name);
  for (guint i = 0; i < adding->environment->len; i++)
    take_assignment (reading, draft, g_ptr_array_index (adding->environment, i));
  for (guint i = 0; i < adding->headers->len; i++)
    {
      g_auto (GStrv) parts = g_strsplit (g_ptr_array_index (adding->headers, i), ":", 2);

      if (parts[0] != NULL && parts[1] != NULL)
        mcp_paste_take_variable (reading, draft, draft->server->headers, g_strstrip (parts[0]), g_strstrip (parts[1]));
    }
  return draft;
}

static gboolean
is_agent (const char *program)
{
  static const char *const agents[] = { "claude", "codex", "gemini", "qwen", "copilot", "beckonctl", NULL };

  return g_strv_contains (agents, program);
}

/* --- The line ----------------------------------------------------------------------------------------------------- */

/* (nullable): a sign that only a shell understands. */
static const char *
find_shell_sign (char **words)
{
  static const char *const signs[] = { "|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "2>/dev/null", NULL };

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (g_strv_contains (signs, words[i]))
        return words[i];
      if (strstr (words[i], "$(") != NULL)
        return "$(…)";
    }
  return strcmp (words[0], "cd") == 0 || strcmp (words[0], "export") == 0 ? words[0] : NULL;
}

static GPtrArray *
paste_command_fail (GError **error, const char *words)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, words);
  return NULL;
}

static GPtrArray *
paste_command_finish (BeckonMcpDraft *draft)
{
  GPtrArray *drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);

  mcp_paste_finish (draft);
  g_ptr_array_add (drafts, draft);
  return drafts;
}

/* `claude mcp add-json NAME JSON`. */
static GPtrArray *
read_added_json (const BeckonMcpReading *reading, char **words, GError **error)
{
  GPtrArray *drafts;

  while (*words != NULL && **words == '-')
    words++;
  if (words[0] == NULL || words[1] == NULL)
    return paste_command_fail (error, _("The name or the JSON of the server is missing."));
  drafts = beckon_mcp_paste_read_json (words[1], strlen (words[1]), &reading->context, error);
  if (drafts != NULL && drafts->len == 1)
    {
      BeckonMcpServer *server = ((BeckonMcpDraft *) g_ptr_array_index (drafts, 0))->server;

      g_free (server->name);
      server->name = g_strdup (words[0]);
    }
  return drafts;
}

/* (nullable) (element-type BeckonMcpDraft): servers of a command line; as beckon_mcp_paste_read(). */
static GPtrArray *
mcp_paste_read_command (const BeckonMcpReading *reading, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;
  const char *sign;

  while (*text == '$' && text[1] == ' ')
    text += 2;
  if (!g_shell_parse_argv (text, NULL, &words, NULL))
    return paste_command_fail (error, _("A quotation mark has no end."));
  sign = find_shell_sign (words);
  if (sign != NULL)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                             /* Translators: a sign in a command line, such as | */
                             _("“%s” needs a shell. Put the line into a script, and enter the script here."), sign);
      return NULL;
    }
  if (is_agent (words[0]) && g_strcmp0 (words[1], "mcp") == 0 && g_strcmp0 (words[2], "add-json") == 0)
    return read_added_json (reading, words + 3, error);
  if (is_agent (words[0]) && g_strcmp0 (words[1], "mcp") == 0 && g_strcmp0 (words[2], "add") == 0)
    {
      g_auto (Adding) adding = { 0 };

      read_adding (words + 3, &adding);
      return adding.rest[0] != NULL ? paste_command_finish (make_added (reading, &adding))
                                    : paste_command_fail (error, _("The command or the address of the server is missing."));
    }
  return paste_command_finish (mcp_paste_read_words (reading, words));
}

/* The places where programs keep their servers. */
static const char *const lists[]
    = { "/mcpServers", "/servers", "/mcp/servers", "/mcp.servers", "/context_servers", "/mcp", NULL };

/* A server while it is read. */
typedef struct
{
  const BeckonMcpReading *reading;
  BeckonMcpDraft *draft;
  const BeckonJsonValue *value;
} One;

/* @names: with a slash in front, pointers. */
static const BeckonJsonValue *
paste_json_find (const One *one, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const BeckonJsonValue *value = *names[i] == '/' ? beckon_json_value_point (one->value, names[i])
                                                      : beckon_json_value_get (one->value, names[i]);

      if (value != NULL)
        return value;
    }
  return NULL;
}

static void
paste_json_refuse (const One *one, const char *words, const BeckonJsonValue *value)
{
  g_autofree char *name = beckon_text_for_display (value->name->str, (gssize) value->name->len, BECKON_TEXT_EXACT);

  beckon_mcp_draft_take_problem (one->draft, beckon_text_fill_in (words, name));
}

static void
read_variables (const One *one, const char *const *names, GPtrArray *variables)
{
  const BeckonJsonValue *list = paste_json_find (one, names);

  if (list == NULL || list->kind == BECKON_JSON_VALUE_NULL)
    return;
  if (list->kind != BECKON_JSON_VALUE_OBJECT)
    {
      /* Translators: a member of JSON */
      paste_json_refuse (one, _("“%s” has to be an object of names and values."), list);
      return;
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (list); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (list, i);
      g_autofree char *value = member->kind == BECKON_JSON_VALUE_NULL ? g_strdup ("") : beckon_json_value_dup_scalar (member);

      if (value == NULL || strlen (member->name->str) != member->name->len)
        paste_json_refuse (one, _("“%s” has to be a text."), member);
      else
        mcp_paste_take_variable (one->reading, one->draft, variables, member->name->str, value);
    }
}

static void
read_directory (const One *one)
{
  static const char *const names[] = { "cwd", "workingDirectory", NULL };
  const BeckonJsonValue *value = paste_json_find (one, names);
  g_autofree char *directory = NULL;
  const char *text = beckon_json_value_get_string (value);

  if (value != NULL)
    {
      if (text != NULL)
        directory = mcp_paste_take_text (one->reading, one->draft, text, NULL);
      else
        {
          /* Translators: a member of JSON */
          paste_json_refuse (one, _("“%s” has to be a text."), value);
        }
    }

  if (directory == NULL || *directory == '\0')
    return;
  if (*directory == '~' && (directory[1] == '/' || directory[1] == '\0'))
    one->draft->server->directory = g_build_filename (g_get_home_dir (), directory + 1, NULL);
  else if (g_path_is_absolute (directory) || one->reading->context.folder == NULL || *directory == '$')
    one->draft->server->directory = g_strdup (directory);
  else
    one->draft->server->directory = g_canonicalize_filename (directory, one->reading->context.folder);
}

static gboolean
is_true (const BeckonJsonValue *value)
{
  return value != NULL && value->kind == BECKON_JSON_VALUE_TRUE;
}

static void
read_members (const One *one, const BeckonMcpEntry *entry)
{
  static const char *const environment[] = { "env", "environment", NULL };
  static const char *const headers[] = { "headers", "/requestInit/headers", NULL };
  const BeckonJsonValue *enabled;

  if (one->draft->server->kind == BECKON_MCP_KIND_HTTP)
    {
      if (entry->address != NULL)
        one->draft->server->address = mcp_paste_take_text (one->reading, one->draft, entry->address, NULL);
      read_variables (one, headers, one->draft->server->headers);
    }
  else
    {
      BeckonMcpServer *server = one->draft->server;
      g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

      if (entry->was_for_windows)
        beckon_mcp_draft_take_note (one->draft, g_strdup (_("“cmd /c” is for Windows alone and was left out.")));
      if (entry->words != NULL && entry->words[0] != NULL)
        {
          server->program = mcp_paste_take_text (one->reading, one->draft, entry->words[0], NULL);
          for (guint i = 1; entry->words[i] != NULL; i++)
            {
              g_autofree char *argument = mcp_paste_take_text (one->reading, one->draft, entry->words[i], NULL);

              g_strv_builder_add (arguments, argument);
            }
          server->arguments = g_strv_builder_end (arguments);
        }
      read_variables (one, environment, one->draft->server->variables);
      read_directory (one);
    }
  enabled = beckon_json_value_get (one->value, "enabled");
  one->draft->server->is_on = !(is_true (beckon_json_value_get (one->value, "disabled"))
                                || (enabled != NULL && enabled->kind == BECKON_JSON_VALUE_FALSE));
  if (beckon_json_value_get (one->value, "envFile") != NULL)
    beckon_mcp_draft_take_note (one->draft, g_strdup (_("“envFile” is not read. Enter the variables that the server needs.")));
}

/* @name: (nullable) */
static BeckonMcpDraft *
paste_json_read_server (const BeckonMcpReading *reading, const char *name, const BeckonJsonValue *value)
{
  g_auto (BeckonMcpEntry) entry = { 0 };
  const char *own = beckon_json_value_get_string (beckon_json_value_get (value, "name"));
  g_autofree char *trimmed = g_strstrip (g_strdup (name != NULL ? name : own != NULL ? own : ""));
  BeckonMcpDraft *draft;
  One one;

  beckon_mcp_entry_read (value, &entry);
  draft = beckon_mcp_draft_new (trimmed, entry.is_program ? BECKON_MCP_KIND_STDIO : BECKON_MCP_KIND_HTTP);
  one = (One) { reading, draft, value };
  /* The fault, in words to be shown. */
  switch (entry.fault)
    {
    case BECKON_MCP_ENTRY_FAULT_EMPTY:
      beckon_mcp_draft_take_problem (one.draft, g_strdup (_("The server has neither a “command” nor a “url”.")));
      break;

    case BECKON_MCP_ENTRY_FAULT_BOTH:
      beckon_mcp_draft_take_problem (one.draft, g_strdup (_("The server has both a “command” and a “url”. It can have one of "
                                                             "them.")));
      break;

    case BECKON_MCP_ENTRY_FAULT_COMMAND:
      beckon_mcp_draft_take_problem (one.draft, g_strdup (_("“command” has to be a text.")));
      break;

    case BECKON_MCP_ENTRY_FAULT_LIST:
      /* Translators: a member of JSON */
      paste_json_refuse (&one, _("“%s” has to be a list of texts."), entry.fault_at);
      break;

    case BECKON_MCP_ENTRY_FAULT_TEXT:
      /* Translators: a member of JSON */
      paste_json_refuse (&one, _("“%s” has to be a text."), entry.fault_at);
      break;

    case BECKON_MCP_ENTRY_FAULT_NONE:
    default:
      break;
    }
  if (entry.fault != BECKON_MCP_ENTRY_FAULT_EMPTY)
    read_members (&one, &entry);
  mcp_paste_finish (draft);
  return draft;
}

/* (nullable): the object whose members are the servers; in a fragment the object itself may be. */
static const BeckonJsonValue *
find_list (const BeckonJsonValue *root)
{
  const BeckonJsonValue *list = NULL;
  gboolean has_servers = beckon_json_value_get_n_children (root) > 0;

  for (guint i = 0; lists[i] != NULL && list == NULL; i++)
    {
      list = beckon_json_value_point (root, lists[i]);
      if (list != NULL && (list->kind != BECKON_JSON_VALUE_OBJECT || beckon_mcp_entry_is_one (list)))
        list = NULL;
    }
  for (guint i = 0; i < beckon_json_value_get_n_children (root); i++)
    has_servers = has_servers && beckon_mcp_entry_is_one (beckon_json_value_get_child (root, i));
  return list != NULL ? list : has_servers && root->kind == BECKON_JSON_VALUE_OBJECT ? root : NULL;
}

static gboolean
begins_with_name (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '"';
}

/* (transfer full) (nullable): strict JSON as a tree; the error says where, in words to be shown. */
static BeckonJsonValue *
mcp_paste_parse (const char *strict, GError **error)
{
  gsize offset = 0;
  BeckonJsonFault fault = beckon_json_find_fault (strict, -1, &offset);

  if (fault == BECKON_JSON_FAULT_NONE)
    return beckon_json_value_parse (strict, -1, error);
  mcp_paste_fail_at (strict, offset, _(beckon_json_fault_to_string (fault)), error);
  return NULL;
}

/* As beckon_mcp_paste_read_json(), for a tree. %BECKON_ERROR_NOT_FOUND without any server. */
static GPtrArray *
mcp_paste_read_value (const BeckonJsonValue *root, const BeckonMcpPasteContext *context, GError **error)
{
  BeckonMcpReading reading = { 0 };
  g_autoptr (GPtrArray) drafts = NULL;
  const BeckonJsonValue *list;
  const BeckonJsonValue *inputs;

  if (context != NULL)
    reading.context = *context;
  drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);
  list = find_list (root);
  inputs = beckon_json_value_get (root, "inputs");
  reading.inputs = inputs != NULL ? inputs : beckon_json_value_point (root, "/mcp/inputs");
  if (beckon_mcp_entry_is_one (root))
    g_ptr_array_add (drafts, paste_json_read_server (&reading, NULL, root));
  for (guint i = 0; list != NULL && !beckon_mcp_entry_is_one (root) && i < beckon_json_value_get_n_children (list); i++)
    if (drafts->len < BECKON_MCP_DRAFTS_MAX)
      g_ptr_array_add (drafts, paste_json_read_server (&reading, beckon_json_value_get_child (list, i)->name->str,
                                                       beckon_json_value_get_child (list, i)));
  if (drafts->len > 0)
    return g_steal_pointer (&drafts);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("This JSON has no server. It needs “mcpServers”, or a “command” or a “url”."));
  return NULL;
}

GPtrArray *
beckon_mcp_paste_read_json (const char *text, gsize length, const BeckonMcpPasteContext *context, GError **error)
{
  g_autofree char *strict = beckon_json_make_strict (text, length);
  g_autoptr (BeckonJsonValue) root = NULL;

  if (begins_with_name (strict))
    {
      g_autofree char *fragment = g_strndup (strict, strlen (strict));
      char *whole;

      /* A fragment as READMEs show it: members without the brackets around them. */
      g_strchomp (fragment);
      if (g_str_has_suffix (fragment, ","))
        fragment[strlen (fragment) - 1] = ' ';
      /* In one line with what follows, so that the numbers of lines stay. */
      whole = g_strconcat ("{", fragment, "}", NULL);

      g_free (strict);
      strict = whole;
    }
  root = mcp_paste_parse (strict, error);
  return root != NULL ? mcp_paste_read_value (root, context, error) : NULL;
}

/* Claude Code keeps its history beside its servers. */
#define FILE_MAX (32 * 1024 * 1024)
#define PROJECTS_MAX 200
#define FLATPAKS_MAX 500

static const char *const ids[] = { "claude-desktop", "claude-code", "vscode", "cursor", NULL };

/* Files of a program: below the folder of settings, which a Flatpak has of its own, or below the home folder. */
static const struct
{
  const char *program;
  const char *title;
  const char *in_config; /* (nullable) */
  const char *in_home;   /* (nullable) */
} files[] = {
  { "claude-desktop", "Claude Desktop", "Claude/claude_desktop_config.json", NULL },
  { "claude-code", "Claude Code", NULL, ".claude.json" },
  { "vscode", "VS Code", "Code/User/mcp.json", NULL },
  { "vscode", "VS Code", "Code/User/settings.json", NULL },
  { "vscode", "VS Code", "Code - Insiders/User/mcp.json", NULL },
  { "vscode", "VSCodium", "VSCodium/User/mcp.json", NULL },
  { "vscode", "Code - OSS", "Code - OSS/User/mcp.json", NULL },
  { "cursor", "Cursor", NULL, ".cursor/mcp.json" },
};

void
beckon_mcp_found_free (BeckonMcpFound *found)
{
  if (found == NULL)
    return;
  g_free (found->program);
  g_free (found->path);
  g_free (found->folder);
  g_ptr_array_unref (found->drafts);
  g_free (found->error);
  g_free (found);
}

const char *const *
beckon_mcp_found_list_programs (void)
{
  return ids;
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static gboolean
mcp_found_read_all (int fd, gsize size, GByteArray *bytes)
{
  guint8 buffer[16384];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0 && bytes->len <= size)
    g_byte_array_append (bytes, buffer, (guint) n);
  return n == 0;
}

/* (nullable): a regular file's text; a pipe of that name is not waited for. */
static GByteArray *
mcp_found_read_file (const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  struct stat status;
  int fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  gboolean is_whole;

  if (fd < 0)
    {
      int code = errno;

      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
      return NULL;
    }
  is_whole = fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= FILE_MAX
             && mcp_found_read_all (fd, (gsize) status.st_size, bytes);
  close (fd);
  if (is_whole && g_utf8_validate ((char *) bytes->data, bytes->len, NULL))
    return g_steal_pointer (&bytes);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The file is too large, or is not text."));
  return NULL;
}

static void
mcp_found_add (GPtrArray *list, guint index, const char *path, const char *folder, GPtrArray *drafts, const char *error)
{
  BeckonMcpFound *found = g_new0 (BeckonMcpFound, 1);

  found->program = g_strdup (files[index].program);
  found->title = files[index].title;
  found->path = g_strdup (path);
  found->folder = g_strdup (folder);
  found->drafts = drafts != NULL ? drafts : g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);
  found->error = g_strdup (error);
  g_ptr_array_add (list, found);
}

/* A server that came with the folder may have been written by others. */
static void
bind_to_folder (GPtrArray *drafts, const char *folder, gboolean came_with_folder)
{
  for (guint i = 0; i < drafts->len; i++)
    {
      BeckonMcpDraft *draft = g_ptr_array_index (drafts, i);
      BeckonMcpServer *server = draft->server;

      g_free (server->folder);
      server->folder = g_strdup (folder);
      draft->came_with_folder = came_with_folder;
      if (server->kind != BECKON_MCP_KIND_STDIO)
        continue;
      server->is_sandboxed = came_with_folder;
      if (server->directory == NULL)
        server->directory = g_strdup (folder);
    }
}

/* A file without servers is none that was found. @folder: (nullable) */
static void
add_value (GPtrArray *list, guint index, const char *path, const char *folder, gboolean came_with_folder,
           const BeckonJsonValue *value)
{
  const BeckonMcpPasteContext context = { .folder = folder, .is_foreign = came_with_folder };
  g_autoptr (GError) error = NULL;
  GPtrArray *drafts = mcp_paste_read_value (value, &context, &error);

  if (drafts == NULL)
    return;
  if (folder != NULL)
    bind_to_folder (drafts, folder, came_with_folder);
  mcp_found_add (list, index, path, folder, drafts, NULL);
}

/* (transfer full) (nullable) */
static BeckonJsonValue *
mcp_found_parse (GByteArray *bytes, GError **error)
{
  g_autofree char *strict = beckon_json_make_strict ((char *) bytes->data, bytes->len);

  return mcp_paste_parse (strict, error);
}

static void
read_one (GPtrArray *list, guint index, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) bytes = mcp_found_read_file (path, &error);
  g_autoptr (BeckonJsonValue) value = bytes != NULL && bytes->len > 0 ? mcp_found_parse (bytes, &error) : NULL;
  const BeckonJsonValue *projects;

  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT) || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    return;
  if (error != NULL)
    mcp_found_add (list, index, path, NULL, NULL, error->message);
  if (value == NULL)
    return;
  add_value (list, index, path, NULL, FALSE, value);
  projects = beckon_json_value_get (value, "projects");
  for (guint i = 0; i < MIN (beckon_json_value_get_n_children (projects), PROJECTS_MAX); i++)
    {
      const BeckonJsonValue *project = beckon_json_value_get_child (projects, i);
      const char *folder;
      g_autofree char *project_path = NULL;
      g_autoptr (GByteArray) project_bytes = NULL;
      g_autoptr (BeckonJsonValue) project_value = NULL;

      if (beckon_json_value_get_n_children (beckon_json_value_get (project, "mcpServers")) > 0)
        add_value (list, index, path, project->name->str, FALSE, project);
      folder = project->name->str;
      project_path = g_build_filename (folder, ".mcp.json", NULL);
      project_bytes = g_path_is_absolute (folder) ? mcp_found_read_file (project_path, NULL) : NULL;
      project_value = project_bytes != NULL ? mcp_found_parse (project_bytes, NULL) : NULL;
      if (project_value != NULL)
        add_value (list, index, project_path, folder, TRUE, project_value);
    }
}

/* --- Programs ----------------------------------------------------------------------------------------------------- */

static void
read_flatpaks (GPtrArray *list, guint index)
{
  g_autofree char *apps = g_build_filename (g_get_home_dir (), ".var", "app", NULL);
  g_autoptr (GDir) folder = g_dir_open (apps, 0, NULL);
  const char *name;

  for (guint n = 0; folder != NULL && n < FLATPAKS_MAX && (name = g_dir_read_name (folder)) != NULL; n++)
    {
      g_autofree char *path = g_build_filename (apps, name, "config", files[index].in_config, NULL);

      read_one (list, index, path);
    }
}

static void
read_programs (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *program = data;
  g_autofree char *config = NULL;
  GPtrArray *list;

  /* Within a Flatpak the variable names a folder of its own. */
  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
    config = g_build_filename (g_get_home_dir (), ".config", NULL);
  else
    config = g_strdup (g_get_user_config_dir ());
  list = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_found_free);
  for (guint i = 0; i < G_N_ELEMENTS (files) && !g_cancellable_is_cancelled (cancellable); i++)
    {
      g_autofree char *path = files[i].in_config != NULL ? g_build_filename (config, files[i].in_config, NULL)
                                                         : g_build_filename (g_get_home_dir (), files[i].in_home, NULL);

      if (program != NULL && !g_str_equal (program, files[i].program))
        continue;
      read_one (list, i, path);
      if (files[i].in_config != NULL)
        read_flatpaks (list, i);
    }
  g_task_return_pointer (task, list, (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_mcp_found_list_async (const char *program, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_mcp_found_list_async);
  g_task_set_task_data (task, g_strdup (program), g_free);
  beckon_worker_run_for_person (task, read_programs);
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_mcp_found_list)

/* --- One file ----------------------------------------------------------------------------------------------------- */

/* Whether a file of this name lies in a project, for all who work there. */
static gboolean
is_of_project (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_equal (name, ".mcp.json");
}

static void
read_given (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *path = data;
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  const BeckonMcpPasteContext context = { .folder = folder, .is_foreign = TRUE };
  GError *error = NULL;
  g_autoptr (GByteArray) bytes = mcp_found_read_file (whole, &error);
  g_autoptr (BeckonJsonValue) value = bytes != NULL ? mcp_found_parse (bytes, &error) : NULL;
  GPtrArray *drafts = value != NULL ? mcp_paste_read_value (value, &context, &error) : NULL;

  if (drafts != NULL && is_of_project (whole))
    bind_to_folder (drafts, folder, TRUE);
  if (drafts != NULL)
    g_task_return_pointer (task, drafts, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
beckon_mcp_found_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_return_if_fail (path != NULL);

  g_task_set_source_tag (task, beckon_mcp_found_read_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  beckon_worker_run_for_person (task, read_given);
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_mcp_found_read)
