/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sign-in-prompt.h"

#include "text/beckon-qr-pattern.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct _BeckonSignInPrompt
{
  BeckonChannel *channel;
  gulong handler;
  BeckonChannelPrompt prompt;
  char *said; /* (nullable): the text of the last prompt */
  GDataInputStream *input;
  GCancellable *cancellable;
  gboolean is_reading;
};

static BeckonChannelAdapter *
get_adapter (BeckonSignInPrompt *self)
{
  return beckon_channel_get_adapter (self->channel);
}

static void
draw (const char *text)
{
  g_autoptr (BeckonQrPattern) pattern = beckon_qr_pattern_new (text);
  g_autofree char *picture
      = pattern != NULL ? beckon_qr_pattern_print (pattern, isatty (STDERR_FILENO)) : NULL;

  if (picture != NULL)
    fputs (picture, stderr);
  fprintf (stderr, "%s\n", _("Scan this code with the phone."));
  printf ("%s\n", text);
  fflush (stdout);
}

/* A reading that was cancelled outlives whoever began it. */
static void
on_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line_finish_utf8 (G_DATA_INPUT_STREAM (source), result, NULL, &error);
  BeckonSignInPrompt *self = user_data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->is_reading = FALSE;
  if (line != NULL && self->prompt == BECKON_CHANNEL_PROMPT_CODE)
    beckon_channel_adapter_enter (get_adapter (self), line);
}

static void
read_code (BeckonSignInPrompt *self)
{
  fprintf (stderr, "%s ", _("Enter the code that the phone shows:"));
  if (self->is_reading)
    return;
  self->is_reading = TRUE;
  g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, self->cancellable, on_line, self);
}

static void
sign_in_prompt_say (BeckonSignInPrompt *self, const char *text)
{
  switch (self->prompt)
    {
    case BECKON_CHANNEL_PROMPT_QR:
      draw (text);
      break;
    case BECKON_CHANNEL_PROMPT_SCANNED:
      fprintf (stderr, "%s\n", _("Confirm it on the phone."));
      break;
    case BECKON_CHANNEL_PROMPT_CODE:
      read_code (self);
      break;
    case BECKON_CHANNEL_PROMPT_NONE:
    default:
      break;
    }
}

static void
sign_in_prompt_on_changed (BeckonChannel *channel, BeckonSignInPrompt *self)
{
  const char *text = NULL;
  BeckonChannelPrompt prompt = beckon_channel_adapter_get_prompt (get_adapter (self), &text);

  if (prompt == self->prompt && g_strcmp0 (text, self->said) == 0)
    return;
  self->prompt = prompt;
  g_free (self->said);
  self->said = g_strdup (text);
  sign_in_prompt_say (self, self->said);
}

BeckonSignInPrompt *
beckon_sign_in_prompt_new (BeckonChannel *channel)
{
  BeckonSignInPrompt *self;
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);

  self = g_new0 (BeckonSignInPrompt, 1);
  self->channel = g_object_ref (channel);
  self->input = g_data_input_stream_new (input);
  self->cancellable = g_cancellable_new ();
  if (beckon_channel_get_adapter (channel) != NULL)
    self->handler = g_signal_connect (channel, "changed", G_CALLBACK (sign_in_prompt_on_changed), self);
  return self;
}

void
beckon_sign_in_prompt_free (BeckonSignInPrompt *self)
{
  g_clear_signal_handler (&self->handler, self->channel);
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  g_object_unref (self->input);
  g_object_unref (self->channel);
  g_free (self->said);
  g_free (self);
}
