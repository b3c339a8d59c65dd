/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The probe's words for a person who sets a server up. */
#include "beckon-fixture-server.h"
#include "beckon-test-endpoint.h"
#include "domain/beckon-effort.h"
#include "llm/beckon-model-list.h"
#include "llm/beckon-probe.h"

#include <string.h>

#define KEY "sk-test-0123456789"

typedef struct
{
  BeckonFixtureServer *server;
  BeckonProbe *probe;
  BeckonProfile *profile;
  GCancellable *cancellable;
  gboolean done;
  gboolean ok;
  GPtrArray *models;
  GError *error;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTestEndpoint) endpoint = NULL;

  fixture->server = beckon_fixture_server_new (0);
  endpoint = beckon_test_endpoint_new (beckon_fixture_server_get_base_url (fixture->server), KEY);
  fixture->probe = beckon_probe_new (BECKON_ENDPOINT_SOURCE (endpoint), beckon_clock_get_system ());
  fixture->profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);
  fixture->cancellable = g_cancellable_new ();
  g_object_set (fixture->profile, "name", "Test", "base-url", beckon_fixture_server_get_base_url (fixture->server), "model",
                "small", NULL);
}

/* The thread that read a list may let go of it a moment after the result came. */
static void
end_probe (Fixture *fixture)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (g_atomic_int_get (&G_OBJECT (fixture->probe)->ref_count) > 1 && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_finalize_object (fixture->probe);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  end_probe (fixture);
  g_object_unref (fixture->profile);
  g_object_unref (fixture->cancellable);
  g_clear_pointer (&fixture->models, g_ptr_array_unref);
  g_clear_error (&fixture->error);
  beckon_fixture_server_free (fixture->server);
}

static void
answer (Fixture *fixture, guint status, const char *type, const char *body)
{
  g_autoptr (BeckonFixtureReply) reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, status, NULL, type, body);
  beckon_fixture_server_queue (fixture->server, g_steal_pointer (&reply));
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->models = beckon_probe_list_finish (BECKON_PROBE (source), result, &fixture->error);
  fixture->done = TRUE;
}

static void
on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->ok = beckon_probe_test_finish (BECKON_PROBE (source), result, NULL, &fixture->error);
  fixture->done = TRUE;
}

static void
wait_for_it (Fixture *fixture)
{
  while (!fixture->done)
    g_main_context_iteration (NULL, TRUE);
  fixture->done = FALSE;
}

static void
list (Fixture *fixture)
{
  g_clear_pointer (&fixture->models, g_ptr_array_unref);
  g_clear_error (&fixture->error);
  beckon_probe_list_async (fixture->probe, fixture->profile, 0, fixture->cancellable, on_listed, fixture);
  g_assert_false (fixture->done);
  wait_for_it (fixture);
}

static void
try_it (Fixture *fixture)
{
  g_clear_error (&fixture->error);
  beckon_probe_test_async (fixture->probe, fixture->profile, fixture->cancellable, on_tested, fixture);
  wait_for_it (fixture);
}

static void
assert_says (Fixture *fixture, const char *words)
{
  g_assert_nonnull (fixture->error);
  g_assert_false (fixture->ok);
  if (strstr (fixture->error->message, words) == NULL || strstr (fixture->error->message, KEY) != NULL)
    g_error ("“%s” does not say “%s”, or says the key", fixture->error->message, words);
}

static const BeckonFixtureRequest *
last_request (Fixture *fixture)
{
  return beckon_fixture_server_get_request (fixture->server, beckon_fixture_server_count_requests (fixture->server) - 1);
}

static char *
join_names (GPtrArray *models)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < models->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "", beckon_listed_model_get_name (g_ptr_array_index (models, i)));
  return g_string_free (names, FALSE);
}

/* Each protocol's list: its address, the header of the key, and the models. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *path;
    const char *header;
    const char *value;
    const char *body;
  } cases[] = {
    { BECKON_PROFILE_CHAT, "/v1/models", "Authorization", "Bearer " KEY,
      "{\"object\":\"list\",\"data\":[{\"id\":\"b\"},{\"id\":\"a\"},{\"id\":\"a\"}]}" },
    { BECKON_PROFILE_RESPONSES, "/v1/models", "Authorization", "Bearer " KEY, "{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"}]}" },
    { BECKON_PROFILE_ANTHROPIC, "/v1/models?limit=1000", "x-api-key", KEY,
      "{\"data\":[{\"type\":\"model\",\"id\":\"b\",\"display_name\":\"B\"},{\"id\":\"a\"}],\"has_more\":false}" },
    { BECKON_PROFILE_GEMINI, "/v1/models?pageSize=1000", "x-goog-api-key", KEY,
      "{\"models\":[{\"name\":\"models/b\",\"supportedGenerationMethods\":[\"generateContent\"]},{\"name\":\"models/a\"},"
      "{\"name\":\"models/embeds\",\"supportedGenerationMethods\":[\"embedContent\"]}]}" },
    { BECKON_PROFILE_OLLAMA, "/v1/api/tags", "Authorization", "Bearer " KEY,
      "{\"models\":[{\"name\":\"b\",\"model\":\"b\"},{\"name\":\"a\"}]}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *value = NULL;
      g_autofree char *names = NULL;

      beckon_profile_set_kind (fixture->profile, cases[i].kind);
      answer (fixture, 200, "application/json", cases[i].body);
      list (fixture);
      g_assert_no_error (fixture->error);
      names = join_names (fixture->models);
      g_assert_cmpstr (names, ==, "a b");
      g_assert_cmpstr (last_request (fixture)->method, ==, "GET");
      g_assert_cmpstr (last_request (fixture)->path, ==, cases[i].path);
      value = beckon_fixture_request_dup_header (last_request (fixture), cases[i].header);
      g_assert_cmpstr (value, ==, cases[i].value);
    }
}

static void
test_list_fails (Fixture *fixture, gconstpointer data)
{
  answer (fixture, 200, "text/html", "<html>Hello</html>");
  list (fixture);
  g_assert_null (fixture->models);
  assert_says (fixture, "not with a list of models");
  answer (fixture, 401, "application/json", "{\"error\":{\"message\":\"Bad key " KEY "\"}}");
  list (fixture);
  assert_says (fixture, "does not accept the key");
  answer (fixture, 302, "text/plain", "");
  list (fixture);
  g_assert_error (fixture->error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_REDIRECT);
}

/* Entries that are no names are left out: they could not be shown as they are. */
static void
test_odd_names (void)
{
  static const char body[] = "{\"data\":[{\"id\":\"good\"},{\"id\":\"\"},{\"id\":3},{\"id\":\"a\\nb\"},{\"id\":\"a\\u202eb\"},7,null,[]]}";
  g_autoptr (GPtrArray) models = beckon_model_list_parse (BECKON_PROFILE_CHAT, body, strlen (body), NULL);

  g_assert_cmpuint (models->len, ==, 1);
  g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, 0)), ==, "good");
}

static void
test_bare_list (void)
{
  static const char body[] = "\n[{\"id\":\"a/b\",\"type\":\"chat\"},{\"id\":\"c/d\"},null,{\"id\":\"c/d\"}]";
  g_autoptr (GPtrArray) models = beckon_model_list_parse (BECKON_PROFILE_CHAT, body, strlen (body), NULL);

  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, 0)), ==, "a/b");
  g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, 1)), ==, "c/d");
}

/* Neither is one that can't be read. */
static void
test_odd_entries (void)
{
  static const char body[] = "{\"object\":\"list\",\"total\":9223372036854775808,\"data\":[{\"id\":\"good\"},"
                             "{\"id\":\"a\",\"created\":9223372036854775808},{\"id\":\"b\",\"context_length\":1e999},"
                             "{\"id\":\"c\\u0000\"},{\"id\":\"d\",\"owned_by\":\"\\ud800\"},{\"id\":\"fine\"}]}";
  static const char *const wrong[] = { "{\"data\":{}}", "{\"data\":[{\"id\":\"a\"}}", "{\"data\":[]", "[]", "{}", "{\"data\":null}" };
  g_autoptr (GPtrArray) models = beckon_model_list_parse (BECKON_PROFILE_CHAT, body, strlen (body), NULL);

  g_assert_cmpuint (models->len, ==, 2);
  g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, 0)), ==, "fine");
  g_assert_cmpstr (beckon_listed_model_get_name (g_ptr_array_index (models, 1)), ==, "good");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_model_list_parse (BECKON_PROFILE_CHAT, wrong[i], strlen (wrong[i]), &error));
      g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL);
    }
}

/* Servers describe their models, each in its own way. */
static void
test_facts (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *body;
    BeckonModelFacts facts;
  } cases[] = {
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','context_length':131072,'architecture':{'input_modalities':['text','image']},"
                           "'top_provider':{'max_completion_tokens':8192}}]}", { 131072, 8192, 1, 0 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','context_window':32768,'max_completion_tokens':4096}]}", { 32768, 4096, -1, -1 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','max_context_length':128000,'capabilities':{'vision':false}}]}",
      { 128000, 0, 0, -1 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','max_model_len':4096}]}", { 4096, 0, -1, -1 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','meta':{'n_ctx_train':131072,'n_ctx':8192}}]}", { 8192, 0, -1, -1 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','supports_image_in':true}]}", { 0, 0, 1, -1 } },
    { BECKON_PROFILE_GEMINI, "{'models':[{'name':'models/m','inputTokenLimit':1048576,'outputTokenLimit':65536,"
                             "'supportedGenerationMethods':['generateContent']}]}", { 1048576, 65536, -1, -1 } },
    { BECKON_PROFILE_ANTHROPIC, "{'data':[{'id':'m','max_input_tokens':1000000,'max_tokens':64000,"
                                "'capabilities':{'image_input':{'supported':true}}}]}", { 1000000, 64000, 1, -1 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','context_length':-5,'max_model_len':'big','capabilities':[7,'vision']}]}",
      { 0, 0, 1, -1 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','architecture':{'input_modalities':['file','text']}}]}", { 0, 0, 0, 1 } },
    { BECKON_PROFILE_ANTHROPIC, "{'data':[{'id':'m','capabilities':{'pdf_input':{'supported':true}}}]}", { 0, 0, -1, 1 } },
    { BECKON_PROFILE_ANTHROPIC, "{'data':[{'id':'m','capabilities':{'pdf_input':{'supported':false}}}]}", { 0, 0, -1, 0 } },
    { BECKON_PROFILE_CHAT, "{'data':[{'id':'m','context_length':99999999999}]}", { BECKON_PROFILE_WINDOW_MAX, 0, -1, -1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *body = g_strdelimit (g_strdup (cases[i].body), "'", '"');
      g_autoptr (GPtrArray) models = beckon_model_list_parse (cases[i].kind, body, strlen (body), NULL);
      const BeckonModelFacts *found = &beckon_listed_model_get_details (g_ptr_array_index (models, 0))->facts;

      g_assert_cmpuint (models->len, ==, 1);
      g_assert_cmpuint (found->window, ==, cases[i].facts.window);
      g_assert_cmpuint (found->output, ==, cases[i].facts.output);
      g_assert_cmpint (found->images, ==, cases[i].facts.images);
      g_assert_cmpint (found->pdfs, ==, cases[i].facts.pdfs);
    }
}

/* Details of a list that only matter when a model is chosen. */
static void
test_details (void)
{
  static const struct
  {
    const char *model;
    int tools;
    const char *created;
    const char *retires;
    double prices[BECKON_N_PRICES];
    const char *efforts;
  } cases[] = {
    { "'created':1767225600", -1, "2026-01-01", "", { -1, -1, -1 }, "" },
    { "'created_at':'2026-01-01T12:00:00Z','capabilities':{'effort':{'supported':true,'low':{'supported':true},"
      "'max':{'supported':true},'high':{'supported':false}}}", -1, "2026-01-01", "", { -1, -1, -1 }, "low max" },
    { "'supported_parameters':['tools'],'expiration_date':'2027-02-03','pricing':{'prompt':'0.00000125','completion':'0.00001',"
      "'input_cache_read':'0.000000125'}", 1, "", "2027-02-03", { 1.25, 0.125, 10 }, "" },
    { "'supported_parameters':['top_p'],'pricing':{'prompt':'-1','completion':'-1'}", 0, "", "", { -1, -1, -1 }, "" },
    { "'deprecation':'2026-11-30T00:00:00Z','capabilities':{'completion_chat':true,'function_calling':true}", 1, "",
      "2026-11-30", { -1, -1, -1 }, "" },
    { "'deprecation':null,'capabilities':{'completion_chat':false}", 0, "", "", { -1, -1, -1 }, "" },
    { "'reasoning':{'mandatory':true,'supported_efforts':['xhigh','high','odd',7]}", -1, "", "", { -1, -1, -1 }, "high xhigh" },
    { "'reasoning':{'mandatory':false,'supported_efforts':['high','low']}", -1, "", "", { -1, -1, -1 }, "none low high" },
    { "'reasoning':{'mandatory':true,'supported_efforts':null}", -1, "", "", { -1, -1, -1 },
      "minimal low medium high xhigh max" },
    { "'active':false", 0, "", "", { -1, -1, -1 }, "" },
    { "'type':'embeddings'", 0, "", "", { -1, -1, -1 }, "" },
    { "'capabilities':['tool_use'],'created':'soon'", 1, "", "", { -1, -1, -1 }, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quoted = g_strdup_printf ("{'data':[{'id':'m',%s}]}", cases[i].model);
      g_autofree char *body = g_strdelimit (g_steal_pointer (&quoted), "'", '"');
      g_autoptr (GPtrArray) models = beckon_model_list_parse (BECKON_PROFILE_CHAT, body, strlen (body), NULL);
      const BeckonModelDetails *found = beckon_listed_model_get_details (g_ptr_array_index (models, 0));
      g_autoptr (GDateTime) created = g_date_time_new_from_unix_utc (found->created);
      g_autoptr (GDateTime) retires = g_date_time_new_from_unix_utc (found->retires);
      g_autofree char *born = found->created > 0 ? g_date_time_format (created, "%F") : g_strdup ("");
      g_autofree char *efforts = beckon_effort_levels_dup_words (found->facts.efforts);
      g_autofree char *gone = found->retires > 0 ? g_date_time_format (retires, "%F") : g_strdup ("");

      g_assert_cmpint (found->tools, ==, cases[i].tools);
      g_assert_cmpstr (born, ==, cases[i].created);
      g_assert_cmpstr (gone, ==, cases[i].retires);
      g_assert_cmpstr (efforts, ==, cases[i].efforts);
      g_assert_cmpint (found->facts.prices_from, ==, cases[i].prices[0] >= 0 ? BECKON_FACT_SERVER : BECKON_FACT_UNKNOWN);
      for (guint j = 0; j < BECKON_N_PRICES; j++)
        g_assert_cmpfloat_with_epsilon (found->facts.prices[j], cases[i].prices[j], 1e-9);
    }
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonFixtureReply) reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_hold (reply, "gate");
  beckon_fixture_server_queue (fixture->server, g_steal_pointer (&reply));
  beckon_probe_list_async (fixture->probe, fixture->profile, 0, fixture->cancellable, on_listed, fixture);
  while (beckon_fixture_server_count_held (fixture->server, "gate") == 0)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (fixture->cancellable);
  wait_for_it (fixture);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_works (Fixture *fixture, gconstpointer data)
{
  beckon_profile_set_output_limit (fixture->profile, 9999);
  beckon_fixture_server_queue (fixture->server, beckon_fixture_reply_new_chat ("OK"));
  try_it (fixture);
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->ok);
  /* Cheap: a few words each way, and one request. */
  g_assert_nonnull (strstr (last_request (fixture)->body, "\"max_tokens\":16"));
  g_assert_cmpuint (last_request (fixture)->length, <, 300);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_cmpuint (beckon_profile_get_output_limit (fixture->profile), ==, 9999);
}

static void
test_complaints (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint status;
    const char *body;
    const char *words;
  } cases[] = {
    { 401, "{\"error\":{\"message\":\"Incorrect API key\"}}", "does not accept the key" },
    { 403, "{\"error\":{\"message\":\"Not you\"}}", "refuses access" },
    { 402, "{\"error\":{\"message\":\"Pay\"}}", "no credit left" },
    { 429, "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"No\"}}", "no credit left" },
    { 429, "{\"error\":{\"message\":\"Slowly\"}}", "Rate limit reached" },
    { 500, "{\"error\":{\"message\":\"Oops\"}}", "internal problem" },
    { 400, "{\"error\":{\"message\":\"temperature is not supported\"}}", "temperature is not supported" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      answer (fixture, cases[i].status, "application/json", cases[i].body);
      try_it (fixture);
      assert_says (fixture, cases[i].words);
    }
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, G_N_ELEMENTS (cases));
}

/* Two mistakes have the same answer: the list of models tells which it is. */
static void
test_told_apart (Fixture *fixture, gconstpointer data)
{
  answer (fixture, 404, "application/json", "{\"error\":{\"message\":\"no such thing\"}}");
  answer (fixture, 200, "application/json", "{\"data\":[{\"id\":\"large\"}]}");
  try_it (fixture);
  assert_says (fixture, "has no model “small”");
  answer (fixture, 404, "text/html", "<html>Not found</html>");
  answer (fixture, 404, "text/html", "<html>Not found</html>");
  try_it (fixture);
  assert_says (fixture, "many end with /v1");
  answer (fixture, 200, "text/html", "<html>Welcome</html>");
  answer (fixture, 200, "text/html", "<html>Welcome</html>");
  try_it (fixture);
  assert_says (fixture, "many end with /v1");
  /* The model is there, so the server's own words are the best there are. */
  answer (fixture, 404, "application/json", "{\"error\":{\"message\":\"not in your region\"}}");
  answer (fixture, 200, "application/json", "{\"data\":[{\"id\":\"small\"}]}");
  try_it (fixture);
  assert_says (fixture, "not in your region");
}

static void
test_unreachable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonTestEndpoint) endpoint = beckon_test_endpoint_new ("http://127.0.0.1:9/v1", NULL);

  end_probe (fixture);
  fixture->probe = beckon_probe_new (BECKON_ENDPOINT_SOURCE (endpoint), beckon_clock_get_system ());
  try_it (fixture);
  assert_says (fixture, "Nothing answers");
  /* A profile that is not whole is refused before anything is sent. */
  beckon_profile_set_model (fixture->profile, "");
  try_it (fixture);
  assert_says (fixture, "The model is empty");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/llm/probe/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("list", test_list);
  ADD ("list/fails", test_list_fails);
  g_test_add_func ("/llm/probe/list/odd-names", test_odd_names);
  g_test_add_func ("/llm/probe/bare-list", test_bare_list);
  g_test_add_func ("/llm/probe/list/odd-entries", test_odd_entries);
  g_test_add_func ("/llm/probe/facts", test_facts);
  g_test_add_func ("/llm/probe/details", test_details);
  ADD ("cancelled", test_cancelled);
  ADD ("works", test_works);
  ADD ("complaints", test_complaints);
  ADD ("told-apart", test_told_apart);
  ADD ("unreachable", test_unreachable);
#undef ADD
  return g_test_run ();
}
