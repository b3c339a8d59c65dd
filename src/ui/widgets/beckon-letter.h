/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** A letter without its case and accents, which people leave out when they look for something; white space is a space. */
gunichar beckon_letter_fold (gunichar letter) G_GNUC_CONST;

/** The same for a letter that stands for two, such as ß for ss: the first of them, and the second in @second; 0 in that for
 *  others. */
gunichar beckon_letter_fold_apart (gunichar letter, gunichar *second);

/** Whether it is part of a word of letters; a character that is written without spaces between words is a word by itself. */
gboolean beckon_letter_is_in_word (gunichar letter) G_GNUC_CONST;

G_END_DECLS
