/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "markdown/beckon-markdown-plain.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/transcript/beckon-state-line.h"

#include <glib/gi18n-lib.h>

/* Visible changes are announced to people who can't see the window: a new question, the end of a reply, an error. Only the
 * window that has the focus speaks; while there is none, notifications do. */

#define MOST_CHARS 400

void
beckon_window_say (BeckonWindow *self, const char *words)
{
  g_autofree char *shortened = beckon_text_shorten (words, MOST_CHARS);
  g_autofree char *safe = beckon_text_for_display (shortened, -1, BECKON_TEXT_PROSE);

  if (gtk_window_is_active (GTK_WINDOW (self)))
    beckon_announcer_say (self->announcer, safe);
}

/* The end of a reply */

static void
say_reply (BeckonWindow *self)
{
  guint n = beckon_conversation_get_n_messages (self->conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (self->conversation, n - 1) : NULL;
  g_autofree char *markdown = last != NULL ? beckon_message_dup_text (last) : NULL;
  g_autofree char *text = markdown != NULL ? beckon_markdown_to_line (markdown) : NULL;
  g_autofree char *words = NULL;

  /* Translators: what a screen reader says when a reply is complete; %s is its text */
  words = text != NULL && *text != '\0' ? beckon_text_printf (_("The agent has replied: %s"), text)
                                        : g_strdup (_("The agent has finished."));
  beckon_window_say (self, words);
}

static void
on_phase_changed (BeckonWindow *self)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (self->conversation);
  g_autofree char *end = NULL;

  if (!beckon_conversation_get_has_run (self->conversation) || !beckon_run_phase_is_end (phase) ||
      phase == BECKON_RUN_ASKED)
    return;
  end = beckon_state_line_describe_end (phase, beckon_conversation_get_detail (self->conversation));
  if (end != NULL)
    beckon_window_say (self, end);
  else
    say_reply (self);
}

void
beckon_window_listen_to_conversation (BeckonWindow *self)
{
  g_signal_connect_swapped (self->conversation, "notify::phase", G_CALLBACK (on_phase_changed), self);
}

/* A new question */

static char *
describe_request (BeckonWindow *self, BeckonRequest *request)
{
  const char *id = beckon_request_get_conversation_id (request);
  BeckonConversation *conversation = beckon_library_lookup (beckon_runtime_get_library (self->runtime), id);
  g_autofree char *title = beckon_request_words_dup_title (request);

  if (conversation == NULL || conversation == self->conversation)
    /* Translators: what a screen reader says when the agent asks; %s is the question */
    return beckon_text_printf (_("The agent asks: %s"), title);
  /* Translators: the same in another conversation; its title, then the question */
  return beckon_text_printf (_("The agent asks in “%s”: %s"), beckon_conversation_get_title (conversation), title);
}

static void
on_inbox_changed (BeckonWindow *self, guint position, guint removed, guint added, GListModel *inbox)
{
  /* A request whose object was replaced is not a new one. */
  g_autoptr (BeckonRequest) request = added > removed ? g_list_model_get_item (inbox, position + added - 1) : NULL;
  g_autofree char *words = request != NULL ? describe_request (self, request) : NULL;

  if (words != NULL)
    beckon_window_say (self, words);
}

void
beckon_window_listen_to_inbox (BeckonWindow *self)
{
  g_signal_connect_object (beckon_runtime_get_inbox (self->runtime), "items-changed", G_CALLBACK (on_inbox_changed), self,
                           G_CONNECT_SWAPPED);
}
