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
 * the reason on it when it could not. Belongs to one card.
 */

/** @card: whose it is, not referenced; free the settler in its dispose. @error_label: where a failure is shown. */
BeckonCardSettler *beckon_card_settler_new (GtkWidget *card, GtkLabel *error_label) G_GNUC_WARN_UNUSED_RESULT;

/** What is being settled goes on without the card. */
void beckon_card_settler_free (BeckonCardSettler *self);

/** What is settled; before the card is shown. */
void beckon_card_settler_set_request (BeckonCardSettler *self, BeckonInbox *inbox, BeckonRequest *request);

/** For tests; the system's clock by default. */
void beckon_card_settler_set_clock (BeckonCardSettler *self, BeckonClock *clock);

/**
 * beckon_card_settler_pass_focus:
 * @card: a card that is about to take no input
 *
 * What is answered cannot keep the focus: it goes to where one writes on, and not to the beginning of the window.
 *
 * Returns: whether it had it
 */
gboolean beckon_card_settler_pass_focus (GtkWidget *card);

/** Does nothing unless it is the time for an answer. @text: (nullable): see #BeckonAnswer. */
void beckon_card_settler_settle (BeckonCardSettler *self, BeckonAnswerKind kind, const char *text);

/** The same for an answer made elsewhere. */
void beckon_card_settler_settle_answer (BeckonCardSettler *self, BeckonAnswer *answer);

/** Keeps a half-made answer, while there is something to answer. @draft: (nullable). */
void beckon_card_settler_save_draft (BeckonCardSettler *self, const char *draft);

G_END_DECLS
