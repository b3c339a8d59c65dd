/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mode.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SETTINGS (beckon_settings_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSettings, beckon_settings, BECKON, SETTINGS, GObject)

/** The effect of a dismissal on the run. */
typedef enum
{
  BECKON_DISMISS_STOPS,
  BECKON_DISMISS_CONTINUES,
} BeckonDismiss;

/** How a question interrupts its run; see the key `ask-user-flow`. */
typedef enum
{
  BECKON_ASK_USER_SUSPENDS,
  BECKON_ASK_USER_ENDS_TURN,
} BeckonAskUserFlow;

/**
 * BeckonSettings:
 *
 * The person's scalars: GSettings where its schema is installed, defaults otherwise (a core without a schema still runs).
 * They change while the program runs, from any process. Main thread. Signal `changed` with the key as detail.
 */
BeckonSettings *beckon_settings_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** The GSettings behind it, for binding widgets; %NULL where the schema is not installed. Borrowed. */
GSettings *beckon_settings_get_gsettings (BeckonSettings *settings);

/** `enable-ask-user`: whether the model may ask. */
gboolean      beckon_settings_get_enable_ask_user (BeckonSettings *settings);
void          beckon_settings_set_enable_ask_user (BeckonSettings *settings, gboolean enabled);
BeckonDismiss beckon_settings_get_dismiss (BeckonSettings *settings);

/** `name-conversations`: whether a model may be asked for a conversation's title. */
gboolean beckon_settings_get_name_conversations (BeckonSettings *settings);

/** `ask-user-flow`. */
BeckonAskUserFlow beckon_settings_get_ask_user_flow (BeckonSettings *settings);

/** `notification-details`: whether notifications say what is asked. */
gboolean beckon_settings_get_notification_details (BeckonSettings *settings);

/** `notify-after`: seconds after which the end of an unseen run is told; 0 is never. */
guint beckon_settings_get_notify_after (BeckonSettings *settings);

/** `dbus-answer-questions`, `dbus-answer-approvals`: whether other programs of the session may answer them. */
gboolean beckon_settings_get_dbus_answer_questions (BeckonSettings *settings);
gboolean beckon_settings_get_dbus_answer_approvals (BeckonSettings *settings);

/** Whether what is set outlives the program: %FALSE without the schema, and where the settings can't be written. */
gboolean beckon_settings_are_saved (BeckonSettings *settings);

/** `default-profile`: an id, the tour until the person chose one. Caller frees. */
char *beckon_settings_dup_default_profile (BeckonSettings *settings);
void  beckon_settings_set_default_profile (BeckonSettings *settings, const char *profile_id);

/** `unfinished-starts`: counts this start as unfinished until beckon_settings_end_start(). %TRUE if the last three were: then
 *  `default-profile` is cleared and the count begins anew. */
gboolean beckon_settings_begin_start (BeckonSettings *settings);
void     beckon_settings_end_start (BeckonSettings *settings);

/** `instructions`: the person's own part of the system prompt. Caller frees. */
char *beckon_settings_dup_instructions (BeckonSettings *settings);

/** `prompt-parts`: the person's own words for parts of the system prompt, `a{ss}` by their names. Caller owns. */
GVariant *beckon_settings_dup_prompt_parts (BeckonSettings *settings);

/** `ask-for-by-products`: whether what Git ignores, and caches, are asked about like other changes of commands. */
gboolean beckon_settings_get_ask_for_by_products (BeckonSettings *settings);

/** Whether web pages of this computer and its network may be read. */
gboolean beckon_settings_get_fetch_private_addresses (BeckonSettings *settings);

/** Whether instructions, skills and commands that a folder brings are read. */
gboolean beckon_settings_get_folder_instructions (BeckonSettings *settings);

/** Leaves them out in this process, whatever the key says. */
void beckon_settings_leave_out_folder_instructions (BeckonSettings *settings);

/** `tool-chains`: those of the home that commands are shown, by their names. Caller frees. */
char **beckon_settings_dup_tool_chains (BeckonSettings *settings);

/** `disabled-tools`: those that models are not offered, by their names. Caller frees. */
char **beckon_settings_dup_disabled_tools (BeckonSettings *settings);

/** The address of web searches; empty for none. Caller frees. */
char *beckon_settings_dup_search_address (BeckonSettings *settings);

/** `default-mode`: before which tools a new conversation asks. */
BeckonMode beckon_settings_get_default_mode (BeckonSettings *settings);

/** `request-timeout`: minutes until what waits for a person times out; 0 is never. */
guint beckon_settings_get_request_timeout (BeckonSettings *settings);

/** Seconds: `connect-timeout`, `first-byte-timeout`, `idle-timeout`, and the two of servers close by. */
guint beckon_settings_get_connect_timeout (BeckonSettings *settings);
guint beckon_settings_get_first_byte_timeout (BeckonSettings *settings);
guint beckon_settings_get_idle_timeout (BeckonSettings *settings);
guint beckon_settings_get_local_first_byte_timeout (BeckonSettings *settings);
guint beckon_settings_get_local_idle_timeout (BeckonSettings *settings);

/** After how much more a conversation's agent pauses, in the currency of its profile; 0: never. */
double beckon_settings_get_spending_limit (BeckonSettings *settings);
void   beckon_settings_set_spending_limit (BeckonSettings *settings, double limit);

G_END_DECLS
