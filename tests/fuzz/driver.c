/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <string.h>

/* In the suite a target gets its seeds, every beginning of them, and seeded random changes of them, on the heap and
 * without a closing NUL, for the sanitizers to watch. For a search that learns, link a target with -fsanitize=fuzzer
 * instead. */

#define N_CHANGES 2000
#define MAX_LENGTH 4096

static const char *const seeds[] = {
  "",
  "{\"a\":[1,-2.5e+3,true,false,null,\"x\\u00e9\\ud83c\\udf0d\\u0000\xc3\xa9\xf0\x9f\x8c\x8d\"],\"b\":{\"c\":{}}}",
  "\xef\xbb\xbf" "id: 1\r\nevent: e\r\rdata: a\ndata:b\n: c\n\nretry: 5\ndata\n\n",
  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\\n\",\"reasoning\":\"r\"},\"finish_reason\":null}]}\n\n"
  "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\","
  "\"arguments\":\"{\\\"x\\\":1}\"}}]}}]}\n\n"
  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"t\"}]},\"finish_reason\":"
  "\"tool_calls\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
  "{\"choices\":[{\"message\":{\"content\":\"a\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{}}}]}}]}",
  "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"signature\":\"s\"}}\n\n",
  "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"partial_json\":\"{}\"}}\n\n",
  "data: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"server_tool_use\",\"input\":{}}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"input_tokens\":1}}\n\n",
  "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"usage\":{\"input_tokens\":1}}}\n\n",
  "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"partialArgs\":[{\"jsonPath\":\"$.a[0].b\",\"stringValue\":\"x\"}]},\"thoughtSignature\":\"s\"},{\"text\":\"t\",\"thought\":true}]},\"finishReason\":\"STOP\"}]}\n\n",
  "{\"message\":{\"content\":\"a\",\"thinking\":\"b\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"x\":1}}}]}}\n{\"done\":true,\"eval_count\":1}\n",
  "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/x\"}},\"required\":[\"type\"],\"$defs\":{\"x\":{\"enum\":[1,\"a\"]}},\"additionalProperties\":{\"minLength\":1}}",
  "{\"items\":[{\"const\":1}],\"not\":{\"pattern\":\"^a+$\"},\"anyOf\":[{\"$ref\":\"#\"},true],\"$id\":\"http://a/b\",\"uniqueItems\":true}",
  "event: error\ndata: {\"error\":{\"message\":\"no\"}}\n\nerror: {\"error\":\"x\"}\n",
  "a\x1b[31m\xe2\x80\xae\xff\xc0\x80\xed\xa0\x80\t\r\n\xf3\xa0\x81\x81",
};

static void
try_copy (const char *data, gsize length)
{
  g_autofree guint8 *copy = g_memdup2 (data, length);

  LLVMFuzzerTestOneInput (copy, length);
}

static void
change (GRand *random, GString *text)
{
  static const char interesting[] = "\"\\{}[]:,\n\r dnu0\xef\xff\x80";
  gsize at = (gsize) g_rand_int_range (random, 0, (gint32) text->len + 1);
  gsize most = (gsize) g_rand_int_range (random, 1, 16);
  gsize length = MIN (text->len - at, most);

  switch (g_rand_int_range (random, 0, 4))
    {
    case 0:
      g_string_erase (text, (gssize) at, (gssize) length);
      break;
    case 1:
      g_string_insert_c (text, (gssize) at, interesting[g_rand_int_range (random, 0, sizeof interesting)]);
      break;
    case 2:
      g_string_insert_len (text, (gssize) g_rand_int_range (random, 0, (gint32) text->len + 1), text->str + at,
                           (gssize) length);
      break;
    default:
      if (at < text->len)
        text->str[at] = (char) g_rand_int_range (random, 0, 256);
      break;
    }
}

static void
test_seeds (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      for (gsize length = 0; length <= strlen (seeds[i]); length++)
        try_copy (seeds[i], length);
    }
}

static void
test_changes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (8675309);

  for (guint i = 0; i < N_CHANGES; i++)
    {
      g_autoptr (GString) text = g_string_new (seeds[i % G_N_ELEMENTS (seeds)]);
      guint count = (guint) g_rand_int_range (random, 1, 40);

      for (guint j = 0; j < count && text->len < MAX_LENGTH; j++)
        {
          change (random, text);
          try_copy (text->str, text->len);
        }
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *name = NULL;
  g_autofree char *seeds_path = NULL;
  g_autofree char *changes_path = NULL;

  g_test_init (&argc, &argv, NULL);
  name = g_path_get_basename (argv[0]);
  seeds_path = g_strdup_printf ("/fuzz/%s/seeds", name);
  changes_path = g_strdup_printf ("/fuzz/%s/changes", name);
  g_test_add_func (seeds_path, test_seeds);
  g_test_add_func (changes_path, test_changes);
  return g_test_run ();
}
