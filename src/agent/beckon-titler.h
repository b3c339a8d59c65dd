/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"

G_BEGIN_DECLS

/**
 * BeckonTitler:
 *
 * Asks a conversation's model for its title, once, after the first reply, when nothing else is at work. That is no turn:
 * nothing is stored but the title, nothing is shown, and a failure is only logged. Main thread.
 */
typedef struct _BeckonTitler BeckonTitler;

/**
 * beckon_titler_new:
 * @agent: borrowed, and has to outlive it; it says whether anything else needs a model just now
 *
 * What was noted is stored, so that a conversation that an earlier start did not get to is named by the next.
 *
 * Returns: (transfer full): a titler
 */
BeckonTitler *beckon_titler_new (BeckonAgent *agent) G_GNUC_WARN_UNUSED_RESULT;

/** Cancels what is under way. */
void beckon_titler_free (BeckonTitler *titler);

/** A run of @conversation completed: remembers it if it wants a title. */
void beckon_titler_note (BeckonTitler *titler, BeckonConversation *conversation);

/** Asks for the next one that was noted, if it may work just now. */
void beckon_titler_work (BeckonTitler *titler);

/**
 * beckon_titler_clean:
 * @text: what a model wrote
 *
 * Makes a title of it: one line, without quotation marks, Markdown, a closing full stop or characters that are not seen, of at
 * most 60 characters.
 *
 * Returns: (transfer full) (nullable): %NULL if there is none in it
 */
char *beckon_titler_clean (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTitler, beckon_titler_free)

G_END_DECLS
