/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A server's questions: read at the border, checked when it is answered, given back as the server wants it. */

#include "base/beckon-json.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"

#define PARAMS(properties, required) \
  "{\"mode\":\"form\",\"message\":\"Who are you?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" properties \
  "},\"required\":[" required "]}}"
#define NAME_AND_AGE \
  PARAMS ("\"name\":{\"type\":\"string\",\"title\":\"Your name\"},\"age\":{\"type\":\"integer\",\"minimum\":18}", "\"name\"")

static BeckonRequest *
make (const char *params)
{
  g_autoptr (GError) error = NULL;
  BeckonRequest *request = beckon_form_request_new ("conversation", "GitHub", params, 1000, &error);

  g_assert_no_error (error);
  return request;
}

static void
assert_refused (BeckonRequest *request, const char *content, const char *words)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_FORM, content);
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_request_check_answer (request, answer, &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, words));
}

static void
assert_taken (BeckonRequest *request, BeckonAnswerKind kind, const char *content, const char *result)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (kind, content);
  g_autoptr (GError) error = NULL;
  g_autofree char *given = NULL;

  beckon_request_check_answer (request, answer, &error);
  g_assert_no_error (error);
  given = beckon_form_request_dup_result (request, answer);
  g_assert_cmpstr (given, ==, result);
}

static void
test_answers (void)
{
  g_autoptr (BeckonRequest) request = make (NAME_AND_AGE);
  g_autofree char *nobody = beckon_form_request_dup_result (request, NULL);
  g_autofree char *title = beckon_form_request_dup_title (request);

  g_assert_cmpstr (beckon_request_get_kind_name (request), ==, "form");
  g_assert_nonnull (strstr (title, "GitHub"));
  assert_taken (request, BECKON_ANSWER_FORM, "{\"name\":\"Ada\",\"age\":36}",
                "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\",\"age\":36}}");
  assert_taken (request, BECKON_ANSWER_FORM, "{\"name\":\"Ada\"}", "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
  assert_taken (request, BECKON_ANSWER_DECLINED, NULL, "{\"action\":\"decline\"}");
  assert_taken (request, BECKON_ANSWER_SKIP, NULL, "{\"action\":\"cancel\"}");
  assert_taken (request, BECKON_ANSWER_UNAVAILABLE, NULL, "{\"action\":\"cancel\"}");
  g_assert_cmpstr (nobody, ==, "{\"action\":\"cancel\"}");
}

/* Servers were seen to take a required field that was answered with nothing. */
static void
test_refused (void)
{
  g_autoptr (BeckonRequest) request = make (NAME_AND_AGE);
  g_autoptr (BeckonAnswer) approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);

  assert_refused (request, NULL, "Fill in");
  assert_refused (request, "{}", "missing");
  assert_refused (request, "{\"name\":\"\"}", "missing");
  assert_refused (request, "{\"name\":\"  \"}", "missing");
  assert_refused (request, "{\"name\":\"Ada\",\"age\":17}", "age");
  assert_refused (request, "{\"name\":\"Ada\",\"age\":\"old\"}", "age");
  assert_refused (request, "{\"name\":\"Ada\",\"admin\":true}", "");
  assert_refused (request, "[]", "object");
  assert_refused (request, "{\"name\"", "JSON");
  g_assert_false (beckon_request_check_answer (request, approved, NULL));
}

static void
test_formats (void)
{
  static const struct
  {
    const char *schema, *good, *bad;
  } cases[] = {
    { "{\"type\":\"string\",\"format\":\"email\"}", "\"a@b.example\"", "\"nobody\"" },
    { "{\"type\":\"string\",\"format\":\"uri\"}", "\"https://a.example/\"", "\"a b\"" },
    { "{\"type\":\"string\",\"format\":\"date\"}", "\"2026-02-28\"", "\"2026-02-30\"" },
    { "{\"type\":\"string\",\"format\":\"date-time\"}", "\"2026-02-28T10:00:00Z\"", "\"today\"" },
    { "{\"type\":\"string\",\"minLength\":2,\"maxLength\":3}", "\"äöü\"", "\"abcd\"" },
    { "{\"type\":\"string\",\"pattern\":\"^[A-Z]+$\"}", "\"ABC\"", "\"abc\"" },
    { "{\"type\":\"number\",\"maximum\":1.5}", "1.5", "1.6" },
    { "{\"type\":\"integer\"}", "3", "3.5" },
    { "{\"type\":\"boolean\"}", "false", "\"false\"" },
    { "{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}", "\"b\"", "\"c\"" },
    { "{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\",\"title\":\"A\"},{\"const\":\"b\"}]}", "\"b\"", "\"B\"" },
    { "{\"type\":\"array\",\"maxItems\":1,\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}}", "[\"a\"]", "[\"a\",\"b\"]" },
    { "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"a\",\"title\":\"A\"}]}}", "[\"a\"]", "[\"b\"]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params = g_strdup_printf (PARAMS ("\"it\":%s", "\"it\""), cases[i].schema);
      g_autofree char *good = g_strdup_printf ("{\"it\":%s}", cases[i].good);
      g_autofree char *bad = g_strdup_printf ("{\"it\":%s}", cases[i].bad);
      g_autofree char *result = g_strdup_printf ("{\"action\":\"accept\",\"content\":%s}", good);
      g_autoptr (BeckonRequest) request = make (params);

      g_assert_true (beckon_form_request_is_flat (request));
      assert_taken (request, BECKON_ANSWER_FORM, good, result);
      assert_refused (request, bad, "");
    }
}

/* Defaults that fit are filled in; off is the answer of what nobody switched on. */
static void
test_defaults (void)
{
  g_autoptr (BeckonRequest) request = make (PARAMS ("\"a\":{\"type\":\"string\",\"default\":\"x\"},"
                                                    "\"b\":{\"type\":\"integer\",\"default\":\"y\"},"
                                                    "\"c\":{\"type\":\"boolean\"},"
                                                    "\"d\":{\"type\":\"array\",\"default\":[\"m\"],"
                                                    "\"items\":{\"type\":\"string\",\"enum\":[\"m\",\"n\"]}}", ""));
  g_autoptr (BeckonForm) form = beckon_form_request_make_form (request);
  g_autoptr (JsonObject) initial = beckon_json_parse_object (beckon_form_get_text (form), -1, NULL);

  g_assert_cmpstr (beckon_json_get_string (initial, "a"), ==, "x");
  g_assert_false (json_object_has_member (initial, "b"));
  g_assert_false (beckon_json_get_boolean (initial, "c", TRUE));
  g_assert_cmpint (beckon_form_find (form, "/d")->kind, ==, BECKON_FORM_SEVERAL);
  g_assert_true (beckon_form_find (form, "/d")->picked[0]);
  g_assert_true (beckon_form_pick (form, beckon_form_find (form, "/d"), 1, TRUE));
  g_assert_cmpstr (beckon_form_find (form, "/d")->json, ==, "[\"m\", \"n\"]");
  g_assert_true (beckon_form_type (form, beckon_form_find (form, "/b"), "7"));
  g_assert_cmpstr (beckon_form_find (form, "/b")->json, ==, "7");
  g_assert_true (beckon_form_type (form, beckon_form_find (form, "/b"), " "));
  g_assert_false (beckon_form_find (form, "/b")->is_present);
  g_assert_true (beckon_form_is_valid (form));
}

static void
test_bad_params (void)
{
  static const char *const cases[] = {
    "", "[]", "{}", "{\"message\":1}", "{\"message\":\"m\"}", "{\"message\":\"m\",\"requestedSchema\":[]}",
    "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"array\"}}", "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\"}}",
    "{\"message\":\"m\",\"mode\":\"voice\"}", "{\"message\":\"m\",\"mode\":\"url\"}",
    "{\"message\":\"m\",\"mode\":\"url\",\"url\":\"file:///etc/passwd\"}",
    "{\"message\":\"m\",\"mode\":\"url\",\"url\":\"javascript:alert(1)\"}",
    "{\"message\":\"m\",\"mode\":\"url\",\"url\":\"/path\"}",
    "{\"message\":\"m\",\"message\":\"n\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}",
  };
  g_autofree char *long_message = g_strnfill (16 * 1024 + 1, 'm');
  g_autofree char *params
    = g_strdup_printf ("{\"message\":\"%s\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}", long_message);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_form_request_new ("conversation", "s", cases[i], 0, &error));
      g_assert_nonnull (error);
    }
  g_assert_null (beckon_form_request_new ("conversation", "s", params, 0, NULL));
}

/* A schema for which there are no controls is written as JSON, and checked by the schema as it was sent. */
static void
test_not_flat (void)
{
  g_autoptr (BeckonRequest) nested = make (PARAMS ("\"at\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"integer\"}}}",
                                                   "\"at\""));
  g_autoptr (BeckonRequest) cyclic
    = make ("{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}}}}");

  g_assert_false (beckon_form_request_is_flat (nested));
  assert_refused (nested, "{\"at\":{\"x\":\"y\"}}", "");
  assert_taken (nested, BECKON_ANSWER_FORM, "{\"at\":{\"x\":1}}", "{\"action\":\"accept\",\"content\":{\"at\":{\"x\":1}}}");
  g_assert_false (beckon_form_request_is_flat (cyclic));
  assert_taken (cyclic, BECKON_ANSWER_FORM, "{\"a\":{\"a\":{}}}", "{\"action\":\"accept\",\"content\":{\"a\":{\"a\":{}}}}");
}

static void
test_url (void)
{
  static const struct
  {
    const char *url, *host, *warning;
  } cases[] = {
    { "https://github.com/login?x=1", "github.com", NULL },
    { "http://localhost:8080/x", "localhost:8080", NULL },
    { "http://example.org/", "example.org", "not encrypted" },
    { "https://xn--pple-43d.com/", "xn--pple-43d.com", "look like others" },
    { "https://github.com@evil.example/", "evil.example", "@" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params
        = g_strdup_printf ("{\"mode\":\"url\",\"message\":\"m\",\"elicitationId\":\"e\",\"url\":\"%s\"}", cases[i].url);
      g_autoptr (BeckonRequest) request = make (params);
      g_autofree char *host = beckon_form_request_dup_host (request);
      g_autofree char *warning = beckon_form_request_dup_url_warning (request);

      g_assert_true (beckon_form_request_is_url (request));
      g_assert_cmpstr (beckon_form_request_get_elicitation_id (request), ==, "e");
      g_assert_cmpstr (host, ==, cases[i].host);
      g_assert_true ((warning != NULL) == (cases[i].warning != NULL));
      g_assert_true (warning == NULL || strstr (warning, cases[i].warning) != NULL);
      assert_taken (request, BECKON_ANSWER_FORM, NULL, "{\"action\":\"accept\"}");
      assert_refused (request, "{}", "address");
    }
}

static void
test_secret (void)
{
  static const char *const secrets[] = { "password", "apiKey", "api_key", "access_token", "githubToken", "PIN" };
  static const char *const others[] = { "name", "tokenizer", "spinner", "passenger", "pinned" };

  for (guint i = 0; i < G_N_ELEMENTS (secrets) + G_N_ELEMENTS (others); i++)
    {
      gboolean is_secret = i < G_N_ELEMENTS (secrets);
      const char *name = is_secret ? secrets[i] : others[i - G_N_ELEMENTS (secrets)];
      g_autofree char *params = g_strdup_printf (PARAMS ("\"%s\":{\"type\":\"string\"}", ""), name);
      g_autoptr (BeckonRequest) request = make (params);

      g_assert_cmpstr (beckon_form_request_get_secret (request), ==, is_secret ? name : NULL);
    }
}

/* A description that forbids a secret asks for none. */
static void
test_described_secret (void)
{
  static const struct
  {
    const char *description;
    gboolean is_secret;
  } cases[] = {
    { "Enter your pin", TRUE },
    { "Enter your pass\u200bword", TRUE },
    { "Don't share it with others\\nPassword of the account", TRUE },
    { "Your favorite integer (do not give us your phone number, pin, or other sensitive info)", FALSE },
    { "Do not leave this empty. Your password", TRUE },
    { "Your PIN. Never give it to others.", TRUE },
    { "Never shared, so enter your password", TRUE },
    { "请勿填写密码", FALSE },
    { "请填写密码", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params
        = g_strdup_printf (PARAMS ("\"number\":{\"type\":\"string\",\"description\":\"%s\"}", ""), cases[i].description);
      g_autoptr (BeckonRequest) request = make (params);

      g_assert_true ((beckon_form_request_get_secret (request) != NULL) == cases[i].is_secret);
    }
}

/* The message of a form may ask for a secret that the name of its only field does not speak of. */
static void
test_secret_of_message (void)
{
  static const struct
  {
    const char *message;
    const char *fields;
    const char *secret; /* (nullable) */
  } cases[] = {
    { "Enter your password", "\"value\":{\"type\":\"string\",\"title\":\"Value\"}", "Value" },
    { "Enter your password", "\"value\":{\"type\":\"string\"},\"save\":{\"type\":\"boolean\"}", "value" },
    { "请输入验证码", "\"value\":{\"type\":\"integer\"}", "value" },
    { "Enter your name", "\"value\":{\"type\":\"string\"}", NULL },
    { "Who are you? Never share your password with us.", "\"value\":{\"type\":\"string\"}", NULL },
    { "Your token has expired", "\"next\":{\"type\":\"string\",\"enum\":[\"stop\",\"go on\"]}", NULL },
    { "You get a password by mail", "\"name\":{\"type\":\"string\"},\"town\":{\"type\":\"string\"}", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params
        = g_strdup_printf ("{\"message\":\"%s\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{%s}}}",
                           cases[i].message, cases[i].fields);
      g_autoptr (BeckonRequest) request = make (params);

      g_assert_cmpstr (beckon_form_request_get_secret (request), ==, cases[i].secret);
    }
}

/* A request comes back from the store as it was, and so does the other form beside it. */
static void
test_body (void)
{
  g_autoptr (BeckonRequest) request = make (NAME_AND_AGE);
  g_autoptr (BeckonRequest) outcome = beckon_outcome_request_new (NULL, "c", "m", "call", "run", "{}", 1, 2);
  g_autoptr (BeckonRequest) again = NULL;
  g_autoptr (BeckonRequest) outcome_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *body = NULL;
  g_autofree char *outcome_body = beckon_request_dup_body (outcome);
  g_autofree char *logged = NULL;

  beckon_form_request_set_resumption (request, "key", "{\"requestState\":\"s\"}");
  body = beckon_request_dup_body (request);
  logged = beckon_request_dup_logged (request);
  again = beckon_request_new_from_body ("id", "conversation", NULL, NULL, "form", body, 3, &error);
  g_assert_no_error (error);
  g_assert_true (BECKON_IS_FORM_REQUEST (again));
  g_assert_cmpstr (beckon_form_request_get_message (again), ==, "Who are you?");
  g_assert_cmpstr (beckon_form_request_get_key (again), ==, "key");
  g_assert_cmpstr (beckon_form_request_get_resumption (again), ==, "{\"requestState\":\"s\"}");
  g_assert_null (strstr (logged, "requestState"));
  outcome_again = beckon_request_new_from_body ("id", "c", "m", "call", "form", outcome_body, 3, &error);
  g_assert_no_error (error);
  g_assert_true (BECKON_IS_OUTCOME_REQUEST (outcome_again));
  g_assert_null (beckon_request_new_from_body ("id", "c", "m", "call", "form", "{\"form\":\"other\"}", 3, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request/form/answers", test_answers);
  g_test_add_func ("/request/form/refused", test_refused);
  g_test_add_func ("/request/form/formats", test_formats);
  g_test_add_func ("/request/form/defaults", test_defaults);
  g_test_add_func ("/request/form/bad-params", test_bad_params);
  g_test_add_func ("/request/form/not-flat", test_not_flat);
  g_test_add_func ("/request/form/url", test_url);
  g_test_add_func ("/request/form/secret", test_secret);
  g_test_add_func ("/request/form/described-secret", test_described_secret);
  g_test_add_func ("/request/form/secret-of-message", test_secret_of_message);
  g_test_add_func ("/request/form/body", test_body);
  return g_test_run ();
}
