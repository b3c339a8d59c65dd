/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request-store.h"

G_BEGIN_DECLS

/**
 * TestLedger:
 *
 * Where several journals meet, as several processes meet in one store: rows, not objects.
 */
typedef struct _TestLedger TestLedger;

TestLedger *test_ledger_new (void);
void        test_ledger_unref (TestLedger *ledger);

/** Inserts a pending request. */
void test_ledger_add (TestLedger *ledger, BeckonRequest *request);

/** Takes a request out, as deleting its conversation does. */
void test_ledger_remove (TestLedger *ledger, const char *request_id);

/** The settlement; NULL while it is pending. Borrowed. */
const BeckonSettlement *test_ledger_get_settlement (TestLedger *ledger, const char *request_id);
const char             *test_ledger_get_draft (TestLedger *ledger, const char *request_id);

/** How many writes of each kind there were. */
guint test_ledger_get_n_settlements (TestLedger *ledger);
guint test_ledger_get_n_drafts (TestLedger *ledger);

#define TEST_TYPE_JOURNAL (test_journal_get_type ())
G_DECLARE_FINAL_TYPE (TestJournal, test_journal, TEST, JOURNAL, GObject)

/** A process's view of a ledger. Each is told what the others commit. */
TestJournal *test_journal_new (TestLedger *ledger);

/** Holds back the answers to what is asked from now on; what was asked has happened all the same. */
void test_journal_hold (TestJournal *journal);
void test_journal_release (TestJournal *journal);

/** Fails every call from now on, with a message; NULL ends it. */
void test_journal_break (TestJournal *journal, const char *message);

/** How many listings were made. */
guint test_journal_get_n_listings (TestJournal *journal);

/** Tells that another process committed something. */
void test_journal_announce (TestJournal *journal);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestLedger, test_ledger_unref)

G_END_DECLS
