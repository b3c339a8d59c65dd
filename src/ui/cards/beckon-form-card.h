/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_FORM_CARD (beckon_form_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFormCard, beckon_form_card, BECKON, FORM_CARD, BeckonRequestCard)

/**
 * BeckonFormCard:
 *
 * What a server asks: a form, which is reviewed before it is sent where it has several fields, or an address, which is opened
 * on a click and never by itself. It answers through the inbox, and keeps what is filled in as a draft there.
 */

/**
 * BeckonFormCardOpener:
 * @url: the address that the person agreed to
 *
 * Opens an address outside.
 */
typedef void (*BeckonFormCardOpener) (GtkWidget *card, const char *url);

/** For tests: another way to open addresses than the desktop's. @opener: (nullable): back to that. */
void beckon_form_card_set_opener (BeckonFormCardOpener opener);

G_END_DECLS
