/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-words.h"
#include "library/beckon-library.h"
#include "store/db/beckon-store.h"
#include "store/queries/beckon-search.h"

/* The store's calls as calls that wait. What fails ends the program. */

BeckonStore *history_store_open (const char *directory);
void         history_store_close (BeckonStore *store);
void         history_store_commit (BeckonStore *store, BeckonBatch *batch);

/** Until everything that is written is indexed too. */
void history_store_index (BeckonStore *store);

/** A complete message of one text part. Caller owns. */
BeckonMessage *history_message_new (gint64 seq, gint64 at, const char *text);

/** The value at a part of one of sorted values; sorts them first. */
double history_percentile (GArray *values, double part);
