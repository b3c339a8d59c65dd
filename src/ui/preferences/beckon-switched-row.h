/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SWITCHED_ROW (beckon_switched_row_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonSwitchedRow, beckon_switched_row, BECKON, SWITCHED_ROW, AdwActionRow)

/**
 * BeckonSwitchedRow:
 * @switched: the person turned it on or off; a class without it shows a switch that does nothing
 *
 * Something with a name that can be on or off, and opens when it is activated: a server, a channel. Signal `failed` (words):
 * switching it was not saved.
 */
struct _BeckonSwitchedRowClass
{
  AdwActionRowClass parent_class;

  void (*switched) (BeckonSwitchedRow *self, gboolean is_on);
};

/**
 * beckon_switched_row_show:
 * @name: what it is called, as it came from outside
 * @words: how it is, fit to show
 * @is_on: whether it is on; this is no switching by the person
 */
void beckon_switched_row_show (BeckonSwitchedRow *row, const char *name, const char *words, gboolean is_on);

/** Emits `failed` with @message, after the class has shown again how it is. */
void beckon_switched_row_fail (BeckonSwitchedRow *row, const char *message);

G_END_DECLS
