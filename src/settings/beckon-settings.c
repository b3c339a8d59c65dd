/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-settings.h"

/* GSettings aborts a program whose schema or key is not installed. A core that runs from a build folder, or beside an
 * older installation, is better off with the defaults; so both are looked up before they are used, and a key that is not
 * there lives in memory. */

#define KEY_ENABLE_ASK_USER "enable-ask-user"
#define KEY_DISMISS "dismiss"
#define KEY_NAME_CONVERSATIONS "name-conversations"
#define KEY_NOTIFY_AFTER "notify-after"
#define KEY_ASK_USER_FLOW "ask-user-flow"
#define KEY_REQUEST_TIMEOUT "request-timeout"
#define KEY_DBUS_ANSWER_QUESTIONS "dbus-answer-questions"
#define KEY_DBUS_ANSWER_APPROVALS "dbus-answer-approvals"
#define KEY_DEFAULT_PROFILE "default-profile"
#define KEY_INSTRUCTIONS "instructions"
#define KEY_PROMPT_PARTS "prompt-parts"
#define KEY_FETCH_PRIVATE_ADDRESSES "fetch-private-addresses"
#define KEY_SEARCH_ADDRESS "search-address"
#define KEY_TOOL_CHAINS "tool-chains"
#define KEY_DEFAULT_MODE "default-mode"
#define KEY_COLOR_SCHEME "color-scheme"
#define KEY_TEXT_SIZE "text-size"
#define KEY_NOTIFICATION_DETAILS "notification-details"
#define KEY_CONNECT_TIMEOUT "connect-timeout"
#define KEY_FIRST_BYTE_TIMEOUT "first-byte-timeout"
#define KEY_IDLE_TIMEOUT "idle-timeout"
#define KEY_LOCAL_FIRST_BYTE_TIMEOUT "local-first-byte-timeout"
#define KEY_LOCAL_IDLE_TIMEOUT "local-idle-timeout"
#define KEY_SPENDING_LIMIT "spending-limit"
#define KEY_SHOW_USAGE "show-usage"

struct _BeckonSettings
{
  GObject parent_instance;

  GSettings *gsettings;     /* (nullable) */
  GSettingsSchema *schema;  /* (nullable): of gsettings */
  GHashTable *fallback;     /* (element-type utf8 GVariant): values of keys that no schema has */
  GHashTable *installed;    /* (element-type utf8): keys that the schema has, with the type that is expected of them */
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (BeckonSettings, beckon_settings, G_TYPE_OBJECT)

static void
beckon_settings_finalize (GObject *object)
{
  BeckonSettings *self = BECKON_SETTINGS (object);

  g_clear_object (&self->gsettings);
  g_clear_pointer (&self->schema, g_settings_schema_unref);
  g_hash_table_unref (self->fallback);
  g_hash_table_unref (self->installed);

  G_OBJECT_CLASS (beckon_settings_parent_class)->finalize (object);
}

static void
beckon_settings_class_init (BeckonSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_settings_finalize;

  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_SETTINGS, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
emit_changed (BeckonSettings *self, const char *key)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], g_quark_from_string (key), key);
}

static void
add_fallback (BeckonSettings *self, const char *key, GVariant *value)
{
  g_hash_table_insert (self->fallback, g_strdup (key), g_variant_ref_sink (value));
}

static void
add_fallbacks (BeckonSettings *self)
{
  add_fallback (self, KEY_ENABLE_ASK_USER, g_variant_new_boolean (TRUE));
  add_fallback (self, KEY_NAME_CONVERSATIONS, g_variant_new_boolean (TRUE));
  add_fallback (self, KEY_DISMISS, g_variant_new_string ("stops"));
  add_fallback (self, KEY_NOTIFICATION_DETAILS, g_variant_new_boolean (TRUE));
  add_fallback (self, KEY_NOTIFY_AFTER, g_variant_new_uint32 (15));
  add_fallback (self, KEY_ASK_USER_FLOW, g_variant_new_string ("suspend"));
  add_fallback (self, KEY_DBUS_ANSWER_QUESTIONS, g_variant_new_boolean (TRUE));
  add_fallback (self, KEY_DBUS_ANSWER_APPROVALS, g_variant_new_boolean (FALSE));
  add_fallback (self, KEY_REQUEST_TIMEOUT, g_variant_new_uint32 (0));
  add_fallback (self, KEY_DEFAULT_PROFILE, g_variant_new_string ("tour"));
  add_fallback (self, KEY_INSTRUCTIONS, g_variant_new_string (""));
  add_fallback (self, KEY_FETCH_PRIVATE_ADDRESSES, g_variant_new_boolean (FALSE));
  add_fallback (self, KEY_SEARCH_ADDRESS, g_variant_new_string (""));
  add_fallback (self, KEY_TOOL_CHAINS, g_variant_new_strv (NULL, 0));
  add_fallback (self, KEY_PROMPT_PARTS, g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0));
  add_fallback (self, KEY_DEFAULT_MODE, g_variant_new_string ("changes"));
  add_fallback (self, KEY_COLOR_SCHEME, g_variant_new_string ("default"));
  add_fallback (self, KEY_TEXT_SIZE, g_variant_new_uint32 (100));
  add_fallback (self, KEY_CONNECT_TIMEOUT, g_variant_new_uint32 (10));
  add_fallback (self, KEY_FIRST_BYTE_TIMEOUT, g_variant_new_uint32 (120));
  add_fallback (self, KEY_IDLE_TIMEOUT, g_variant_new_uint32 (120));
  add_fallback (self, KEY_LOCAL_FIRST_BYTE_TIMEOUT, g_variant_new_uint32 (600));
  add_fallback (self, KEY_LOCAL_IDLE_TIMEOUT, g_variant_new_uint32 (300));
  add_fallback (self, KEY_SPENDING_LIMIT, g_variant_new_double (0));
  add_fallback (self, KEY_SHOW_USAGE, g_variant_new_boolean (FALSE));
}

static gboolean
is_in_schema (BeckonSettings *self, const char *key, GVariant *fallback)
{
  g_autoptr (GSettingsSchemaKey) schema_key = NULL;

  if (!g_settings_schema_has_key (self->schema, key))
    return FALSE;

  schema_key = g_settings_schema_get_key (self->schema, key);
  return g_variant_is_of_type (fallback, g_settings_schema_key_get_value_type (schema_key));
}

/* Once: asking the schema costs as much as reading the value, and every round of a run reads several. */
static void
find_installed (BeckonSettings *self)
{
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, self->fallback);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (is_in_schema (self, key, value))
      g_hash_table_add (self->installed, g_strdup (key));
}

static gboolean
is_installed (BeckonSettings *self, const char *key)
{
  return g_hash_table_contains (self->installed, key);
}

/* With the first GSettings a thread of dconf connects to the bus, while this one sets up classes of its own. In GLib 2.74 a
 * class that names a type waits for whoever registers that type, and holds the lock that registering an interface takes: the
 * two threads can wait for each other for ever. So the types with interfaces that both of them need are registered before. */
static void
register_shared_types (void)
{
  g_type_ensure (G_TYPE_SOCKET);
  g_type_ensure (G_TYPE_INET_SOCKET_ADDRESS);
  g_type_ensure (G_TYPE_PROXY_ADDRESS);
  g_type_ensure (G_TYPE_PROXY_ADDRESS_ENUMERATOR);
  g_type_ensure (G_TYPE_TCP_CONNECTION);
  g_type_ensure (G_TYPE_DBUS_CONNECTION);
  g_type_class_unref (g_type_class_ref (G_TYPE_SOCKET_CLIENT));
}

static void
beckon_settings_init (BeckonSettings *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  self->fallback = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
  self->installed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  add_fallbacks (self);

  if (source != NULL)
    self->schema = g_settings_schema_source_lookup (source, BECKON_SCHEMA_ID, TRUE);
  if (self->schema == NULL)
    return;

  find_installed (self);
  register_shared_types ();
  self->gsettings = g_settings_new_full (self->schema, NULL, NULL);
  g_signal_connect_object (self->gsettings, "changed", G_CALLBACK (emit_changed), self, G_CONNECT_SWAPPED);
}

BeckonSettings *
beckon_settings_new (void)
{
  return g_object_new (BECKON_TYPE_SETTINGS, NULL);
}

GSettings *
beckon_settings_get_gsettings (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), NULL);

  return settings->gsettings;
}

static GVariant *
get_value (BeckonSettings *self, const char *key)
{
  if (is_installed (self, key))
    return g_settings_get_value (self->gsettings, key);

  return g_variant_ref (g_hash_table_lookup (self->fallback, key));
}

static void
set_value (BeckonSettings *self, const char *key, GVariant *value)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (value);
  g_autoptr (GVariant) current = get_value (self, key);

  /* Not every backend knows that nothing changed. */
  if (g_variant_equal (current, held))
    return;

  if (is_installed (self, key))
    {
      g_settings_set_value (self->gsettings, key, held);
      return;
    }

  add_fallback (self, key, held);
  emit_changed (self, key);
}

static gboolean
get_boolean (BeckonSettings *self, const char *key)
{
  g_autoptr (GVariant) value = get_value (self, key);

  return g_variant_get_boolean (value);
}

static guint
get_uint (BeckonSettings *self, const char *key)
{
  g_autoptr (GVariant) value = get_value (self, key);

  return g_variant_get_uint32 (value);
}

static char *
dup_string (BeckonSettings *self, const char *key)
{
  g_autoptr (GVariant) value = get_value (self, key);

  return g_variant_dup_string (value, NULL);
}

gboolean
beckon_settings_get_enable_ask_user (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return get_boolean (settings, KEY_ENABLE_ASK_USER);
}

void
beckon_settings_set_enable_ask_user (BeckonSettings *settings, gboolean enabled)
{
  g_return_if_fail (BECKON_IS_SETTINGS (settings));

  set_value (settings, KEY_ENABLE_ASK_USER, g_variant_new_boolean (enabled));
}

gboolean
beckon_settings_get_name_conversations (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return get_boolean (settings, KEY_NAME_CONVERSATIONS);
}

BeckonDismiss
beckon_settings_get_dismiss (BeckonSettings *settings)
{
  g_autofree char *nick = NULL;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), BECKON_DISMISS_STOPS);

  nick = dup_string (settings, KEY_DISMISS);
  return g_str_equal (nick, "continues") ? BECKON_DISMISS_CONTINUES : BECKON_DISMISS_STOPS;
}

BeckonAskUserFlow
beckon_settings_get_ask_user_flow (BeckonSettings *settings)
{
  g_autofree char *nick = NULL;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), BECKON_ASK_USER_SUSPENDS);

  nick = dup_string (settings, KEY_ASK_USER_FLOW);
  return g_str_equal (nick, "end-turn") ? BECKON_ASK_USER_ENDS_TURN : BECKON_ASK_USER_SUSPENDS;
}

gboolean
beckon_settings_get_notification_details (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return get_boolean (settings, KEY_NOTIFICATION_DETAILS);
}

guint
beckon_settings_get_request_timeout (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_REQUEST_TIMEOUT);
}

guint
beckon_settings_get_notify_after (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_NOTIFY_AFTER);
}

gboolean
beckon_settings_get_dbus_answer_questions (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return get_boolean (settings, KEY_DBUS_ANSWER_QUESTIONS);
}

gboolean
beckon_settings_get_dbus_answer_approvals (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return get_boolean (settings, KEY_DBUS_ANSWER_APPROVALS);
}

char *
beckon_settings_dup_default_profile (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), NULL);

  return dup_string (settings, KEY_DEFAULT_PROFILE);
}

void
beckon_settings_set_default_profile (BeckonSettings *settings, const char *profile_id)
{
  g_return_if_fail (BECKON_IS_SETTINGS (settings));
  g_return_if_fail (profile_id != NULL);

  set_value (settings, KEY_DEFAULT_PROFILE, g_variant_new_string (profile_id));
}

char *
beckon_settings_dup_instructions (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), NULL);

  return dup_string (settings, KEY_INSTRUCTIONS);
}

GVariant *
beckon_settings_dup_prompt_parts (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), NULL);

  return get_value (settings, KEY_PROMPT_PARTS);
}

BeckonMode
beckon_settings_get_default_mode (BeckonSettings *settings)
{
  g_autofree char *word = NULL;
  BeckonMode mode = BECKON_MODE_DEFAULT;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), BECKON_MODE_DEFAULT);

  word = dup_string (settings, KEY_DEFAULT_MODE);
  beckon_mode_from_string (word, &mode);
  return mode;
}

guint
beckon_settings_get_connect_timeout (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_CONNECT_TIMEOUT);
}

guint
beckon_settings_get_first_byte_timeout (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_FIRST_BYTE_TIMEOUT);
}

guint
beckon_settings_get_idle_timeout (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_IDLE_TIMEOUT);
}

guint
beckon_settings_get_local_first_byte_timeout (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_LOCAL_FIRST_BYTE_TIMEOUT);
}

guint
beckon_settings_get_local_idle_timeout (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  return get_uint (settings, KEY_LOCAL_IDLE_TIMEOUT);
}

gboolean
beckon_settings_get_fetch_private_addresses (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return get_boolean (settings, KEY_FETCH_PRIVATE_ADDRESSES);
}

char *
beckon_settings_dup_search_address (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), NULL);

  return dup_string (settings, KEY_SEARCH_ADDRESS);
}

char **
beckon_settings_dup_tool_chains (BeckonSettings *settings)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), NULL);

  value = get_value (settings, KEY_TOOL_CHAINS);
  return g_variant_dup_strv (value, NULL);
}

double
beckon_settings_get_spending_limit (BeckonSettings *settings)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), 0);

  value = get_value (settings, KEY_SPENDING_LIMIT);
  return g_variant_get_double (value);
}

void
beckon_settings_set_spending_limit (BeckonSettings *settings, double limit)
{
  g_return_if_fail (BECKON_IS_SETTINGS (settings));

  set_value (settings, KEY_SPENDING_LIMIT, g_variant_new_double (limit));
}
