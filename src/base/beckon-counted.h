/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** BECKON_COUNTED: (skip): defines `name_ref` and `name_unref` of a @Type that g_atomic_rc_box_new0() made, for any thread.
 *  @clear gets the box as it ends. No reference of %NULL can be taken; one may be given up. */
#define BECKON_COUNTED(Type, name, clear)                                                                                     \
  Type *name##_ref (Type *self)                                                                                               \
  {                                                                                                                           \
    return g_atomic_rc_box_acquire (self);                                                                                    \
  }                                                                                                                           \
  void name##_unref (Type *self)                                                                                              \
  {                                                                                                                           \
    if (self != NULL)                                                                                                         \
      g_atomic_rc_box_release_full (self, clear);                                                                             \
  }

G_END_DECLS
