/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"
#include "ui/widgets/beckon-guard.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CARD_SETTLER (beckon_card_settler_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCardSettler, beckon_card_settler, BECKON, CARD_SETTLER, GObject)

/**
 * BeckonCardSettler:
 *
 * What a card of a request does to settle it: nothing while its guard is closed, never twice, insensitive meanwhile, and with
 * the reason on it when it could not. Belongs to one card; every card settles by one of these, and nothing else in this folder
 * calls beckon_inbox_settle_async() for one.
 *
 * Signals: `changed`, settling has begun or ended; `refused` (BeckonRequest *, const char *message), an answer was not taken.
 */

/** @card: whose it is, not referenced; free the settler in its dispose. @error_label: (nullable): where a failure is shown. */
BeckonCardSettler *beckon_card_settler_new (GtkWidget *card, GtkLabel *error_label) G_GNUC_WARN_UNUSED_RESULT;

/** A pending answer continues without the card. */
void beckon_card_settler_free (BeckonCardSettler *self);

/** The request; before the card is shown. */
void beckon_card_settler_set_request (BeckonCardSettler *self, BeckonInbox *inbox, BeckonRequest *request);

/** For tests; the system's clock by default. */
void beckon_card_settler_set_clock (BeckonCardSettler *self, BeckonClock *clock);

/** The card changed by itself: it takes no answer for a moment, as if it had appeared now. */
void beckon_card_settler_renew (BeckonCardSettler *self);

/** Adds a part of the card; with any of them, only they take no input while it settles. @body: belongs to the card. */
void beckon_card_settler_add_body (BeckonCardSettler *self, GtkWidget *body);

/** For a card that stays when a request of it is settled, and takes input again. */
void beckon_card_settler_set_stays (BeckonCardSettler *self);

/** Whether an answer can be given now: nothing is being settled, and the guard is open. */
gboolean beckon_card_settler_is_ready (BeckonCardSettler *self);
gboolean beckon_card_settler_is_settling (BeckonCardSettler *self);

/** Does nothing unless it is the time for an answer. @text: (nullable): see #BeckonAnswer. */
void beckon_card_settler_settle (BeckonCardSettler *self, BeckonAnswerKind kind, const char *text);

/** The same for an answer made elsewhere. */
void beckon_card_settler_settle_answer (BeckonCardSettler *self, BeckonAnswer *answer);

/** The same for one of several requests of the card, which may be settled together; ask is_ready before the first. */
void beckon_card_settler_settle_for (BeckonCardSettler *self, BeckonRequest *request, BeckonAnswer *answer);

/** For an answer that somebody else takes: the card takes no more input, until it is refused with a message. */
void beckon_card_settler_begin (BeckonCardSettler *self);
void beckon_card_settler_refuse (BeckonCardSettler *self, const char *message);

/** Shows why the card can't be answered as it stands. @message: (nullable): nothing is wrong any more. */
void beckon_card_settler_show_error (BeckonCardSettler *self, const char *message);

/** Keeps a half-made answer, while there is something to answer. @draft: (nullable). */
void beckon_card_settler_save_draft (BeckonCardSettler *self, const char *draft);

G_END_DECLS
