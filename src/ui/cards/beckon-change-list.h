/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-choice.h"
#include "domain/beckon-tool-call.h"

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

/** The choice as it stands; borrowed. %NULL where nothing can be chosen. */
const BeckonChangeChoice *beckon_change_list_get_choice (BeckonChangeList *self);

/** @choice: (transfer full): shown from now on; without a signal. */
void beckon_change_list_take_choice (BeckonChangeList *self, BeckonChangeChoice *choice);

/** @late: (element-type guint) (nullable): which changes would not land: their files were changed in the folder meanwhile. */
void beckon_change_list_set_late (BeckonChangeList *self, GArray *late);

/** Whose changes they are, where that is known: new folders can be looked into then. @call: (nullable). */
void beckon_change_list_set_call (BeckonChangeList *self, BeckonToolCall *call);

G_END_DECLS
