/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-conversation.h"
#include "request/beckon-inbox.h"
#include "request/test-journal.h"

#include <adwaita.h>

G_BEGIN_DECLS

/** When the fixture's clock begins: 20 November 2026, 10:41 UTC. */
#define UI_NOW (G_GINT64_CONSTANT (1795171260) * G_USEC_PER_SEC)

/**
 * UiFixture:
 *
 * A window on a display, with an inbox on a journal of the test's and a clock that stands still.
 */
typedef struct
{
  BeckonClock *clock;
  TestLedger *ledger;
  TestJournal *journal;
  BeckonInbox *inbox;
  GtkWidget *window;
} UiFixture;

/** Initialises GTK, the resources and the test framework. FALSE: there is no display, the program says so and ends. */
gboolean ui_test_init (int *argc, char ***argv);

void ui_fixture_set_up (UiFixture *fixture, gconstpointer data);
void ui_fixture_tear_down (UiFixture *fixture, gconstpointer data);

#define ui_test_add(path, function) \
  g_test_add (path, UiFixture, NULL, ui_fixture_set_up, function, ui_fixture_tear_down)

/** Puts @widget into the window and returns when it is mapped. */
void ui_show (UiFixture *fixture, GtkWidget *widget);

/** Handles what is due now, without waiting. */
void ui_settle (void);

/** A source that does nothing but let a deadline be looked at. */
guint ui_wake_up_often (void);

/** Returns when @condition holds; fails at a deadline. */
#define ui_wait_until(condition)                                                                            \
  G_STMT_START                                                                                              \
  {                                                                                                         \
    gint64 deadline_ = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;                                       \
    guint waker_ = ui_wake_up_often ();                                                                     \
    while (!(condition))                                                                                    \
      {                                                                                                     \
        if (g_get_monotonic_time () > deadline_)                                                            \
          g_error ("%s:%d: this did not come: %s", __FILE__, __LINE__, #condition);                         \
        g_main_context_iteration (NULL, TRUE);                                                              \
      }                                                                                                     \
    g_source_remove (waker_);                                                                               \
  }                                                                                                         \
  G_STMT_END

/** Shows a window, or a sheet in one of its own, and returns it when it is mapped. */
GtkWidget *ui_present (GtkWidget *widget);

/** Closes a window or a sheet. */
void ui_close (GtkWidget *widget);

/** The widget that has the focus in the window of @widget; NULL if none has. */
GtkWidget *ui_get_focus (GtkWidget *widget);

/** Returns after so many frames of @window were drawn. */
void ui_wait_frames_of (GtkWidget *window, guint frames);

/** Returns after so many frames of the window of @fixture were drawn. */
void ui_wait_frames (UiFixture *fixture, guint frames);

/** The first descendant of @root of type @type, in order; NULL if there is none. Hidden ones are passed over. */
GtkWidget *ui_find_type (GtkWidget *root, GType type);

/** The first visible one of @type in any window. */
GtkWidget *ui_find_shown (GType type);
guint      ui_count_type (GtkWidget *root, GType type);

/** The alert that is shown, in whichever window, and is called @heading; any of them where that is NULL. NULL: there is none. */
GtkWidget *ui_find_alert (const char *heading);

/** Answers an alert, which closes. */
void ui_respond (GtkWidget *alert, const char *id);

/** The words below its heading. Caller frees. */
char *ui_dup_alert_body (GtkWidget *alert);

/** The first visible descendant whose accessible label is @name. */
GtkWidget *ui_find_named (GtkWidget *root, const char *name);

/** The first visible label that holds @text. */
GtkWidget *ui_find_text (GtkWidget *root, const char *text);

/** The first visible button, field for a line, and text view whose accessible label is @name; NULL if there is none. */
GtkWidget *ui_find_button (GtkWidget *root, const char *name);
GtkWidget *ui_find_field (GtkWidget *root, const char *name);
GtkWidget *ui_find_view (GtkWidget *root, const char *name);

/** Clicks the button that has that accessible label; it must be there and sensitive. */
void ui_click (GtkWidget *root, const char *name);

/** Sets, and reads, what is in the field that has that accessible label; it must be there. */
void        ui_type (GtkWidget *root, const char *name, const char *text);
const char *ui_typed (GtkWidget *root, const char *name);

/** Presses a key as the key controller of @widget sees it. Returns whether it was taken. */
gboolean ui_press (GtkWidget *widget, guint keyval, GdkModifierType state);

/** Lets it go again; until then the same key is held. */
void ui_release (GtkWidget *widget, guint keyval);

/** Whether a widget takes input: it and all above it are sensitive and visible. */
gboolean ui_is_usable (GtkWidget *widget);

/** The whole accessible state: busy or not. */
gboolean ui_is_busy (GtkWidget *widget);

/** Waits for a dialog of files, and lets it save as @file. */
void ui_save_as (GFile *file);

/** The same, to open @file. */
void ui_open_file (GFile *file);

/** A pending question from the arguments of `ask_user`, known to ledger and inbox. Caller owns. */
BeckonRequest *ui_ask (UiFixture *fixture, const char *arguments);

/** A conversation of @n_pairs messages of the person and of the agent. Caller owns. */
BeckonConversation *ui_make_conversation (guint n_pairs);

/** Adds a message of the agent with one call that waits for @request. */
void ui_add_call (BeckonConversation *conversation, BeckonRequest *request, const char *tool);

/** The answer that the ledger has, as the text of its JSON; NULL while pending. */
const char *ui_get_answer (UiFixture *fixture, BeckonRequest *request);

G_END_DECLS
