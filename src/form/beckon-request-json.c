/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-json.h"

void
beckon_request_json_member (BeckonJsonWriter *writer, const char *name, const char *value)
{
  if (value != NULL)
    beckon_json_writer_member_string (writer, name, value);
}

JsonObject *
beckon_request_json_get_element (JsonArray *array, guint index)
{
  JsonNode *node = json_array_get_element (array, index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}
