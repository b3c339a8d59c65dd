/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text/beckon-conversation-text.h"

#include <string.h>

/* Sources that a provider found on the web, as they are exported. */

static void
add_part (BeckonMessage *message, BeckonPartKind kind, const char *text)
{
  g_autofree char *quoted = g_strdelimit (g_strdup (text), "'", '"');
  g_autoptr (BeckonPart) part = beckon_part_new (kind, quoted);

  beckon_part_set_origin (part, "anthropic");
  beckon_message_add_part (message, part);
}

static void
assert_has (const char *markdown, const char *expected)
{
  if (strstr (markdown, expected) == NULL)
    g_error ("“%s” is not in\n%s", expected, markdown);
}

static void
test_export (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 0);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 0);
  g_autofree char *markdown = NULL;

  add_part (message, BECKON_PART_OPAQUE, "{'type':'server_tool_use','name':'web_search','input':{'query':'cats'}}");
  add_part (message, BECKON_PART_OPAQUE, "{'type':'web_search_tool_result','content':[]}");
  add_part (message, BECKON_PART_TEXT, "Cats are old.");
  add_part (message, BECKON_PART_OPAQUE,
            "{'type':'beckon_citations','cited':[{'citations':[{'url':'https://a.example/(x)','title':'A](javascript:1) *b*'},"
            "{'url':'javascript:alert(1)','title':'bad'}]}]}");
  add_part (message, BECKON_PART_OPAQUE, "{'type':'beckon_searches','requests':3}");
  beckon_conversation_add_message (conversation, message);
  markdown = beckon_conversation_text_to_markdown (conversation);
  assert_has (markdown, "*Searched the web for “cats”*\n\nCats are old.\n\nSources:\n\n"
                        "1. [A\\](javascript:1) \\*b\\*](<https://a.example/(x)>)\n\n*3 web searches*\n");
  g_assert_null (strstr (markdown, "bad"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/sources/export", test_export);
  return g_test_run ();
}
