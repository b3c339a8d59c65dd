/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-choice.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANGE_LIST (beckon_change_list_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangeList, beckon_change_list, BECKON, CHANGE_LIST, AdwBin)

/** So many rows at first, and so many more at each click. */
#define BECKON_CHANGE_LIST_STEP 50

/**
 * BeckonChangeList:
 *
 * What a command changed, a row for each file: first what needs a look, then what is to be decided, then the rest. Signal
 * `changed`: the person checked or unchecked something.
 */

/**
 * beckon_change_list_new:
 * @set: what was changed; it is copied
 * @can_choose: the rows have checks; everything is kept until beckon_change_list_take_choice()
 */
GtkWidget *beckon_change_list_new (const BeckonChangeSet *set, gboolean can_choose) G_GNUC_WARN_UNUSED_RESULT;

/** What is left out; borrowed. %NULL where nothing can be chosen. */
const BeckonChangeChoice *beckon_change_list_get_choice (BeckonChangeList *self);

/** @choice: (transfer full): shown from now on; without a signal. */
void beckon_change_list_take_choice (BeckonChangeList *self, BeckonChangeChoice *choice);

G_END_DECLS
