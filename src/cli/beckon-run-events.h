/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <stdio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_RUN_EVENTS (beckon_run_events_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRunEvents, beckon_run_events, BECKON, RUN_EVENTS, GObject)

/** The version in the first event. It changes when a reader of the one before would misunderstand something. */
#define BECKON_RUN_EVENTS_VERSION 1

/**
 * BeckonRunEvents:
 *
 * Writes what happens in a conversation for other programs: one JSON object a line, by the schema that is published in
 * data/io.github.beckon.Beckon.Run1.schema.json. Main thread.
 */

/** @conversation: followed from now on. @output: where the lines go. */
BeckonRunEvents *beckon_run_events_new (BeckonConversation *conversation, FILE *output) G_GNUC_WARN_UNUSED_RESULT;

/** The first event. @profile: (nullable): the model that is asked. */
void beckon_run_events_begin (BeckonRunEvents *events, BeckonProfile *profile);

/** There is no person to be asked: what a server asked all the same is a note behind the result. */
void beckon_run_events_set_unattended (BeckonRunEvents *events);

/** A request that waits. @document: as it is published on the bus. */
void beckon_run_events_add_request (BeckonRunEvents *events, const char *document);

/**
 * beckon_run_events_end:
 * @events: events
 * @status: the exit status of the program
 * @problem: (nullable): why nothing was sent
 *
 * The last event, with the last message of the reply.
 */
void beckon_run_events_end (BeckonRunEvents *events, int status, const char *problem);

G_END_DECLS
