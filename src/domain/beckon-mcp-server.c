/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-server.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-words.h"
#include "beckon-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TEXT 8192
#define MAX_LIST 256
#define MAX_PREFIX 32

/* The longest time without a sign of life that can be set. */
#define MAX_TIMEOUT_S (24 * 60 * 60)

static const char *const offers[BECKON_MCP_N_OFFERS] = { "auto", "always", "search" };
static const char *const sources[] = { "plain", "inherited", "secret" };

BECKON_WORDS_FROM (BeckonMcpOffer, beckon_mcp_offer_from_string, offers)

BeckonMcpVariable *
beckon_mcp_variable_new (const char *name, const char *value, BeckonMcpValueSource source)
{
  BeckonMcpVariable *variable = g_new0 (BeckonMcpVariable, 1);

  variable->name = g_strdup (name);
  variable->value = g_strdup (value);
  variable->source = source;
  return variable;
}

void
beckon_mcp_variable_free (BeckonMcpVariable *variable)
{
  if (variable == NULL)
    return;
  g_free (variable->name);
  g_free (variable->value);
  g_free (variable);
}

gboolean
beckon_mcp_variable_is_secret_name (const char *name)
{
  static const char *const words[] = { "key", "token", "secret", "passw", "credential", "authorization", "cookie" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

void
beckon_mcp_server_state_free (BeckonMcpServerState *state)
{
  if (state == NULL)
    return;
  g_free (state->definitions);
  g_free (state->previous);
  g_free (state->instructions);
  g_free (state->prompts);
  g_free (state->resources);
  g_free (state->error);
  g_free (state->log);
  g_free (state);
}

BeckonMcpServer *
beckon_mcp_server_new (const char *name, BeckonMcpTransportKind kind)
{
  BeckonMcpServer *server = g_atomic_rc_box_new0 (BeckonMcpServer);

  server->name = g_strdup (name);
  server->kind = kind;
  server->variables = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_variable_free);
  server->headers = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_variable_free);
  server->is_on = TRUE;
  return server;
}

static void
copy_variables (GPtrArray *from, GPtrArray *to)
{
  for (guint i = 0; i < from->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (from, i);

      g_ptr_array_add (to, beckon_mcp_variable_new (variable->name, variable->value, variable->source));
    }
}

BeckonMcpServer *
beckon_mcp_server_copy (const BeckonMcpServer *server)
{
  BeckonMcpServer *copy;

  g_return_val_if_fail (server != NULL, NULL);

  copy = beckon_mcp_server_new (server->name, server->kind);
  copy->id = g_strdup (server->id);
  copy->program = g_strdup (server->program);
  copy->arguments = g_strdupv (server->arguments);
  copy->directory = g_strdup (server->directory);
  copy_variables (server->variables, copy->variables);
  copy->is_sandboxed = server->is_sandboxed;
  copy->has_network = server->has_network;
  copy->can_write = server->can_write;
  copy->ignores_instructions = server->ignores_instructions;
  copy->address = g_strdup (server->address);
  copy_variables (server->headers, copy->headers);
  copy->login = beckon_login_copy (server->login);
  copy->folder = g_strdup (server->folder);
  copy->timeout_s = server->timeout_s;
  copy->tools_off = g_strdupv (server->tools_off);
  copy->offer = server->offer;
  copy->came_with = g_strdup (server->came_with);
  copy->stamps = g_strdup (server->stamps);
  copy->is_suspended = server->is_suspended;
  copy->is_on = server->is_on;
  copy->listed_at = server->listed_at;
  copy->created_at = server->created_at;
  return copy;
}

static void
mcp_server_clear (gpointer data)
{
  BeckonMcpServer *server = data;

  g_free (server->id);
  g_free (server->name);
  g_free (server->program);
  g_strfreev (server->arguments);
  g_free (server->directory);
  g_ptr_array_unref (server->variables);
  g_free (server->address);
  g_ptr_array_unref (server->headers);
  beckon_login_free (server->login);
  g_free (server->folder);
  g_strfreev (server->tools_off);
  g_free (server->came_with);
  g_free (server->stamps);
}

BECKON_COUNTED (BeckonMcpServer, beckon_mcp_server, mcp_server_clear)

/* --- Checks ------------------------------------------------------------------------------------------------------- */

static gboolean
mcp_server_refuse (GError **error, const char *words)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, words);
  return FALSE;
}

static gboolean
is_clean (const char *text, gsize most)
{
  if (text == NULL)
    return TRUE;
  if (strlen (text) > most || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

static gboolean
is_variable_name (const char *name, const char *others)
{
  if (name == NULL || *name == '\0' || strlen (name) > 256)
    return FALSE;
  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr (others, *at) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
check_variables (GPtrArray *variables, const char *others, GError **error)
{
  if (variables->len > MAX_LIST)
    return mcp_server_refuse (error, _("The server has too many variables or headers."));
  for (guint i = 0; i < variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, i);

      if (!is_variable_name (variable->name, others))
        {
          g_autofree char *shown = beckon_text_for_display (variable->name != NULL ? variable->name : "", -1,
                                                            BECKON_TEXT_EXACT);

          beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("“%s” can't be the name of a variable."), shown);
          return FALSE;
        }
      if (variable->value != NULL && (strlen (variable->value) > MAX_TEXT || !g_utf8_validate (variable->value, -1, NULL)))
        {
          beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The value of “%s” is too long."),
                                 variable->name);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_stdio (const BeckonMcpServer *server, GError **error)
{
  if (server->program == NULL || *server->program == '\0')
    return mcp_server_refuse (error, _("Enter the program that starts the server, such as npx."));
  if (!is_clean (server->program, MAX_TEXT) || !is_clean (server->directory, MAX_TEXT))
    return mcp_server_refuse (error, _("The path of the server's program can't be used."));
  if (server->directory != NULL && !g_path_is_absolute (server->directory))
    return mcp_server_refuse (error, _("The folder that the server runs in needs an absolute path."));
  if (server->is_sandboxed && server->directory == NULL && server->folder == NULL)
    return mcp_server_refuse (error, _("A server in a sandbox needs a folder to run in."));
  if (server->arguments != NULL && g_strv_length (server->arguments) > MAX_LIST)
    return mcp_server_refuse (error, _("The server has too many arguments."));
  for (guint i = 0; server->arguments != NULL && server->arguments[i] != NULL; i++)
    if (strlen (server->arguments[i]) > MAX_TEXT || !g_utf8_validate (server->arguments[i], -1, NULL))
      return mcp_server_refuse (error, _("An argument of the server is too long."));
  return check_variables (server->variables, "_", error);
}

static gboolean
check_http (const BeckonMcpServer *server, GError **error)
{
  g_autoptr (GUri) uri = server->address != NULL && strlen (server->address) <= MAX_TEXT
                           ? g_uri_parse (server->address, G_URI_FLAGS_ENCODED, NULL) : NULL;
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0'
      || (g_strcmp0 (scheme, "https") != 0 && g_strcmp0 (scheme, "http") != 0))
    return mcp_server_refuse (error, _("Enter the server's address, such as https://example.com/mcp."));
  if (g_uri_get_userinfo (uri) != NULL)
    return mcp_server_refuse (error, _("The address may hold no name or password. Use a header instead."));
  return check_variables (server->headers, "-_", error) && (server->login == NULL || beckon_login_check (server->login, error));
}

gboolean
beckon_mcp_server_check (const BeckonMcpServer *server, GError **error)
{
  g_autofree char *prefix = NULL;

  g_return_val_if_fail (server != NULL, FALSE);

  if (server->name == NULL || *server->name == '\0')
    return mcp_server_refuse (error, _("Give the server a name."));
  if (!is_clean (server->name, MAX_TEXT) || g_utf8_strlen (server->name, -1) > BECKON_MCP_SERVER_NAME_MAX)
    return mcp_server_refuse (error, _("The server's name may have 64 characters, and no line breaks."));
  prefix = beckon_mcp_server_dup_prefix (server);
  if (prefix == NULL)
    return mcp_server_refuse (error, _("The server's name needs a letter or digit."));
  if (server->folder != NULL && (!g_path_is_absolute (server->folder) || !is_clean (server->folder, MAX_TEXT)))
    return mcp_server_refuse (error, _("The folder needs an absolute path."));
  if (server->timeout_s > MAX_TIMEOUT_S)
    return mcp_server_refuse (error, _("The timeout may be a day at most."));
  return server->kind == BECKON_MCP_KIND_STDIO ? check_stdio (server, error) : check_http (server, error);
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

/* Names in other alphabets have a number instead, so that they can be told apart. */
char *
beckon_mcp_server_dup_prefix (const BeckonMcpServer *server)
{
  g_autoptr (GString) prefix = g_string_new (NULL);
  gboolean is_lossy = FALSE;
  gboolean has_any = FALSE;

  g_return_val_if_fail (server != NULL && server->name != NULL, NULL);

  for (const char *at = server->name; *at != '\0'; at = g_utf8_next_char (at))
    {
      has_any = has_any || g_unichar_isalnum (g_utf8_get_char (at));
      if (g_ascii_isalnum (*at))
        g_string_append_c (prefix, g_ascii_tolower (*at));
      else if (prefix->len > 0 && prefix->str[prefix->len - 1] != '_')
        g_string_append_c (prefix, '_');
      is_lossy = is_lossy || (guchar) *at >= 0x80;
    }
  while (prefix->len > 0 && prefix->str[prefix->len - 1] == '_')
    g_string_truncate (prefix, prefix->len - 1);
  if (!has_any)
    return NULL;
  if (is_lossy || prefix->len > MAX_PREFIX)
    {
      g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, server->name, -1);

      g_string_truncate (prefix, MIN (prefix->len, MAX_PREFIX - 9));
      g_string_append_printf (prefix, "%s%.8s", prefix->len > 0 ? "_" : "s", digest);
    }
  return g_string_free (g_steal_pointer (&prefix), FALSE);
}

gboolean
beckon_mcp_server_is_used (const BeckonMcpServer *server)
{
  g_return_val_if_fail (server != NULL, FALSE);

  return server->is_on && !server->is_suspended;
}

gboolean
beckon_mcp_server_is_for_folder (const BeckonMcpServer *server, const char *folder)
{
  gsize length;

  g_return_val_if_fail (server != NULL, FALSE);

  if (server->folder == NULL)
    return TRUE;
  length = strlen (server->folder);
  while (length > 0 && server->folder[length - 1] == '/')
    length--;
  return folder != NULL && strncmp (folder, server->folder, length) == 0
         && (folder[length] == '/' || folder[length] == '\0');
}

static void
append_word (GString *line, const char *word)
{
  static const char plain[] = "-_./:=@%+,";
  gboolean is_plain = *word != '\0';

  for (const char *at = word; *at != '\0' && is_plain; at++)
    is_plain = g_ascii_isalnum (*at) || strchr (plain, *at) != NULL;
  if (line->len > 0)
    g_string_append_c (line, ' ');
  if (is_plain)
    {
      g_string_append (line, word);
    }
  else
    {
      g_autofree char *quoted = g_shell_quote (word);

      g_string_append (line, quoted);
    }
}

char *
beckon_mcp_server_dup_summary (const BeckonMcpServer *server)
{
  GString *line;

  g_return_val_if_fail (server != NULL, NULL);

  if (server->kind == BECKON_MCP_KIND_HTTP)
    return g_strdup (server->address != NULL ? server->address : "");

  line = g_string_new (NULL);
  append_word (line, server->program != NULL ? server->program : "");
  for (guint i = 0; server->arguments != NULL && server->arguments[i] != NULL; i++)
    append_word (line, server->arguments[i]);
  return g_string_free (line, FALSE);
}

GStrv
beckon_mcp_server_list_words (const BeckonMcpServer *server)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_return_val_if_fail (server != NULL && server->program != NULL, NULL);

  g_strv_builder_add (words, server->program);
  if (server->arguments != NULL)
    g_strv_builder_addv (words, (const char **) server->arguments);
  for (guint i = 0; i < server->variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (server->variables, i);
      const char *value = variable->source == BECKON_MCP_VALUE_PLAIN       ? variable->value
                          : variable->source == BECKON_MCP_VALUE_INHERITED ? g_getenv (variable->name)
                                                                           : NULL;
      g_autofree char *word = value != NULL ? g_strconcat (variable->name, "=", value, NULL) : NULL;

      if (word != NULL)
        g_strv_builder_add (words, word);
    }
  return g_strv_builder_end (words);
}

/* --- Storing ------------------------------------------------------------------------------------------------------ */

static void
write_variables (BeckonJsonWriter *writer, const char *name, GPtrArray *variables)
{
  beckon_json_writer_name (writer, name);
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, i);

      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "name", variable->name);
      beckon_json_writer_member_string (writer, "source", sources[variable->source]);
      if (variable->source == BECKON_MCP_VALUE_PLAIN)
        beckon_json_writer_member_string (writer, "value", variable->value != NULL ? variable->value : "");
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}

static void
write_optional (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

static void
write_mark (BeckonJsonWriter *writer, const char *name, gboolean is_set)
{
  if (is_set)
    beckon_json_writer_member_boolean (writer, name, TRUE);
}

static void
write_strings (BeckonJsonWriter *writer, const char *name, char **arguments)
{
  beckon_json_writer_name (writer, name);
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    beckon_json_writer_string (writer, arguments[i], -1);
  beckon_json_writer_end_array (writer);
}

char *
beckon_mcp_server_print_config (const BeckonMcpServer *server)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (server != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "transport", server->kind == BECKON_MCP_KIND_HTTP ? "http" : "stdio");
  if (server->kind == BECKON_MCP_KIND_HTTP)
    {
      write_optional (&writer, "address", server->address);
      write_variables (&writer, "headers", server->headers);
      if (server->login != NULL)
        {
          beckon_json_writer_name (&writer, "login");
          beckon_login_write (server->login, &writer);
        }
    }
  else
    {
      write_optional (&writer, "program", server->program);
      write_strings (&writer, "arguments", server->arguments);
      write_optional (&writer, "directory", server->directory);
      write_variables (&writer, "environment", server->variables);
      write_mark (&writer, "sandbox", server->is_sandboxed);
      write_mark (&writer, "network", server->has_network);
      write_mark (&writer, "write", server->can_write);
    }
  write_mark (&writer, "ignoreInstructions", server->ignores_instructions);
  write_optional (&writer, "folder", server->folder);
  if (server->timeout_s > 0)
    beckon_json_writer_member_int (&writer, "timeout", server->timeout_s);
  if (server->tools_off != NULL && *server->tools_off != NULL)
    write_strings (&writer, "toolsOff", server->tools_off);
  if (server->offer != BECKON_MCP_OFFER_AUTO)
    beckon_json_writer_member_string (&writer, "offer", offers[server->offer]);
  write_optional (&writer, "cameWith", server->came_with);
  write_optional (&writer, "stamps", server->stamps);
  write_mark (&writer, "suspended", server->is_suspended);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

static char *
print_start (const BeckonMcpServer *server)
{
  g_autoptr (BeckonMcpServer) bare = beckon_mcp_server_copy (server);

  g_clear_pointer (&bare->tools_off, g_strfreev);
  bare->offer = BECKON_MCP_OFFER_AUTO;
  g_clear_pointer (&bare->stamps, g_free);
  bare->is_suspended = FALSE;
  if (!bare->is_sandboxed)
    g_clear_pointer (&bare->folder, g_free);
  return beckon_mcp_server_print_config (bare);
}

gboolean
beckon_mcp_server_starts_alike (const BeckonMcpServer *one, const BeckonMcpServer *other)
{
  g_autofree char *start = print_start (one);
  g_autofree char *other_start = print_start (other);

  return g_str_equal (start, other_start);
}

static gboolean
read_variables (JsonObject *object, const char *name, GPtrArray *variables)
{
  JsonArray *list = beckon_json_get_array (object, name);

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonNode *node = json_array_get_element (list, i);
      JsonObject *row = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *source = row != NULL ? beckon_json_get_string (row, "source") : NULL;
      guint number = 0;

      while (number < G_N_ELEMENTS (sources) && g_strcmp0 (sources[number], source) != 0)
        number++;
      if (number == G_N_ELEMENTS (sources) || beckon_json_get_string (row, "name") == NULL)
        return FALSE;
      g_ptr_array_add (variables, beckon_mcp_variable_new (beckon_json_get_string (row, "name"),
                                                           beckon_json_get_string (row, "value"), number));
    }
  return TRUE;
}

static char **
read_strings (JsonObject *object, const char *name)
{
  JsonArray *list = beckon_json_get_array (object, name);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonNode *node = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_strv_builder_add (words, json_node_get_string (node));
    }
  return g_strv_builder_end (words);
}

gboolean
beckon_mcp_server_read_config (BeckonMcpServer *server, const char *text)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (text, -1, NULL);
  const char *transport = beckon_json_get_string (object, "transport");

  g_return_val_if_fail (server != NULL, FALSE);

  if (g_strcmp0 (transport, "stdio") != 0 && g_strcmp0 (transport, "http") != 0)
    return FALSE;
  server->kind = g_strcmp0 (transport, "http") == 0 ? BECKON_MCP_KIND_HTTP : BECKON_MCP_KIND_STDIO;
  server->program = g_strdup (beckon_json_get_string (object, "program"));
  server->arguments = read_strings (object, "arguments");
  server->tools_off = read_strings (object, "toolsOff");
  server->directory = g_strdup (beckon_json_get_string (object, "directory"));
  server->is_sandboxed = beckon_json_get_boolean (object, "sandbox", FALSE);
  server->has_network = beckon_json_get_boolean (object, "network", FALSE);
  server->can_write = beckon_json_get_boolean (object, "write", FALSE);
  server->ignores_instructions = beckon_json_get_boolean (object, "ignoreInstructions", FALSE);
  server->address = g_strdup (beckon_json_get_string (object, "address"));
  server->folder = g_strdup (beckon_json_get_string (object, "folder"));
  server->came_with = g_strdup (beckon_json_get_string (object, "cameWith"));
  server->stamps = g_strdup (beckon_json_get_string (object, "stamps"));
  server->is_suspended = beckon_json_get_boolean (object, "suspended", FALSE);
  beckon_mcp_offer_from_string (beckon_json_get_string (object, "offer"), &server->offer);
  server->timeout_s = (guint) CLAMP (beckon_json_get_int (object, "timeout", 0), 0, MAX_TIMEOUT_S);
  if (beckon_json_get_object (object, "login") != NULL
      && (server->login = beckon_login_read (beckon_json_get_object (object, "login"))) == NULL)
    return FALSE;
  return read_variables (object, "environment", server->variables) && read_variables (object, "headers", server->headers);
}

BeckonServerReach *
beckon_server_reach_new (const char *name, const char *directory)
{
  BeckonServerReach *reach;

  g_return_val_if_fail (name != NULL, NULL);

  reach = g_new0 (BeckonServerReach, 1);
  reach->name = g_strdup (name);
  reach->directory = g_strdup (directory);
  return reach;
}

BeckonServerReach *
beckon_server_reach_copy (const BeckonServerReach *reach)
{
  BeckonServerReach *copy;

  g_return_val_if_fail (reach != NULL, NULL);

  copy = beckon_server_reach_new (reach->name, reach->directory);
  copy->has_network = reach->has_network;
  copy->can_write = reach->can_write;
  copy->loses_permissions = reach->loses_permissions;
  return copy;
}

gboolean
beckon_server_reach_equal (const BeckonServerReach *one, const BeckonServerReach *other)
{
  g_return_val_if_fail (one != NULL && other != NULL, FALSE);

  return g_str_equal (one->name, other->name) && g_strcmp0 (one->directory, other->directory) == 0
         && one->has_network == other->has_network && one->can_write == other->can_write
         && one->loses_permissions == other->loses_permissions;
}

void
beckon_server_reach_free (BeckonServerReach *reach)
{
  if (reach == NULL)
    return;
  g_free (reach->name);
  g_free (reach->directory);
  g_free (reach);
}

static char *
describe_sandbox (const BeckonServerReach *reach)
{
  g_autofree char *folder = beckon_text_for_display (reach->directory, -1, BECKON_TEXT_EXACT);

  if (reach->can_write && reach->has_network)
    /* Translators: of a program that a folder brings; %s is a folder */
    return beckon_text_printf (_("Runs in a sandbox: can read and change %s directly, except Git's folders, "
                                 "and can use the internet. It can change files that other programs run "
                                 "by themselves, such as .envrc."),
                               folder);
  if (reach->can_write)
    /* Translators: of a program that a folder brings; %s is a folder */
    return beckon_text_printf (_("Runs in a sandbox: can read and change %s directly, except Git's folders, "
                                 "and has no network. It can change files that other programs run "
                                 "by themselves, such as .envrc."),
                               folder);
  if (reach->has_network)
    /* Translators: of a program that a folder brings; %s is a folder */
    return beckon_text_printf (_("Runs in a sandbox: can read %s but change nothing, and can use the internet."), folder);
  /* Translators: of a program that a folder brings; %s is a folder */
  return beckon_text_printf (_("Runs in a sandbox: can read %s but change nothing, and has no network."), folder);
}

char *
beckon_server_reach_describe (const BeckonServerReach *reach)
{
  g_autofree char *words = NULL;

  g_return_val_if_fail (reach != NULL, NULL);

  words = reach->directory != NULL
            ? describe_sandbox (reach)
            : g_strdup (_("At an address: sees what its tools are called with, and none of your files."));
  if (!reach->loses_permissions)
    return g_steal_pointer (&words);
  return beckon_text_join_sentences (words, _("You allowed it more before. That ends, because something else is started or "
                                              "reached now."));
}
