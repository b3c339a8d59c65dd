/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "request/beckon-question-private.h"
#include "request/beckon-question-text.h"

#include <string.h>

/* Describes a whole question in a line, so that a case shows all that was understood: "simple:" or "full:", "late" where it is
 * not waited for, then for each item its text, {header}, [label*=description~preview|…] with * for recommended, and m, f, s for multiple, free text, secret. */
static void
describe_item (GString *line, const BeckonQuestionItem *item)
{
  g_string_append_printf (line, " %s", item->question);
  if (item->header != NULL)
    g_string_append_printf (line, "{%s}", item->header);
  g_string_append_c (line, '[');
  for (guint i = 0; i < item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (item, i);

      g_string_append_printf (line, "%s%s%s", i > 0 ? "|" : "", option->label, option->recommended ? "*" : "");
      if (option->description != NULL)
        g_string_append_printf (line, "=%s", option->description);
      if (option->preview != NULL)
        g_string_append_printf (line, "~%s", option->preview);
    }
  g_string_append_printf (line, "]%s%s%s", item->multiple ? "m" : "", item->freeform ? "f" : "",
                          item->secret ? "s" : "");
}

static char *
describe (const BeckonQuestion *question)
{
  GString *line = g_string_new (question->simple ? "simple:" : "full:");

  if (question->is_late)
    g_string_append (line, " late");
  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    describe_item (line, beckon_question_get_item (question, i));

  return g_string_free (line, FALSE);
}

typedef struct
{
  const char *name;
  const char *arguments;
  const char *expected;
} Case;

static const Case understood[] = {
  /* The two forms as they are advertised. */
  { "simple/choices", "{'question':'Which?','choices':['A','B']}", "simple: Which?[A|B]f" },
  { "simple/no-choices", "{'question':'Which name?'}", "simple: Which name?[]f" },
  { "simple/closed", "{'question':'Which?','choices':['A','B'],'allow_freeform':false}", "simple: Which?[A|B]" },
  { "full/all-members",
    "{'questions':[{'question':'Which?','header':'Style','options':[{'label':'A','description':'First.',"
    "'recommended':true,'preview':'# A'},{'label':'B'}],'multiple':true,'allow_freeform':false,'secret':false}]}",
    "full: Which?{Style}[A*=First.~# A|B]m" },
  { "full/several", "{'questions':[{'question':'One?'},{'question':'Two?','options':['A']}]}",
    "full: One?[]f Two?[A]f" },
  { "full/one-is-not-simple", "{'questions':[{'question':'One?','options':['A']}]}", "full: One?[A]f" },
  { "full/custom", "{'questions':[{'question':'One?','options':['A'],'custom':false}]}", "full: One?[A]" },
  { "full/secret", "{'questions':[{'question':'One?','secret':true}]}", "full: One?[]fs" },
  { "full/options-as-strings", "{'questions':[{'question':'One?','options':['A','B']}]}", "full: One?[A|B]f" },
  { "both/questions-count", "{'question':'No?','choices':['X'],'questions':[{'question':'Yes?'}]}", "full: Yes?[]f" },
  { "both/empty-questions", "{'question':'Yes?','choices':['X'],'questions':[]}", "simple: Yes?[X]f" },
  { "both/null-questions", "{'question':'Yes?','questions':null}", "simple: Yes?[]f" },
  { "wait/false", "{'question':'Which?','wait':false}", "simple: late Which?[]f" },
  { "wait/true", "{'question':'Which?','wait':true}", "simple: Which?[]f" },
  { "wait/full", "{'questions':[{'question':'One?'}],'wait':false}", "full: late One?[]f" },
  { "wait/as-string", "{'question':'Which?','wait':'No'}", "simple: late Which?[]f" },
  { "wait/as-number", "{'question':'Which?','wait':0}", "simple: late Which?[]f" },
  { "wait/as-nonsense", "{'question':'Which?','wait':[false]}", "simple: Which?[]f" },
  { "wait/seconds", "{'question':'Which?','wait':30}", "simple: Which?[]f" },
  { "wait/spelling", "{'question':'Which?','blocking':false}", "simple: late Which?[]f" },
  { "wait/wrapped", "{'arguments':{'question':'Which?','wait':false}}", "simple: late Which?[]f" },
  { "wait/beside-wrapped", "{'questions':{'questions':['One?']},'wait':false}", "full: late One?[]f" },
  { "unknown-members", "{'question':'Which?','urgency':'high','context':{'a':[1]}}", "simple: Which?[]f" },

  /* Other spellings of the question. */
  { "spelling/clarify", "{'clarify':'Which?','choices':['A']}", "simple: Which?[A]f" },
  { "spelling/prompt", "{'prompt':'Which?'}", "simple: Which?[]f" },
  { "spelling/text", "{'text':'Which?'}", "simple: Which?[]f" },
  { "spelling/title-when-alone", "{'questions':[{'title':'Which?','options':['A']}]}", "full: Which?[A]f" },
  { "spelling/title-as-header", "{'questions':[{'question':'Which?','title':'T'}]}", "full: Which?{T}[]f" },
  { "spelling/options-in-simple", "{'question':'Which?','options':['A','B']}", "simple: Which?[A|B]f" },
  { "spelling/choices-in-full", "{'questions':[{'question':'Which?','choices':['A','B']}]}", "full: Which?[A|B]f" },
  { "spelling/multi-select", "{'questions':[{'question':'Which?','options':['A'],'multiSelect':true}]}",
    "full: Which?[A]mf" },
  { "spelling/type", "{'questions':[{'question':'Which?','options':['A'],'type':'multi_select'}]}",
    "full: Which?[A]mf" },
  { "spelling/wrapped", "{'arguments':{'question':'Which?'}}", "simple: Which?[]f" },
  { "spelling/wrapped-twice", "{'input':{'params':{'question':'Which?'}}}", "simple: Which?[]f" },

  /* Objects where strings belong. */
  { "flatten/question", "{'question':{'text':'Which?'}}", "simple: Which?[]f" },
  { "flatten/question-item", "{'question':{'question':'Which?','options':['A']}}", "simple: Which?[A]f" },
  { "flatten/label", "{'question':'Q?','choices':[{'label':'A'},{'label':'B'}]}", "simple: Q?[A|B]f" },
  { "flatten/value", "{'question':'Q?','choices':[{'value':'A'}]}", "simple: Q?[A]f" },
  { "flatten/text", "{'question':'Q?','choices':[{'text':'A'}]}", "simple: Q?[A]f" },
  { "flatten/title", "{'question':'Q?','choices':[{'title':'A'}]}", "simple: Q?[A]f" },
  { "flatten/name", "{'question':'Q?','choices':[{'name':'A'}]}", "simple: Q?[A]f" },
  { "flatten/label-before-value", "{'question':'Q?','choices':[{'value':'a','label':'A'}]}", "simple: Q?[A]f" },
  { "flatten/nested-label", "{'question':'Q?','choices':[{'label':{'text':'A'}}]}", "simple: Q?[A]f" },
  { "flatten/description", "{'question':'Q?','choices':[{'label':'A','detail':'Long.'}]}", "simple: Q?[A=Long.]f" },
  { "flatten/description-only", "{'question':'Q?','choices':[{'description':'A'}]}", "simple: Q?[A]f" },
  { "flatten/header", "{'questions':[{'question':'Q?','header':{'text':'H'}}]}", "full: Q?{H}[]f" },
  { "flatten/map-with-descriptions", "{'question':'Q?','choices':{'Red':'warm','Blue':'cold'}}",
    "simple: Q?[Red=warm|Blue=cold]f" },
  { "flatten/map-with-numbers", "{'question':'Q?','choices':{'1':'Red','2':'Blue'}}", "simple: Q?[Red|Blue]f" },
  { "flatten/map-with-letters", "{'question':'Q?','choices':{'A':'Red','B':'Blue'}}", "simple: Q?[Red|Blue]f" },
  { "flatten/nested-options", "{'question':'Q?','choices':{'options':['A','B']}}", "simple: Q?[A|B]f" },
  { "flatten/nested-arrays", "{'question':'Q?','choices':[['A'],['B',['C']]]}", "simple: Q?[A|B|C]f" },
  { "flatten/question-array", "{'question':['One','Two']}", "simple: One\nTwo[]f" },
  { "flatten/question-list", "{'question':[{'question':'One?'},{'question':'Two?'}]}", "full: One?[]f Two?[]f" },
  { "flatten/option-object-alone", "{'question':'Q?','choices':{'label':'A'}}", "simple: Q?[A]f" },

  /* Values that are no strings. */
  { "values/numbers", "{'question':'Q?','choices':[8080,0.1,-3]}", "simple: Q?[8080|0.1|-3]f" },
  { "values/booleans", "{'question':'Q?','choices':[true,false]}", "simple: Q?[true|false]f" },
  { "values/nulls", "{'question':'Q?','choices':[null,'A',null,'']}", "simple: Q?[A]f" },
  { "values/empty-object", "{'question':'Q?','choices':[{},'A']}", "simple: Q?[A]f" },
  { "values/number-as-label", "{'question':'Q?','choices':[{'label':8080}]}", "simple: Q?[8080]f" },
  { "values/flag-as-string", "{'question':'Q?','choices':['A'],'allow_freeform':'false'}", "simple: Q?[A]" },
  { "values/flag-as-number", "{'question':'Q?','choices':['A'],'allow_freeform':0}", "simple: Q?[A]" },
  { "values/flag-as-nonsense", "{'question':'Q?','choices':['A'],'allow_freeform':{'a':1}}", "simple: Q?[A]f" },
  { "values/number-as-question", "{'question':42}", "simple: 42[]f" },

  /* Lists in strings. */
  { "string/json-array", "{'question':'Q?','choices':'[\\'A\\',\\'B\\']'}", "simple: Q?[A|B]f" },
  { "string/json-objects", "{'question':'Q?','choices':'[{\\'label\\':\\'A\\',\\'description\\':\\'D\\'}]'}",
    "simple: Q?[A=D]f" },
  { "string/json-element", "{'question':'Q?','choices':['{\\'label\\':\\'A\\'}','B']}", "simple: Q?[A|B]f" },
  { "string/json-questions", "{'questions':'[{\\'question\\':\\'Q?\\',\\'options\\':[\\'A\\']}]'}", "full: Q?[A]f" },
  { "string/json-question-object", "{'questions':'{\\'question\\':\\'Q?\\'}'}", "full: Q?[]f" },
  { "string/plain-questions", "{'questions':'Which one?'}", "full: Which one?[]f" },
  { "string/lines", "{'question':'Q?','choices':'A\\nB\\n\\nC'}", "simple: Q?[A|B|C]f" },
  { "string/bullets", "{'question':'Q?','choices':'- A\\n* B\\n2. C\\nd) D'}", "simple: Q?[A|B|C|D]f" },
  { "string/bullets-that-are-none", "{'question':'Q?','choices':'-5\\n3.5\\n2.'}", "simple: Q?[-5|3.5|2.]f" },
  { "string/bars", "{'question':'Q?','choices':'A | B'}", "simple: Q?[A|B]f" },
  { "string/semicolons", "{'question':'Q?','choices':'Yes, all; No'}", "simple: Q?[Yes, all|No]f" },
  { "string/commas", "{'question':'Q?','choices':'red, green, blue'}", "simple: Q?[red|green|blue]f" },
  { "string/commas-in-chinese", "{'question':'Q?','choices':'红、绿、蓝'}", "simple: Q?[红|绿|蓝]f" },
  { "string/comma-in-a-sentence",
    "{'question':'Q?','choices':'Keep everything as it is for the time being, and look at it again in spring'}",
    "simple: Q?[Keep everything as it is for the time being, and look at it again in spring]f" },
  { "string/one", "{'question':'Q?','choices':'A'}", "simple: Q?[A]f" },
  { "string/single-quotes", "{'question':'Q?','choices':'[`A`, `B`]'}", "simple: Q?[A|B]f" },
  { "string/empty", "{'question':'Q?','choices':''}", "simple: Q?[]f" },
  { "top/array", "[{'question':'One?'},{'question':'Two?'}]", "full: One?[]f Two?[]f" },
  { "top/array-of-strings", "['One?','Two?']", "full: One?[]f Two?[]f" },
  { "top/string", "'Which?'", "simple: Which?[]f" },
  { "top/json-in-string", "'{\\'question\\':\\'Q?\\',\\'choices\\':[\\'A\\']}'", "simple: Q?[A]f" },
  { "questions/strings", "{'questions':['One?','Two?']}", "full: One?[]f Two?[]f" },
  { "questions/object", "{'questions':{'question':'One?'}}", "full: One?[]f" },
  { "questions/nested", "{'questions':{'questions':[{'question':'One?'}]}}", "full: One?[]f" },

  /* Duplicates, "Other", "(Recommended)". */
  { "duplicates/removed", "{'question':'Q?','choices':['A','B','A',' A ']}", "simple: Q?[A|B]f" },
  { "duplicates/merged",
    "{'question':'Q?','choices':[{'label':'A'},{'label':'A','description':'D','recommended':true}]}",
    "simple: Q?[A*=D]f" },
  { "duplicates/case-counts", "{'question':'Q?','choices':['c','C']}", "simple: Q?[c|C]f" },
  { "duplicates/hidden-characters", "{'question':'Q?','choices':['Yes','Y\\u200bes']}", "simple: Q?[Yes]f" },
  { "other/plain", "{'question':'Q?','choices':['A','Other']}", "simple: Q?[A]f" },
  { "other/dots", "{'question':'Q?','choices':['A','Other…','other...']}", "simple: Q?[A]f" },
  { "other/specify", "{'question':'Q?','choices':['A','Other (please specify)']}", "simple: Q?[A]f" },
  { "other/comma", "{'question':'Q?','choices':['A','Other, please describe']}", "simple: Q?[A]f" },
  { "other/something-else", "{'question':'Q?','choices':['A','Something else']}", "simple: Q?[A]f" },
  { "other/chinese", "{'question':'Q?','choices':['红','其他','其它（请说明）']}", "simple: Q?[红]f" },
  { "other/object", "{'question':'Q?','choices':['A',{'label':'Other','description':'Type it.'}]}",
    "simple: Q?[A]f" },
  { "other/opens-the-entry", "{'question':'Q?','choices':['A','Other'],'allow_freeform':false}", "simple: Q?[A]f" },
  { "other/alone", "{'question':'Q?','choices':['Other']}", "simple: Q?[]f" },
  { "other/no-part-of-a-word", "{'question':'Q?','choices':['Other city','Another','Others first']}",
    "simple: Q?[Other city|Another|Others first]f" },
  { "recommended/suffix", "{'question':'Q?','choices':['A (Recommended)','B']}", "simple: Q?[A*|B]f" },
  { "recommended/lower-case", "{'question':'Q?','choices':['A (recommended)']}", "simple: Q?[A*]f" },
  { "recommended/brackets", "{'question':'Q?','choices':['A [Recommended]']}", "simple: Q?[A*]f" },
  { "recommended/chinese", "{'question':'Q?','choices':['甲（推荐）','乙(推荐)','丙【推荐】']}",
    "simple: Q?[甲*|乙*|丙*]f" },
  { "recommended/nothing-else", "{'question':'Q?','choices':['(Recommended)']}", "simple: Q?[(Recommended)]f" },
  { "recommended/another-word", "{'question':'Q?','choices':['A (fast)']}", "simple: Q?[A (fast)]f" },
  { "recommended/merges", "{'question':'Q?','choices':['A','A (Recommended)']}", "simple: Q?[A*]f" },
  { "recommended/by-name", "{'questions':[{'question':'Q?','options':['A','B'],'recommended':'B'}]}",
    "full: Q?[A|B*]f" },
  { "recommended/order-stays", "{'question':'Q?','choices':['A','B (Recommended)']}", "simple: Q?[A|B*]f" },

  /* Free text and several choices. */
  { "freeform/without-options", "{'question':'Q?','allow_freeform':false}", "simple: Q?[]f" },
  { "freeform/empty-options", "{'questions':[{'question':'Q?','options':[],'custom':false}]}", "full: Q?[]f" },
  { "multiple/without-options", "{'questions':[{'question':'Q?','multiple':true}]}", "full: Q?[]f" },
  { "multiple/in-the-simple-form", "{'question':'Q?','choices':['A','B'],'multiple':true}", "full: Q?[A|B]mf" },

  /* Text that is not what it seems. */
  { "safe/escape-sequence", "{'question':'Q\\u001b[31m?','choices':['A\\u0007']}", "simple: Q[31m?[A]f" },
  { "safe/c1-control", "{'question':'Q\\u009b31m?'}", "simple: Q31m?[]f" },
  { "safe/bidi", "{'question':'Q?','choices':['a\\u202eb','\\u2066c\\u2069']}", "simple: Q?[ab|c]f" },
  { "safe/line-breaks-in-labels", "{'question':'Q?','choices':['a\\r\\nb\\u2028c']}", "simple: Q?[a b c]f" },
  { "safe/line-breaks-in-questions", "{'question':'One\\r\\nTwo\\tThree'}", "simple: One\nTwo\tThree[]f" },
  { "safe/white-space", "{'question':'  Q?\\n ','choices':['  a   b  ','\\u3000']}", "simple: Q?[a b]f" },
  { "safe/joiners-stay", "{'question':'👨\\u200d👩?'}", "simple: 👨‍👩?[]f" },
};

/* JSON is written with ' in place of ", and ` in place of ', to be readable in C. */
static char *
unquote (const char *text)
{
  char *json = g_strdup (text);

  for (char *p = json; *p != '\0'; p++)
    if (*p == '\'')
      *p = '"';
    else if (*p == '`')
      *p = '\'';

  return json;
}

static void
test_understood (gconstpointer data)
{
  const Case *test = data;
  g_autofree char *json = unquote (test->arguments);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (json, &error);
  g_autofree char *line = NULL;

  g_assert_no_error (error);
  line = describe (question);
  g_assert_cmpstr (line, ==, test->expected);
}

static const struct
{
  const char *name;
  const char *arguments;
  int code;
  const char *says;
} refused[] = {
  { "empty-object", "{}", BECKON_ERROR_INVALID, "question is missing" },
  { "only-choices", "{'choices':['A']}", BECKON_ERROR_INVALID, "question is missing" },
  { "null-question", "{'question':null}", BECKON_ERROR_INVALID, "question is missing" },
  { "blank-question", "{'question':' \\n\\u200b\\u3000 '}", BECKON_ERROR_INVALID, "question is missing" },
  { "empty-array", "[]", BECKON_ERROR_INVALID, "question is missing" },
  { "null", "null", BECKON_ERROR_INVALID, "question is missing" },
  { "item-without-question", "{'questions':[{'question':'One?'},{'options':['A']}]}", BECKON_ERROR_INVALID,
    "questions[1] has no question" },
  { "empty-item", "{'questions':[{}]}", BECKON_ERROR_INVALID, "questions[0] has no question" },
  { "null-item", "{'questions':[null]}", BECKON_ERROR_INVALID, "questions[0] has no question" },
  { "header-is-no-question", "{'questions':[{'header':'Style','options':['A']}]}", BECKON_ERROR_INVALID,
    "questions[0] has no question" },
  { "no-json", "Which?", BECKON_ERROR_INVALID, "" },
  { "cut-json", "{'question':'Which?','choices':['A'", BECKON_ERROR_INVALID, "" },
  { "nothing", "", BECKON_ERROR_INVALID, "" },
  { "duplicate-members", "{'question':'Yes?','question':'No?'}", BECKON_ERROR_INVALID, "" },
};

static void
test_refused (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *json = unquote (refused[i].arguments);
  g_autoptr (GError) error = NULL;

  g_assert_null (beckon_question_parse (json, &error));
  g_assert_error (error, BECKON_ERROR, refused[i].code);
  g_assert_nonnull (strstr (error->message, refused[i].says));
}

static char *
make_questions (guint n)
{
  GString *json = g_string_new ("{\"questions\":[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (json, "%s{\"question\":\"Number %u?\"}", i > 0 ? "," : "", i);

  return g_string_free (g_string_append (json, "]}"), FALSE);
}

static void
test_count (void)
{
  g_autofree char *most = make_questions (20);
  g_autofree char *too_many = make_questions (21);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (most, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (beckon_question_get_n_items (question), ==, 20);

  g_assert_null (beckon_question_parse (too_many, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "21 questions are too many"));
}

static char *
repeat (const char *text, guint n)
{
  GString *string = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (string, text);

  return g_string_free (string, FALSE);
}

static void
assert_cut (const char *text, glong n_chars)
{
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (text, -1), ==, n_chars);
  g_assert_true (g_str_has_suffix (text, "…"));
}

static void
test_long_texts (void)
{
  g_autofree char *word = repeat ("长", 30000);
  g_autofree char *json = g_strdup_printf ("{\"questions\":[{\"question\":\"%s\",\"header\":\"%s\",\"options\":[{"
                                           "\"label\":\"%s\",\"description\":\"%s\",\"preview\":\"%s\"}]}]}",
                                           word, word, word, word, word);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = beckon_question_parse (json, &error);
  const BeckonQuestionItem *item;
  const BeckonQuestionOption *option;

  g_assert_no_error (error);
  item = beckon_question_get_item (question, 0);
  option = beckon_question_item_get_option (item, 0);
  assert_cut (item->question, BECKON_QUESTION_MAX_QUESTION);
  assert_cut (item->header, BECKON_QUESTION_MAX_HEADER);
  assert_cut (option->label, BECKON_QUESTION_MAX_LABEL);
  assert_cut (option->description, BECKON_QUESTION_MAX_DESCRIPTION);
  assert_cut (option->preview, BECKON_QUESTION_MAX_PREVIEW);
}

static void
test_long_header_stays_whole (void)
{
  const char *json = "{\"questions\":[{\"question\":\"Q?\",\"header\":\"A header that is longer than thirty characters\"}]}";
  g_autoptr (BeckonQuestion) question = beckon_question_parse (json, NULL);

  g_assert_cmpstr (beckon_question_get_item (question, 0)->header, ==,
                   "A header that is longer than thirty characters");
}

static void
test_many_options (void)
{
  GString *json = g_string_new ("{\"question\":\"Q?\",\"choices\":[");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (json, "%s%u", i > 0 ? "," : "", i);
  text = g_string_free (g_string_append (json, "]}"), FALSE);

  question = beckon_question_parse (text, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_question_get_item (question, 0)->options->len, ==, BECKON_QUESTION_MAX_OPTIONS);
  g_assert_cmpstr (beckon_question_item_get_option (beckon_question_get_item (question, 0), 49)->label, ==, "49");
}

static void
test_too_long (void)
{
  g_autofree char *spaces = repeat (" ", BECKON_QUESTION_MAX_ARGUMENTS);
  g_autofree char *json = g_strconcat (spaces, "{\"question\":\"Q?\"}", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (beckon_question_parse (json, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE);
}

/* Faults B31: the nesting of arguments is the model's to choose. */
static void
test_deep (void)
{
  g_autofree char *open = repeat ("[", 100000);
  g_autofree char *shallow_open = repeat ("[", 400);
  g_autofree char *shallow_close = repeat ("]", 400);
  g_autofree char *deep = g_strconcat ("{\"question\":\"Q?\",\"choices\":", open, NULL);
  g_autofree char *shallow
      = g_strconcat ("{\"question\":\"Q?\",\"choices\":", shallow_open, "\"A\"", shallow_close, "}", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) question = NULL;

  g_assert_null (beckon_question_parse (deep, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_TOO_DEEP);

  question = beckon_question_parse (shallow, NULL);
  g_assert_nonnull (question);
  g_assert_cmpstr (beckon_question_get_item (question, 0)->question, ==, "Q?");
}

static void
test_nothing_is_made_up (void)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"question\":\"Shall I go on? Yes or no?\"}", NULL);

  g_assert_cmpuint (beckon_question_get_item (question, 0)->options->len, ==, 0);
}

static void
test_single_choice (void)
{
  static const struct
  {
    const char *json;
    gboolean single;
  } cases[] = {
    { "{\"question\":\"Q?\",\"choices\":[\"A\"]}", TRUE },
    { "{\"questions\":[{\"question\":\"Q?\",\"options\":[\"A\"]}]}", TRUE },
    { "{\"question\":\"Q?\"}", FALSE },
    { "{\"questions\":[{\"question\":\"Q?\",\"options\":[\"A\"],\"multiple\":true}]}", FALSE },
    { "{\"questions\":[{\"question\":\"Q?\",\"options\":[\"A\"]},{\"question\":\"R?\"}]}", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonQuestion) question = beckon_question_parse (cases[i].json, NULL);

      g_assert_cmpint (beckon_question_is_single_choice (question), ==, cases[i].single);
    }
}

/* A question that was understood comes back from the store as it was, and in the same bytes. */
static void
test_round_trip (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (understood); i++)
    {
      g_autofree char *arguments = unquote (understood[i].arguments);
      g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, NULL);
      g_autofree char *json = beckon_question_to_json (question);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonQuestion) again = beckon_question_from_json (json, &error);
      g_autofree char *line = NULL;
      g_autofree char *json_again = NULL;

      g_assert_no_error (error);
      line = describe (again);
      g_assert_cmpstr (line, ==, understood[i].expected);
      json_again = beckon_question_to_json (again);
      g_assert_cmpstr (json_again, ==, json);
    }
}

static void
test_canonical (void)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (
      "{\"choices\":[{\"description\":\"D\",\"label\":\"A (Recommended)\"},\"B\"],\"question\":\"Q?\"}", NULL);
  g_autofree char *json = beckon_question_to_json (question);

  g_assert_cmpstr (json, ==,
                   "{\"simple\":true,\"items\":[{\"question\":\"Q?\",\"options\":[{\"label\":\"A\",\"description\":\"D\","
                   "\"recommended\":true},{\"label\":\"B\",\"recommended\":false}],\"multiple\":false,\"freeform\":true,"
                   "\"secret\":false}]}");
}

static void
test_foreign_json (void)
{
  static const char *const faulty[] = {
    "",
    "[]",
    "{}",
    "{'items':[]}",
    "{'items':{}}",
    "{'items':['Q?']}",
    "{'items':[{'question':'','options':[]}]}",
    "{'items':[{'question':'Q?'}]}",
    "{'items':[{'question':'Q?','options':['A']}]}",
    "{'items':[{'question':'Q?','options':[{'label':''}]}]}",
    "{'items':[{'question':'Q?','options':[{'label':'A'},{'label':'A'}]}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (faulty); i++)
    {
      g_autofree char *json = unquote (faulty[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_question_from_json (json, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

/* Random questions crash nothing, and are refused in words or keep every promise of their type. */

static void append_random (GString *json, guint depth);

static void
append_random_string (GString *json)
{
  static const char *const texts[] = {
    "Which?", "A", "B", "Other", "A (Recommended)", "", " ", "1. A\\n2. B", "a, b", "[\\\"A\\\"]", "{", "\\u202e", "\\u001b[0m",
    "推荐", "其他…", "true", "multi_select", "👨\\u200d👩", "\\u0000", "\\ud800",
  };

  g_string_append_printf (json, "\"%s\"", texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))]);
}

static void
append_random_object (GString *json, guint depth)
{
  static const char *const names[] = {
    "question", "questions", "choices", "options",   "label",  "description", "recommended", "multiple",
    "secret",   "header",    "title",   "arguments", "custom", "clarify",     "type",        "1",
  };
  guint n = (guint) g_test_rand_int_range (0, 5);
  guint first = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (names));

  g_string_append_c (json, '{');
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (json, "%s\"%s\":", i > 0 ? "," : "", names[(first + i * 5) % G_N_ELEMENTS (names)]);
      append_random (json, depth + 1);
    }
  g_string_append_c (json, '}');
}

static void
append_random_array (GString *json, guint depth)
{
  guint n = (guint) g_test_rand_int_range (0, 5);

  g_string_append_c (json, '[');
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      append_random (json, depth + 1);
    }
  g_string_append_c (json, ']');
}

static void
append_random (GString *json, guint depth)
{
  static const char *const values[] = { "null", "true", "false", "0", "-1.5e3", "8080" };

  switch (g_test_rand_int_range (depth < 6 ? 0 : 2, 6))
    {
    case 0:
      append_random_object (json, depth);
      break;
    case 1:
      append_random_array (json, depth);
      break;
    case 2:
      g_string_append (json, values[g_test_rand_int_range (0, G_N_ELEMENTS (values))]);
      break;
    default:
      append_random_string (json);
    }
}

static void
assert_sound (const BeckonQuestion *question)
{
  g_autofree char *json = beckon_question_to_json (question);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonQuestion) again = beckon_question_from_json (json, &error);
  g_autofree char *line = describe (question);
  g_autofree char *line_again = NULL;

  g_assert_no_error (error);
  line_again = describe (again);
  g_assert_cmpstr (line_again, ==, line);
  g_assert_true (g_utf8_validate (line, -1, NULL));
  g_assert_null (strstr (line, "\u202e"));
  g_assert_null (strchr (line, '\033'));

  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    {
      const BeckonQuestionItem *item = beckon_question_get_item (question, i);

      g_assert_false (beckon_question_text_is_blank (item->question));
      g_assert_true (item->freeform || item->options->len > 0);
      g_assert_true (!item->multiple || item->options->len > 0);
      g_assert_cmpuint (item->options->len, <=, BECKON_QUESTION_MAX_OPTIONS);
      for (guint j = 0; j < item->options->len; j++)
        {
          const BeckonQuestionOption *option = beckon_question_item_get_option (item, j);

          g_assert_false (beckon_question_text_is_other (option->label));
          g_assert_true (beckon_question_item_find_option (item, option->label) == option);
        }
    }
}

static void
test_random (void)
{
  guint n_understood = 0;

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GString) json = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonQuestion) question = NULL;

      append_random_object (json, 0);
      question = beckon_question_parse (json->str, &error);
      g_assert_true ((question != NULL) == (error == NULL));
      if (question == NULL)
        continue;

      assert_sound (question);
      n_understood++;
    }

  /* Otherwise it tests nothing but refusals. */
  g_assert_cmpuint (n_understood, >, 1000);
}

static void
test_references (void)
{
  BeckonQuestion *question = beckon_question_parse ("{\"question\":\"Q?\"}", NULL);
  g_autoptr (BeckonQuestion) held = beckon_question_ref (question);
  GValue value = G_VALUE_INIT;

  g_assert_true (held == question);
  beckon_question_unref (question);
  g_assert_cmpstr (beckon_question_get_item (held, 0)->question, ==, "Q?");

  g_value_init (&value, BECKON_TYPE_QUESTION);
  g_value_set_boxed (&value, held);
  g_assert_true (g_value_get_boxed (&value) == held);
  g_value_unset (&value);
}

static void
test_blank (void)
{
  g_assert_true (beckon_question_text_is_blank (NULL));
  g_assert_true (beckon_question_text_is_blank (""));
  g_assert_true (beckon_question_text_is_blank (" \t\r\n\u00a0\u3000\u200b\ufeff\u2800"));
  g_assert_false (beckon_question_text_is_blank (" ."));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (understood); i++)
    {
      g_autofree char *path = g_strconcat ("/request/question/understood/", understood[i].name, NULL);

      g_test_add_data_func (path, &understood[i], test_understood);
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/request/question/refused/", refused[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_refused);
    }
  g_test_add_func ("/request/question/count", test_count);
  g_test_add_func ("/request/question/long-texts", test_long_texts);
  g_test_add_func ("/request/question/long-header-stays-whole", test_long_header_stays_whole);
  g_test_add_func ("/request/question/many-options", test_many_options);
  g_test_add_func ("/request/question/too-long", test_too_long);
  g_test_add_func ("/faults/B/31-deep-arguments", test_deep);
  g_test_add_func ("/request/question/nothing-is-made-up", test_nothing_is_made_up);
  g_test_add_func ("/request/question/single-choice", test_single_choice);
  g_test_add_func ("/request/question/round-trip", test_round_trip);
  g_test_add_func ("/request/question/canonical", test_canonical);
  g_test_add_func ("/request/question/foreign-json", test_foreign_json);
  g_test_add_func ("/request/question/random", test_random);
  g_test_add_func ("/request/question/references", test_references);
  g_test_add_func ("/request/question/blank", test_blank);

  return g_test_run ();
}
