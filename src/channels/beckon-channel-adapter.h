/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "channels/beckon-channel-message.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonChannelState:
 * @BECKON_CHANNEL_OFF: not started, or stopped
 * @BECKON_CHANNEL_CONNECTING: it tries to reach its server, for the first time or again
 * @BECKON_CHANNEL_CONNECTED: what is sent arrives, and what comes is told
 * @BECKON_CHANNEL_SIGNED_OUT: it has no sign-in, or the server no longer takes it: a person has to do something. It does
 *   nothing until beckon_channel_adapter_sign_in(), or a start with another secret
 * @BECKON_CHANNEL_SIGNING_IN: a person is being led through a sign-in; see #BeckonChannelPrompt
 * @BECKON_CHANNEL_FAILED: it does not work now, for a reason in words; it goes on trying, with longer and longer pauses
 */
typedef enum
{
  BECKON_CHANNEL_OFF,
  BECKON_CHANNEL_CONNECTING,
  BECKON_CHANNEL_CONNECTED,
  BECKON_CHANNEL_SIGNED_OUT,
  BECKON_CHANNEL_SIGNING_IN,
  BECKON_CHANNEL_FAILED,
} BeckonChannelState;

/** "off", "connecting", "connected", "signed-out", "signing-in", "failed"; static. */
const char *beckon_channel_state_to_string (BeckonChannelState state);

/**
 * BeckonChannelPrompt:
 * @BECKON_CHANNEL_PROMPT_NONE: nothing, but to wait
 * @BECKON_CHANNEL_PROMPT_QR: the text is to be shown as a QR code, and scanned
 * @BECKON_CHANNEL_PROMPT_SCANNED: it was scanned; the person confirms on the phone
 * @BECKON_CHANNEL_PROMPT_CODE: the person enters a code that the phone shows; see beckon_channel_adapter_enter()
 *
 * What is wanted of the person while an adapter is %BECKON_CHANNEL_SIGNING_IN.
 */
typedef enum
{
  BECKON_CHANNEL_PROMPT_NONE,
  BECKON_CHANNEL_PROMPT_QR,
  BECKON_CHANNEL_PROMPT_SCANNED,
  BECKON_CHANNEL_PROMPT_CODE,
} BeckonChannelPrompt;

/**
 * BeckonChannelLimits:
 * @max_characters: of one message, in Unicode characters; 0 is no limit
 * @max_units: of one message, in units of UTF-16; 0 is no limit
 * @max_bytes: of one message, in bytes of UTF-8; 0 is no limit
 * @max_choices: buttons below one message; 0 where there are none
 * @max_label: characters of a button's label
 * @interval_ms: the least pause between two messages of the account
 * @replies: how many messages a peer can be sent for each of its own; 0 is no limit
 * @window_s: how long after a peer's last message it can be sent anything; 0 is no limit
 * @can_receive: messages come; %FALSE for what only publishes
 * @can_edit: a message that was sent can be edited
 * @can_type: "typing" can be shown
 * @has_text: texts are sent; %FALSE sends #BeckonChannelOutgoing.title alone
 *
 * What an adapter can do; the same for all of its life. The account above it cuts, waits and counts: an adapter need not.
 */
typedef struct
{
  guint max_characters;
  guint max_units;
  guint max_bytes;
  guint max_choices;
  guint max_label;
  guint interval_ms;
  guint replies;
  guint window_s;
  gboolean can_receive;
  gboolean can_edit;
  gboolean can_type;
  gboolean has_text;
} BeckonChannelLimits;

#define BECKON_TYPE_CHANNEL_ADAPTER (beckon_channel_adapter_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonChannelAdapter, beckon_channel_adapter, BECKON, CHANNEL_ADAPTER, GObject)

/**
 * BeckonChannelStart:
 * @config: (nullable): the account's settings, a JSON object with the fields of its #BeckonChannelKind; checked before
 * @secret: (nullable): the token or password of the keyring
 * @cursor: (nullable): where to go on receiving, as the last #BeckonChannelAdapter::received that was stored said; %NULL at the
 *   first time
 *
 * All an adapter knows of its account. Borrowed for the time of the call.
 */
typedef struct
{
  JsonObject *config;
  const char *secret;
  const char *cursor;
} BeckonChannelStart;

/**
 * BeckonChannelAdapter:
 *
 * One account of a text channel: it moves text and knows nothing of requests, conversations or who may speak. Main thread; a
 * library that needs a thread of its own is wrapped so that nobody sees it. It is started and stopped any number of times. No
 * call blocks, and no key, address or text of a message is ever logged.
 *
 * Signal `received` (GPtrArray *messages, const char *cursor): @messages (element-type #BeckonChannelIncoming), in their order,
 * may be empty; @cursor (nullable) is where to go on once these are stored. The adapter does not confirm them to its server,
 * and does not ask for more, before beckon_channel_adapter_stored(): what is lost on the way to the store comes again.
 *
 * Signal `state`: the state, its words or the prompt are other than before.
 *
 * Signal `signed-in` (const char *secret, const char *config): a sign-in ended well; @secret goes into the keyring and
 * @config (nullable), a JSON object, takes the place of the account's settings. The adapter goes on with both by itself.
 */

/**
 * BeckonChannelAdapterClass:
 * @get_limits: static
 * @dup_server: the server that the secret is for, as an address (`https://api.telegram.org`); @config as in
 *   #BeckonChannelStart. The keyring gives the secret to no other. Caller frees
 * @start: reads @start, reaches the server, and receives from now on; without a secret that it needs it is
 *   %BECKON_CHANNEL_SIGNED_OUT. Called while it is %BECKON_CHANNEL_OFF
 * @stop: ends everything at once, without waiting for a server; what is being sent ends with %G_IO_ERROR_CANCELLED. Nothing is
 *   emitted after it
 * @stored: what was received last is in the store
 * @send_async: sends @outgoing, or edits the message that it names. Called for one message at a time, and not before the one
 *   before has ended; the adapter has a timeout of its own. Cancelling ends it at once
 * @send_finish: the remote id of the message, "" where the protocol has none (caller frees); %NULL with #BeckonChannelError or
 *   %G_IO_ERROR_CANCELLED
 * @type: (nullable): shows that the agent works, or no longer does, to @address; forgotten if it fails
 * @acknowledge: (nullable): ends the wait of a pressed button, with @text for the person; @incoming is what was received.
 *   Called once for each message with a code. Forgotten if it fails
 * @fetch_async: (nullable): fetches an attachment that came, at most %BECKON_CHANNEL_ATTACHMENT_MAX bytes, from the account's
 *   own server or from where that names, on the public internet
 * @fetch_finish: the bytes; %NULL with #BeckonChannelError or %G_IO_ERROR_CANCELLED
 * @forget: (nullable): the peer is no longer paired: whatever the server keeps of it for this account is given up
 * @sign_in: (nullable): begins to lead a person through a sign-in; for kinds without a secret that is entered as text
 * @enter: (nullable): what the person entered for %BECKON_CHANNEL_PROMPT_CODE
 *
 * What a protocol fills in.
 */
struct _BeckonChannelAdapterClass
{
  GObjectClass parent_class;

  const BeckonChannelLimits *(*get_limits) (BeckonChannelAdapter *self);
  char *(*dup_server) (BeckonChannelAdapter *self, JsonObject *config);
  void (*start) (BeckonChannelAdapter *self, const BeckonChannelStart *start);
  void (*stop) (BeckonChannelAdapter *self);
  void (*stored) (BeckonChannelAdapter *self, const char *cursor);
  void (*send_async) (BeckonChannelAdapter *self, BeckonChannelOutgoing *outgoing, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data);
  char *(*send_finish) (BeckonChannelAdapter *self, GAsyncResult *result, GError **error);
  void (*type) (BeckonChannelAdapter *self, const char *address, const char *context, gboolean is_typing);
  void (*acknowledge) (BeckonChannelAdapter *self, BeckonChannelIncoming *incoming, const char *text);
  void (*fetch_async) (BeckonChannelAdapter *self, const BeckonChannelAttachment *attachment, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data);
  GBytes *(*fetch_finish) (BeckonChannelAdapter *self, GAsyncResult *result, GError **error);
  void (*forget) (BeckonChannelAdapter *self, const char *address);
  void (*sign_in) (BeckonChannelAdapter *self, JsonObject *config);
  void (*enter) (BeckonChannelAdapter *self, const char *text);
};

/* --- For whoever drives it ---------------------------------------------------------------------------------------- */

const BeckonChannelLimits *beckon_channel_adapter_get_limits (BeckonChannelAdapter *adapter);
char                      *beckon_channel_adapter_dup_server (BeckonChannelAdapter *adapter, JsonObject *config);

/** Does nothing while it is not off. */
void beckon_channel_adapter_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start);
void beckon_channel_adapter_stop (BeckonChannelAdapter *adapter);

/** Says that the store has what was received last, with @cursor (nullable). */
void beckon_channel_adapter_stored (BeckonChannelAdapter *adapter, const char *cursor);

void  beckon_channel_adapter_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
char *beckon_channel_adapter_send_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error);

/** @context: (nullable): see #BeckonChannelOutgoing. Nothing happens where it cannot be shown. */
void beckon_channel_adapter_type (BeckonChannelAdapter *adapter, const char *address, const char *context, gboolean is_typing);

/** @text: (nullable): a few words. Nothing happens where buttons need no such end. */
void beckon_channel_adapter_acknowledge (BeckonChannelAdapter *adapter, BeckonChannelIncoming *incoming, const char *text);

void    beckon_channel_adapter_fetch_async (BeckonChannelAdapter *adapter, const BeckonChannelAttachment *attachment,
                                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GBytes *beckon_channel_adapter_fetch_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error);

/** The peer at @address is no longer paired. While it is connected. */
void beckon_channel_adapter_forget (BeckonChannelAdapter *adapter, const char *address);

/** Whether a person signs in through prompts, and not by a token that is entered. */
gboolean beckon_channel_adapter_has_sign_in (BeckonChannelAdapter *adapter);
void     beckon_channel_adapter_sign_in (BeckonChannelAdapter *adapter, JsonObject *config);
void     beckon_channel_adapter_enter (BeckonChannelAdapter *adapter, const char *text);

BeckonChannelState beckon_channel_adapter_get_state (BeckonChannelAdapter *adapter);

/** Why it failed or is signed out, in words for people; %NULL otherwise. Borrowed. */
const char *beckon_channel_adapter_get_problem (BeckonChannelAdapter *adapter);

/** @text: (out) (optional) (nullable): what a QR code says, or what is asked for; borrowed. */
BeckonChannelPrompt beckon_channel_adapter_get_prompt (BeckonChannelAdapter *adapter, const char **text);

/* --- For adapters ------------------------------------------------------------------------------------------------- */

/** Tells a new state; nothing is told when all is as before. @problem: (nullable): words for people. */
void beckon_channel_adapter_set_state (BeckonChannelAdapter *self, BeckonChannelState state, const char *problem);

/** Tells what is wanted of the person; the state becomes %BECKON_CHANNEL_SIGNING_IN. @text: (nullable). */
void beckon_channel_adapter_set_prompt (BeckonChannelAdapter *self, BeckonChannelPrompt prompt, const char *text);

/**
 * beckon_channel_adapter_receive:
 * @self: an adapter
 * @messages: (element-type BeckonChannelIncoming): what came
 * @cursor: (nullable): where to go on after it
 *
 * Emits `received`. The class's `stored` is called later, once; until then the adapter waits. If the adapter is stopped before,
 * `stored` is not called.
 */
void beckon_channel_adapter_receive (BeckonChannelAdapter *self, GPtrArray *messages, const char *cursor);

/** Emits `signed-in`. @config: (nullable). */
void beckon_channel_adapter_note_signed_in (BeckonChannelAdapter *self, const char *secret, const char *config);

/** Its clock, the system's by default. Borrowed. A test sets another before it is started. */
BeckonClock *beckon_channel_adapter_get_clock (BeckonChannelAdapter *self);
void         beckon_channel_adapter_set_clock (BeckonChannelAdapter *self, BeckonClock *clock);

/**
 * beckon_channel_backoff_ms:
 * @failures: how many tries failed one after another, from 1
 * @first_ms: the first pause
 * @most_ms: the longest
 *
 * Returns: @first_ms, doubled with each failure up to @most_ms, less up to a quarter by chance: many do not come at once
 */
guint beckon_channel_backoff_ms (guint failures, guint first_ms, guint most_ms);

#define BECKON_CHANNEL_ERROR (beckon_channel_error_quark ())
GQuark beckon_channel_error_quark (void);

/**
 * BeckonChannelError:
 * @BECKON_CHANNEL_ERROR_NETWORK: the server was not reached, or something broke off; trying again may help
 * @BECKON_CHANNEL_ERROR_LATE: there was no answer in time, so that nobody knows whether it arrived; trying again may help
 * @BECKON_CHANNEL_ERROR_LIMITED: the server wants a pause; beckon_channel_error_get_pause_s() says how long, if it said so
 * @BECKON_CHANNEL_ERROR_SIGN_IN: the account has to be signed in to again
 * @BECKON_CHANNEL_ERROR_GONE: the message to edit, or the file to fetch, is no longer there
 * @BECKON_CHANNEL_ERROR_BLOCKED: the peer no longer wants messages
 * @BECKON_CHANNEL_ERROR_REFUSED: the server refuses this one; trying again doesn't help
 *
 * Why a message was not sent, or a file not fetched. Messages are for people, translated, and have no key and no content.
 */
typedef enum
{
  BECKON_CHANNEL_ERROR_NETWORK,
  BECKON_CHANNEL_ERROR_LATE,
  BECKON_CHANNEL_ERROR_LIMITED,
  BECKON_CHANNEL_ERROR_SIGN_IN,
  BECKON_CHANNEL_ERROR_GONE,
  BECKON_CHANNEL_ERROR_BLOCKED,
  BECKON_CHANNEL_ERROR_REFUSED,
} BeckonChannelError;

/** Makes a %BECKON_CHANNEL_ERROR_LIMITED. @pause_s: 0 where the server did not say. */
GError *beckon_channel_error_new_limited (guint pause_s, const char *message) G_GNUC_WARN_UNUSED_RESULT;

/** The seconds of a %BECKON_CHANNEL_ERROR_LIMITED, 0 of any other error. */
guint beckon_channel_error_get_pause_s (const GError *error);

G_END_DECLS
