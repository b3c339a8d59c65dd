/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-encoding.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-sent-schema.h"
#include "domain/beckon-attachment.h"

#include <string.h>

/* Words for models only. */
#define IMAGES_WORDS                                                                                                       \
  "The user did not write this. These are the pictures that came with the results of the calls above, in order:"

/* The longest id and name that servers take. */
#define MAX_ID 64
#define MAX_NAME 64

/* The model sees so many bytes again of arguments that are no object. */
#define MAX_BROKEN 2048

gboolean
beckon_encoding_is_at (BeckonProfile *profile, const char *host)
{
  const char *base_url = beckon_profile_get_base_url (profile);
  g_autoptr (GUri) uri = base_url != NULL ? g_uri_parse (base_url, G_URI_FLAGS_NONE, NULL) : NULL;

  return uri != NULL && g_uri_get_host (uri) != NULL && g_ascii_strcasecmp (g_uri_get_host (uri), host) == 0;
}

gboolean
beckon_encoding_is_plain_id (const char *id)
{
  gsize length = 0;

  for (; id[length] != '\0' && length <= MAX_ID; length++)
    {
      if (!g_ascii_isalnum (id[length]) && id[length] != '_' && id[length] != '-')
        return FALSE;
    }
  return length > 0 && length <= MAX_ID;
}

const char *
beckon_encoding_choose_id (GHashTable *used, BeckonToolCall *call, BeckonEncodingIdFunc accepts)
{
  const char *id = beckon_tool_call_get_provider_id (call);

  if (!accepts (id) || g_hash_table_contains (used, id))
    id = beckon_tool_call_get_id (call);
  g_hash_table_add (used, (gpointer) id);
  return id;
}

void
beckon_encoding_write_name (BeckonJsonWriter *writer, const char *name)
{
  char accepted[MAX_NAME + 1];
  gsize length = 0;

  for (; *name != '\0' && length < MAX_NAME; name++)
    accepted[length++] = g_ascii_isalnum (*name) || *name == '_' || *name == '-' ? *name : '_';
  accepted[length] = '\0';
  beckon_json_writer_member_string (writer, "name", length > 0 ? accepted : "unnamed");
}

char *
beckon_encoding_dup_arguments (BeckonToolCall *call)
{
  const char *arguments = beckon_tool_call_get_arguments (call);
  g_autofree char *part = NULL;
  g_autofree char *valid = NULL;
  GString *object;
  BeckonJsonWriter writer;

  if (arguments[strspn (arguments, " \t\r\n")] == '{' && beckon_json_check (arguments, -1, NULL))
    return g_strdup (arguments);
  part = g_strndup (arguments, MAX_BROKEN);
  valid = g_utf8_make_valid (part, -1);
  object = g_string_new (NULL);
  beckon_json_writer_init (&writer, object);
  beckon_json_writer_begin_object (&writer);
  if (*valid != '\0')
    beckon_json_writer_member_string (&writer, "not_an_object", valid);
  beckon_json_writer_end_object (&writer);
  return g_string_free (object, FALSE);
}

char *
beckon_encoding_dup_result (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);

  /* A run gives every call its result before it asks again. */
  return beckon_text_mark_hidden (
      result != NULL ? result : "The result of this call was lost. Nothing is known about what it did.", -1);
}

GPtrArray *
beckon_encoding_list_calls (BeckonMessage *message)
{
  GPtrArray *calls = g_ptr_array_new ();

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_CALL)
        g_ptr_array_add (calls, beckon_part_get_call (part));
    }
  return calls;
}

gboolean
beckon_encoding_is_blank (const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end)
    {
      gunichar c = g_utf8_get_char_validated (text, end - text);

      if (c >= (gunichar) -2 || !g_unichar_isspace (c))
        return FALSE;
      text = g_utf8_next_char (text);
    }
  return TRUE;
}

typedef struct
{
  BeckonBase64 base64;
  GBytes *file;  /* (owned) (nullable): what it is of; %NULL for the part's own content */
  gsize of_size; /* bytes of that */
} Kept;

static void
kept_free (Kept *kept)
{
  g_free (kept->base64.text);
  g_clear_pointer (&kept->file, g_bytes_unref);
  g_free (kept);
}

/* A part that got another file, or more bytes, is encoded anew. */
static const BeckonBase64 *
encode_once (BeckonPart *part, GBytes *file, const char *bytes, gsize size)
{
  Kept *kept = g_object_get_data (G_OBJECT (part), "beckon-base64");

  if (kept != NULL && kept->file == file && kept->of_size == size)
    return &kept->base64;
  kept = g_new0 (Kept, 1);
  kept->base64.text = g_base64_encode ((const guchar *) bytes, size);
  kept->base64.length = strlen (kept->base64.text);
  kept->file = file != NULL ? g_bytes_ref (file) : NULL;
  kept->of_size = size;
  g_object_set_data_full (G_OBJECT (part), "beckon-base64", kept, (GDestroyNotify) kept_free);
  return &kept->base64;
}

const BeckonBase64 *
beckon_encoding_get_image (BeckonPart *part, const char **media_type)
{
  static const char *const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp", NULL };

  *media_type = beckon_part_get_media_type (part);
  if (beckon_part_get_kind (part) != BECKON_PART_IMAGE || beckon_part_get_length (part) == 0 || *media_type == NULL
      || !g_strv_contains (types, *media_type))
    return NULL;
  return encode_once (part, NULL, beckon_part_get_text (part), beckon_part_get_length (part));
}

const BeckonBase64 *
beckon_encoding_get_pdf (BeckonPart *part)
{
  GBytes *pdf = beckon_attachment_get_pdf (part, NULL);

  return pdf != NULL ? encode_once (part, pdf, g_bytes_get_data (pdf, NULL), g_bytes_get_size (pdf)) : NULL;
}

guint
beckon_encoding_count_images (BeckonToolCall *call)
{
  return beckon_tool_call_get_is_error (call) || beckon_tool_call_get_result (call) == NULL
             ? 0
             : beckon_tool_call_get_n_images (call);
}

char *
beckon_encoding_dup_images_words (GPtrArray *calls)
{
  g_autoptr (GString) words = g_string_new (IMAGES_WORDS);
  gsize length = words->len;

  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      for (guint image = 0; image < beckon_encoding_count_images (call); image++)
        {
          const char *name = beckon_attachment_get_name (beckon_tool_call_get_image (call, image));

          g_string_append_printf (words, " %s (%s)", name != NULL ? name : "picture", beckon_tool_call_get_name (call));
        }
    }
  return words->len > length ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

void
beckon_encoding_member_data_url (BeckonJsonWriter *writer, const char *name, const char *media_type,
                                const BeckonBase64 *data)
{
  g_autofree char *before = g_strconcat ("data:", media_type, ";base64,", NULL);

  beckon_json_writer_member_plain (writer, name, before, data->text, data->length);
}

static void
write_function (BeckonJsonWriter *writer, const BeckonToolDefinition *tool)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "function");
  beckon_json_writer_name (writer, "function");
  beckon_json_writer_begin_object (writer);
  beckon_encoding_write_declaration (writer, tool, "parameters");
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_object (writer);
}

void
beckon_encoding_write_declaration (BeckonJsonWriter *writer, const BeckonToolDefinition *tool, const char *schema_name)
{
  g_autofree char *mended = beckon_sent_schema_mend (tool->schema);

  beckon_json_writer_member_string (writer, "name", tool->name);
  beckon_json_writer_member_string (writer, "description", tool->description);
  beckon_json_writer_name (writer, schema_name);
  beckon_json_writer_raw (writer, mended != NULL ? mended : tool->schema, -1);
}

void
beckon_encoding_write_functions (BeckonJsonWriter *writer, GPtrArray *tools, const char *search)
{
  /* An empty list is refused by some servers. */
  if (tools->len == 0 && search == NULL)
    return;
  beckon_json_writer_name (writer, "tools");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < tools->len; i++)
    write_function (writer, g_ptr_array_index (tools, i));
  if (search != NULL)
    {
      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "type", search);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}
