/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-paste-private.h"

#include "base/beckon-error.h"
#include "base/beckon-json-lenient.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "domain/beckon-mcp-entry.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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

static char *
paste_json_take_text (const One *one, const BeckonJsonValue *value)
{
  const char *text = beckon_json_value_get_string (value);

  if (value == NULL)
    return NULL;
  if (text != NULL)
    return beckon_mcp_paste_take_text (one->reading, one->draft, text, NULL);
  /* Translators: a member of JSON */
  paste_json_refuse (one, _("“%s” has to be a text."), value);
  return NULL;
}

/* The fault, in words to be shown. */
static void
paste_json_take_fault (const One *one, const BeckonMcpEntry *entry)
{
  switch (entry->fault)
    {
    case BECKON_MCP_ENTRY_FAULT_EMPTY:
      beckon_mcp_draft_take_problem (one->draft, g_strdup (_("The server has neither a “command” nor a “url”.")));
      break;

    case BECKON_MCP_ENTRY_FAULT_BOTH:
      beckon_mcp_draft_take_problem (one->draft, g_strdup (_("The server has both a “command” and a “url”. It can have one of "
                                                             "them.")));
      break;

    case BECKON_MCP_ENTRY_FAULT_COMMAND:
      beckon_mcp_draft_take_problem (one->draft, g_strdup (_("“command” has to be a text.")));
      break;

    case BECKON_MCP_ENTRY_FAULT_LIST:
      /* Translators: a member of JSON */
      paste_json_refuse (one, _("“%s” has to be a list of texts."), entry->fault_at);
      break;

    case BECKON_MCP_ENTRY_FAULT_TEXT:
      /* Translators: a member of JSON */
      paste_json_refuse (one, _("“%s” has to be a text."), entry->fault_at);
      break;

    case BECKON_MCP_ENTRY_FAULT_NONE:
    default:
      break;
    }
}

static void
read_program (const One *one, const BeckonMcpEntry *entry)
{
  BeckonMcpServer *server = one->draft->server;
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  if (entry->was_for_windows)
    beckon_mcp_draft_take_note (one->draft, g_strdup (_("“cmd /c” is for Windows alone and was left out.")));
  if (entry->words == NULL || entry->words[0] == NULL)
    return;
  server->program = beckon_mcp_paste_take_text (one->reading, one->draft, entry->words[0], NULL);
  for (guint i = 1; entry->words[i] != NULL; i++)
    {
      g_autofree char *argument = beckon_mcp_paste_take_text (one->reading, one->draft, entry->words[i], NULL);

      g_strv_builder_add (arguments, argument);
    }
  server->arguments = g_strv_builder_end (arguments);
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
        beckon_mcp_paste_take_variable (one->reading, one->draft, variables, member->name->str, value);
    }
}

static void
read_directory (const One *one)
{
  static const char *const names[] = { "cwd", "workingDirectory", NULL };
  g_autofree char *directory = paste_json_take_text (one, paste_json_find (one, names));

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

static gboolean
is_off (const One *one)
{
  const BeckonJsonValue *enabled = beckon_json_value_get (one->value, "enabled");

  return is_true (beckon_json_value_get (one->value, "disabled"))
         || (enabled != NULL && enabled->kind == BECKON_JSON_VALUE_FALSE);
}

static void
read_members (const One *one, const BeckonMcpEntry *entry)
{
  static const char *const environment[] = { "env", "environment", NULL };
  static const char *const headers[] = { "headers", "/requestInit/headers", NULL };

  if (one->draft->server->kind == BECKON_MCP_KIND_HTTP)
    {
      if (entry->address != NULL)
        one->draft->server->address = beckon_mcp_paste_take_text (one->reading, one->draft, entry->address, NULL);
      read_variables (one, headers, one->draft->server->headers);
    }
  else
    {
      read_program (one, entry);
      read_variables (one, environment, one->draft->server->variables);
      read_directory (one);
    }
  one->draft->server->is_on = !is_off (one);
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
  paste_json_take_fault (&one, &entry);
  if (entry.fault != BECKON_MCP_ENTRY_FAULT_EMPTY)
    read_members (&one, &entry);
  beckon_mcp_paste_finish (draft);
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

static const BeckonJsonValue *
find_inputs (const BeckonJsonValue *root)
{
  const BeckonJsonValue *inputs = beckon_json_value_get (root, "inputs");

  return inputs != NULL ? inputs : beckon_json_value_point (root, "/mcp/inputs");
}

static GPtrArray *
read_root (BeckonMcpReading *reading, const BeckonJsonValue *root, GError **error)
{
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);
  const BeckonJsonValue *list = find_list (root);

  reading->inputs = find_inputs (root);
  if (beckon_mcp_entry_is_one (root))
    g_ptr_array_add (drafts, paste_json_read_server (reading, NULL, root));
  for (guint i = 0; list != NULL && !beckon_mcp_entry_is_one (root) && i < beckon_json_value_get_n_children (list); i++)
    if (drafts->len < BECKON_MCP_DRAFTS_MAX)
      g_ptr_array_add (drafts, paste_json_read_server (reading, beckon_json_value_get_child (list, i)->name->str,
                                                       beckon_json_value_get_child (list, i)));
  if (drafts->len > 0)
    return g_steal_pointer (&drafts);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("This JSON has no server. It needs “mcpServers”, or a “command” or a “url”."));
  return NULL;
}

/* A fragment as READMEs show it: members without the brackets around them. */
static char *
make_object (const char *text, gsize length)
{
  g_autofree char *fragment = g_strndup (text, length);

  g_strchomp (fragment);
  if (g_str_has_suffix (fragment, ","))
    fragment[strlen (fragment) - 1] = ' ';
  /* In one line with what follows, so that the numbers of lines stay. */
  return g_strconcat ("{", fragment, "}", NULL);
}

static gboolean
begins_with_name (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '"';
}

BeckonJsonValue *
beckon_mcp_paste_parse (const char *strict, GError **error)
{
  gsize offset = 0;
  BeckonJsonFault fault = beckon_json_find_fault (strict, -1, &offset);

  if (fault == BECKON_JSON_FAULT_NONE)
    return beckon_json_value_parse (strict, -1, error);
  beckon_mcp_paste_fail_at (strict, offset, _(beckon_json_fault_to_string (fault)), error);
  return NULL;
}

GPtrArray *
beckon_mcp_paste_read_value (const BeckonJsonValue *root, const BeckonMcpPasteContext *context, GError **error)
{
  BeckonMcpReading reading = { 0 };

  if (context != NULL)
    reading.context = *context;
  return read_root (&reading, root, error);
}

GPtrArray *
beckon_mcp_paste_read_json (const char *text, gsize length, const BeckonMcpPasteContext *context, GError **error)
{
  g_autofree char *strict = beckon_json_make_strict (text, length);
  g_autoptr (BeckonJsonValue) root = NULL;

  if (begins_with_name (strict))
    {
      char *whole = make_object (strict, strlen (strict));

      g_free (strict);
      strict = whole;
    }
  root = beckon_mcp_paste_parse (strict, error);
  return root != NULL ? beckon_mcp_paste_read_value (root, context, error) : NULL;
}
