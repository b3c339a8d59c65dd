/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-encode-cases.h"

#include "domain/beckon-attachment.h"
#include "llm/beckon-encoding.h"

#include <string.h>

/* Pictures that came with results, as each protocol has them. */

#define PNG "iVBORw=="
#define WORDS                                                                                                              \
  "The user did not write this. These are the pictures that came with the results of the calls above, in order: "          \
  "plot.png (look) plot.png (look)"

/* Two calls have a picture each; a third has failed, whatever came with it. */
static BeckonLlmRequest *
make_pictures (BeckonProfileKind kind, const char *model)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\x89PNG", 4);
  BeckonLlmRequest *request = make_request (kind, NULL);
  BeckonMessage *reply;

  beckon_profile_set_model (request->profile, model);
  add_message (request, BECKON_ROLE_USER, "Look");
  reply = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *id = g_strdup_printf ("call%05u", i);
      g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, id, "look", "{}");
      g_autoptr (BeckonPart) image = beckon_attachment_new_image ("plot.png", "image/png", bytes);
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      beckon_tool_call_add_image (call, image);
      beckon_tool_call_set_result (call, "seen", i == 2);
      beckon_message_add_part (reply, part);
    }
  add_message (request, BECKON_ROLE_USER, "Go on");
  return request;
}

/* The body has each of @pieces, ' for ", one behind the other, and no picture more than they have. */
static void
assert_pieces (const BeckonLlmRequest *request, const char *const *pieces)
{
  g_autofree char *body = encode (request);
  const char *at = body;
  guint n_wanted = 0, n_found = 0;

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      g_autofree char *wanted = g_strdelimit (g_strdup (pieces[i]), "'", '"');
      const char *found = strstr (at, wanted);

      if (found == NULL)
        g_error ("%s is not behind the others in %s", wanted, body);
      at = found + strlen (wanted);
      for (const char *p = wanted; (p = strstr (p, PNG)) != NULL; p++)
        n_wanted++;
    }
  for (const char *p = body; (p = strstr (p, PNG)) != NULL; p++)
    n_found++;
  g_assert_cmpuint (n_found, ==, n_wanted);
}

static void
test_anthropic (void)
{
  g_autoptr (BeckonLlmRequest) request = make_pictures (BECKON_PROFILE_ANTHROPIC, "claude-x");
  const char *result = "'content':[{'type':'text','text':'seen'},{'type':'image','source':{'type':'base64','media_type':"
                       "'image/png','data':'" PNG "'}}]}";
  const char *const pieces[] = { "'tool_use_id':'call00000',", result, "'tool_use_id':'call00001',", result,
                                 "'tool_use_id':'call00002','content':'seen','is_error':true}",
                                 "{'type':'text','text':'Go on'", NULL };

  assert_pieces (request, pieces);
}

/* A blank text would be refused. */
static void
test_anthropic_blank (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\x89PNG", 4);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, "call_1", "look", "{}");
  g_autoptr (BeckonPart) image = beckon_attachment_new_image ("plot.png", "image/png", bytes);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  const char *const pieces[] = { "'content':[{'type':'image','source':{'type':'base64','media_type':'image/png','data':'" PNG "'}}]",
                                 NULL };

  beckon_tool_call_add_image (call, image);
  beckon_tool_call_set_result (call, " \n", FALSE);
  beckon_message_add_part (add_message (request, BECKON_ROLE_ASSISTANT, NULL), part);
  assert_pieces (request, pieces);
}

static void
test_responses (void)
{
  g_autoptr (BeckonLlmRequest) request = make_pictures (BECKON_PROFILE_RESPONSES, "some-model");
  const char *output = "'output':[{'type':'input_text','text':'seen'},{'type':'input_image','detail':'auto','image_url':"
                       "'data:image/png;base64," PNG "'}]}";
  const char *const pieces[] = { "'function_call_output','call_id':'call00000',", output, "'call_id':'call00001',", output,
                                 "'call_id':'call00002','output':'seen'}", "'text':'Go on'", NULL };

  assert_pieces (request, pieces);
}

/* A result is text alone, so that pictures are behind all of them. */
static void
test_chat (void)
{
  g_autoptr (BeckonLlmRequest) request = make_pictures (BECKON_PROFILE_CHAT, "some-model");
  const char *image = "{'type':'image_url','image_url':{'url':'data:image/png;base64," PNG "'}}";
  const char *const pieces[] = { "{'role':'tool','tool_call_id':'call00000','content':'seen'},{'role':'tool',"
                                 "'tool_call_id':'call00001','content':'seen'},{'role':'tool','tool_call_id':'call00002',"
                                 "'content':'seen'},{'role':'user','content':[{'type':'text','text':'" WORDS "'},",
                                 image, ",", image, "]},{'role':'user','content':'Go on'}", NULL };

  assert_pieces (request, pieces);
}

/* A dialect refuses a message of the person's right behind results, whatever is in it. */
static void
test_chat_alternation (void)
{
  g_autoptr (BeckonLlmRequest) request = make_pictures (BECKON_PROFILE_CHAT, "pixtral");
  const char *const pieces[] = { "'content':'seen'},{'role':'assistant','content':'I have the results.'},{'role':'user',"
                                 "'content':[{'type':'text','text':'" WORDS "'},",
                                 PNG, PNG, "]},{'role':'user','content':'Go on'}", NULL };
  g_autoptr (BeckonLlmRequest) stopped = make_request (BECKON_PROFILE_CHAT, NULL);
  const char *const bridged[] = { "'content':'one'},{'role':'assistant','content':'I have the results.'},{'role':'user',"
                                  "'content':'Go on'},{'role':'assistant','content':'Yes'},{'role':'user',"
                                  "'content':'Thanks'}]", NULL };

  beckon_profile_set_base_url (request->profile, "https://api.mistral.ai/v1");
  assert_pieces (request, pieces);

  beckon_profile_set_base_url (stopped->profile, "https://api.mistral.ai/v1");
  add_call (add_message (stopped, BECKON_ROLE_ASSISTANT, NULL), "call00000", "look", "{}", "one");
  add_message (stopped, BECKON_ROLE_USER, "Go on");
  add_message (stopped, BECKON_ROLE_ASSISTANT, "Yes");
  add_message (stopped, BECKON_ROLE_USER, "Thanks");
  assert_pieces (stopped, bridged);
}

/* Within the response, or for an older model in a turn of their own. */
static void
test_gemini (void)
{
  g_autoptr (BeckonLlmRequest) newer = make_pictures (BECKON_PROFILE_GEMINI, "gemini-3-pro");
  g_autoptr (BeckonLlmRequest) older = make_pictures (BECKON_PROFILE_GEMINI, "gemini-2.5-flash");
  const char *image = "{'inlineData':{'mimeType':'image/png','data':'" PNG "'}}";
  g_autofree char *inside = g_strdup_printf ("'response':{'output':'seen'},'parts':[%s]}}", image);
  const char *const within[] = { inside, inside, "'response':{'error':'seen'}}}]},{'role':'user','parts':[{'text':'Go on'}]}",
                                 NULL };
  const char *const behind[] = { "'response':{'output':'seen'}}},", "'response':{'output':'seen'}}},",
                                 "'response':{'error':'seen'}}}]},{'role':'user','parts':[{'text':'" WORDS "'},", image, ",",
                                 image, "]},{'role':'user','parts':[{'text':'Go on'}]}", NULL };

  assert_pieces (newer, within);
  assert_pieces (older, behind);
}

static void
test_ollama (void)
{
  g_autoptr (BeckonLlmRequest) request = make_pictures (BECKON_PROFILE_OLLAMA, "some-model");
  const char *const pieces[] = { "{'role':'tool','content':'seen','tool_name':'look','tool_call_id':'call00002'},{'role':'user',"
                                 "'content':'" WORDS "','images':['" PNG "','" PNG "']},{'role':'user','content':'Go on'}",
                                 NULL };

  assert_pieces (request, pieces);
}

/* --- PDFs ---------------------------------------------------------------------------------------------------------- */

#define PDF "JVBERi0xLjQ="

static BeckonLlmRequest *
make_pdf (BeckonProfileKind kind)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("%PDF-1.4", 8);
  g_autoptr (BeckonPart) part = beckon_attachment_new_text ("a \"b\".pdf", "its text", 8);
  BeckonLlmRequest *request = make_request (kind, NULL);
  BeckonMessage *message = add_message (request, BECKON_ROLE_USER, NULL);
  g_autoptr (BeckonPart) words = beckon_part_new (BECKON_PART_TEXT, "Read");

  beckon_attachment_set_pdf (part, bytes, 3);
  beckon_message_add_part (message, part);
  beckon_message_add_part (message, words);
  return request;
}

/* The file is there once, and its text is not. */
static void
assert_pdf (BeckonProfileKind kind, const char *content)
{
  g_autoptr (BeckonLlmRequest) request = make_pdf (kind);
  g_autofree char *body = encode (request);
  g_autofree char *wanted = g_strdelimit (g_strdup (content), "'", '"');

  if (strstr (body, wanted) == NULL)
    g_error ("%s is not in %s", wanted, body);
  g_assert_null (strstr (body, "its text"));
  g_assert_null (strstr (strstr (body, PDF) + 1, PDF));
}

static void
test_pdf (void)
{
  assert_pdf (BECKON_PROFILE_ANTHROPIC,
              "'content':[{'type':'document','source':{'type':'base64','media_type':'application/pdf','data':'" PDF "'},"
              "'title':'a _b_.pdf'},{'type':'text','text':'Read'");
  assert_pdf (BECKON_PROFILE_RESPONSES,
              "'content':[{'type':'input_file','filename':'a _b_.pdf','file_data':'data:application/pdf;base64," PDF "'},"
              "{'type':'input_text','text':'Read'}]");
  assert_pdf (BECKON_PROFILE_CHAT,
              "'content':[{'type':'file','file':{'filename':'a _b_.pdf','file_data':'data:application/pdf;base64," PDF "'}},"
              "{'type':'text','text':'Read'}]");
  assert_pdf (BECKON_PROFILE_GEMINI,
              "'parts':[{'text':'<attached-file name=\\'a _b_.pdf\\'/>'},{'inlineData':{'mimeType':'application/pdf','data':'" PDF
              "'}},{'text':'Read'}]");
}

/* This protocol has pictures alone. */
/* Each round has it again. */
static void
test_once (void)
{
  g_autoptr (BeckonPart) part = beckon_attachment_new_text ("a.pdf", "its text", 8);
  g_autoptr (GBytes) first = g_bytes_new_static ("%PDF-1.4", 8);
  g_autoptr (GBytes) second = g_bytes_new_static ("%PDF-1.5", 8);
  g_autoptr (BeckonPart) image = beckon_attachment_new_image ("a.png", "image/png", first);
  const BeckonBase64 *base64;
  const char *media_type;

  g_assert_null (beckon_encoding_get_pdf (part));
  beckon_attachment_set_pdf (part, first, 3);
  base64 = beckon_encoding_get_pdf (part);
  g_assert_cmpstr (base64->text, ==, PDF);
  g_assert_cmpuint (base64->length, ==, strlen (PDF));
  g_assert_true (beckon_encoding_get_pdf (part) == base64);
  beckon_attachment_set_pdf (part, second, 3);
  g_assert_cmpstr (beckon_encoding_get_pdf (part)->text, ==, "JVBERi0xLjU=");
  beckon_part_set_file (part, NULL, NULL);
  g_assert_null (beckon_encoding_get_pdf (part));

  base64 = beckon_encoding_get_image (image, &media_type);
  g_assert_cmpstr (base64->text, ==, PDF);
  g_assert_true (beckon_encoding_get_image (image, &media_type) == base64);
  beckon_part_append (image, "!", 1);
  g_assert_cmpstr (beckon_encoding_get_image (image, &media_type)->text, ==, "JVBERi0xLjQh");
}

static void
test_pdf_ollama (void)
{
  g_autoptr (BeckonLlmRequest) request = make_pdf (BECKON_PROFILE_OLLAMA);
  g_autofree char *body = encode (request);

  g_assert_nonnull (strstr (body, "its text"));
  g_assert_null (strstr (body, PDF));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/images/pdf", test_pdf);
  g_test_add_func ("/images/pdf/ollama", test_pdf_ollama);
  g_test_add_func ("/images/once", test_once);
  g_test_add_func ("/images/anthropic", test_anthropic);
  g_test_add_func ("/images/anthropic-blank", test_anthropic_blank);
  g_test_add_func ("/images/responses", test_responses);
  g_test_add_func ("/images/chat", test_chat);
  g_test_add_func ("/images/chat-alternation", test_chat_alternation);
  g_test_add_func ("/images/gemini", test_gemini);
  g_test_add_func ("/images/ollama", test_ollama);
  return g_test_run ();
}
