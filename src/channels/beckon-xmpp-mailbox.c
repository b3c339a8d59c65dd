/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-mailbox.h"

struct _BeckonXmppMailbox
{
  gatomicrefcount references;
  const BeckonXmppHandler *handler; /* (nullable): until it is closed; main thread */
  gpointer user_data;
};

typedef enum
{
  LETTER_ONLINE,
  LETTER_RECEIVED,
  LETTER_ACCEPTED,
  LETTER_ENDED,
} LetterKind;

typedef struct
{
  BeckonXmppMailbox *mailbox;
  LetterKind kind;
  BeckonXmppIn *in;
  guint64 number;
  BeckonXmppFault fault;
  char *detail;
  gboolean flag;
} Letter;

BeckonXmppMailbox *
beckon_xmpp_mailbox_new (const BeckonXmppHandler *handler, gpointer user_data)
{
  BeckonXmppMailbox *self = g_new0 (BeckonXmppMailbox, 1);

  g_atomic_ref_count_init (&self->references);
  self->handler = handler;
  self->user_data = user_data;
  return self;
}

void
beckon_xmpp_mailbox_unref (BeckonXmppMailbox *mailbox)
{
  if (g_atomic_ref_count_dec (&mailbox->references))
    g_free (mailbox);
}

void
beckon_xmpp_mailbox_close (BeckonXmppMailbox *mailbox)
{
  mailbox->handler = NULL;
}

static void
letter_free (gpointer data)
{
  Letter *letter = data;

  g_clear_pointer (&letter->in, beckon_xmpp_in_free);
  g_free (letter->detail);
  beckon_xmpp_mailbox_unref (letter->mailbox);
  g_free (letter);
}

static gboolean
on_letter (gpointer user_data)
{
  const Letter *letter = user_data;

  if (letter->mailbox->handler != NULL)
    {
      const BeckonXmppHandler *handler = letter->mailbox->handler;
      gpointer data = letter->mailbox->user_data;

      switch (letter->kind)
        {
        case LETTER_ONLINE:
          handler->online (letter->flag, data);
          break;
        case LETTER_RECEIVED:
          handler->received (letter->in, data);
          break;
        case LETTER_ACCEPTED:
          handler->accepted (letter->number, data);
          break;
        case LETTER_ENDED:
          handler->ended (letter->fault, letter->detail, letter->flag, data);
          break;
        default:
          g_assert_not_reached ();
        }
    }
  return G_SOURCE_REMOVE;
}

static Letter *
letter_new (BeckonXmppMailbox *mailbox, LetterKind kind)
{
  Letter *letter = g_new0 (Letter, 1);

  g_atomic_ref_count_inc (&mailbox->references);
  letter->mailbox = mailbox;
  letter->kind = kind;
  return letter;
}

/* Sources of one priority are called in the order in which they came. */
static void
post (Letter *letter)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "beckon-xmpp");
  g_source_set_callback (source, on_letter, letter, letter_free);
  g_source_attach (source, NULL);
}

void
beckon_xmpp_mailbox_online (BeckonXmppMailbox *mailbox, gboolean is_resumed)
{
  Letter *letter = letter_new (mailbox, LETTER_ONLINE);

  letter->flag = is_resumed;
  post (letter);
}

void
beckon_xmpp_mailbox_received (BeckonXmppMailbox *mailbox, BeckonXmppIn *in)
{
  Letter *letter = letter_new (mailbox, LETTER_RECEIVED);

  letter->in = in;
  post (letter);
}

void
beckon_xmpp_mailbox_accepted (BeckonXmppMailbox *mailbox, guint64 number)
{
  Letter *letter = letter_new (mailbox, LETTER_ACCEPTED);

  letter->number = number;
  post (letter);
}

void
beckon_xmpp_mailbox_ended (BeckonXmppMailbox *mailbox, BeckonXmppFault fault, const char *detail, gboolean can_resume)
{
  Letter *letter = letter_new (mailbox, LETTER_ENDED);

  letter->fault = fault;
  letter->detail = g_strdup (detail);
  letter->flag = can_resume;
  post (letter);
}
