/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-line-reader.h"
#include "domain/beckon-conversation.h"

#include <stdio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PRINTER (beckon_printer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPrinter, beckon_printer, BECKON, PRINTER, GObject)

/**
 * BeckonPrinter:
 *
 * Prints what comes into a conversation as it comes: the agent's text to one stream, notes about tools to another. Control
 * characters are made harmless first. Main thread.
 */

/**
 * beckon_printer_new:
 * @conversation: what to follow; what is in it already is not printed, but for the end of calls that are open
 * @text: (nullable): where the agent's text goes; %NULL is nowhere
 * @notes: where notes about tools go
 * @colour: whether @notes may be coloured
 */
BeckonPrinter *beckon_printer_new (BeckonConversation *conversation, FILE *text, FILE *notes,
                                         gboolean colour) G_GNUC_WARN_UNUSED_RESULT;

/** Whether of the notes only problems are printed. */
void beckon_printer_set_quiet (BeckonPrinter *printer, gboolean is_quiet);

/** The person has /undo: no change is told with how else it is undone. */
void beckon_printer_set_has_commands (BeckonPrinter *printer);

/** There is no person to be asked: what a server asked all the same is printed whole, with the reason. */
void beckon_printer_set_unattended (BeckonPrinter *printer);

/** The exit status for what was told of calls: 0, %BECKON_COMMAND_LEFT_ALONE or %BECKON_COMMAND_UNASKED. */
int beckon_printer_get_status (BeckonPrinter *printer);

/** @lines: (nullable): where the person types, below what is printed; borrowed until it is set to %NULL. */
void beckon_printer_set_lines (BeckonPrinter *printer, BeckonLineReader *lines);

/** Ends a line that was begun and writes everything out. */
void beckon_printer_break (BeckonPrinter *printer);

/** Whether the last line of the agent's text is unfinished. */
gboolean beckon_printer_is_in_line (BeckonPrinter *printer);

G_END_DECLS
