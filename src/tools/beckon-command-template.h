/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_template_split:
 * @text: a message
 * @arguments: (out): what follows the name, without white space around it; points into @text
 *
 * Returns: (transfer full) (nullable): the name of the command that @text begins with, as in "/fix 3"; %NULL if it is none.
 *   Pure
 */
char *beckon_command_template_split (const char *text, const char **arguments) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_command_template_expand:
 * @template: what a command says
 * @arguments: what stands behind its name
 *
 * Puts @arguments in place of $ARGUMENTS, and its words, which may be in quotation marks, in place of $1 to $9. Where there is
 * neither, they follow on a line of their own. What is put in is not looked at again. Pure.
 *
 * Returns: (transfer full): the message
 */
char *beckon_command_template_expand (const char *template, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
