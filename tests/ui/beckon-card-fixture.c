/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-card-fixture.h"

#include "ui/cards/beckon-question-card.h"
#include "ui/widgets/beckon-guard.h"

GtkWidget *
ui_show_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  ui_show (fixture, card);
  return card;
}

/* A card whose guard has gone. */
GtkWidget *
ui_show_open_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = ui_show_card (fixture, request);

  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  g_assert_false (ui_is_busy (card));
  return card;
}

void
ui_expect_answer (UiFixture *fixture, BeckonRequest *request, BeckonRequestState state, const char *answer)
{
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpint (beckon_request_get_state (request), ==, state);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, answer);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "window");
}

void
ui_expect_pending (UiFixture *fixture, BeckonRequest *request)
{
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpuint (test_ledger_get_n_settlements (fixture->ledger), ==, 0);
}

GtkWidget *
ui_get_entry (GtkWidget *card)
{
  GtkWidget *entry = ui_find_type (card, GTK_TYPE_ENTRY);

  g_assert_nonnull (entry);
  return entry;
}

void
ui_type_text (GtkWidget *card, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (ui_get_entry (card)), text);
}

void
ui_press_enter_in_entry (GtkWidget *card)
{
  g_signal_emit_by_name (gtk_editable_get_delegate (GTK_EDITABLE (ui_get_entry (card))), "activate");
}

void
ui_activate (GtkWidget *card, const char *action)
{
  g_assert_true (gtk_widget_activate_action (card, action, NULL));
}
