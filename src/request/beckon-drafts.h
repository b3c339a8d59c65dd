/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "request/beckon-request-store.h"

G_BEGIN_DECLS

/** The longest a draft waits to be stored. */
#define BECKON_DRAFTS_DELAY_MS 500

/**
 * BeckonDrafts:
 *
 * Half-made answers on their way to the journal: every stroke is kept in the request at once and stored a little later,
 * many strokes together, the last one wins. Private to the inbox.
 */
typedef struct _BeckonDrafts BeckonDrafts;

BeckonDrafts *beckon_drafts_new (BeckonRequestStore *journal, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** Stores what still waits. */
void beckon_drafts_free (BeckonDrafts *drafts);

void beckon_drafts_save (BeckonDrafts *drafts, BeckonRequest *request, const char *draft);
void beckon_drafts_flush (BeckonDrafts *drafts);

G_END_DECLS
