/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-rule-json.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

static BeckonRule *
read_rule (const char *json, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (json, -1, NULL);

  g_assert_nonnull (object);
  return beckon_rule_read (object, error);
}

static char *
write_rule (const BeckonRule *rule)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_rule_write (&writer, rule);
  return g_string_free (text, FALSE);
}

#define WHOLE                                                                                                          \
  "{\"id\":\"r1\",\"tool\":\"run_command\",\"server\":\"files\",\"arguments\":{\"command\":\"git *\"},\"folder\":\"/w\","    \
  "\"conversation\":\"c1\",\"verdict\":\"deny\",\"created_at\":5,\"expires_at\":9}"

/* A rule is written as it was read, all of it, and with nothing that it has not. */
static void
test_whole (void)
{
  static const char *const texts[] = {
    WHOLE,
    "{\"id\":\"r1\",\"tool\":\"read_file\",\"verdict\":\"allow\",\"created_at\":0}",
    "{\"id\":\"r1\",\"server\":\"files\",\"verdict\":\"ask\",\"created_at\":0}",
    "{\"id\":\"r1\",\"tool\":\"read_file\",\"arguments\":{},\"verdict\":\"allow\",\"created_at\":0}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonRule) rule = read_rule (texts[i], &error);
      g_autoptr (BeckonRule) copy = NULL;
      g_autofree char *again = NULL;

      g_assert_no_error (error);
      copy = beckon_rule_copy (rule);
      again = write_rule (copy);
      g_assert_cmpstr (again, ==, texts[i]);
    }
}

/* The place of a rule and its uses are no part of it. */
static void
test_counters (void)
{
  g_autoptr (BeckonRule) rule = read_rule (WHOLE, NULL);
  g_autoptr (BeckonRule) copy = beckon_rule_copy (rule);
  g_autofree char *text = NULL;

  copy->number = 3;
  copy->uses = 4;
  copy->used_at = 5;
  text = write_rule (copy);
  g_assert_cmpstr (text, ==, WHOLE);
}

/* A folder is written in the one way that conversations have it. */
static void
test_folder (void)
{
  static const char *const folders[] = { "/w", "/w/", "/w//", "/w/.", "/w/a/..", "//w" };

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"tool\":\"a\",\"verdict\":\"ask\",\"folder\":\"%s\"}", folders[i]);
      g_autoptr (BeckonRule) rule = read_rule (json, NULL);

      g_assert_nonnull (rule);
      g_assert_cmpstr (rule->folder, ==, "/w");
    }
}

static void
test_new_id (void)
{
  g_autoptr (BeckonRule) one = read_rule ("{\"tool\":\"a\",\"verdict\":\"ask\"}", NULL);
  g_autoptr (BeckonRule) other = read_rule ("{\"tool\":\"a\",\"verdict\":\"ask\"}", NULL);

  g_assert_cmpstr (one->id, !=, "");
  g_assert_cmpstr (one->id, !=, other->id);
}

static void
assert_refused (const char *json, const char *member)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRule) rule = read_rule (json, &error);
  g_autofree char *quoted = g_strdup_printf ("“%s”", member);

  g_test_message ("%.80s", json);
  g_assert_null (rule);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, quoted));
}

/* A member that is not known could restrict the rule, and one that is wrong could widen it. */
static void
test_refused (void)
{
  static const struct
  {
    const char *json;
    const char *member;
  } cases[] = {
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"hosts\":[\"a.example\"]}", "hosts" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"Folder\":\"/w\"}", "Folder" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"folder\":\"w\"}", "folder" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"folder\":\"\"}", "folder" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"folder\":null}", "folder" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"folder\":7}", "folder" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"conversation\":\"\"}", "conversation" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"arguments\":null}", "arguments" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"arguments\":\"{}\"}", "arguments" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"expires_at\":-1}", "expires_at" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"expires_at\":\"9\"}", "expires_at" },
    { "{\"tool\":\"a\",\"verdict\":\"allow\",\"created_at\":null}", "created_at" },
    { "{\"tool\":\"a\",\"verdict\":\"Allow\"}", "verdict" },
    { "{\"tool\":\"a\",\"verdict\":7}", "verdict" },
    { "{\"tool\":\"a\"}", "verdict" },
    { "{\"verdict\":\"allow\"}", "tool" },
    { "{\"tool\":\"\",\"server\":\"a\",\"verdict\":\"allow\"}", "tool" },
    { "{\"tool\":\"a\",\"server\":\"\",\"verdict\":\"allow\"}", "server" },
    { "{}", "tool" },
  };
  g_autofree char *long_name = g_strnfill (16385, 'a');
  g_autofree char *long_tool = g_strdup_printf ("{\"tool\":\"%s\",\"verdict\":\"ask\"}", long_name);
  g_autofree char *long_arguments = g_strdup_printf ("{\"tool\":\"a\",\"arguments\":{\"a\":\"%s\"},\"verdict\":\"ask\"}", long_name);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refused (cases[i].json, cases[i].member);
  assert_refused (long_tool, "tool");
  assert_refused (long_arguments, "arguments");
  g_assert_null (beckon_rule_read (NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

/* A bad rule refuses the whole list, and so does a rule too many. */
static void
test_list (void)
{
  static const struct
  {
    const char *json;
    guint max;
    gboolean is_good;
  } cases[] = {
    { "[]", 0, TRUE },
    { "[" WHOLE "," WHOLE "]", 2, TRUE },
    { "[" WHOLE "," WHOLE "]", 1, FALSE },
    { "[" WHOLE ",{}]", 9, FALSE },
    { "[" WHOLE ",null]", 9, FALSE },
  };
  g_autoptr (GError) none = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonNode) node = beckon_json_parse (cases[i].json, -1, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) rules = beckon_rules_read (json_node_get_array (node), cases[i].max, &error);
      g_autoptr (GString) text = g_string_new (NULL);
      BeckonJsonWriter writer;

      g_assert_cmpint (rules != NULL, ==, cases[i].is_good);
      g_assert_cmpint (error == NULL, ==, cases[i].is_good);
      if (rules == NULL)
        continue;
      beckon_json_writer_init (&writer, text);
      beckon_rules_write (&writer, rules);
      g_assert_cmpstr (text->str, ==, cases[i].json);
    }
  g_assert_null (beckon_rules_read (NULL, 9, &none));
  g_assert_error (none, BECKON_ERROR, BECKON_ERROR_INVALID);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/domain/rules/whole", test_whole);
  g_test_add_func ("/domain/rules/counters", test_counters);
  g_test_add_func ("/domain/rules/folder", test_folder);
  g_test_add_func ("/domain/rules/new-id", test_new_id);
  g_test_add_func ("/domain/rules/refused", test_refused);
  g_test_add_func ("/domain/rules/list", test_list);
  return g_test_run ();
}
