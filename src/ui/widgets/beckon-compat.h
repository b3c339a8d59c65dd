/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gmodule.h>

G_BEGIN_DECLS

/** Once, when GTK is ready: has newer ones do what the oldest we work with does, and all of them what they should. */
void beckon_compat_init (void);

/**
 * BeckonSymbol:
 * @name: what a library calls it
 * @place: where its address goes
 *
 * A function of a library that is used where it is installed and was not there to build with.
 */
typedef struct
{
  const char *name;
  gpointer place;
} BeckonSymbol;

/**
 * beckon_symbols_find_once:
 * @state: (inout): zero at first, static beside @symbols: whether they were looked for, and found
 * @library: (nullable): the file name that the dynamic linker knows the library by; the program and what it is linked with
 *   where it is NULL
 * @symbols: (array length=n_symbols): what is needed of it
 *
 * Loads a library for as long as the process runs and fills in all of its symbols when it is called first, in whichever thread,
 * and remembers.
 *
 * Returns: whether all are there; otherwise the places may be filled in partly and are not to be used
 */
gboolean beckon_symbols_find_once (gsize *state, const char *library, const BeckonSymbol *symbols, gsize n_symbols);

G_END_DECLS
