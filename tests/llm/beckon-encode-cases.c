/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-encode-cases.h"

#include "base/beckon-json.h"

#include <stdio.h>

BeckonLlmRequest *
make_request (BeckonProfileKind kind, const char *system)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", kind);

  beckon_profile_set_model (profile, "some-model");
  return beckon_llm_request_new (profile, system);
}

BeckonMessage *
add_message (BeckonLlmRequest *request, BeckonRole role, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  if (text != NULL)
    beckon_message_add_part (message, part);
  beckon_llm_request_add_message (request, message);
  return message;
}

void
add_opaque (BeckonMessage *message, const char *origin, const char *json)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_OPAQUE, json);

  beckon_part_set_origin (part, origin);
  beckon_message_add_part (message, part);
}

void
add_image (BeckonMessage *message)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_IMAGE, NULL);

  beckon_part_set_media_type (part, "image/png");
  beckon_part_append (part, "\x89PNG", 4);
  beckon_message_add_part (message, part);
}

void
add_part (BeckonMessage *message, BeckonPartKind kind, const char *text)
{
  g_autoptr (BeckonPart) part = beckon_part_new (kind, text);

  beckon_message_add_part (message, part);
}

/* Returns our own id of the call, borrowed from the message. */
const char *
add_call (BeckonMessage *message, const char *provider_id, const char *name, const char *arguments, const char *result)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, provider_id, name, arguments);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  if (result != NULL)
    beckon_tool_call_set_result (call, result, FALSE);
  beckon_message_add_part (message, part);
  return beckon_tool_call_get_id (call);
}

/* A line in PROTOCOL-KIND.jsonl of the folder that BECKON_BODIES names, for build-aux/body-types.sh. */
static void
note_body (const BeckonLlmRequest *request, const char *body, gsize length)
{
  const char *folder = g_getenv ("BECKON_BODIES");
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  FILE *file;

  if (folder == NULL)
    return;

  name = g_strdup_printf ("%s-%s.jsonl", beckon_codec_for_profile (request->profile)->name,
                          beckon_profile_kind_to_string (beckon_profile_get_kind (request->profile)));
  path = g_build_filename (folder, name, NULL);
  file = fopen (path, "a");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (body, 1, length, file), ==, length);
  g_assert_cmpint (fputc ('\n', file), ==, '\n');
  g_assert_cmpint (fclose (file), ==, 0);
}

char *
encode (const BeckonLlmRequest *request)
{
  g_autoptr (GBytes) body = beckon_codec_for_profile (request->profile)->encode (request);
  gsize length;
  const char *text = g_bytes_get_data (body, &length);
  g_autoptr (GError) error = NULL;

  beckon_json_check (text, (gssize) length, &error);
  g_assert_no_error (error);
  note_body (request, text, length);
  return g_strndup (text, length);
}

void
assert_body (const BeckonLlmRequest *request, const char *expected)
{
  g_autofree char *text = encode (request);
  g_autoptr (GString) wanted = g_string_new (expected);

  g_string_replace (wanted, "'", "\"", 0);
  g_assert_cmpstr (text, ==, wanted->str);
}
