/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-ui-fixture.h"

G_BEGIN_DECLS

/* Helpers for question card tests. */

/** Shows the card of @request on the fixture's clock; its guard is closed. */
GtkWidget *ui_show_card (UiFixture *fixture, BeckonRequest *request);

/** The same when its guard has gone. */
GtkWidget *ui_show_open_card (UiFixture *fixture, BeckonRequest *request);

/** Returns once @request is settled in the window as @state with exactly that answer. */
void ui_expect_answer (UiFixture *fixture, BeckonRequest *request, BeckonRequestState state, const char *answer);
void ui_expect_pending (UiFixture *fixture, BeckonRequest *request);

/** The entry that is on screen. */
GtkWidget *ui_get_entry (GtkWidget *card);
void       ui_type_text (GtkWidget *card, const char *text);
void       ui_press_enter_in_entry (GtkWidget *card);

/** Activates a widget action, which must be there. */
void ui_activate (GtkWidget *card, const char *action);

G_END_DECLS
