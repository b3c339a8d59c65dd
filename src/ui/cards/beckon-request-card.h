/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_REQUEST_CARD (beckon_request_card_get_type ())
G_DECLARE_INTERFACE (BeckonRequestCard, beckon_request_card, BECKON, REQUEST_CARD, GtkWidget)

/**
 * BeckonRequestCard:
 * @focus: puts the focus where answering begins, because the person asked for it
 * @is_ready: whether an answer can be given now
 * @submit: gives the answer that the card shows; %FALSE where it can't be given as the card stands
 * @edit: (nullable): opens what can be changed before it runs, or closes it
 * @deny: (nullable): opens the entry for a reason; denying is a step of its own
 * @dup_unsent: (nullable): text typed there that did not become the answer
 * @takes_text: (nullable): whether what the card now shows can be answered with text
 * @get_corner: the end of the first line, for what belongs to the place where the card is shown
 *
 * The card of a pending request, of whatever class. What is shown is what is answered: @submit does nothing where the card
 * takes no answer yet, or can't be submitted as it stands.
 */
struct _BeckonRequestCardInterface
{
  GTypeInterface parent_iface;

  void (*focus) (BeckonRequestCard *self);
  gboolean (*is_ready) (BeckonRequestCard *self);
  gboolean (*submit) (BeckonRequestCard *self);
  gboolean (*edit) (BeckonRequestCard *self);
  gboolean (*deny) (BeckonRequestCard *self);
  char *(*dup_unsent) (BeckonRequestCard *self);
  gboolean (*takes_text) (BeckonRequestCard *self);
  AdwBin *(*get_corner) (BeckonRequestCard *self);
};

/**
 * beckon_request_card_new:
 * @inbox: where it is answered
 * @request: a pending request
 * @call: (nullable): the call that waits for it, where it is at hand
 *
 * The card of a pending request, of whatever kind; the same wherever it is shown.
 */
GtkWidget *beckon_request_card_new (BeckonInbox *inbox, BeckonRequest *request,
                                    BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** The same, without its plan where it is about a step of one. */
GtkWidget *beckon_request_card_new_alone (BeckonInbox *inbox, BeckonRequest *request,
                                          BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the focus where answering begins, because the person asked for it. */
void beckon_request_card_focus (GtkWidget *card);

/** Whether an answer can be given now: nothing is being settled, and the card has been there for a moment. */
gboolean beckon_request_card_is_ready (GtkWidget *card);

/** Gives the answer that the card shows; %FALSE where it takes none yet, or can't be submitted as it stands. */
gboolean beckon_request_card_submit (GtkWidget *card);

/** Text typed in the card that did not become the answer; %NULL if there is none. Caller frees. */
char *beckon_request_card_dup_unsent (GtkWidget *card);

/** Opens what can be changed in the call, or closes it; %FALSE where the card has nothing to edit. */
gboolean beckon_request_card_edit (GtkWidget *card);

/** Opens the entry for a reason; %FALSE where the card has none. */
gboolean beckon_request_card_deny (GtkWidget *card);

/**
 * beckon_request_card_set_corner:
 * @card: a card
 * @corner: (nullable): the deck's position and buttons, say
 *
 * Puts @corner at the end of the card's first line.
 */
void beckon_request_card_set_corner (GtkWidget *card, GtkWidget *corner);

/** Lets the card light up for a moment, so that the person sees which one is meant. */
void beckon_request_card_flash (GtkWidget *card);

/** Whether what the card now shows can be answered with text. @card: (nullable). */
gboolean beckon_request_card_takes_text (GtkWidget *card);

G_END_DECLS
