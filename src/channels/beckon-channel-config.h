/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-kind.h"

G_BEGIN_DECLS

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
