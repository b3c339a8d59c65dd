/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-config.h"

#include "base/beckon-json.h"

static JsonObject *
config_parse (const char *config, GError **error)
{
  return beckon_json_parse_object (config != NULL ? config : "{}", -1, error);
}

char *
beckon_channel_config_dup_value (const char *config, const char *key)
{
  g_autoptr (JsonObject) object = config_parse (config, NULL);

  return g_strdup (beckon_json_get_string (object, key));
}

char *
beckon_channel_config_set_value (const char *config, const char *key, const char *value)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = config_parse (config, NULL);

  if (object == NULL)
    object = json_object_new ();
  if (value != NULL && *value != '\0')
    json_object_set_string_member (object, key, value);
  else if (json_object_has_member (object, key))
    json_object_remove_member (object, key);
  json_node_take_object (node, object);
  return beckon_json_print (node);
}

gboolean
beckon_channel_config_check (const BeckonChannelKind *kind, const char *config, GError **error)
{
  g_autoptr (JsonObject) object = config_parse (config, error);

  return object != NULL && beckon_channel_kind_check (kind, object, error);
}

void
beckon_channel_config_sign_in (BeckonChannelAdapter *adapter, const char *config)
{
  g_autoptr (JsonObject) object = config_parse (config, NULL);

  if (object != NULL)
    beckon_channel_adapter_sign_in (adapter, object);
}
