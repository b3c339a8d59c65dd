/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-settings.h"

/* After so many unfinished starts in a row, what every start loads is suspect: the profile and the last conversation. */
#define MOST_UNFINISHED 3

/* GSettings aborts a program whose schema or key is not installed. A core that runs from a build folder, or beside an
 * older installation, is better off with the defaults; so both are looked up before they are used, and a key that is not
 * there lives in memory. */

static const struct
{
  const char *key;
  const char *fallback; /* of the type that is expected of the key */
} keys[] = {
  { "ask-for-by-products", "false" },
  { "ask-user-flow", "'suspend'" },
  { "color-scheme", "'default'" },
  { "connect-timeout", "uint32 10" },
  { "dbus-answer-approvals", "false" },
  { "dbus-answer-questions", "true" },
  { "default-mode", "'changes'" },
  { "default-profile", "'tour'" },
  { "disabled-tools", "@as []" },
  { "dismiss", "'stops'" },
  { "enable-ask-user", "true" },
  { "fetch-private-addresses", "false" },
  { "first-byte-timeout", "uint32 120" },
  { "folder-instructions", "true" },
  { "idle-timeout", "uint32 120" },
  { "instructions", "''" },
  { "local-first-byte-timeout", "uint32 600" },
  { "local-idle-timeout", "uint32 300" },
  { "name-conversations", "true" },
  { "notification-details", "true" },
  { "notify-after", "uint32 15" },
  { "prompt-parts", "@a{ss} {}" },
  { "request-timeout", "uint32 0" },
  { "search-address", "''" },
  { "show-usage", "false" },
  { "spending-limit", "0.0" },
  { "text-size", "uint32 100" },
  { "tool-chains", "@as []" },
  { "unfinished-starts", "uint32 0" },
};

struct _BeckonSettings
{
  GObject parent_instance;

  GSettings *gsettings;     /* (nullable) */
  GSettingsSchema *schema;  /* (nullable): of gsettings */
  GHashTable *fallback;     /* (element-type utf8 GVariant): values of keys that no schema has */
  gboolean is_without_folder; /* in this process, whatever the key says */
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

static gboolean
is_in_schema (BeckonSettings *self, const char *key, GVariant *fallback)
{
  g_autoptr (GSettingsSchemaKey) schema_key = NULL;

  if (!g_settings_schema_has_key (self->schema, key))
    return FALSE;

  schema_key = g_settings_schema_get_key (self->schema, key);
  return g_variant_is_of_type (fallback, g_settings_schema_key_get_value_type (schema_key));
}

static gboolean
is_installed (BeckonSettings *self, const char *key)
{
  return g_hash_table_contains (self->installed, key);
}

static void
beckon_settings_init (BeckonSettings *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  self->fallback = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
  self->installed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    add_fallback (self, keys[i].key, g_variant_new_parsed (keys[i].fallback));

  if (source != NULL)
    self->schema = g_settings_schema_source_lookup (source, BECKON_SCHEMA_ID, TRUE);
  if (self->schema == NULL)
    return;

  /* Once: asking the schema costs as much as reading the value, and every round of a run reads several. */
  g_hash_table_iter_init (&iter, self->fallback);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (is_in_schema (self, key, value))
      g_hash_table_add (self->installed, g_strdup (key));

  /* With the first GSettings a thread of dconf connects to the bus, while this one sets up classes of its own. In
   * GLib 2.74 a class that names a type waits for the thread that registers that type, and holds the lock that
   * registering an interface takes: the two threads can wait for each other for ever. So the types with interfaces that
   * both of them need are registered before. */
  g_type_ensure (G_TYPE_SOCKET);
  g_type_ensure (G_TYPE_INET_SOCKET_ADDRESS);
  g_type_ensure (G_TYPE_PROXY_ADDRESS);
  g_type_ensure (G_TYPE_PROXY_ADDRESS_ENUMERATOR);
  g_type_ensure (G_TYPE_TCP_CONNECTION);
  g_type_ensure (G_TYPE_DBUS_CONNECTION);
  g_type_class_unref (g_type_class_ref (G_TYPE_SOCKET_CLIENT));

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

gboolean
beckon_settings_are_saved (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return settings->gsettings != NULL && g_settings_is_writable (settings->gsettings, "default-profile");
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

#define GETTER(Type, function, of_variant, key)                                                                             \
  Type function (BeckonSettings *settings)                                                                                  \
  {                                                                                                                         \
    g_autoptr (GVariant) value = NULL;                                                                                      \
                                                                                                                            \
    g_return_val_if_fail (BECKON_IS_SETTINGS (settings), (Type) 0);                                                         \
                                                                                                                            \
    value = get_value (settings, key);                                                                                      \
    return of_variant;                                                                                                      \
  }

#define BOOLEAN(name, key) GETTER (gboolean, beckon_settings_get_##name, g_variant_get_boolean (value), key)
#define NUMBER(name, key) GETTER (guint, beckon_settings_get_##name, g_variant_get_uint32 (value), key)
#define STRING(name, key) GETTER (char *, beckon_settings_dup_##name, g_variant_dup_string (value, NULL), key)

#define SETTER(Type, name, new_variant, key)                                                                                \
  void beckon_settings_set_##name (BeckonSettings *settings, Type value)                                                    \
  {                                                                                                                         \
    g_return_if_fail (BECKON_IS_SETTINGS (settings));                                                                       \
                                                                                                                            \
    set_value (settings, key, new_variant (value));                                                                         \
  }

static GETTER (gboolean, uses_folder, g_variant_get_boolean (value), "folder-instructions")

gboolean
beckon_settings_get_folder_instructions (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  return !settings->is_without_folder && uses_folder (settings);
}

void
beckon_settings_leave_out_folder_instructions (BeckonSettings *settings)
{
  g_return_if_fail (BECKON_IS_SETTINGS (settings));

  settings->is_without_folder = TRUE;
}

BOOLEAN (dbus_answer_approvals, "dbus-answer-approvals")
BOOLEAN (dbus_answer_questions, "dbus-answer-questions")
BOOLEAN (enable_ask_user, "enable-ask-user")
BOOLEAN (ask_for_by_products, "ask-for-by-products")
BOOLEAN (fetch_private_addresses, "fetch-private-addresses")
BOOLEAN (name_conversations, "name-conversations")
BOOLEAN (notification_details, "notification-details")
NUMBER (connect_timeout, "connect-timeout")
NUMBER (first_byte_timeout, "first-byte-timeout")
NUMBER (idle_timeout, "idle-timeout")
NUMBER (local_first_byte_timeout, "local-first-byte-timeout")
NUMBER (local_idle_timeout, "local-idle-timeout")
NUMBER (notify_after, "notify-after")
NUMBER (request_timeout, "request-timeout")
STRING (default_profile, "default-profile")
STRING (instructions, "instructions")
STRING (search_address, "search-address")
GETTER (double, beckon_settings_get_spending_limit, g_variant_get_double (value), "spending-limit")
GETTER (GVariant *, beckon_settings_dup_prompt_parts, g_steal_pointer (&value), "prompt-parts")
GETTER (char **, beckon_settings_dup_disabled_tools, g_variant_dup_strv (value, NULL), "disabled-tools")
GETTER (char **, beckon_settings_dup_tool_chains, g_variant_dup_strv (value, NULL), "tool-chains")
SETTER (gboolean, enable_ask_user, g_variant_new_boolean, "enable-ask-user")
SETTER (const char *, default_profile, g_variant_new_string, "default-profile")
SETTER (double, spending_limit, g_variant_new_double, "spending-limit")

gboolean
beckon_settings_begin_start (BeckonSettings *settings)
{
  g_autoptr (GVariant) value = NULL;
  gboolean is_careful;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), FALSE);

  value = get_value (settings, "unfinished-starts");
  is_careful = g_variant_get_uint32 (value) >= MOST_UNFINISHED;
  if (is_careful)
    beckon_settings_set_default_profile (settings, "");
  set_value (settings, "unfinished-starts", g_variant_new_uint32 (is_careful ? 1 : g_variant_get_uint32 (value) + 1));
  return is_careful;
}

void
beckon_settings_end_start (BeckonSettings *settings)
{
  g_return_if_fail (BECKON_IS_SETTINGS (settings));

  set_value (settings, "unfinished-starts", g_variant_new_uint32 (0));
}

static gboolean
is_word (BeckonSettings *self, const char *key, const char *word)
{
  g_autoptr (GVariant) value = get_value (self, key);

  return g_str_equal (g_variant_get_string (value, NULL), word);
}

BeckonDismiss
beckon_settings_get_dismiss (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), BECKON_DISMISS_STOPS);

  return is_word (settings, "dismiss", "continues") ? BECKON_DISMISS_CONTINUES : BECKON_DISMISS_STOPS;
}

BeckonAskUserFlow
beckon_settings_get_ask_user_flow (BeckonSettings *settings)
{
  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), BECKON_ASK_USER_SUSPENDS);

  return is_word (settings, "ask-user-flow", "end-turn") ? BECKON_ASK_USER_ENDS_TURN : BECKON_ASK_USER_SUSPENDS;
}

BeckonMode
beckon_settings_get_default_mode (BeckonSettings *settings)
{
  g_autoptr (GVariant) value = NULL;
  BeckonMode mode = BECKON_MODE_DEFAULT;

  g_return_val_if_fail (BECKON_IS_SETTINGS (settings), mode);

  value = get_value (settings, "default-mode");
  beckon_mode_from_string (g_variant_get_string (value, NULL), &mode);
  return mode;
}
