/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-adapter.h"

G_BEGIN_DECLS

/**
 * BeckonChannelField:
 * @key: the member of the account's settings, such as "server"
 * @title: for people, to be translated with _()
 * @hint: (nullable): an example, or what it is when it is empty, to be translated
 * @is_required: it cannot be empty
 * @is_found: nobody enters it: a sign-in finds it out
 * @is_switch: it is “on” or “off”, and “off” when it is empty
 *
 * Something that a person enters for an account. All values are strings; a secret is no field.
 */
typedef struct
{
  const char *key;
  const char *title;
  const char *hint;
  gboolean is_required;
  gboolean is_found;
  gboolean is_switch;
} BeckonChannelField;

/**
 * BeckonChannelKind:
 * @name: the word that is stored, typed and shown as the front end, such as "telegram"
 * @title: for people, to be translated with _()
 * @note: (nullable): what a person should know before, to be translated
 * @secret: (nullable): what the secret is called, such as "Token", to be translated; %NULL where nobody enters one
 * @check_secret: (nullable): whether an account works with a secret; @secret: (nullable); %FALSE with %BECKON_ERROR_INVALID, in
 *   words for people; without it any, and none, will do
 * @is_one_way: messages only leave by it: nobody is paired, and nothing is answered there
 * @get_type: its class of #BeckonChannelAdapter
 * @fields: (array zero-terminated=1): ends with a %NULL key
 * @check: (nullable): whether the settings fit together; %FALSE with %BECKON_ERROR_INVALID, in words for people
 *
 * A kind of channel. A new one is a file with its adapter, a constant of this type, and a line in beckon-channel-kind.c.
 */
typedef struct
{
  const char *name;
  const char *title;
  const char *note;
  const char *secret;
  gboolean (*check_secret) (const char *secret, GError **error);
  gboolean is_one_way;
  GType (*get_type) (void);
  const BeckonChannelField *fields;
  gboolean (*check) (JsonObject *config, GError **error);
} BeckonChannelKind;

/** All kinds of this build, in the order in which they are offered. @n_kinds: (out). Static. */
const BeckonChannelKind *const *beckon_channel_kind_list (guint *n_kinds);

/** By its name; %NULL if there is none in this build. Static. */
const BeckonChannelKind *beckon_channel_kind_find (const char *name);

/** For tests: one more kind from now on, at most 4. @kind: static. */
void beckon_channel_kind_register (const BeckonChannelKind *kind);

/**
 * beckon_channel_kind_check:
 * @kind: a kind
 * @config: an account's settings
 * @error: return location
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID, in words for people, where a field is missing, unknown, too long or no string
 */
gboolean beckon_channel_kind_check (const BeckonChannelKind *kind, JsonObject *config, GError **error);

/** A new adapter, off. Caller owns. */
BeckonChannelAdapter *beckon_channel_kind_make_adapter (const BeckonChannelKind *kind) G_GNUC_WARN_UNUSED_RESULT;

/* The settings of an account as text, for those who read no JSON. */

/** @config: (nullable). (transfer full) (nullable): what a setting says; %NULL if it says nothing. */
char *beckon_channel_config_dup_value (const char *config, const char *key) G_GNUC_WARN_UNUSED_RESULT;

/** @config: (nullable). (transfer full): the settings with one of them changed; @value: (nullable): it is left out. */
char *beckon_channel_config_set_value (const char *config, const char *key, const char *value) G_GNUC_WARN_UNUSED_RESULT;

/** As beckon_channel_kind_check(). */
gboolean beckon_channel_config_check (const BeckonChannelKind *kind, const char *config, GError **error);

/** As beckon_channel_adapter_sign_in(); nothing if @config is no JSON object. */
void beckon_channel_config_sign_in (BeckonChannelAdapter *adapter, const char *config);

G_END_DECLS
