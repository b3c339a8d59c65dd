/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonDurability:
 * @BECKON_DURABILITY_NORMAL: survives the death of the process; a power cut may take the last of them back, in order
 * @BECKON_DURABILITY_FULL: on the disk when the commit returns; for decisions, answers and starts
 */
typedef enum
{
  BECKON_DURABILITY_NORMAL,
  BECKON_DURABILITY_FULL,
} BeckonDurability;

G_END_DECLS
