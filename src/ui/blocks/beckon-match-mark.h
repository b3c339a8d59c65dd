/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "markdown/beckon-markdown-parse.h"
#include "ui/widgets/beckon-matcher.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** The place of a match. */
typedef struct
{
  GtkWidget *widget; /* a label or a text view, borrowed; or another one, for all of it */
  BeckonMatch at;    /* in what it shows, in bytes */
} BeckonMark;

/**
 * beckon_match_mark:
 * @root: a widget that shows text
 * @matcher: (nullable): what is marked; %NULL takes the marks away
 * @current: which of the marks is the current one and drawn so, from 0; -1 for none
 *
 * Marks the matches in the blocks of text below @root, in reading order, in place of those that were marked before. It draws
 * only: no text changes, and what is written into a block later is not marked.
 *
 * Returns: (transfer full) (element-type BeckonMark): the marks
 */
GArray *beckon_match_mark (GtkWidget *root, const BeckonMatcher *matcher, int current);

/**
 * beckon_match_get_area:
 * @mark: one that beckon_match_mark() returned, its widget still there and laid out
 * @area: (out): its place, in its widget's coordinates
 */
void beckon_match_get_area (const BeckonMark *mark, graphene_rect_t *area);

/** Takes a block of text as shown. @text is lent. */
typedef void (*BeckonShownTextFunc) (const char *text, gpointer user_data);

/** Calls @function for each block of text that a row of @message shows, in order; no widget is made for it. */
void beckon_shown_text_foreach (BeckonMessage *message, BeckonShownTextFunc function, gpointer user_data);

G_END_DECLS
