/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-card-settler.h"
#include "domain/beckon-tool-call.h"
#include "form/beckon-form.h"
#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_REQUEST_CARD (beckon_request_card_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonRequestCard, beckon_request_card, BECKON, REQUEST_CARD, AdwBin)

/**
 * BeckonRequestCardClass:
 * @show: shows @request, once, and restores its draft where the class keeps one
 * @focus: puts the focus where answering begins, because the person asked for it
 * @is_ready: (nullable): whether an answer can be given now; by default what the settler says
 * @submit: gives the answer that the card shows; %FALSE where it can't be given as the card stands
 * @edit: (nullable): opens what can be changed before it runs, or closes it
 * @deny: (nullable): opens the entry for a reason; denying is a step of its own
 * @close: (nullable): closes what is open in the card; %FALSE where nothing is, so that Escape is for what is around the card
 * @pick: (nullable): takes a key without modifiers
 * @dup_draft: (nullable): what was filled in by now
 * @restore: (nullable): shows @draft instead
 * @dup_unsent: (nullable): text typed there that did not become the answer
 * @takes_text: (nullable): whether what the card now shows can be answered with text
 * @look: (nullable): looks at what may have changed outside: the card came on the screen, or its window is looked at again
 * @set_clock: (nullable): what else of the card goes by a clock
 *
 * The card of a pending request; what all of them do is done here: they have a settler, keys, a draft, a title, and a corner at
 * the end of the first line for what belongs to the place where the card is shown. What is shown is what is answered: @submit
 * does nothing where the card takes no answer yet. A template has the children `title_label`, `corner` and `error_label`.
 */
struct _BeckonRequestCardClass
{
  AdwBinClass parent_class;

  void (*show) (BeckonRequestCard *self, BeckonRequest *request);
  void (*focus) (BeckonRequestCard *self);
  gboolean (*is_ready) (BeckonRequestCard *self);
  gboolean (*submit) (BeckonRequestCard *self);
  gboolean (*edit) (BeckonRequestCard *self);
  gboolean (*deny) (BeckonRequestCard *self);
  gboolean (*close) (BeckonRequestCard *self);
  gboolean (*pick) (BeckonRequestCard *self, guint keyval);
  char *(*dup_draft) (BeckonRequestCard *self);
  void (*restore) (BeckonRequestCard *self, const char *draft);
  char *(*dup_unsent) (BeckonRequestCard *self);
  gboolean (*takes_text) (BeckonRequestCard *self);
  void (*look) (BeckonRequestCard *self);
  void (*set_clock) (BeckonRequestCard *self, BeckonClock *clock);
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

/** Another clock than the system's; before the card is shown. */
void beckon_request_card_set_clock (GtkWidget *card, BeckonClock *clock);

/* For the classes of cards. */

/** A card of the class @type: see beckon_request_card_new(). */
GtkWidget *beckon_request_card_make (GType type, BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
    G_GNUC_WARN_UNUSED_RESULT;

/** The template of a class: the resource with that name. In its class_init. */
void beckon_request_card_class_set_template (BeckonRequestCardClass *klass, const char *name);

/** Makes the children, in the init of a class. Returns: (transfer none): the settler, which lives as long as the card. */
BeckonCardSettler *beckon_request_card_init_template (BeckonRequestCard *self);

/** The inbox in which it is answered, from @show on. */
BeckonInbox *beckon_request_card_get_inbox (BeckonRequestCard *self);

/** (nullable): the call that waits for it. */
BeckonToolCall *beckon_request_card_get_call (BeckonRequestCard *self);

/** Shows @title, which is the name of the card, too. */
void beckon_request_card_set_title (BeckonRequestCard *self, const char *title);

/** Keeps what was filled in: once the person changed some of it. */
void beckon_request_card_keep_draft (BeckonRequestCard *self);

/** Shows the draft of the request. The same request may have a card elsewhere: what is written there comes by itself then. */
void beckon_request_card_restore (BeckonRequestCard *self);

/** Whether what changes now is no act of the person: the card is being made, or its draft restored. */
gboolean beckon_request_card_is_restoring (BeckonRequestCard *self);

/** @entry: where words for the answer are written; with an input method as well. */
void beckon_request_card_set_entry (BeckonRequestCard *self, GtkEntry *entry);

/** Settles with what was written there, if anything can be; not while an input method composes: Enter ends that first. */
void beckon_request_card_settle_written (BeckonRequestCard *self, BeckonAnswerKind kind);

/** Leaves out what is asked about; and says no to it, with what was written. Templates' buttons do. */
void beckon_request_card_skip (BeckonRequestCard *self);
gboolean beckon_request_card_decline (BeckonRequestCard *self);

/** @form: (transfer full): what is filled in, which Ctrl+Z undoes; @slot: where its rows are shown. */
void beckon_request_card_set_form (BeckonRequestCard *self, BeckonForm *form, AdwBin *slot);

G_END_DECLS
