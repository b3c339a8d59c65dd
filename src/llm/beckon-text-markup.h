/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-codec.h"

G_BEGIN_DECLS

/**
 * BeckonTextMarkup:
 *
 * Some servers leave in the text what their model's template marks in it. This stands between a decoder and whoever takes its
 * events: `<think>…</think>` at the beginning of the text becomes reasoning, and a call at the beginning or the end of a reply
 * that is complete and has no other calls becomes a call. Text that may be one is held back until that is known. What is marked
 * as a call and can't be read becomes one that never runs. Main thread.
 */
typedef struct _BeckonTextMarkup BeckonTextMarkup;

/** @tools: (element-type BeckonToolDefinition): those on offer; a reference is taken. */
BeckonTextMarkup *beckon_text_markup_new (GPtrArray *tools, BeckonLlmEventFunc function, gpointer user_data)
    G_GNUC_WARN_UNUSED_RESULT;
void beckon_text_markup_free (BeckonTextMarkup *self);

/** Takes an event, and gives what has become of it. */
void beckon_text_markup_feed (BeckonTextMarkup *self, const BeckonLlmEvent *event);

/** Gives what is held back as the text that it is. */
void beckon_text_markup_release (BeckonTextMarkup *self);

G_END_DECLS
