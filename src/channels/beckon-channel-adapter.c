/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-channel-adapter.h"

#include "beckon-config.h"

#include <string.h>

typedef struct
{
  BeckonClock *clock;
  BeckonChannelState state;
  char *problem;
  BeckonChannelPrompt prompt;
  char *prompt_text;
} BeckonChannelAdapterPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (BeckonChannelAdapter, beckon_channel_adapter, G_TYPE_OBJECT)

enum
{
  SIGNAL_RECEIVED,
  SIGNAL_STATE,
  SIGNAL_SIGNED_IN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

#define PRIVATE(self) ((BeckonChannelAdapterPrivate *) beckon_channel_adapter_get_instance_private (self))

const char *
beckon_channel_state_to_string (BeckonChannelState state)
{
  static const char *const words[] = {
    [BECKON_CHANNEL_OFF] = "off",
    [BECKON_CHANNEL_CONNECTING] = "connecting",
    [BECKON_CHANNEL_CONNECTED] = "connected",
    [BECKON_CHANNEL_SIGNED_OUT] = "signed-out",
    [BECKON_CHANNEL_SIGNING_IN] = "signing-in",
    [BECKON_CHANNEL_FAILED] = "failed",
  };

  return words[state];
}

guint
beckon_channel_backoff_ms (guint failures, guint first_ms, guint most_ms)
{
  guint64 pause = first_ms;

  for (guint i = 1; i < failures && pause < most_ms; i++)
    pause *= 2;
  pause = MIN (pause, most_ms);
  return (guint) (pause - (guint64) (g_random_double () * (double) pause / 4));
}

/* --- For whoever drives it ---------------------------------------------------------------------------------------- */

const BeckonChannelLimits *
beckon_channel_adapter_get_limits (BeckonChannelAdapter *adapter)
{
  return BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->get_limits (adapter);
}

char *
beckon_channel_adapter_dup_server (BeckonChannelAdapter *adapter, JsonObject *config)
{
  return BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->dup_server (adapter, config);
}

void
beckon_channel_adapter_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start)
{
  if (PRIVATE (adapter)->state == BECKON_CHANNEL_OFF)
    BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->start (adapter, start);
}

void
beckon_channel_adapter_stop (BeckonChannelAdapter *adapter)
{
  if (PRIVATE (adapter)->state == BECKON_CHANNEL_OFF)
    return;
  BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->stop (adapter);
  beckon_channel_adapter_set_state (adapter, BECKON_CHANNEL_OFF, NULL);
}

void
beckon_channel_adapter_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
  if (PRIVATE (adapter)->state != BECKON_CHANNEL_OFF)
    BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->stored (adapter, cursor);
}

void
beckon_channel_adapter_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->send_async (adapter, outgoing, cancellable, callback, user_data);
}

char *
beckon_channel_adapter_send_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error)
{
  return BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->send_finish (adapter, result, error);
}

void
beckon_channel_adapter_type (BeckonChannelAdapter *adapter, const char *address, const char *context, gboolean is_typing)
{
  BeckonChannelAdapterClass *class = BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter);

  if (class->type != NULL && PRIVATE (adapter)->state == BECKON_CHANNEL_CONNECTED)
    class->type (adapter, address, context, is_typing);
}

void
beckon_channel_adapter_forget (BeckonChannelAdapter *adapter, const char *address)
{
  BeckonChannelAdapterClass *class;

  class = BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter);
  if (class->forget != NULL && PRIVATE (adapter)->state == BECKON_CHANNEL_CONNECTED)
    class->forget (adapter, address);
}

void
beckon_channel_adapter_acknowledge (BeckonChannelAdapter *adapter, BeckonChannelIncoming *incoming, const char *text)
{
  BeckonChannelAdapterClass *class = BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter);

  if (class->acknowledge != NULL && PRIVATE (adapter)->state != BECKON_CHANNEL_OFF)
    class->acknowledge (adapter, incoming, text);
}

void
beckon_channel_adapter_fetch_async (BeckonChannelAdapter *adapter, const BeckonChannelAttachment *attachment,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->fetch_async (adapter, attachment, cancellable, callback, user_data);
}

GBytes *
beckon_channel_adapter_fetch_finish (BeckonChannelAdapter *adapter, GAsyncResult *result, GError **error)
{
  return BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->fetch_finish (adapter, result, error);
}

gboolean
beckon_channel_adapter_has_sign_in (BeckonChannelAdapter *adapter)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL_ADAPTER (adapter), FALSE);

  return BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->sign_in != NULL;
}

void
beckon_channel_adapter_sign_in (BeckonChannelAdapter *adapter, JsonObject *config)
{
  g_return_if_fail (beckon_channel_adapter_has_sign_in (adapter));

  BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->sign_in (adapter, config);
}

void
beckon_channel_adapter_enter (BeckonChannelAdapter *adapter, const char *text)
{
  g_return_if_fail (BECKON_IS_CHANNEL_ADAPTER (adapter));
  g_return_if_fail (text != NULL);

  if (PRIVATE (adapter)->prompt == BECKON_CHANNEL_PROMPT_CODE && BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->enter != NULL)
    BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->enter (adapter, text);
}

BeckonChannelState
beckon_channel_adapter_get_state (BeckonChannelAdapter *adapter)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL_ADAPTER (adapter), BECKON_CHANNEL_OFF);

  return PRIVATE (adapter)->state;
}

const char *
beckon_channel_adapter_get_problem (BeckonChannelAdapter *adapter)
{
  return PRIVATE (adapter)->problem;
}

BeckonChannelPrompt
beckon_channel_adapter_get_prompt (BeckonChannelAdapter *adapter, const char **text)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL_ADAPTER (adapter), BECKON_CHANNEL_PROMPT_NONE);

  if (text != NULL)
    *text = PRIVATE (adapter)->prompt_text;
  return PRIVATE (adapter)->prompt;
}

/* --- For adapters ------------------------------------------------------------------------------------------------- */

static gboolean
channel_adapter_replace (char **place, const char *text)
{
  if (g_strcmp0 (*place, text) == 0)
    return FALSE;
  g_free (*place);
  *place = g_strdup (text);
  return TRUE;
}

static void
channel_adapter_change (BeckonChannelAdapter *self, BeckonChannelState state, const char *problem, BeckonChannelPrompt prompt,
                        const char *text)
{
  BeckonChannelAdapterPrivate *private = PRIVATE (self);
  gboolean is_same = private->state == state && private->prompt == prompt;

  is_same &= !channel_adapter_replace (&private->problem, problem);
  is_same &= !channel_adapter_replace (&private->prompt_text, text);
  private->state = state;
  private->prompt = prompt;
  if (!is_same)
    g_signal_emit (self, signals[SIGNAL_STATE], 0);
}

void
beckon_channel_adapter_set_state (BeckonChannelAdapter *self, BeckonChannelState state, const char *problem)
{
  channel_adapter_change (self, state, problem, BECKON_CHANNEL_PROMPT_NONE, NULL);
}

void
beckon_channel_adapter_set_prompt (BeckonChannelAdapter *self, BeckonChannelPrompt prompt, const char *text)
{
  channel_adapter_change (self, BECKON_CHANNEL_SIGNING_IN, NULL, prompt, text);
}

void
beckon_channel_adapter_receive (BeckonChannelAdapter *self, GPtrArray *messages, const char *cursor)
{
  for (guint i = 0; i < messages->len; i++)
    beckon_channel_incoming_bound (g_ptr_array_index (messages, i));
  g_signal_emit (self, signals[SIGNAL_RECEIVED], 0, messages, cursor);
}

void
beckon_channel_adapter_note_signed_in (BeckonChannelAdapter *self, const char *secret, const char *config)
{
  g_signal_emit (self, signals[SIGNAL_SIGNED_IN], 0, secret, config);
}

BeckonClock *
beckon_channel_adapter_get_clock (BeckonChannelAdapter *self)
{
  return PRIVATE (self)->clock;
}

void
beckon_channel_adapter_set_clock (BeckonChannelAdapter *self, BeckonClock *clock)
{
  g_return_if_fail (PRIVATE (self)->state == BECKON_CHANNEL_OFF);

  g_set_object (&PRIVATE (self)->clock, clock);
}

static void
beckon_channel_adapter_finalize (GObject *object)
{
  BeckonChannelAdapterPrivate *private = PRIVATE (BECKON_CHANNEL_ADAPTER (object));

  g_clear_object (&private->clock);
  g_clear_pointer (&private->problem, g_free);
  g_clear_pointer (&private->prompt_text, g_free);
  G_OBJECT_CLASS (beckon_channel_adapter_parent_class)->finalize (object);
}

static void
beckon_channel_adapter_class_init (BeckonChannelAdapterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_adapter_finalize;

  signals[SIGNAL_RECEIVED] = g_signal_new ("received", BECKON_TYPE_CHANNEL_ADAPTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 2, G_TYPE_PTR_ARRAY, G_TYPE_STRING);
  signals[SIGNAL_STATE] = g_signal_new ("state", BECKON_TYPE_CHANNEL_ADAPTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  signals[SIGNAL_SIGNED_IN] = g_signal_new ("signed-in", BECKON_TYPE_CHANNEL_ADAPTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
beckon_channel_adapter_init (BeckonChannelAdapter *self)
{
  PRIVATE (self)->clock = g_object_ref (beckon_clock_get_system ());
}

typedef struct
{
  guint pause_s;
} BeckonChannelErrorPrivate;

static void
beckon_channel_error_private_init (BeckonChannelErrorPrivate *private)
{
  private->pause_s = 0;
}

static void
beckon_channel_error_private_copy (const BeckonChannelErrorPrivate *from, BeckonChannelErrorPrivate *to)
{
  *to = *from;
}

static void
beckon_channel_error_private_clear (BeckonChannelErrorPrivate *private)
{
}

G_DEFINE_EXTENDED_ERROR (BeckonChannelError, beckon_channel_error)

GError *
beckon_channel_error_new_limited (guint pause_s, const char *message)
{
  GError *error = g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LIMITED, message);

  beckon_channel_error_get_private (error)->pause_s = pause_s;
  return error;
}

guint
beckon_channel_error_get_pause_s (const GError *error)
{
  return error != NULL && error->domain == BECKON_CHANNEL_ERROR ? beckon_channel_error_get_private (error)->pause_s : 0;
}
