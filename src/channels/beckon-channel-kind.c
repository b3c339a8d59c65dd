/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-kind.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-push-adapter.h"
#include "beckon-telegram-adapter.h"
#include "beckon-wechat-adapter.h"
#ifdef HAVE_XMPP
#include "beckon-xmpp-adapter.h"
#endif

#include <glib/gi18n-lib.h>
#include <string.h>
#include "base/beckon-json.h"

#define MOST_BUILT_IN 16
#define MOST_REGISTERED 4
#define LONGEST_VALUE 2048

static const BeckonChannelKind *kinds[MOST_BUILT_IN + MOST_REGISTERED];
static guint n_kinds;

/* The kinds of this build. */
static void
channel_kind_fill_in (void)
{
  static const BeckonChannelKind *const built_in[] = {
#ifdef HAVE_XMPP
    &beckon_xmpp_kind,
#endif
    &beckon_wechat_kind,
    &beckon_telegram_kind,
    &beckon_push_kind,
  };

  for (guint i = 0; i < G_N_ELEMENTS (built_in); i++)
    kinds[n_kinds++] = built_in[i];
}

const BeckonChannelKind *const *
beckon_channel_kind_list (guint *n)
{
  static gsize is_filled;

  g_return_val_if_fail (n != NULL, NULL);

  if (g_once_init_enter (&is_filled))
    {
      channel_kind_fill_in ();
      g_once_init_leave (&is_filled, 1);
    }
  *n = n_kinds;
  return kinds;
}

const BeckonChannelKind *
beckon_channel_kind_find (const char *name)
{
  guint n;
  const BeckonChannelKind *const *all = beckon_channel_kind_list (&n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (all[i]->name, name) == 0)
      return all[i];
  return NULL;
}

void
beckon_channel_kind_register (const BeckonChannelKind *kind)
{
  guint n;

  beckon_channel_kind_list (&n);
  g_return_if_fail (n < G_N_ELEMENTS (kinds));
  kinds[n_kinds++] = kind;
}

static const BeckonChannelField *
find_field (const BeckonChannelKind *kind, const char *key)
{
  for (const BeckonChannelField *field = kind->fields; field->key != NULL; field++)
    if (strcmp (field->key, key) == 0)
      return field;
  return NULL;
}

static gboolean
check_member (const BeckonChannelKind *kind, const char *name, JsonNode *value, GError **error)
{
  const char *text = JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING
                         ? json_node_get_string (value)
                         : NULL;

  if (find_field (kind, name) == NULL)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _ ("“%s” is no setting of this kind of channel."),
                           name);
  else if (text == NULL || strlen (text) > LONGEST_VALUE)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _ ("“%s” is too long, or no text."), name);
  else
    return TRUE;
  return FALSE;
}

gboolean
beckon_channel_kind_check (const BeckonChannelKind *kind, JsonObject *config, GError **error)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init (&iter, config);
  while (json_object_iter_next (&iter, &name, &value))
    if (!check_member (kind, name, value, error))
      return FALSE;
  for (const BeckonChannelField *field = kind->fields; field->key != NULL; field++)
    if (field->is_required && *json_object_get_string_member_with_default (config, field->key, "") == '\0')
      {
        beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _ ("“%s” is missing."), _ (field->title));
        return FALSE;
      }
  return kind->check == NULL || kind->check (config, error);
}

BeckonChannelAdapter *
beckon_channel_kind_make_adapter (const BeckonChannelKind *kind)
{
  return g_object_new (kind->get_type (), NULL);
}

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
