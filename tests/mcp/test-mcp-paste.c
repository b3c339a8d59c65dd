/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp/beckon-mcp-paste.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

/* Texts of READMEs and of other programs, as servers. */

static GPtrArray *
read_all (const char *text)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *drafts = beckon_mcp_paste_read (text, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (drafts);
  return drafts;
}

static BeckonMcpDraft *
read_one (const char *text)
{
  g_autoptr (GPtrArray) drafts = read_all (text);

  g_assert_cmpuint (drafts->len, ==, 1);
  return g_ptr_array_steal_index (drafts, 0);
}

/* @name: expected. Returns the command line or address. */
static void
assert_reads (const char *text, const char *name, const char *summary)
{
  g_autoptr (BeckonMcpDraft) draft = read_one (text);
  g_autofree char *found = beckon_mcp_server_dup_summary (draft->server);

  g_assert_cmpstr (draft->problem, ==, NULL);
  g_assert_cmpstr (draft->server->name, ==, name);
  g_assert_cmpstr (found, ==, summary);
}

static void
assert_fails (const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) drafts = beckon_mcp_paste_read (text, NULL, &error);

  g_assert_null (drafts);
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==, words);
}

#define FILES "npx -y @modelcontextprotocol/server-filesystem /srv"
#define MEMBERS "\"command\":\"npx\",\"args\":[\"-y\",\"@modelcontextprotocol/server-filesystem\",\"/srv\"]"

static void
test_forms (void)
{
  assert_reads ("{\"mcpServers\":{\"files\":{" MEMBERS "}}}", "files", FILES);
  assert_reads ("{\"servers\":{\"files\":{\"type\":\"stdio\"," MEMBERS "}}}", "files", FILES);
  assert_reads ("{\"mcp\":{\"servers\":{\"files\":{" MEMBERS "}}}}", "files", FILES);
  assert_reads ("{\"editor.x\":1,\"mcp.servers\":{\"files\":{" MEMBERS "}}}", "files", FILES);
  assert_reads ("{\"files\":{" MEMBERS "}}", "files", FILES);
  assert_reads ("\"files\": {" MEMBERS "},", "files", FILES);
  assert_reads ("\"mcpServers\": {\"files\": {" MEMBERS "}}", "files", FILES);
  assert_reads ("{" MEMBERS "}", "filesystem", FILES);
  assert_reads ("{\"name\":\"own\"," MEMBERS "}", "own", FILES);
  assert_reads ("```json\n{\"mcpServers\":{\"files\":{" MEMBERS "}}}\n```", "files", FILES);
  assert_reads ("// first\n{\"servers\":{/* x */\"files\":{" MEMBERS ",},},}", "files", FILES);
  assert_reads ("{\"mcpServers\":{\"w\":{\"command\":\"cmd\",\"args\":[\"/c\",\"npx\",\"x\"]}}}", "w", "npx x");
  assert_reads ("{\"mcpServers\":{\"one\":{\"command\":\"npx -y x\"}}}", "one", "npx -y x");
  assert_reads ("{\"context_servers\":{\"z\":{\"command\":{\"path\":\"a\",\"args\":[\"b\"]}}}}", "z", "a b");
  assert_reads ("{\"mcpServers\":{\"far\":{\"type\":\"http\",\"url\":\"https://a.example/mcp\"}}}", "far",
                "https://a.example/mcp");
  assert_reads ("{\"mcpServers\":{\"far\":{\"serverUrl\":\"https://a.example/mcp\"}}}", "far", "https://a.example/mcp");
}

static void
test_commands (void)
{
  assert_reads (FILES, "filesystem", FILES);
  assert_reads ("$ uvx mcp-server-fetch", "fetch", "uvx mcp-server-fetch");
  assert_reads ("uv --directory /srv/weather run weather.py", "weather", "uv --directory /srv/weather run weather.py");
  assert_reads ("docker run -i --rm mcp/time", "time", "docker run -i --rm mcp/time");
  assert_reads ("npx -y @upstash/context7-mcp@latest", "context7", "npx -y @upstash/context7-mcp@latest");
  assert_reads ("/opt/my\\ server --fast", "my server", "'/opt/my server' --fast");
  assert_reads ("claude mcp add files -- " FILES, "files", FILES);
  assert_reads ("claude mcp add --scope user --transport stdio files -- " FILES, "files", FILES);
  assert_reads ("claude mcp add --transport http linear https://mcp.linear.app/mcp", "linear", "https://mcp.linear.app/mcp");
  assert_reads ("codex mcp add context7 -- npx -y @upstash/context7-mcp", "context7", "npx -y @upstash/context7-mcp");
  assert_reads ("gemini mcp add files " FILES, "files", FILES);
  assert_reads ("claude mcp add-json files '{" MEMBERS "}'", "files", FILES);
  assert_reads ("https://mcp.linear.app/mcp", "linear", "https://mcp.linear.app/mcp");
  assert_reads ("npx -y \\\n  thing", "thing", "npx -y thing");
}

static const BeckonMcpVariable *
find_variable (GPtrArray *variables, const char *name)
{
  for (guint i = 0; i < variables->len; i++)
    if (g_str_equal (((BeckonMcpVariable *) g_ptr_array_index (variables, i))->name, name))
      return g_ptr_array_index (variables, i);
  return NULL;
}

static void
assert_variable (GPtrArray *variables, const char *name, BeckonMcpValueSource source, const char *value)
{
  const BeckonMcpVariable *variable = find_variable (variables, name);

  g_assert_nonnull (variable);
  g_assert_cmpint (variable->source, ==, source);
  g_assert_cmpstr (variable->value, ==, value);
}

/* Values that look like keys are secrets, by their name or by themselves. */
static void
test_secrets (void)
{
  g_autoptr (BeckonMcpDraft) draft = read_one ("A=1 GITHUB_TOKEN=abc OTHER=ghp_abcdef0123456789 npx x");
  g_autoptr (BeckonMcpDraft) added
      = read_one ("claude mcp add --transport http -H \"Authorization: Bearer abc\" --header 'X-Team: a' far "
                  "https://a.example/mcp");
  g_autoptr (BeckonMcpDraft) json = read_one ("{\"command\":\"x\",\"env\":{\"API_KEY\":\"abc\",\"PORT\":8080,\"ON\":true}}");
  g_autoptr (BeckonMcpDraft) argument = read_one ("x --key=ghp_abcdef0123456789");

  assert_variable (draft->server->variables, "A", BECKON_MCP_VALUE_PLAIN, "1");
  assert_variable (draft->server->variables, "GITHUB_TOKEN", BECKON_MCP_VALUE_SECRET, "abc");
  assert_variable (draft->server->variables, "OTHER", BECKON_MCP_VALUE_SECRET, "ghp_abcdef0123456789");
  assert_variable (added->server->headers, "Authorization", BECKON_MCP_VALUE_SECRET, "Bearer abc");
  assert_variable (added->server->headers, "X-Team", BECKON_MCP_VALUE_PLAIN, "a");
  assert_variable (json->server->variables, "API_KEY", BECKON_MCP_VALUE_SECRET, "abc");
  assert_variable (json->server->variables, "PORT", BECKON_MCP_VALUE_PLAIN, "8080");
  assert_variable (json->server->variables, "ON", BECKON_MCP_VALUE_PLAIN, "true");
  g_assert_cmpuint (argument->notes->len, ==, 1);
}

static const BeckonMcpBlank *
get_blank (const BeckonMcpDraft *draft, guint index)
{
  g_assert_cmpuint (index, <, draft->blanks->len);
  return g_ptr_array_index (draft->blanks, index);
}

/* Places that stand for a value are asked for, and filled in once. */
static void
test_blanks (void)
{
  static const char text[]
      = "{\"inputs\":[{\"type\":\"promptString\",\"id\":\"key\",\"description\":\"The key\",\"password\":true},"
        "{\"id\":\"team\",\"default\":\"red\"}],\"servers\":{\"far\":{\"url\":\"https://a.example/${input:team}\","
        "\"headers\":{\"X-Own\":\"Bearer ${input:key}\"}}}}";
  const char *values[] = { "${input:team}", NULL };
  g_autoptr (BeckonMcpDraft) draft = read_one (text);
  g_autoptr (BeckonMcpServer) server = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (draft->problem, ==, NULL);
  g_assert_cmpuint (draft->blanks->len, ==, 2);
  g_assert_cmpstr (get_blank (draft, 0)->title, ==, "team");
  g_assert_cmpstr (get_blank (draft, 0)->value, ==, "red");
  g_assert_false (get_blank (draft, 0)->is_secret);
  g_assert_cmpstr (get_blank (draft, 1)->title, ==, "The key");
  g_assert_true (get_blank (draft, 1)->is_secret);
  server = beckon_mcp_draft_make_server (draft, NULL, &error);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_null (server);
  g_clear_error (&error);
  server = beckon_mcp_draft_make_server (draft, (const char *const[]) { "", "abc", NULL }, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (server->address, ==, "https://a.example/red");
  assert_variable (server->headers, "X-Own", BECKON_MCP_VALUE_SECRET, "Bearer abc");
  beckon_mcp_server_unref (server);
  server = beckon_mcp_draft_make_server (draft, (const char *const[]) { "${input:key}", values[0], NULL }, &error);
  assert_variable (server->headers, "X-Own", BECKON_MCP_VALUE_SECRET, "Bearer ${input:team}");
}

/* As mcp-remote and others of the SDK's settings have it. */
static void
test_request_init (void)
{
  g_autoptr (BeckonMcpDraft) draft
    = read_one ("{\"far\":{\"url\":\"https://a.example\",\"requestInit\":{\"headers\":{\"Authorization\":\"Bearer abc\","
                "\"X-Team\":\"red\"}}}}");

  g_assert_cmpstr (draft->problem, ==, NULL);
  assert_variable (draft->server->headers, "Authorization", BECKON_MCP_VALUE_SECRET, "Bearer abc");
  assert_variable (draft->server->headers, "X-Team", BECKON_MCP_VALUE_PLAIN, "red");
}

static void
test_placeholders (void)
{
  g_autoptr (BeckonMcpDraft) draft
      = read_one ("{\"command\":\"npx\",\"args\":[\"x\",\"/path/to/files\",\"--team=<your team>\"],"
                  "\"env\":{\"API_KEY\":\"YOUR_API_KEY\",\"EMPTY_TOKEN\":\"\",\"PLAIN\":\"behaviour\"}}");
  g_autoptr (BeckonMcpServer) server = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (draft->blanks->len, ==, 4);
  g_assert_cmpstr (get_blank (draft, 0)->token, ==, "/path/to/files");
  g_assert_cmpstr (get_blank (draft, 1)->token, ==, "<your team>");
  g_assert_cmpstr (get_blank (draft, 2)->title, ==, "API_KEY");
  g_assert_true (get_blank (draft, 2)->is_secret);
  g_assert_cmpstr (get_blank (draft, 3)->title, ==, "EMPTY_TOKEN");
  server = beckon_mcp_draft_make_server (draft, (const char *const[]) { "/srv", "red", "k", "t", NULL }, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (server->arguments[1], ==, "/srv");
  g_assert_cmpstr (server->arguments[2], ==, "--team=red");
  assert_variable (server->variables, "API_KEY", BECKON_MCP_VALUE_SECRET, "k");
  assert_variable (server->variables, "PLAIN", BECKON_MCP_VALUE_PLAIN, "behaviour");
}

/* Variables of this program's own: passed on by name, filled in, or asked for; nothing for a text that came with a folder. */
static void
test_environment (void)
{
  static const char text[] = "{\"command\":\"x\",\"args\":[\"${BECKON_TEST_ONE}\",\"${HOME}/a\",\"${BECKON_NONE:-b}\"],"
                             "\"env\":{\"BECKON_TEST_ONE\":\"${BECKON_TEST_ONE}\",\"TWO\":\"${env:BECKON_TEST_ONE}\"}}";
  const BeckonMcpPasteContext foreign = { .folder = "/srv", .is_foreign = TRUE };
  g_autoptr (BeckonMcpDraft) draft = NULL;
  g_autoptr (GPtrArray) drafts = NULL;
  g_autofree char *home = g_build_filename (g_get_home_dir (), "a", NULL);
  g_autoptr (BeckonMcpServer) server = NULL;

  g_setenv ("BECKON_TEST_ONE", "1", TRUE);
  draft = read_one (text);
  server = beckon_mcp_draft_make_server (draft, NULL, NULL);
  g_assert_cmpstr (server->arguments[0], ==, "1");
  g_assert_cmpstr (server->arguments[1], ==, home);
  g_assert_cmpstr (server->arguments[2], ==, "b");
  assert_variable (server->variables, "BECKON_TEST_ONE", BECKON_MCP_VALUE_INHERITED, NULL);
  assert_variable (server->variables, "TWO", BECKON_MCP_VALUE_PLAIN, "1");
  drafts = beckon_mcp_paste_read (text, &foreign, NULL);
  beckon_mcp_draft_free (draft);
  draft = g_ptr_array_steal_index (drafts, 0);
  g_assert_cmpuint (draft->blanks->len, ==, 3);
  g_assert_cmpstr (get_blank (draft, 0)->value, ==, NULL);
  g_assert_cmpstr (get_blank (draft, 1)->value, ==, "b");
  g_assert_cmpstr (find_variable (draft->server->variables, "BECKON_TEST_ONE")->value, ==, "${BECKON_TEST_ONE}");
}

/* A key is not taken out of the environment because a text asks for it, and not put where others can read it without a word. */
static void
test_keys (void)
{
  static const char text[] = "{\"command\":\"x\",\"args\":[\"--key\",\"${BECKON_TEST_API_KEY}\"]}";
  static const char far[] = "{\"url\":\"https://a.example/?token=${BECKON_TEST_API_KEY}\"}";
  g_autoptr (BeckonMcpDraft) draft = NULL;

  g_setenv ("BECKON_TEST_API_KEY", "sesame", TRUE);
  draft = read_one (text);
  g_assert_cmpstr (get_blank (draft, 0)->value, ==, NULL);
  g_assert_true (get_blank (draft, 0)->is_secret);
  g_assert_cmpuint (draft->notes->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (draft->notes, 0), "plain text"));
  beckon_mcp_draft_free (draft);
  draft = read_one (far);
  g_assert_cmpstr (get_blank (draft, 0)->value, ==, NULL);
  g_assert_cmpuint (draft->notes->len, ==, 1);
  g_unsetenv ("BECKON_TEST_API_KEY");
}

/* Marks without an end are read once each, however many there are. */
static void
test_long (void)
{
  static const char *const marks[] = { "<", "${", "/*", "a" };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      g_autoptr (GString) text = g_string_new ("{\"command\":\"x\",\"args\":[\"");
      g_autoptr (GPtrArray) drafts = NULL;
      gint64 begun = g_get_monotonic_time ();

      while (text->len < BECKON_MCP_PASTE_MAX - 8)
        g_string_append (text, marks[i]);
      g_string_append (text, "\"]}");
      drafts = beckon_mcp_paste_read (text->str, NULL, NULL);
      g_assert_nonnull (drafts);
      g_assert_cmpint (g_get_monotonic_time () - begun, <, 60 * G_USEC_PER_SEC);
      g_clear_pointer (&drafts, g_ptr_array_unref);
      g_string_truncate (text, 0);
      while (text->len < BECKON_MCP_PASTE_MAX - 8)
        g_string_append (text, "{/*");
      drafts = beckon_mcp_paste_read (text->str, NULL, NULL);
      g_assert_null (drafts);
    }
}

/* A relative folder is below the one that the text is about. */
static void
test_directories (void)
{
  const BeckonMcpPasteContext context = { .folder = "/srv/desk" };
  g_autoptr (GPtrArray) drafts
      = beckon_mcp_paste_read ("{\"command\":\"${workspaceFolder}/run\",\"cwd\":\"sub/..\"}", &context, NULL);
  const BeckonMcpDraft *draft = g_ptr_array_index (drafts, 0);

  g_assert_cmpstr (draft->server->program, ==, "/srv/desk/run");
  g_assert_cmpstr (draft->server->directory, ==, "/srv/desk");
}

/* A server that can't be used says so, and the others can. */
static void
test_several (void)
{
  g_autoptr (GPtrArray) drafts
      = read_all ("{\"mcpServers\":{\"a\":{\"command\":\"x\",\"disabled\":true},\"b\":{\"command\":\"x\",\"args\":\"y\"},"
                  "\"c\":{},\"d\":{\"url\":\"ftp://x\"}}}");

  g_assert_cmpuint (drafts->len, ==, 4);
  g_assert_false (((BeckonMcpDraft *) g_ptr_array_index (drafts, 0))->server->is_on);
  g_assert_cmpstr (((BeckonMcpDraft *) g_ptr_array_index (drafts, 1))->problem, ==, "“args” has to be a list of texts.");
  g_assert_cmpstr (((BeckonMcpDraft *) g_ptr_array_index (drafts, 2))->problem, ==,
                   "The server has neither a “command” nor a “url”.");
  g_assert_nonnull (((BeckonMcpDraft *) g_ptr_array_index (drafts, 3))->problem);
}

static void
test_faults (void)
{
  assert_fails ("", "Paste the JSON, the command line or the address that the server’s README shows.");
  assert_fails ("{\"mcpServers\":\n {\"a\": nothing}}", "Line 2, column 8: unexpected character");
  assert_fails ("{\"a\":1}", "This JSON has no server. It needs “mcpServers”, or a “command” or a “url”.");
  assert_fails ("npx 'x", "A quotation mark has no end.");
  assert_fails ("npx x | tee y", "“|” needs a shell. Put the line into a script, and enter the script here.");
  assert_fails ("claude mcp add x", "The command or the address of the server is missing.");
}

/* Bytes stay where they are. */
static void
test_lenient (void)
{
  static const char text[] = "\357\273\277{ // one\n \"a//\\\"\": [1, 2, /* , */ ], }";
  g_autofree char *strict = beckon_json_make_strict (text, strlen (text));

  g_assert_cmpstr (strict, ==, "   {       \n \"a//\\\"\": [1, 2          ]  }");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mcp/paste/forms", test_forms);
  g_test_add_func ("/mcp/paste/commands", test_commands);
  g_test_add_func ("/mcp/paste/secrets", test_secrets);
  g_test_add_func ("/mcp/paste/blanks", test_blanks);
  g_test_add_func ("/mcp/paste/placeholders", test_placeholders);
  g_test_add_func ("/mcp/paste/request-init", test_request_init);
  g_test_add_func ("/mcp/paste/environment", test_environment);
  g_test_add_func ("/mcp/paste/keys", test_keys);
  g_test_add_func ("/mcp/paste/long", test_long);
  g_test_add_func ("/mcp/paste/directories", test_directories);
  g_test_add_func ("/mcp/paste/several", test_several);
  g_test_add_func ("/mcp/paste/faults", test_faults);
  g_test_add_func ("/mcp/paste/lenient", test_lenient);
  return g_test_run ();
}
