/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-paste-private.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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

  beckon_mcp_paste_take_variable (reading, draft, draft->server->variables, parts[0], parts[1] != NULL ? parts[1] : "");
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

BeckonMcpDraft *
beckon_mcp_paste_read_words (const BeckonMcpReading *reading, char **words)
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
      g_autofree char *word = beckon_mcp_paste_take_text (reading, draft, expanded, NULL);

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
  BeckonMcpDraft *draft = adding->is_address ? beckon_mcp_paste_read_address (reading, adding->rest[0])
                                             : beckon_mcp_paste_read_words (reading, adding->rest);

  draft->server->name = g_strdup (adding->name);
  for (guint i = 0; i < adding->environment->len; i++)
    take_assignment (reading, draft, g_ptr_array_index (adding->environment, i));
  for (guint i = 0; i < adding->headers->len; i++)
    {
      g_auto (GStrv) parts = g_strsplit (g_ptr_array_index (adding->headers, i), ":", 2);

      if (parts[0] != NULL && parts[1] != NULL)
        beckon_mcp_paste_take_variable (reading, draft, draft->server->headers, g_strstrip (parts[0]), g_strstrip (parts[1]));
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

  beckon_mcp_paste_finish (draft);
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

GPtrArray *
beckon_mcp_paste_read_command (const BeckonMcpReading *reading, const char *text, GError **error)
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
  return paste_command_finish (beckon_mcp_paste_read_words (reading, words));
}
