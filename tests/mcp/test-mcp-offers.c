/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-fixture.h"

#include "base/beckon-error.h"
#include "mcp/beckon-mcp-uri-template.h"

#include <string.h>

/* Prompts and resources of tests/mcp/server.py, in both revisions. */

typedef BeckonMcpFixture Case;

typedef char Folder;

static void
folder_remove (Folder *directory)
{
  beckon_store_fixture_clear (directory);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Folder, folder_remove)

static void
add_server (Case *test, const char *words)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_fixture_make_server ("Papers", words);

  beckon_mcp_fixture_save (test, server);
  g_assert_no_error (test->error);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &test->error);
  test->is_done = TRUE;
}

static void
open_service (Case *test)
{
  test->is_done = FALSE;
  beckon_mcp_service_open_async (test->service, FALSE, NULL, on_opened, test);
  beckon_await (test->is_done);
  g_assert_no_error (test->error);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  test->found = beckon_mcp_service_read_resource_finish (BECKON_MCP_SERVICE (source), result, &test->error);
  test->is_done = TRUE;
}

/* (transfer full) (nullable) */
static GPtrArray *
read_resource (Case *test, const char *uri)
{
  g_clear_error (&test->error);
  test->is_done = FALSE;
  beckon_mcp_service_read_resource_async (test->service, uri, NULL, on_read, test);
  beckon_await (test->is_done);
  return g_steal_pointer (&test->found);
}

static void
on_completed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  test->found = beckon_mcp_service_complete_finish (BECKON_MCP_SERVICE (source), result, &test->error);
  test->is_done = TRUE;
}

/* (transfer full): values between bars. @shelf: (nullable): a template instead of a prompt */
static char *
complete (Case *test, const char *shelf, const char *argument, const char *typed, GHashTable *values)
{
  const BeckonMcpCompletion completion = { .is_template = shelf != NULL,
                                           .name = shelf != NULL ? shelf : "tides",
                                           .argument = argument,
                                           .typed = typed,
                                           .values = values };
  g_auto (GStrv) found = NULL;

  test->is_done = FALSE;
  beckon_mcp_service_complete_async (test->service, &completion, NULL, on_completed, test);
  beckon_await (test->is_done);
  g_assert_no_error (test->error);
  found = g_steal_pointer (&test->found);
  return g_strjoinv ("|", found);
}

static void
on_prompt (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Case *test = user_data;

  test->found = beckon_mcp_service_get_prompt_finish (BECKON_MCP_SERVICE (source), result, &test->error);
  test->is_done = TRUE;
}

static guint
count_resources (Case *test)
{
  return beckon_mcp_service_get_resources (test->service)->len;
}

static gboolean
has_prompt (Case *test, const char *name)
{
  return beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (test->service), name) != NULL;
}

/* --- Cases -------------------------------------------------------------------------------------------------------- */

/* Lists are known in another program without anything being started, and what can't be used is not in them. */
static void
test_lists (gconstpointer words)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  const BeckonMcpResource *first, *last;

  add_server (test, words);
  open_service (test);
  g_assert_cmpuint (count_resources (test), ==, 7);
  g_clear_pointer (&test, beckon_mcp_fixture_close);
  test = beckon_mcp_fixture_open (directory);
  test->service = g_object_ref (beckon_mcp_servers_find (test->servers, "Papers"));
  beckon_await (count_resources (test) == 7);
  g_assert_cmpint (beckon_mcp_service_get_state (test->service), ==, BECKON_MCP_SERVICE_IDLE);
  first = g_ptr_array_index (beckon_mcp_service_get_resources (test->service), 0);
  g_assert_cmpstr (first->uri, ==, "note://papers/hello.txt");
  g_assert_cmpstr (first->title, ==, "A Greeting");
  g_assert_cmpstr (first->description, ==, "Says<U+202E> hello");
  last = g_ptr_array_index (beckon_mcp_service_get_resources (test->service), 6);
  g_assert_cmpstr (last->uri, ==, "note://papers/{number}");
  g_assert_true (last->is_template);
}

/* A text, a picture, and what a template leads to are read; what can't be is told in words. */
static void
test_read (gconstpointer words)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (GPtrArray) text = NULL;
  g_autoptr (GPtrArray) picture = NULL;
  const BeckonMcpContent *content;

  add_server (test, words);
  text = read_resource (test, "note://papers/hello.txt");
  g_assert_no_error (test->error);
  g_assert_cmpuint (text->len, ==, 1);
  content = g_ptr_array_index (text, 0);
  g_assert_cmpstr (content->name, ==, "hello.txt");
  g_assert_true (g_str_has_prefix (g_bytes_get_data (content->bytes, NULL), "This is note://papers/hello.txt"));
  picture = read_resource (test, "note://papers/dot.png");
  content = g_ptr_array_index (picture, 0);
  g_assert_cmpstr (content->name, ==, "dot.png");
  g_assert_true (memcmp ("\x89PNG", g_bytes_get_data (content->bytes, NULL), 4) == 0);
  g_assert_null (read_resource (test, "note://papers/huge"));
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE);
  g_assert_null (read_resource (test, "note://papers/none"));
  g_assert_error (test->error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_null (read_resource (test, "note://elsewhere/x"));
  g_assert_nonnull (strstr (test->error->message, "Resource not found"));
}

/* Values are proposed by what is typed, and by the other arguments; those that hide something are left out. */
static void
test_completion (gconstpointer words)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *some = NULL;
  g_autofree char *all = NULL;
  g_autofree char *of_others = NULL;

  add_server (test, words);
  some = complete (test, NULL, "harbour", "ha", NULL);
  g_assert_cmpstr (some, ==, "Hamburg|Harwich");
  all = complete (test, NULL, "harbour", "", NULL);
  g_assert_cmpstr (all, ==, "Hamburg|Harwich|Bergen");
  g_hash_table_insert (values, (gpointer) "harbour", (gpointer) "Bergen");
  of_others = complete (test, NULL, "day", "", values);
  g_assert_cmpstr (of_others, ==, "today in Bergen");
}

/* Variables of a template are proposed, by the others too, and lead to what is read. */
static void
test_template (gconstpointer words)
{
  static const char shelf[] = "note://papers/{room}/{number}{?page,lines}";
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) contents = NULL;
  g_autofree char *rooms = NULL;
  g_autofree char *numbers = NULL;
  g_autofree char *uri = NULL;

  add_server (test, words);
  rooms = complete (test, shelf, "room", "h", NULL);
  g_assert_cmpstr (rooms, ==, "History|Harbours");
  g_hash_table_insert (values, (gpointer) "room", (gpointer) "Æsop & Co.");
  numbers = complete (test, shelf, "number", "", values);
  g_assert_cmpstr (numbers, ==, "7 of Æsop & Co.");
  g_hash_table_insert (values, (gpointer) "number", (gpointer) "7");
  g_hash_table_insert (values, (gpointer) "lines", (gpointer) "1-2");
  uri = beckon_mcp_resource_expand (shelf, values, &test->error);
  g_assert_no_error (test->error);
  g_assert_cmpstr (uri, ==, "note://papers/%C3%86sop%20%26%20Co./7?lines=1-2");
  contents = read_resource (test, uri);
  g_assert_no_error (test->error);
  g_assert_cmpuint (contents->len, ==, 1);
}

/* Values of RFC 6570, chapters 1.2 and 3.2, those of them that are texts. */
static GHashTable *
make_values (void)
{
  static const char *const values[][2] = {
    { "count", "one,two,three" }, { "dom", "example.com" }, { "dub", "me/too" },      { "hello", "Hello World!" },
    { "half", "50%" },            { "var", "value" },       { "who", "fred" },        { "base", "http://example.com/home/" },
    { "path", "/foo/bar" },       { "v", "6" },             { "x", "1024" },          { "y", "768" },
    { "empty", "" },              { "coded", "a%20b%zz%" }, { "wide", "日本語 text" }, { "semi", ";" },
  };
  GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_hash_table_insert (table, (gpointer) values[i][0], (gpointer) values[i][1]);
  return table;
}

/* Examples of RFC 6570; below them what it leaves to us. */
static void
test_expansion (void)
{
  static const char *const cases[][2] = {
    { "{var}", "value" }, { "{hello}", "Hello%20World%21" }, { "{half}", "50%25" }, { "O{empty}X", "OX" },
    { "O{undef}X", "OX" }, { "{x,y}", "1024,768" }, { "{x,hello,y}", "1024,Hello%20World%21,768" }, { "?{x,empty}", "?1024," },
    { "?{x,undef}", "?1024" }, { "?{undef,y}", "?768" }, { "{var:3}", "val" }, { "{var:30}", "value" },
    { "{+var}", "value" }, { "{+hello}", "Hello%20World!" }, { "{+half}", "50%25" }, { "{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex" },
    { "{+base}index", "http://example.com/home/index" }, { "O{+empty}X", "OX" }, { "O{+undef}X", "OX" },
    { "{+path}/here", "/foo/bar/here" }, { "here?ref={+path}", "here?ref=/foo/bar" }, { "up{+path}{var}/here", "up/foo/barvalue/here" },
    { "{+x,hello,y}", "1024,Hello%20World!,768" }, { "{+path,x}/here", "/foo/bar,1024/here" }, { "{+path:6}/here", "/foo/b/here" },
    { "{#var}", "#value" }, { "{#hello}", "#Hello%20World!" }, { "{#half}", "#50%25" }, { "foo{#empty}", "foo#" }, { "foo{#undef}", "foo" },
    { "{#x,hello,y}", "#1024,Hello%20World!,768" }, { "{#path,x}/here", "#/foo/bar,1024/here" }, { "{#path:6}/here", "#/foo/b/here" },
    { "{.who}", ".fred" }, { "{.who,who}", ".fred.fred" }, { "{.half,who}", ".50%25.fred" }, { "X{.var}", "X.value" }, { "X{.empty}", "X." },
    { "X{.undef}", "X" }, { "X{.var:3}", "X.val" },
    { "{/who}", "/fred" }, { "{/who,who}", "/fred/fred" }, { "{/half,who}", "/50%25/fred" }, { "{/who,dub}", "/fred/me%2Ftoo" },
    { "{/var}", "/value" }, { "{/var,empty}", "/value/" }, { "{/var,undef}", "/value" }, { "{/var,x}/here", "/value/1024/here" },
    { "{/var:1,var}", "/v/value" },
    { "{;who}", ";who=fred" }, { "{;half}", ";half=50%25" }, { "{;empty}", ";empty" }, { "{;v,empty,who}", ";v=6;empty;who=fred" },
    { "{;v,undef,who}", ";v=6;who=fred" }, { "{;x,y}", ";x=1024;y=768" }, { "{;x,y,empty}", ";x=1024;y=768;empty" },
    { "{;hello:5}", ";hello=Hello" },
    { "{?who}", "?who=fred" }, { "{?half}", "?half=50%25" }, { "{?x,y}", "?x=1024&y=768" }, { "{?x,y,empty}", "?x=1024&y=768&empty=" },
    { "{?x,y,undef}", "?x=1024&y=768" }, { "{?var:3}", "?var=val" },
    { "{&who}", "&who=fred" }, { "{&half}", "&half=50%25" }, { "?fixed=yes{&x}", "?fixed=yes&x=1024" },
    { "{&x,y,empty}", "&x=1024&y=768&empty=" }, { "{&x,y,undef}", "&x=1024&y=768" }, { "{&var:3}", "&var=val" },
    { "{semi:2}", "%3B" }, { "{+semi:2}", ";" },
    /* Texts where lists could be; addresses that have more in them than the RFC lets them have. */
    { "{/path*}", "/%2Ffoo%2Fbar" }, { "{?who*}", "?who=fred" }, { "{+coded}", "a%20b%25zz%25" }, { "{coded}", "a%2520b%25zz%25" },
    { "{wide:2}", "%E6%97%A5%E6%9C%AC" }, { "{+wide}", "%E6%97%A5%E6%9C%AC%E8%AA%9E%20text" }, { "é/%41/%/{var}", "%C3%A9/%41/%25/value" },
    { "", "" }, { "plain:x", "plain:x" },
  };
  g_autoptr (GHashTable) values = make_values ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonMcpUriTemplate) uri_template = beckon_mcp_uri_template_new (cases[i][0], NULL);
      g_autofree char *expanded = beckon_mcp_uri_template_expand (uri_template, values);

      g_assert_cmpstr (expanded, ==, cases[i][1]);
    }
}

/* Templates that can't be filled in are refused, with the piece that is wrong. */
static void
test_refused_templates (void)
{
  static const char *const cases[][2] = {
    { "a:{", "“{”" }, { "a:}b", "“}b”" }, { "a:{x", "“{x”" }, { "a:{x{y}}", "“{x{y}}”" }, { "a:{}", "“{}”" }, { "a:{+}", "“{+}”" },
    { "a:{=x}", "“{=x}”" }, { "a:{|x}", "“{|x}”" }, { "a:{!x}b", "“{!x}”" }, { "a:{x,}", "“{x,}”" }, { "a:{.}", "“{.}”" },
    { "a:{x:}", "“{x:}”" }, { "a:{x:0}", "“{x:0}”" }, { "a:{x:10000}", "“{x:10000}”" }, { "a:{x:-1}", "“{x:-1}”" },
    { "a:{x**}", "“{x**}”" }, { "a:{x y}", "“{x y}”" }, { "a:{é}", "“{é}”" },
  };
  g_autoptr (GString) many = g_string_new ("a:");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_mcp_uri_template_new (cases[i][0], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_true (g_str_has_prefix (error->message, cases[i][1]));
    }
  for (guint i = 0; i <= BECKON_MCP_URI_TEMPLATE_VARIABLES_MAX; i++)
    g_string_append_printf (many, "{v%u}", i);
  g_assert_null (beckon_mcp_uri_template_new (many->str, NULL));
}

/* The variables of a template are asked for as the arguments of a prompt, each once. */
static void
test_template_form (void)
{
  static const char page[] = "{\"resourceTemplates\":[{\"uriTemplate\":\"n:{a}{/b,a}{?c,b}{#d}\",\"title\":\"T\","
                             "\"description\":\"D\"}]}";
  static const gboolean required[] = { TRUE, TRUE, FALSE, FALSE };
  g_autoptr (GPtrArray) resources = beckon_mcp_resources_new ();
  g_autoptr (BeckonMcpPrompt) prompt = NULL;
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  g_autofree char *long_value = g_strnfill (BECKON_MCP_RESOURCE_URI_MAX, 'x');

  g_assert_true (beckon_mcp_resources_read (resources, page, NULL));
  g_assert_nonnull (beckon_mcp_resources_find (resources, "n:{a}{/b,a}{?c,b}{#d}"));
  prompt = beckon_mcp_prompt_new_for_template (g_ptr_array_index (resources, 0), NULL);
  g_assert_cmpstr (prompt->name, ==, "n:{a}{/b,a}{?c,b}{#d}");
  g_assert_cmpstr (prompt->title, ==, "T");
  g_assert_cmpstr (prompt->description, ==, "D");
  g_assert_cmpuint (prompt->arguments->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      const BeckonMcpPromptArgument *argument = g_ptr_array_index (prompt->arguments, i);

      g_assert_cmpint (argument->name[0], ==, 'a' + (int) i);
      g_assert_cmpint (argument->is_required, ==, required[i]);
    }
  g_hash_table_insert (values, (gpointer) "a", (gpointer) "no address");
  g_assert_null (beckon_mcp_resource_expand ("{a}", values, &error));
  g_assert_cmpstr (error->message, ==, "“no%20address” is not an address. Check the values.");
  g_clear_error (&error);
  g_hash_table_insert (values, (gpointer) "a", long_value);
  g_assert_null (beckon_mcp_resource_expand ("n:{a}", values, &error));
  g_assert_cmpstr (error->message, ==, "The address became too long. Enter shorter values.");
}

/* Lists that change while the server runs are read again. */
static void
test_changes (gconstpointer words)
{
  g_autoptr (Folder) directory = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonMcpFixture) test = beckon_mcp_fixture_open (directory);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) contents = NULL;

  add_server (test, words);
  open_service (test);
  g_assert_false (has_prompt (test, "moon"));
  g_assert_true (has_prompt (test, "tides"));
  g_hash_table_insert (values, (gpointer) "harbour", (gpointer) "moon");
  test->is_done = FALSE;
  beckon_mcp_service_get_prompt_async (test->service, "tides", values, NULL, on_prompt, test);
  beckon_await (test->is_done);
  g_assert_no_error (test->error);
  g_clear_pointer (&test->found, g_free);
  beckon_await (has_prompt (test, "moon"));
  contents = read_resource (test, "note://papers/grow");
  g_assert_no_error (test->error);
  beckon_await (count_resources (test) == 8);
}

/* Lists are bounded, and are the same after having been stored. */
static void
test_bounds (void)
{
  static const char *const unusable[]
      = { "7", "{}", "{\"uri\":7}", "{\"uri\":\"a b:c\"}", "{\"uri\":\"none\"}", "{\"uri\":\":x\"}", "{\"uri\":\"x:a\\u202eb\"}" };
  g_autoptr (GPtrArray) resources = beckon_mcp_resources_new ();
  g_autoptr (GPtrArray) again = beckon_mcp_resources_new ();
  g_autoptr (GString) many = g_string_new ("{\"resources\":[");
  g_auto (GStrv) values = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  g_assert_false (beckon_mcp_resources_read (resources, NULL, NULL));
  g_assert_false (beckon_mcp_resources_read (resources, "{\"resources\":{}}", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (unusable); i++)
    {
      g_autofree char *page = g_strdup_printf ("{\"resources\":[%s]}", unusable[i]);

      g_assert_true (beckon_mcp_resources_read (resources, page, NULL));
      g_assert_cmpuint (resources->len, ==, 0);
    }
  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (many, "%s{\"uri\":\"n:%u\",\"description\":\"d\"}", i > 0 ? "," : "", i);
  g_string_append (many, "]}");
  g_assert_true (beckon_mcp_resources_read (resources, many->str, NULL));
  g_assert_cmpuint (resources->len, ==, BECKON_MCP_RESOURCES_MAX);
  first = beckon_mcp_resources_print (resources);
  g_assert_true (beckon_mcp_resources_read (again, first, NULL));
  second = beckon_mcp_resources_print (again);
  g_assert_cmpstr (second, ==, first);
  g_assert_null (beckon_mcp_completion_read ("{\"completion\":{}}"));
  g_assert_null (beckon_mcp_completion_read (NULL));
  g_string_assign (many, "{\"completion\":{\"values\":[1,null,\"\"");
  for (guint i = 0; i < 200; i++)
    g_string_append_printf (many, ",\"v%u\"", i);
  g_string_append (many, "]}}");
  values = beckon_mcp_completion_read (many->str);
  g_assert_cmpuint (g_strv_length (values), ==, BECKON_MCP_COMPLETIONS_MAX);
}

/* Names of files come from addresses, whatever stands in them. */
static void
test_names (void)
{
  static const char *const cases[][2] = {
    { "note://a/b/c.txt", "c.txt" }, { "note://a/b/", "b" },      { "x:y", "x:y" },
    { "a:/b%2Fc.md?x=1#y", "b%2Fc.md" }, { "a:/%e2%80%aeb", "<U+202E>b" }, { "", "Resource" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"contents\":[{\"uri\":\"%s\",\"text\":\"t\"}]}", cases[i][0]);
      g_autoptr (GPtrArray) contents = beckon_mcp_resource_read_contents (json, NULL);

      g_assert_cmpuint (contents->len, ==, 1);
      g_assert_cmpstr (((BeckonMcpContent *) g_ptr_array_index (contents, 0))->name, ==, cases[i][1]);
    }
}

int
main (int argc, char **argv)
{
  static const char modern[] = "modern prompts resources", old[] = "old prompts resources";

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/mcp/offers/lists/modern", modern, test_lists);
  g_test_add_data_func ("/mcp/offers/lists/old", old, test_lists);
  g_test_add_data_func ("/mcp/offers/read/modern", modern, test_read);
  g_test_add_data_func ("/mcp/offers/read/old", old, test_read);
  g_test_add_data_func ("/mcp/offers/completion/modern", modern, test_completion);
  g_test_add_data_func ("/mcp/offers/completion/old", old, test_completion);
  g_test_add_data_func ("/mcp/offers/template/modern", modern, test_template);
  g_test_add_data_func ("/mcp/offers/template/old", old, test_template);
  g_test_add_func ("/mcp/offers/template/expansion", test_expansion);
  g_test_add_func ("/mcp/offers/template/refused", test_refused_templates);
  g_test_add_func ("/mcp/offers/template/form", test_template_form);
  g_test_add_data_func ("/mcp/offers/changes/modern", modern, test_changes);
  g_test_add_data_func ("/mcp/offers/changes/old", old, test_changes);
  g_test_add_func ("/mcp/offers/bounds", test_bounds);
  g_test_add_func ("/mcp/offers/names", test_names);
  return g_test_run ();
}
