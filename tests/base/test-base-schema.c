/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "base/beckon-json-schema.h"

#include <string.h>

static BeckonJsonSchema *
make (const char *text)
{
  g_autoptr (GString) json = g_string_new (text);
  g_autoptr (GError) error = NULL;
  BeckonJsonSchema *schema;

  g_string_replace (json, "'", "\"", 0);
  schema = beckon_json_schema_new (json->str, -1, BECKON_JSON_SCHEMA_CHECK_FORMATS, &error);
  g_assert_no_error (error);
  return schema;
}

/* Returns the problems in English; "" when the value fits. */
static char *
complaints (const char *schema_text, const char *value_text)
{
  g_autoptr (BeckonJsonSchema) schema = make (schema_text);
  g_autoptr (GString) json = g_string_new (value_text);
  g_autoptr (GPtrArray) problems = NULL;

  g_string_replace (json, "'", "\"", 0);
  problems = beckon_json_schema_validate_text (schema, json->str, -1);
  return problems != NULL ? beckon_json_problems_to_message (problems) : g_strdup ("");
}

static void
assert_says (const char *schema, const char *value, const char *expected)
{
  g_autofree char *got = complaints (schema, value);

  g_assert_cmpstr (got, ==, expected);
}

#define PERSON                                                                                                     \
  "{'type':'object','properties':{'name':{'type':'string','minLength':2},'ages':{'type':'array','items':"          \
  "{'type':'integer','minimum':0}}},'required':['name'],'additionalProperties':false}"

static void
test_problems (void)
{
  assert_says (PERSON, "{'name':'Ada','ages':[1]}", "");
  assert_says (PERSON, "{'name':'A','ages':[1,-1,'x']}",
               "/name: This has to have at least 2 characters.\n/ages/1: This has to be at least 0.\n"
               "/ages/2: This has to be of the type integer.");
  assert_says (PERSON, "{'a/b~c':1}", "“name” is missing.\n“a/b~c” is not known here.");
  assert_says (PERSON, "{'name':'Ada','age':[]}", "“age” is not known here.\nDid you mean “ages”?");
  assert_says (PERSON, "{'first_name':'Ada','ages':[],'agez':1}",
               "“name” is missing.\n“first_name” is not known here.\nDid you mean “name”?\n“agez” is not known here.");
  assert_says ("{'properties':{'path':true},'required':['path']}", "{'file_path':'a'}",
               "“path” is missing.\n“file_path” is given, but not known here.");
  assert_says ("{'properties':{'path':true,'xpath':true},'required':['path']}", "{'xpath':'a'}", "“path” is missing.");
  assert_says (PERSON, "{'name':", "This is not JSON: Invalid JSON at byte 8: the text ends too early");
  assert_says (PERSON, "{'name':'Ada','name':'Eve'}",
               "This is not JSON: Invalid JSON at byte 27: an object has the same name twice");
  assert_says ("{'properties':{'a/b~c':{'type':['string','null']}}}", "{'a/b~c':1}",
               "/a~1b~0c: This has to be of the type string, null.");
  assert_says ("{'format':'date'}", "'2024-02-30'", "This is not a valid date.");
  assert_says ("{'anyOf':[{'type':'string'}]}", "1", "This has to be of the type string.");
}

/* A NUL ends no text, and whole numbers are not rounded. */
static void
test_exact (void)
{
  assert_says ("{'maxLength':2}", "'a\\u0000b'", "This may have at most 2 characters.");
  assert_says ("{'minLength':3,'maxLength':3}", "'a\\u0000é'", "");
  assert_says ("{'multipleOf':3}", "1e15", "This has to be a multiple of 3.");
  assert_says ("{'multipleOf':2}", "9007199254740993", "This has to be a multiple of 2.");
  assert_says ("{'multipleOf':0.01}", "4.35", "");
  assert_says ("{'multipleOf':5}", "1e15", "");
}

/* A stranger's hidden characters are written out, in both languages. */
static void
test_untrusted (void)
{
  g_autoptr (BeckonJsonSchema) schema = make ("{'additionalProperties':false}");
  g_autoptr (GPtrArray) problems = beckon_json_schema_validate_text (schema, "{\"a\\u202eb%s\":1}", -1);
  const BeckonJsonProblem *problem;

  g_assert_cmpuint (problems->len, ==, 1);
  problem = g_ptr_array_index (problems, 0);
  g_assert_cmpstr (problem->message, ==, "“a<U+202E>b%s” is not known here.");
  g_assert_cmpstr (problem->shown, ==, problem->message);
  g_assert_cmpstr (problem->keyword, ==, "additionalProperties");
}

/* A reference leads nowhere but into the schema. */
static void
test_references (void)
{
  assert_says ("{'$ref':'https://example.com/schema'}", "1",
               "This cannot be checked: its schema leads out of what is known.");
  assert_says ("{'$ref':'#/$defs/a','$defs':{'a':{'type':'string'}}}", "1", "This has to be of the type string.");
  assert_says ("{'$ref':'#'}", "1", "This takes too long to check against its schema.");
  assert_says ("{'not':{'$ref':'#'}}", "1", "This takes too long to check against its schema.");
}

/* Neither time nor the stack is at a stranger's mercy. */
static void
test_bounds (void)
{
  g_autoptr (GString) schema = g_string_new ("{'$defs':{'a0':{'type':'integer'}");
  g_autoptr (GString) text = g_string_new ("'");
  gint64 start = g_get_monotonic_time ();

  for (guint i = 1; i < 40; i++)
    g_string_append_printf (schema, ",'a%u':{'allOf':[{'$ref':'#/$defs/a%u'},{'$ref':'#/$defs/a%u'}]}", i, i - 1, i - 1);
  g_string_append (schema, "},'$ref':'#/$defs/a39'}");
  assert_says (schema->str, "1", "This takes too long to check against its schema.");

  for (guint i = 0; i < 50000; i++)
    g_string_append_c (text, 'a');
  g_string_append (text, "!'");
  assert_says ("{'pattern':'^(a+)+$'}", text->str, "This has to match the pattern ^(a+)+$.");
  assert_says ("{'pattern':'('}", "'x'", "");
  assert_says ("{'pattern':'^[\\\\p{L}\\\\u{1F600}]+$'}", "'日本'", "");
  /* Without the bounds this would be hours. */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_TIME_SPAN_SECOND);
}

static void
test_no_schema (void)
{
  static const char *const wrong[] = { "", "1", "[]", "{\"a\":", "{\"a\":1,\"a\":2}", "null" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_json_schema_new (wrong[i], -1, BECKON_JSON_SCHEMA_2020_12, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
test_parts (void)
{
  g_autoptr (BeckonJsonSchema) schema
      = make ("{'anyOf':[{'$ref':'#/$defs/x%25~1'},{'type':'object','required':['a']}],'$defs':{'x%/':{'type':'string'}}}");
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse ("{}", -1, NULL);
  const BeckonJsonValue *list = beckon_json_value_get (beckon_json_schema_get_root (schema), "anyOf");
  const BeckonJsonValue *text = beckon_json_value_get_child (list, 0);
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *message = NULL;

  g_assert_nonnull (beckon_json_schema_get_target (schema, text));
  g_assert_null (beckon_json_schema_get_target (schema, list));
  g_assert_false (beckon_json_schema_fits (schema, text, value));
  problems = beckon_json_schema_validate_part (schema, beckon_json_value_get_child (list, 1), value, "/here");
  message = beckon_json_problems_to_message (problems);
  g_assert_cmpstr (message, ==, "/here: “a” is missing.");
}

/* Each value says where it stands in its text, byte for byte. */
static void
test_places (void)
{
  static const char json[] = " { \"a\\u0062/\" : [ 1.50 ,true,false, null ] , \"~b\":{\"c\":\"x\\\"y\"} , \"d\":-1e3}";
  static const struct
  {
    const char *pointer;
    const char *text;
  } places[] = {
    { "/ab~1", "[ 1.50 ,true,false, null ]" }, { "/ab~1/0", "1.50" }, { "/ab~1/1", "true" }, { "/ab~1/2", "false" },
    { "/ab~1/3", "null" }, { "/~0b", "{\"c\":\"x\\\"y\"}" }, { "/~0b/c", "\"x\\\"y\"" }, { "/d", "-1e3" },
  };
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (json, -1, NULL);

  g_assert_cmpuint (value->offset, ==, 1);
  g_assert_cmpuint (value->length, ==, strlen (json) - 1);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const BeckonJsonValue *found = beckon_json_value_point (value, places[i].pointer);
      g_autofree char *text = g_strndup (json + found->offset, found->length);

      g_assert_cmpstr (text, ==, places[i].text);
      if (found->name != NULL)
        g_assert_cmpint (json[found->name_offset], ==, '"');
    }
  g_assert_null (beckon_json_value_point (value, "/ab~1/4"));
  g_assert_null (beckon_json_value_point (value, "/ab~1/01x"));
  g_assert_null (beckon_json_value_point (value, "nonsense"));
}

static void
test_values (void)
{
  static const char json[] = "{\"a\":[1,1.50,true,false,null,\"x\\u0000\\\"\"],\"b\":{},\"c\":123456789012345678901234567890}";
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (json, -1, NULL);
  g_autoptr (BeckonJsonValue) other = beckon_json_value_parse (
    "{\"c\":123456789012345678901234567890,\"b\":{},\"a\":[1.0,1.5,true,false,null,\"x\\u0000\\\"\"]}", -1, NULL);
  g_autofree char *printed = beckon_json_value_print (value);

  g_assert_cmpstr (printed, ==, json);
  g_assert_true (beckon_json_value_equal (value, other));
  g_assert_cmpuint (beckon_json_value_get_child (beckon_json_value_get (value, "a"), 5)->text->len, ==, 3);
  g_assert_null (beckon_json_value_get_string (beckon_json_value_get_child (beckon_json_value_get (value, "a"), 5)));
}

static void
assert_completed (const char *value, const char *expected)
{
  static const char schema[]
    = "{'type':'object','properties':{'format':{'type':'string','enum':['png','jpeg'],'default':'png'},'scale':{'$ref':"
      "'#/$defs/scale'},'name':{'type':'string'},'n':{'type':'integer','maximum':9},'is':{'type':'boolean'},'odd':{'type':"
      "'integer','default':'x'},'free':{'default':1},'area':{'type':'object','properties':{'width':{'type':'integer','default':"
      "800},'height':{'type':'integer'}},'required':['width','height']},'list':{'type':'array','items':{'type':'number'}}},"
      "'required':['format','name','odd'],'$defs':{'scale':{'type':'integer'}}}";
  g_autoptr (BeckonJsonSchema) read = make (schema);
  g_autoptr (GString) json = g_string_new (value);
  g_autoptr (GString) wanted = g_string_new (expected != NULL ? expected : "");
  g_autofree char *completed = NULL;

  g_string_replace (json, "'", "\"", 0);
  g_string_replace (wanted, "'", "\"", 0);
  completed = beckon_json_schema_complete (read, json->str, NULL, FALSE, NULL);
  g_assert_cmpstr (completed, ==, expected != NULL ? wanted->str : NULL);
}

/* Form is completed, content never: a missing value without a default, and what fits as it is stay. */
static void
test_complete (void)
{
  assert_completed ("{'name':'a'}", "{'name':'a','format':'png'}");
  assert_completed ("{'name':'a','format':'jpeg','area':{'height':5}}",
                    "{'name':'a','format':'jpeg','area':{'height':5,'width':800}}");
  assert_completed ("{'format':'png','n':'2','is':'true','scale':'3','list':[1,'2.5',true]}",
                    "{'format':'png','n':2,'is':true,'scale':3,'list':[1,2.5,true]}");
  assert_completed ("{'format':'png','name':'2','n':'ten','is':'yes'}", NULL);
  assert_completed ("{'format':'png','name':'2','n':'true','is':'1','scale':'null','area':'[]'}", NULL);
  assert_completed ("{'format':'png','name':'2','scale':null,'free':null}", "{'format':'png','name':'2','free':null}");
  assert_completed ("{'format':'png','list':'[1,\\'2\\']','area':'{\\'height\\': 5}'}",
                    "{'format':'png','list':[1,2],'area':{'height':5,'width':800}}");
  /* A number beyond what the schema takes is judged as that number. */
  assert_completed ("{'format':'png','name':'2','n':'10'}", "{'format':'png','name':'2','n':10}");
  assert_completed ("{'format':null}", NULL);
  assert_completed ("{'format':'png','n':2,'extra':'1'}", NULL);
  assert_completed ("[1]", NULL);
  assert_completed ("{'name'", NULL);
}

static void
assert_taken (const char *value, gboolean leaves_out, const char *expected, const char *words)
{
  static const char schema[] = "{'type':'object','properties':{'path':{'type':'string'},'n_lines':{'type':'integer','maximum':9},"
                               "'more':{'type':'array','items':{'type':'object','properties':{'path':{'type':'string'}},"
                               "'additionalProperties':false}}},'required':['path'],'additionalProperties':false}";
  static const BeckonJsonSynonym names[]
    = { { "file_path", "path" }, { "name", "path" }, { "count", "n_lines" }, { "count", NULL }, { "why", NULL }, { NULL, NULL } };
  g_autoptr (BeckonJsonSchema) read = make (schema);
  g_autoptr (GString) json = g_string_new (value);
  g_autoptr (GString) wanted = g_string_new (expected);
  g_autofree char *told = NULL;
  g_autofree char *completed = NULL;

  g_string_replace (json, "'", "\"", 0);
  g_string_replace (wanted, "'", "\"", 0);
  completed = beckon_json_schema_complete (read, json->str, names, leaves_out, &told);
  g_assert_cmpstr (completed, ==, expected != NULL ? wanted->str : NULL);
  g_assert_cmpstr (told, ==, words);
}

/* A name that can only mean another one is taken for that, and one that says nothing is left out; both are told. */
static void
test_synonyms (void)
{
  assert_taken ("{'file_path':'a','count':'3'}", FALSE, "{'path':'a','n_lines':3}",
                "`file_path` was taken for `path`. `count` was taken for `n_lines`.");
  assert_taken ("{'filePath':'a','nLines':3,'more':[{'Name':'b'}]}", FALSE, "{'path':'a','n_lines':3,'more':[{'path':'b'}]}",
                "`filePath` was taken for `path`. `nLines` was taken for `n_lines`. `Name` was taken for `path`.");
  assert_taken ("{'path':'a','why':'x','count':10}", FALSE, "{'path':'a'}",
                "`why` is not known here and was ignored. `count` was ignored: `n_lines` does not take its value.");
  assert_taken ("{'path':'a','append':true}", TRUE, "{'path':'a'}", "`append` is not known here and was ignored.");
  assert_taken ("{'path':'a','append':true}", FALSE, NULL, NULL);
  assert_taken ("{'path':'a','append':null}", FALSE, "{'path':'a'}", "`append` is not known here and was ignored.");
  /* Two that mean the same mean nothing. */
  assert_taken ("{'path':'a','file_path':'b'}", FALSE, NULL, NULL);
  assert_taken ("{'file_path':'a','name':'b'}", FALSE, "{'path':'a','name':'b'}", "`file_path` was taken for `path`.");
  assert_taken ("{'name':1}", FALSE, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/problems", test_problems);
  g_test_add_func ("/schema/exact", test_exact);
  g_test_add_func ("/schema/untrusted", test_untrusted);
  g_test_add_func ("/schema/references", test_references);
  g_test_add_func ("/schema/bounds", test_bounds);
  g_test_add_func ("/schema/no-schema", test_no_schema);
  g_test_add_func ("/schema/parts", test_parts);
  g_test_add_func ("/schema/places", test_places);
  g_test_add_func ("/schema/values", test_values);
  g_test_add_func ("/schema/complete", test_complete);
  g_test_add_func ("/schema/synonyms", test_synonyms);
  return g_test_run ();
}
