/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "form/beckon-form.h"

#include "base/beckon-json.h"

#include <string.h>

static char *
with_quotes (const char *text)
{
  GString *json = g_string_new (text);

  g_string_replace (json, "'", "\"", 0);
  return g_string_free (json, FALSE);
}

static BeckonForm *
make (const char *schema_text, const char *proposal_text)
{
  g_autofree char *schema = with_quotes (schema_text);
  g_autofree char *proposal = with_quotes (proposal_text);

  return beckon_form_new (schema, proposal, NULL);
}

static BeckonFormField *
find (BeckonForm *form, const char *pointer)
{
  BeckonFormField *field = beckon_form_find (form, pointer);

  g_assert_nonnull (field);
  g_assert_cmpstr (field->pointer, ==, pointer);
  return field;
}

static void
assert_text (BeckonForm *form, const char *expected)
{
  g_autofree char *json = with_quotes (expected);

  g_assert_cmpstr (beckon_form_get_text (form), ==, json);
}

#define MAIL                                                                                                               \
  "{'type':'object','required':['to','text'],'properties':{'to':{'type':'array','items':{'type':'string','format':'email'}," \
  "'minItems':1},'text':{'type':'string','title':'Words','description':'What is sent'},'tone':{'enum':['short','warm']},"   \
  "'words':{'type':'integer','minimum':10,'maximum':500,'default':100},'urgent':{'type':'boolean'},"                        \
  "'as':{'const':'me'}},'additionalProperties':{'type':'number'}}"

#define SENT "{ 'to': ['a@b.c', 'd@e.f'],\n  'text': 'Hi',\n  'tone': 'short', 'words': 120 }"

static void
test_fields (void)
{
  g_autoptr (BeckonForm) form = make (MAIL, SENT);
  BeckonFormField *root = beckon_form_get_root (form);

  g_assert_true (beckon_form_is_valid (form));
  g_assert_false (beckon_form_is_edited (form));
  g_assert_cmpint (root->kind, ==, BECKON_FORM_OBJECT);
  g_assert_true (root->can_grow);
  g_assert_cmpuint (root->children->len, ==, 4);
  g_assert_cmpuint (root->addable->len, ==, 2);
  g_assert_cmpint (find (form, "/to")->kind, ==, BECKON_FORM_ARRAY);
  g_assert_cmpint (find (form, "/to/1")->kind, ==, BECKON_FORM_TEXT);
  g_assert_cmpstr (find (form, "/to/1")->name, ==, "2");
  g_assert_cmpstr (find (form, "/text")->title, ==, "Words");
  g_assert_cmpstr (find (form, "/text")->description, ==, "What is sent");
  g_assert_cmpint (find (form, "/tone")->kind, ==, BECKON_FORM_ENUM);
  g_assert_cmpint (find (form, "/tone")->chosen, ==, 0);
  g_assert_cmpint (find (form, "/words")->kind, ==, BECKON_FORM_INTEGER);
  g_assert_cmpstr (find (form, "/words")->hint, ==, "10 to 500 · default: 100");
  g_assert_cmpstr (find (form, "/to/1")->hint, ==, "such as name@example.org");
  g_assert_true (find (form, "/text")->is_required);
  g_assert_false (find (form, "/text")->can_remove);
  g_assert_true (find (form, "/tone")->can_remove);
}

/* Every change is in the bytes of its place alone, and can be taken back to the very bytes. */
static void
test_bytes (void)
{
  g_autoptr (BeckonForm) form = make (MAIL, SENT);

  g_assert_true (beckon_form_type (form, find (form, "/text"), "Dear \"all\""));
  assert_text (form, "{ 'to': ['a@b.c', 'd@e.f'],\n  'text': 'Dear \\'all\\'',\n  'tone': 'short', 'words': 120 }");
  g_assert_true (find (form, "/text")->is_edited);
  g_assert_false (find (form, "/tone")->is_edited);
  g_assert_cmpstr (find (form, "/text")->proposed, ==, "\"Hi\"");
  g_assert_true (beckon_form_choose (form, find (form, "/tone"), 1));
  g_assert_true (beckon_form_step (form, find (form, "/words"), -1));
  g_assert_true (beckon_form_add_member (form, beckon_form_get_root (form), "urgent"));
  assert_text (form, "{ 'to': ['a@b.c', 'd@e.f'],\n  'text': 'Dear \\'all\\'',\n  'tone': 'warm', 'words': 119,\n  'urgent': false }");
  g_assert_true (beckon_form_remove (form, find (form, "/urgent")));
  g_assert_true (beckon_form_reset (form, find (form, "/text")));
  g_assert_true (beckon_form_reset (form, find (form, "/tone")));
  g_assert_true (beckon_form_reset (form, find (form, "/words")));
  assert_text (form, SENT);
  g_assert_false (beckon_form_is_edited (form));
}

static void
test_keys (void)
{
  g_autoptr (BeckonForm) form = make (MAIL, SENT);

  g_assert_true (beckon_form_remove (form, find (form, "/tone")));
  assert_text (form, "{ 'to': ['a@b.c', 'd@e.f'],\n  'text': 'Hi', 'words': 120 }");
  g_assert_false (find (form, "/tone")->is_present);
  g_assert_true (find (form, "/tone")->is_edited);
  g_assert_false (beckon_form_remove (form, find (form, "/text")));
  g_assert_true (beckon_form_add_member (form, beckon_form_get_root (form), "e f/~'"));
  g_assert_cmpint (find (form, "/e f~1~0'")->kind, ==, BECKON_FORM_NUMBER);
  g_assert_true (find (form, "/e f~1~0'")->can_remove);
  g_assert_false (beckon_form_add_member (form, beckon_form_get_root (form), "text"));
  g_assert_true (beckon_form_reset (form, find (form, "/e f~1~0'")));
  g_assert_true (beckon_form_fill (form, find (form, "/tone")));
  g_assert_cmpint (find (form, "/tone")->chosen, ==, 0);
  g_assert_false (find (form, "/tone")->is_edited);
}

static void
test_elements (void)
{
  g_autoptr (BeckonForm) form = make (MAIL, SENT);

  g_assert_true (beckon_form_add_element (form, find (form, "/to")));
  assert_text (form, "{ 'to': ['a@b.c', 'd@e.f', ''],\n  'text': 'Hi',\n  'tone': 'short', 'words': 120 }");
  g_assert_true (find (form, "/to/2")->is_warning);
  g_assert_true (beckon_form_is_valid (form));
  g_assert_true (beckon_form_move (form, find (form, "/to/2"), -2));
  assert_text (form, "{ 'to': ['', 'a@b.c', 'd@e.f'],\n  'text': 'Hi',\n  'tone': 'short', 'words': 120 }");
  g_assert_false (beckon_form_move (form, find (form, "/to/2"), 1));
  g_assert_true (beckon_form_remove (form, find (form, "/to/0")));
  assert_text (form, SENT);
  g_assert_true (beckon_form_remove (form, find (form, "/to/0")));
  g_assert_false (beckon_form_remove (form, find (form, "/to/0")));
  beckon_form_undo (form);
  beckon_form_undo (form);
  beckon_form_undo (form);
  beckon_form_undo (form);
  assert_text (form, SENT);
  g_assert_false (beckon_form_can_undo (form));
}

/* While it is typed a number need not be one; the form says what is wrong, where, and nothing runs. */
static void
test_numbers (void)
{
  g_autoptr (BeckonForm) form = make (MAIL, SENT);

  g_assert_true (beckon_form_type (form, find (form, "/words"), "12x"));
  g_assert_cmpint (find (form, "/words")->kind, ==, BECKON_FORM_INTEGER);
  g_assert_cmpstr (find (form, "/words")->text, ==, "12x");
  g_assert_cmpstr (find (form, "/words")->json, ==, "\"12x\"");
  g_assert_nonnull (find (form, "/words")->problem);
  g_assert_false (beckon_form_is_valid (form));
  g_assert_true (beckon_form_type (form, find (form, "/words"), " 5e1"));
  g_assert_cmpstr (find (form, "/words")->json, ==, "5e1");
  g_assert_null (find (form, "/words")->problem);
  g_assert_true (beckon_form_type (form, find (form, "/words"), "501"));
  g_assert_cmpstr (find (form, "/words")->problem, ==, "This has to be at most 500.");
  g_assert_false (beckon_form_step (form, find (form, "/words"), 1));
  beckon_form_undo (form);
  assert_text (form, SENT);
}

/* The fields and the text share a history. Strokes in one place are one step. */
static void
test_history (void)
{
  static const char *const strokes[] = { "H", "He", "Hel", "Hell", "Hello" };
  g_autoptr (BeckonForm) form = make (MAIL, SENT);
  g_autoptr (GString) text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (strokes); i++)
    g_assert_true (beckon_form_type (form, find (form, "/text"), strokes[i]));
  text = g_string_new (beckon_form_get_text (form));
  for (guint i = 0; i < 3; i++)
    {
      g_string_insert_c (text, (gssize) text->len - 2, '0');
      beckon_form_set_text (form, text->str);
    }
  g_assert_cmpstr (find (form, "/words")->text, ==, "120000");
  beckon_form_undo (form);
  g_assert_cmpstr (find (form, "/words")->text, ==, "120");
  g_assert_cmpstr (find (form, "/text")->text, ==, "Hello");
  beckon_form_undo (form);
  assert_text (form, SENT);
  beckon_form_redo (form);
  g_assert_cmpstr (find (form, "/text")->text, ==, "Hello");
  g_assert_true (beckon_form_revert (form));
  assert_text (form, SENT);
  g_assert_false (beckon_form_can_redo (form));
  beckon_form_undo (form);
  g_assert_cmpstr (find (form, "/text")->text, ==, "Hello");
}

/* A fault in the JSON is shown with its place, and the fields wait. */
static void
test_broken_text (void)
{
  g_autoptr (BeckonForm) form = make (MAIL, SENT);
  g_autofree char *fault = NULL;
  guint line;

  beckon_form_set_text (form, "{\n\"to\": [\"x\"],\n\"text\": oops}");
  g_assert_false (beckon_form_is_json (form));
  fault = beckon_form_dup_fault (form, &line);
  g_assert_cmpstr (fault, ==, "This is not JSON: unexpected character");
  g_assert_cmpuint (line, ==, 2);
  g_assert_cmpstr (find (form, "/text")->text, ==, "Hi");
  g_assert_false (beckon_form_type (form, find (form, "/text"), "x"));
  g_assert_false (beckon_form_remove (form, find (form, "/tone")));
  beckon_form_undo (form);
  assert_text (form, SENT);
  beckon_form_set_text (form, "[1]");
  g_assert_true (beckon_form_is_json (form));
  g_assert_false (beckon_form_is_valid (form));
  beckon_form_set_text (form, "{\"text\":\"x\"}");
  g_assert_cmpstr (find (form, "/to")->problem, ==, "This is missing.");
  g_assert_false (beckon_form_is_valid (form));
  g_assert_true (beckon_form_fill (form, find (form, "/to")));
  assert_text (form, "{'to':['a@b.c', 'd@e.f'],'text':'x'}");
}

#define SHAPES                                                                                                              \
  "{'properties':{'shape':{'oneOf':[{'title':'Circle','type':'object','properties':{'kind':{'const':'circle'},'r':{'type':" \
  "'number'},'name':{'type':'string'}},'required':['kind','r']},{'type':'object','properties':{'kind':{'const':'box'},"     \
  "'w':{'type':'number'},'name':{'type':'string'}},'required':['kind','w']}]},'note':{'type':['string','null']},"           \
  "'pick':{'anyOf':[{'const':1,'title':'One'},{'const':2}]},'deep':{'$ref':'#/$defs/node'}},'$defs':{'node':{'type':"       \
  "'object','properties':{'next':{'$ref':'#/$defs/node'},'value':{'type':'integer'}},'required':['value']}}}"

static void
test_choices (void)
{
  g_autoptr (BeckonForm) form =
      make (SHAPES, "{'shape':{'kind':'circle','r':2,'name':'n'},'note':null,'pick':2,'deep':{'value':1}}");
  BeckonFormField *shape = g_ptr_array_index (beckon_form_get_root (form)->children, 0);

  g_assert_cmpint (shape->kind, ==, BECKON_FORM_CHOICE);
  g_assert_cmpint (shape->chosen, ==, 0);
  g_assert_cmpstr (g_ptr_array_index (shape->options, 0), ==, "Circle");
  g_assert_cmpstr (g_ptr_array_index (shape->options, 1), ==, "box");
  g_assert_true (beckon_form_choose (form, shape, 1));
  assert_text (form, "{'shape':{'kind': 'box', 'w': 0, 'name': 'n'},'note':null,'pick':2,'deep':{'value':1}}");
  g_assert_cmpint (find (form, "/pick")->kind, ==, BECKON_FORM_ENUM);
  g_assert_cmpint (find (form, "/pick")->chosen, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (find (form, "/pick")->options, 0), ==, "One");
  g_assert_true (beckon_form_choose (form, g_ptr_array_index (beckon_form_get_root (form)->children, 1), 0));
  g_assert_cmpint (find (form, "/note")->kind, ==, BECKON_FORM_TEXT);
  g_assert_true (beckon_form_type (form, find (form, "/shape/w"), "wide"));
  g_assert_cmpstr (find (form, "/shape/w")->problem, ==, "This has to be of the type number.");
  g_assert_cmpint (((BeckonFormField *) g_ptr_array_index (beckon_form_get_root (form)->children, 0))->chosen, ==, 1);
  g_assert_true (beckon_form_add_member (form, find (form, "/deep"), "next"));
  g_assert_cmpstr (find (form, "/deep/next/value")->text, ==, "0");
  g_assert_true (beckon_form_revert (form));
  g_assert_cmpint (((BeckonFormField *) g_ptr_array_index (beckon_form_get_root (form)->children, 0))->chosen, ==, 0);
}

/* Hidden characters are written out, and a value that no control can hold is JSON. */
static void
test_hidden (void)
{
  g_autoptr (BeckonForm) form = make ("{'properties':{'n':{'type':'integer'}}}",
                                      "{'a':'x\\u202ey','b':'nul\\u0000','c':'plain\\n','n':[1]}");

  g_assert_cmpstr (find (form, "/a")->shown, ==, "x<U+202E>y");
  g_assert_cmpint (find (form, "/b")->kind, ==, BECKON_FORM_RAW);
  g_assert_cmpstr (find (form, "/b")->text, ==, "\"nul\\u0000\"");
  g_assert_null (find (form, "/c")->shown);
  g_assert_true (find (form, "/c")->is_multiline);
  g_assert_cmpint (find (form, "/n")->kind, ==, BECKON_FORM_RAW);
  g_assert_true (beckon_form_type (form, find (form, "/n"), "7"));
  g_assert_cmpint (find (form, "/n")->kind, ==, BECKON_FORM_INTEGER);
}

static void
test_settled (void)
{
  g_autofree char *settled = with_quotes ("{'to':{'access':'read-only'},'tone':{'access':'editable','allowed':['warm']}}");
  g_autoptr (BeckonParameters) parameters = beckon_parameters_from_json (settled, NULL);
  g_autofree char *schema = with_quotes (MAIL);
  g_autofree char *proposal = with_quotes (SENT);
  g_autoptr (BeckonForm) form = beckon_form_new (schema, proposal, parameters);
  g_autoptr (GString) text = NULL;

  g_assert_false (beckon_form_is_valid (form));
  g_assert_cmpstr (find (form, "/tone")->problem, ==, "This is none of the values that you allowed.");
  g_assert_cmpuint (find (form, "/tone")->options->len, ==, 1);
  g_assert_true (beckon_form_choose (form, find (form, "/tone"), 0));
  g_assert_true (beckon_form_is_valid (form));
  g_assert_false (beckon_form_remove (form, find (form, "/to/0")));
  g_assert_false (beckon_form_type (form, find (form, "/to/0"), "x"));
  text = g_string_new (beckon_form_get_text (form));
  g_string_replace (text, "a@b.c", "x@y.z", 1);
  beckon_form_set_text (form, text->str);
  g_assert_cmpstr (find (form, "/to")->problem, ==, "You settled that this is not changed.");
  g_assert_false (beckon_form_is_valid (form));
}

/* A schema that requires itself many times over, and one that is too deep for controls. */
static void
test_bounds (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (BeckonForm) form =
      make ("{'properties':{'x':{'$ref':'#'},'y':{'$ref':'#'},'z':{'$ref':'#'}},'required':['x','y','z']}", "{}");
  g_autoptr (BeckonForm) nested = NULL;

  g_assert_true (beckon_form_fill (form, find (form, "/x")));
  g_assert_cmpuint (strlen (beckon_form_get_text (form)), <, 10000);
  for (guint i = 0; i < 300; i++)
    g_string_append (deep, "{\"x\":");
  g_string_append_c (deep, '1');
  for (guint i = 0; i < 300; i++)
    g_string_append_c (deep, '}');
  nested = beckon_form_new ("{\"properties\":{\"x\":{\"$ref\":\"#\"}}}", deep->str, NULL);
  g_assert_true (beckon_form_is_json (nested));
  g_assert_cmpstr (beckon_form_get_text (nested), ==, deep->str);
}

/* Every tool of MCP's reference servers has a form in which nothing is left to JSON. */
static guint
count_raw (BeckonFormField *field)
{
  guint n = field->kind == BECKON_FORM_RAW;

  for (guint i = 0; i < field->children->len; i++)
    n += count_raw (g_ptr_array_index (field->children, i));
  return n;
}

static void
add_all (BeckonForm *form, const char *pointer)
{
  g_autoptr (BeckonFormField) field = beckon_form_field_ref (find (form, pointer));
  BeckonFormField *now;

  for (guint i = 0; field->addable != NULL && i < field->addable->len; i++)
    g_assert_true (beckon_form_add_member (form, find (form, pointer), g_ptr_array_index (field->addable, i)));
  if (field->kind == BECKON_FORM_ARRAY)
    g_assert_true (beckon_form_add_element (form, find (form, pointer)));
  now = beckon_form_field_ref (find (form, pointer));
  for (guint i = 0; i < now->children->len; i++)
    {
      BeckonFormField *child = g_ptr_array_index (now->children, i);

      if (!child->is_present)
        g_assert_true (beckon_form_fill (form, find (form, child->pointer)));
      if (strcmp (child->pointer, pointer) != 0)
        add_all (form, child->pointer);
    }
  beckon_form_field_unref (now);
}

static void
test_servers (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "form", "tool-schemas.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) list = NULL;
  JsonArray *tools;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  list = beckon_json_parse (text, -1, NULL);
  tools = json_node_get_array (list);
  g_assert_cmpuint (json_array_get_length (tools), >, 30);
  for (guint i = 0; i < json_array_get_length (tools); i++)
    {
      JsonObject *tool = json_array_get_object_element (tools, i);
      g_autofree char *schema = beckon_json_print (json_object_get_member (tool, "schema"));
      g_autoptr (BeckonForm) form = beckon_form_new (schema, "{}", NULL);

      add_all (form, "");
      g_test_message ("%s: %s", beckon_json_get_string (tool, "tool"), beckon_form_get_text (form));
      g_assert_cmpuint (count_raw (beckon_form_get_root (form)), ==, 0);
      while (beckon_form_can_undo (form))
        beckon_form_undo (form);
      g_assert_cmpstr (beckon_form_get_text (form), ==, "{}");
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/form/fields", test_fields);
  g_test_add_func ("/form/bytes", test_bytes);
  g_test_add_func ("/form/keys", test_keys);
  g_test_add_func ("/form/elements", test_elements);
  g_test_add_func ("/form/numbers", test_numbers);
  g_test_add_func ("/form/history", test_history);
  g_test_add_func ("/form/broken-text", test_broken_text);
  g_test_add_func ("/form/choices", test_choices);
  g_test_add_func ("/form/hidden", test_hidden);
  g_test_add_func ("/form/settled", test_settled);
  g_test_add_func ("/form/bounds", test_bounds);
  g_test_add_func ("/form/servers", test_servers);
  return g_test_run ();
}
