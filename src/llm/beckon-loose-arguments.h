/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_loose_arguments_read:
 * @text: arguments of a call that are no JSON object
 *
 * Reads what can only be meant as one: an object in a fence or in a text, with a comma behind its last member, line breaks
 * within its texts, or in single quotes throughout. What is cut stays cut. Pure; any thread.
 *
 * Returns: (transfer full) (nullable): the object as strict JSON; %NULL if it can't be read
 */
char *beckon_loose_arguments_read (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
