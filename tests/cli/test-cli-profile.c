/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cli-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
add (BeckonCliFixture *fixture, const char *name, const char *model)
{
  int status = beckon_cli_fixture_run (fixture, "", "profile", "add", name, "--base-url",
                                       beckon_fixture_server_get_base_url (fixture->server), "--model", model, "--no-lookup",
                                       NULL);

  g_assert_cmpstr (fixture->errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  return g_strstrip (g_strdup (fixture->output));
}

static void
assert_lists (BeckonCliFixture *fixture, const char *line)
{
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "list", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, line);
}

static void
test_list_empty (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  assert_lists (fixture, "* tour\tOffline tour\t");
  g_assert_cmpstr (strchr (fixture->output, '\n'), ==, "\n");
}

static void
test_add_and_use (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *first = add (fixture, "Zebra", "z-1");
  g_autofree char *second = add (fixture, "Ant", "a-1");
  g_autofree char *line = g_strdup_printf ("* %s\tZebra\tz-1\thttp://127.0.0.1:", first);

  g_assert_cmpstr (first, !=, second);
  assert_lists (fixture, "* tour");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "use", "Zebra", NULL), ==, 0);
  assert_lists (fixture, line);
  /* By name, after the tour. */
  g_assert_true (strstr (fixture->output, "Ant") < strstr (fixture->output, "Zebra"));

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 0);
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 0)->body, "\"model\":\"z-1\"");
  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", second, "Hello", NULL), ==, 0);
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 1)->body, "\"model\":\"a-1\"");
}

static void answer (BeckonCliFixture *fixture, guint status, const char *body);
static void assert_shows (BeckonCliFixture *fixture, const char *name, const char *line);

static void
assert_set (BeckonCliFixture *fixture, const char *name, const char *model)
{
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", name, "--model", model, "--no-lookup", NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
}

/* A name that is known is never overwritten; it is changed on request, and keeps its id. Known by its id, it keeps its name. */
static void
test_change (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *first = add (fixture, "Zebra", "z-1");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Zebra", "--base-url", "http://127.0.0.1:1/v1", "--model",
                                           "z-2", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“Zebra” already exists. Change it with: beckonctl profile set 'Zebra' …");
  assert_lists (fixture, "\tz-1\t");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebr", "--model", "z-2", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "Profile not found");
  assert_set (fixture, "Zebra", "z-2");
  g_assert_cmpstr (g_strstrip (fixture->output), ==, first);
  assert_lists (fixture, "\tz-2\t");
  assert_set (fixture, first, "z-3");
  assert_lists (fixture, "\tZebra\tz-3\t");
  g_assert_null (strstr (fixture->output, "z-1"));
}

/* Facts that the server lists come with a named model, without a test; a server that is away is no reason to fail. */
static void
test_named_model (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  const char *url = beckon_fixture_server_get_base_url (fixture->server);

  answer (fixture, 200, "{\"data\":[{\"id\":\"one\",\"max_model_len\":4321},{\"id\":\"two\"}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "New", "--base-url", url, "--model", "one", NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
  assert_shows (fixture, "New", "context-window: 4321\ncontext-window-source: server\n");
  answer (fixture, 200, "{\"data\":[{\"id\":\"one\",\"max_model_len\":4321},{\"id\":\"two\"}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "New", "--model", "two", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "New", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "4321"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Away", "--base-url", "http://127.0.0.1:1/v1", "--model",
                                           "m", NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "");
}

static void
test_json (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *id = add (fixture, "Ant \"1\"", "a-1");
  g_autofree char *member = g_strdup_printf ("{\"id\":\"%s\",\"name\":\"Ant \\\"1\\\"\",\"kind\":\"chat\"", id);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "list", "--json", NULL), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->output, "[{\"id\":\"tour\""));
  beckon_cli_assert_says (fixture->output, member);
  beckon_cli_assert_says (fixture->output, "\"in-use\":true},{");
  g_assert_true (g_str_has_suffix (fixture->output, "\"in-use\":false}]\n"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", id, "--header", "A: b", "--price-input", "1.5",
                                           "--fallback", "tour", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", id, "--json", NULL), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->output, member));
  beckon_cli_assert_says (fixture->output, "\"headers\":[\"A: b\"]");
  beckon_cli_assert_says (fixture->output, "\"fallbacks\":[\"Offline tour\"]");
  beckon_cli_assert_says (fixture->output, "\"price-input\":1.5");
}

/* The protocol is stored and can be changed; an unknown one is refused. */
static void
test_kind (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Sonnet", "--kind", "anthropic", "--base-url",
                                           "https://api.anthropic.com", "--model", "m", NULL), ==, 0);
  assert_lists (fixture, "\tSonnet\tm\thttps://api.anthropic.com\tanthropic\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Sonnet", "--model", "n", NULL), ==, 0);
  assert_lists (fixture, "\tSonnet\tn\thttps://api.anthropic.com\tanthropic\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Sonnet", "--kind", "gemini", NULL), ==, 0);
  assert_lists (fixture, "\tgemini\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Sonnet", "--kind", "tour", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“tour” is not a kind");
}

/* Options that are not given stay; empty ones are removed. */
static void
test_options (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *ant = add (fixture, "Ant", "a-1");
  g_autofree char *zebra = add (fixture, "Zebra", "z-1");
  g_autofree char *expected = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--context-window", "64000",
                                           "--temperature", "0.7", "--output-limit", "2048", "--pdf", "file", "--header", "X-A: 1", "--header",
                                           "X-B: 2", "--extra-body", "{\"top_p\":0.5}", "--system-prompt", "Be brief.",
                                           "--fallback", "Ant", "--fallback", "tour", "--price-input", "2.5",
                                           "--price-output", "10", "--currency", "USD", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--rounds", "20", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Zebra", NULL), ==, 0);
  expected = g_strdup_printf ("id: %s\nname: Zebra\nkind: chat\nbase-url: %s\nmodel: z-1\nrounds: 20\n"
                              "context-window: 64000\ncontext-window-source: profile\ntemperature: 0.7\noutput-limit: 2048\n"
                              "pdf: file\npdf-source: profile\nheader: X-A: 1\nheader: X-B: 2\n"
                              "extra-body: {\"top_p\":0.5}\nsystem-prompt: Be brief.\nfallback: Ant\n"
                              "fallback: Offline tour\nprice-input: 2.5\nprice-output: 10\ncurrency: USD\nprice-source: profile\n",
                              zebra, beckon_fixture_server_get_base_url (fixture->server));
  g_assert_cmpstr (fixture->output, ==, expected);

  beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hi"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Zebra", "Hello", NULL), ==, 0);
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 0)->body,
                          "\"temperature\":0.7,\"max_tokens\":2048,\"top_p\":0.5}");
  beckon_cli_assert_says (beckon_fixture_server_get_request (fixture->server, 0)->head, "X-B: 2");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--temperature", "", "--header", "",
                                           "--fallback", "", "--extra-body", "", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Zebra", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "temperature"));
  g_assert_null (strstr (fixture->output, "header"));
  g_assert_null (strstr (fixture->output, "fallback"));
}

/* Only where there is one, and off until somebody says so. */
static void
test_web_search (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *zebra = add (fixture, "Zebra", "z-1");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--web-search", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "knows no web search");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--kind", "anthropic", "--web-search",
                                           "--no-web-search", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "only one of");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--kind", "anthropic", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Zebra", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "web-search"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--web-search", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "knows no web search");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--base-url", "https://api.anthropic.com",
                                           NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--web-search", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Zebra", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "web-search: yes\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--rounds", "20", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Zebra", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "web-search: yes\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Zebra", "--no-web-search", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Zebra", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "web-search"));
}

static void
test_bad_options (void)
{
  static const struct
  {
    const char *option;
    const char *value;
    const char *word;
  } cases[] = {
    { "--context-window", "2000001", "0 to 2000000" }, { "--context-window", "-1", "0 to 2000000" },
    { "--temperature", "2.1", "0 to 2" },              { "--temperature", "nan", "0 to 2" },
    { "--temperature", "warm", "not a number" },          { "--rounds", "201", "0 to 200" },
    { "--price-input", "-1", "not a number" },            { "--header", "Authorization: Bearer x", "key" },
    { "--extra-body", "[]", "JSON object" },           { "--fallback", "Nobody", "“Nobody” not found" },
    { "--fallback", "Ant", "own fallback" },
  };
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autofree char *ant = add (fixture, "Ant", "a-1");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Ant", "--model", "changed", cases[i].option,
                                               cases[i].value, NULL), ==, 1);
      beckon_cli_assert_says (fixture->errors, cases[i].word);
    }
  assert_lists (fixture, "\ta-1\t");
}

static void
answer (BeckonCliFixture *fixture, guint status, const char *body)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, NULL, "application/json", body);
  beckon_fixture_server_queue (fixture->server, reply);
}

static void
assert_shows (BeckonCliFixture *fixture, const char *name, const char *line)
{
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", name, NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, line);
}

static int
add_without_model (BeckonCliFixture *fixture)
{
  return beckon_cli_fixture_run (fixture, "", "profile", "add", "New", "--base-url",
                                 beckon_fixture_server_get_base_url (fixture->server), NULL);
}

/* A profile that names no model gets one from the server's list, or it is said which there are. */
static void
test_choose (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  answer (fixture, 200, "{\"data\":[{\"id\":\"one\"},{\"id\":\"two\"}]}");
  g_assert_cmpint (add_without_model (fixture), ==, 1);
  g_assert_cmpstr (fixture->errors, ==, "one\ntwo\nbeckonctl profile: Choose one of the server's models with --model.\n");
  answer (fixture, 401, "{\"error\":{\"message\":\"Wrong\"}}");
  g_assert_cmpint (add_without_model (fixture), ==, 1);
  beckon_cli_assert_says (fixture->errors, "does not accept the key");
  g_assert_null (strstr (fixture->errors, "--model"));
  answer (fixture, 404, "{\"error\":{\"message\":\"No list here\"}}");
  g_assert_cmpint (add_without_model (fixture), ==, 1);
  beckon_cli_assert_says (fixture->errors, "No list here. Or choose a model with --model.\n");
  assert_lists (fixture, "* tour\tOffline tour\t");
  g_assert_null (strstr (fixture->output, "New"));

  answer (fixture, 200, "{\"data\":[{\"id\":\"one\",\"max_model_len\":4321},{\"id\":\"one-embed\"}]}");
  g_assert_cmpint (add_without_model (fixture), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "Model: one\n");
  assert_lists (fixture, "\tNew\tone\t");
  assert_shows (fixture, "New", "context-window: 4321\ncontext-window-source: server\n");
  /* A model that is named is left alone. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "New", "--rounds", "3", NULL), ==, 0);
  assert_shows (fixture, "New", "model: one\n");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 4);
}

/* A proxy of a known provider has that provider's models. */
static void
test_choose_behind_proxy (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  answer (fixture, 200, "{\"data\":[{\"id\":\"claude-haiku-4-5\"},{\"id\":\"claude-sonnet-4-5\"},{\"id\":\"claude-sonnet-5\"},"
                        "{\"id\":\"gpt-4o\"}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "New", "--preset", "anthropic", "--base-url",
                                           beckon_fixture_server_get_base_url (fixture->server), NULL), ==, 0);
  g_assert_cmpstr (fixture->errors, ==, "Model: claude-sonnet-5\n");
}

static void
test_ask_server (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("OK"));
  answer (fixture, 200, "{\"data\":[{\"id\":\"fixture-1\",\"context_length\":64000}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "test", "Fixture", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "It works");
  /* Facts from the server's list are kept. */
  assert_shows (fixture, "Fixture", "context-window: 64000\n");
  answer (fixture, 401, "{\"error\":{\"message\":\"Wrong\"}}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "test", "Fixture", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "does not accept the key");
  answer (fixture, 200, "{\"data\":[{\"id\":\"b\"},{\"id\":\"a\"}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "models", "Fixture", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "a\nb\n");
  answer (fixture, 200, "{\"data\":[{\"id\":\"a\",\"context_length\":1000,\"expiration_date\":\"2027-02-03\",\"pricing\":"
                        "{\"prompt\":\"0.00000125\",\"completion\":\"0.00001\"},\"supported_parameters\":[\"tools\"],"
                        "\"architecture\":{\"input_modalities\":[\"image\"]}}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "models", "Fixture", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "a\t1000\t1.25/10\tvision\t\t2027-02-03\n");
  answer (fixture, 200, "{\"data\":[{\"id\":\"b\"},{\"id\":\"a\",\"max_model_len\":1000,\"expiration_date\":\"2027-02-03\",\"pricing\":"
                        "{\"prompt\":\"0.000003\"}}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "models", "Fixture", "--json", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, "[{\"id\":\"a\",\"context-window\":1000,\"price-input\":3,\"retires\":\"2027-02-03\"},"
                                        "{\"id\":\"b\"}]\n");
}

/* Prices of the server's list are the profile's until the person enters one. */
static void
test_prices (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  answer (fixture, 200, "{\"data\":[{\"id\":\"fixture-1\",\"pricing\":{\"prompt\":\"0.00000125\",\"completion\":\"0.00001\"}}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "models", "Fixture", NULL), ==, 0);
  assert_shows (fixture, "Fixture", "price-input: 1.25\nprice-output: 10\ncurrency: USD\nprice-source: server\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--price-output", "7", "--currency", "CNY",
                                           NULL), ==, 0);
  assert_shows (fixture, "Fixture", "price-output: 7\ncurrency: CNY\nprice-source: profile\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--price-output", "0", NULL), ==, 0);
  assert_shows (fixture, "Fixture", "price-input: 1.25\n");
}

/* The key in the environment is one server's: that another profile is named sends it nowhere else. */
static void
test_environment_key (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  BeckonFixtureServer *other = beckon_fixture_server_new (0);
  g_autofree char *key = NULL;

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Other", "--base-url",
                                           beckon_fixture_server_get_base_url (other), "--model", "m", "--no-lookup", NULL), ==, 0);
  beckon_fixture_server_queue (other, beckon_fixture_reply_new_chat ("OK"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "test", "Other", NULL), ==, 0);
  beckon_fixture_server_queue (other, beckon_fixture_reply_new_chat ("Yes"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Other", "Hello", NULL), ==, 0);
  /* The test, the list that is asked for what it says of the model, and the run. */
  g_assert_cmpuint (beckon_fixture_server_count_requests (other), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_null (beckon_fixture_request_dup_header (beckon_fixture_server_get_request (other, i), "Authorization"));

  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("OK"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "test", "Fixture", NULL), ==, 0);
  key = beckon_fixture_request_dup_header (beckon_fixture_server_get_request (fixture->server, 0), "Authorization");
  g_assert_cmpstr (key, ==, "Bearer " BECKON_CLI_KEY);
  beckon_fixture_server_free (other);
}

/* A program that prints "tok-1", then "tok-2", and so on; what it was given goes into a file beside it. */
static char *
write_key_program (BeckonCliFixture *fixture, const char *printed)
{
  char *path = g_build_filename (fixture->home, "print key", NULL);
  g_autofree char *script = g_strdup_printf ("#!/bin/sh\necho \"$1\" >>'%s/asked'\nn=$(wc -l <'%s/asked')\necho %s\n",
                                             fixture->home, fixture->home, printed);

  g_assert_true (g_file_set_contents_full (path, script, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0700, NULL));
  return path;
}

static void
remove_key_program (BeckonCliFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->home, "print key", NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
}

static guint
count_asked (BeckonCliFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->home, "asked", NULL);
  g_autofree char *text = NULL;
  guint n = 0;

  if (g_file_get_contents (path, &text, NULL, NULL))
    for (const char *c = text; *c != '\0'; c++)
      n += *c == '\n';
  return n;
}

static void
assert_sent (BeckonCliFixture *fixture, guint request, const char *key)
{
  g_autofree char *header =
    beckon_fixture_request_dup_header (beckon_fixture_server_get_request (fixture->server, request), "Authorization");

  g_assert_cmpstr (header, ==, key);
}

/* The program's output is in no file of ours. */
static void
assert_kept_nowhere (BeckonCliFixture *fixture, const char *key)
{
  g_autofree char *command = g_strdup_printf ("grep -rla '%s' '%s'", key, fixture->home);
  g_autofree char *found = NULL;
  const char *argv[] = { "sh", "-c", command, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &found, NULL, NULL, NULL));
  g_assert_cmpstr (found, ==, "");
}

static char *
add_with_program (BeckonCliFixture *fixture, const char *printed)
{
  g_autofree char *program = write_key_program (fixture, printed);
  g_autofree char *command = g_strdup_printf ("\"%s\"  $(id)", program);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Prog", "--base-url",
                                           beckon_fixture_server_get_base_url (fixture->server), "--model", "m",
                                           "--no-lookup", "--key-command", command, NULL), ==, 0);
  return g_strdup_printf ("key-command: '%s' '$(id)'\n", program);
}

static void
test_key_command (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *line = add_with_program (fixture, "tok-$n");

  g_assert_cmpuint (count_asked (fixture), ==, 0);
  assert_shows (fixture, "Prog", line);
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("OK"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 0);
  assert_sent (fixture, 0, "Bearer tok-1");

  /* A key that has expired: the program is asked once more. */
  answer (fixture, 401, "{\"error\":{\"message\":\"Expired\"}}");
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("OK"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 0);
  assert_sent (fixture, 1, "Bearer tok-2");
  assert_sent (fixture, 2, "Bearer tok-3");
  answer (fixture, 403, "{\"message\":\"Bearer Token has expired\"}");
  answer (fixture, 200, "{\"data\":[{\"id\":\"m\"}]}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "models", "Prog", NULL), ==, 0);
  assert_sent (fixture, 4, "Bearer tok-5");

  /* And not twice. */
  answer (fixture, 401, "{\"error\":{\"message\":\"No tok-6\"}}");
  answer (fixture, 401, "{\"error\":{\"message\":\"No tok-7-is-good\"}}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 8);
  beckon_cli_assert_says (fixture->errors, "does not accept the key");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 7);
  g_assert_cmpuint (count_asked (fixture), ==, 7);
  for (guint i = 1; i <= 7; i++)
    {
      g_autofree char *key = g_strdup_printf ("tok-%u", i);

      if (i < 6)
        assert_kept_nowhere (fixture, key);
    }
}

/* The same key again is not sent again, and what a server repeats of it is not shown. */
static void
test_key_command_same (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *line = add_with_program (fixture, "token-that-is-secret");

  answer (fixture, 401, "{\"error\":{\"message\":\"Not token-that-is-secret, please\"}}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 8);
  beckon_cli_assert_says (fixture->errors, "Not …, please");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpuint (count_asked (fixture), ==, 2);
}

/* Writes @path of the folder "work" as the model does, and says how the run ended. */
static int
write_as_the_model (BeckonCliFixture *fixture, const char *path, gboolean is_free)
{
  g_autofree char *folder = g_build_filename (fixture->home, "work", NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\",\"content\":\"echo owned\"}", path);

  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "write_file", arguments));
  if (is_free)
    beckon_cli_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done"));
  return beckon_cli_fixture_run (fixture, "", "run", "--mode", "outside", "--folder", folder, "--detach-on-ask", "Write it",
                                 NULL);
}

/* A change of a program in the working folder is asked about as long as the program prints a key. */
static void
test_key_command_guarded (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *folder = g_build_filename (fixture->home, "work", NULL);
  g_autofree char *program = g_build_filename (folder, "key.sh", NULL);
  const char *url = beckon_fixture_server_get_base_url (fixture->server);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Prog", "--base-url", url, "--model", "m",
                                           "--no-lookup", "--key-command", program, NULL), ==, 0);
  g_assert_cmpint (write_as_the_model (fixture, "other.sh", TRUE), ==, 0);
  g_assert_cmpint (write_as_the_model (fixture, "key.sh", FALSE), ==, 10);
  g_assert_false (g_file_test (program, G_FILE_TEST_EXISTS));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Prog", "--key-command", "", NULL), ==, 0);
  g_assert_cmpint (write_as_the_model (fixture, "key.sh", TRUE), ==, 0);
  g_assert_true (g_file_test (program, G_FILE_TEST_EXISTS));
}

/* The errors of a program may hold a secret: a person who tests the profile reads them, and they are in no file of ours. */
static void
test_key_command_words (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *line = add_with_program (fixture, "x; echo 'The word is xyzzy-plugh' >&2; exit 3");

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 8);
  beckon_cli_assert_says (fixture->errors, "ended with status 3. Test the profile to read what the program says.");
  g_assert_null (strstr (fixture->errors, "xyzzy"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "test", "Prog", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "ended with status 3. The word is xyzzy-plugh");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "models", "Prog", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "The word is xyzzy-plugh");
  remove_key_program (fixture);
  assert_kept_nowhere (fixture, "xyzzy-plugh");
}

/* The key is for the server that it was entered for. */
static void
test_key_command_bound (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *line = add_with_program (fixture, "tok-$n");
  BeckonFixtureServer *other = beckon_fixture_server_new (0);

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Prog", "--base-url",
                                           beckon_fixture_server_get_base_url (other), NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 8);
  beckon_cli_assert_says (fixture->errors, "was entered for http://127.0.0.1:");
  g_assert_cmpuint (count_asked (fixture), ==, 0);
  g_assert_cmpuint (beckon_fixture_server_count_requests (other), ==, 0);
  /* Without a program there is no key, and the environment's is another server's. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Prog", "--key-command", "", NULL), ==, 0);
  beckon_fixture_server_queue (other, beckon_fixture_reply_new_chat ("OK"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "-p", "Prog", "Hello", NULL), ==, 0);
  g_assert_null (beckon_fixture_request_dup_header (beckon_fixture_server_get_request (other, 0), "Authorization"));
  beckon_fixture_server_free (other);
}

static void
test_key_command_refused (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "P", "--base-url", "http://127.0.0.1:9/v1", "--model",
                                           "m", "--key-command", "echo 'unended", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "cannot be read");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "P", "--base-url", "http://127.0.0.1:9/v1", "--model",
                                           "m", "--key-command", "echo sk-proj-0123456789abcdef", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "would carry a key");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "sk-1\n", "profile", "add", "P", "--base-url", "http://127.0.0.1:9/v1",
                                           "--model", "m", "--key-command", "echo x", "--key-from-stdin", NULL), ==, 2);
  beckon_cli_assert_says (fixture->errors, "only one of");
  assert_lists (fixture, "* tour");
  g_assert_null (strstr (fixture->output, "P\t"));
}

/* No program comes with what was written elsewhere: neither with an export, which has no profiles, nor with a provider. */
static void
test_key_command_doors (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();
  g_autofree char *path = g_build_filename (fixture->home, "export.json", NULL);
  g_autofree char *before = NULL;
  g_autofree char *id = NULL;
  g_autoptr (GString) text = NULL;

  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("OK"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "list", NULL), ==, 0);
  id = g_strndup (fixture->output, strcspn (fixture->output, " \t\n"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "export", "--json", id, NULL), ==, 0);
  g_assert_nonnull (strchr (fixture->output, '{'));
  text = g_string_new (fixture->output);
  g_string_replace (text, "{", "{\"key_command\":\"touch owned\",\"key-command\":[\"touch\",\"owned\"],\"profiles\":[{\"id\":"
                               "\"evil\",\"name\":\"Evil\",\"key_command\":\"touch owned\"}],", 1);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "list", NULL), ==, 0);
  before = g_strdup (fixture->output);
  beckon_cli_fixture_run (fixture, "", "import", path, NULL);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "list", NULL), ==, 0);
  g_assert_cmpstr (fixture->output, ==, before);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Fixture", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "key-command"));
  /* A preset says at most in the window what could be entered. */
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Vertex", "--preset", "vertex", "--base-url",
                                           "https://europe-west4-aiplatform.googleapis.com/v1/x", "--model", "m", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "show", "Vertex", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "key-command"));
}

static void
refuse_in_browser (const char *address) /* escaped, and what follows it */
{
  g_autofree char *callback = g_uri_unescape_segment (address, strchr (address, '&'), NULL);
  g_autoptr (GUri) uri = g_uri_parse (callback, G_URI_FLAGS_NONE, NULL);
  g_autofree char *request = g_strdup_printf ("GET %s?error=access_denied HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                              g_uri_get_path (uri));
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection =
    g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) g_uri_get_port (uri), NULL, NULL);
  char page[4096] = "";

  g_assert_nonnull (connection);
  g_assert_true (g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), request,
                                            strlen (request), NULL, NULL, NULL));
  g_assert_true (g_input_stream_read_all (g_io_stream_get_input_stream (G_IO_STREAM (connection)), page, sizeof page - 1, NULL,
                                          NULL, NULL));
  beckon_cli_assert_says (page, "You can close this window.");
}

static void
test_sign_in (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  g_autoptr (BeckonCliProcess) process =
    beckon_cli_process_new_in_pipe (fixture, "profile", "add", "Router", "--preset", "openrouter", "--sign-in", NULL);

  beckon_cli_process_wait (process, "Open this address in a browser");
  beckon_cli_process_wait (process, "https://openrouter.ai/auth?callback_url=");
  g_assert_true (g_str_has_prefix (process->all->str, "http%3A%2F%2Flocalhost%3A"));
  g_assert_nonnull (strstr (process->all->str, "&code_challenge_method=S256\n"));
  refuse_in_browser (process->all->str);
  g_assert_cmpint (beckon_cli_process_finish (process), ==, 1);
  beckon_cli_assert_says (process->all->str, "was refused in the browser");
  assert_lists (fixture, "* tour");
  g_assert_null (strstr (fixture->output, "Router"));

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "A", "--preset", "anthropic", "--model", "m",
                                           "--sign-in", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "has no sign-in");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "A", "--preset", "openrouter", "--base-url",
                                           "https://openrouter.ai.example/api/v1", "--sign-in", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "has no sign-in");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "A", "--preset", "openrouter", "--sign-in",
                                           "--key-from-stdin", NULL), ==, 2);
}

static void
test_preset (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Local", "--preset", "ollama", "--model", "llama3",
                                           NULL), ==, 0);
  assert_lists (fixture, "\tLocal\tllama3\thttp://127.0.0.1:11434\tollama\n");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Other", "--preset", "nobody", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "“nobody” is not a preset. Choose one of: openai, anthropic");
}

/* A model that is gone says so, and where another is. */
static void
test_model_gone (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  answer (fixture, 404, "{\"error\":{\"message\":\"The model fixture-1 does not exist\",\"code\":\"model_not_found\"}}");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Go", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "doesn't have this model, or no longer has it (HTTP 404)");
  beckon_cli_assert_says (fixture->errors, "beckonctl profile models 'Fixture'\n");
}

static void
test_rounds (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Fixture", "--rounds", "1", NULL), ==, 0);
  beckon_cli_fixture_script (fixture, beckon_script_call ("call_1", "get_current_time", "{}"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Go", NULL), ==, 6);
  beckon_cli_assert_says (fixture->errors, "limit of model calls");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
}

/* After the profile in use is gone, the tour is there. */
static void
test_remove (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new_with_model ();

  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "remove", "Fixture", NULL), ==, 0);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "list", NULL), ==, 0);
  g_assert_null (strstr (fixture->output, "Fixture"));
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "run", "Hello", NULL), ==, 0);
  beckon_cli_assert_says (fixture->output, "offline tour");
}

static void
test_refused (void)
{
  g_autoptr (BeckonCliFixture) fixture = beckon_cli_fixture_new ();
  const char *urls[] = { "nonsense", "ftp://host/v1", "https://user:secret@host/v1", "https://" };

  for (gsize i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Bad", "--base-url", urls[i], "--model", "m",
                                               NULL),
                       ==, 1);
      g_assert_cmpstr (fixture->output, ==, "");
      g_assert_cmpstr (fixture->errors, !=, "");
    }
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", "Bad", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "use", "Bad", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "rofile not found");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "remove", "Bad", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "remove", "tour", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "tour", "--base-url", "http://host/v1", NULL), ==, 1);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "set", "Offline tour", "--model", "m", NULL), ==, 1);
  beckon_cli_assert_says (fixture->errors, "can't be changed");
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "paint", NULL), ==, 2);
  g_assert_cmpint (beckon_cli_fixture_run (fixture, "", "profile", "add", NULL), ==, 2);
  assert_lists (fixture, "* tour");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/profile/list-empty", test_list_empty);
  g_test_add_func ("/cli/profile/add-and-use", test_add_and_use);
  g_test_add_func ("/cli/profile/change", test_change);
  g_test_add_func ("/cli/profile/named-model", test_named_model);
  g_test_add_func ("/cli/profile/json", test_json);
  g_test_add_func ("/cli/profile/kind", test_kind);
  g_test_add_func ("/cli/profile/options", test_options);
  g_test_add_func ("/cli/profile/web-search", test_web_search);
  g_test_add_func ("/cli/profile/bad-options", test_bad_options);
  g_test_add_func ("/cli/profile/choose", test_choose);
  g_test_add_func ("/cli/profile/choose-behind-proxy", test_choose_behind_proxy);
  g_test_add_func ("/cli/profile/ask-server", test_ask_server);
  g_test_add_func ("/cli/profile/prices", test_prices);
  g_test_add_func ("/cli/profile/environment-key", test_environment_key);
  g_test_add_func ("/cli/profile/preset", test_preset);
  g_test_add_func ("/cli/profile/sign-in", test_sign_in);
  g_test_add_func ("/cli/profile/key-command/asked", test_key_command);
  g_test_add_func ("/cli/profile/key-command/same", test_key_command_same);
  g_test_add_func ("/cli/profile/key-command/guarded", test_key_command_guarded);
  g_test_add_func ("/cli/profile/key-command/words", test_key_command_words);
  g_test_add_func ("/cli/profile/key-command/bound", test_key_command_bound);
  g_test_add_func ("/cli/profile/key-command/refused", test_key_command_refused);
  g_test_add_func ("/cli/profile/key-command/doors", test_key_command_doors);
  g_test_add_func ("/cli/profile/model-gone", test_model_gone);
  g_test_add_func ("/cli/profile/rounds", test_rounds);
  g_test_add_func ("/cli/profile/remove", test_remove);
  g_test_add_func ("/cli/profile/refused", test_refused);
  return g_test_run ();
}
