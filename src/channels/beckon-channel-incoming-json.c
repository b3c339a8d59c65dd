/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-incoming-json.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

static void
write_optional (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

static void
write_attachment (BeckonJsonWriter *writer, const BeckonChannelAttachment *attachment)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "reference", attachment->reference);
  write_optional (writer, "name", attachment->name);
  write_optional (writer, "type", attachment->media_type);
  beckon_json_writer_member_int (writer, "size", attachment->size);
  beckon_json_writer_end_object (writer);
}

char *
beckon_channel_incoming_to_json (const BeckonChannelIncoming *incoming)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  write_optional (&writer, "name", incoming->name);
  write_optional (&writer, "text", incoming->text);
  write_optional (&writer, "code", incoming->code);
  write_optional (&writer, "button", incoming->button_message);
  write_optional (&writer, "quote", incoming->quote);
  write_optional (&writer, "context", incoming->context);
  beckon_json_writer_member_int (&writer, "at", incoming->at);
  beckon_json_writer_member_int (&writer, "number", incoming->number);
  beckon_json_writer_name (&writer, "files");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < incoming->attachments->len; i++)
    write_attachment (&writer, g_ptr_array_index (incoming->attachments, i));
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static void
read_attachments (BeckonChannelIncoming *incoming, JsonArray *files)
{
  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonNode *node = json_array_get_element (files, i);
      JsonObject *file = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *reference = beckon_json_get_string (file, "reference");

      if (reference != NULL)
        beckon_channel_incoming_add_attachment (incoming, reference, beckon_json_get_string (file, "name"),
                                                beckon_json_get_string (file, "type"), beckon_json_get_int (file, "size", -1));
    }
}

BeckonChannelIncoming *
beckon_channel_incoming_from_json (const char *id, const char *address, const char *json)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (json, -1, NULL);
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new (id, address, beckon_json_get_string (object, "text"));

  incoming->name = g_strdup (beckon_json_get_string (object, "name"));
  incoming->code = g_strdup (beckon_json_get_string (object, "code"));
  incoming->button_message = g_strdup (beckon_json_get_string (object, "button"));
  incoming->quote = g_strdup (beckon_json_get_string (object, "quote"));
  incoming->context = g_strdup (beckon_json_get_string (object, "context"));
  incoming->at = beckon_json_get_int (object, "at", 0);
  incoming->number = beckon_json_get_int (object, "number", 0);
  read_attachments (incoming, beckon_json_get_array (object, "files"));
  return incoming;
}
