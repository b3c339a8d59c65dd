/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLandNow:
 * @BECKON_LAND_NOW_FAILED: with an error
 * @BECKON_LAND_NOW_NOTHING: the command has changed nothing that is not in the folder
 * @BECKON_LAND_NOW_WAITS: none of it may land unseen, and the person is asked when the command has ended
 * @BECKON_LAND_NOW_ASKED: the person is asked about it now, and the command runs on
 * @BECKON_LAND_NOW_LANDED: it is in the folder
 */
typedef enum
{
  BECKON_LAND_NOW_FAILED,
  BECKON_LAND_NOW_NOTHING,
  BECKON_LAND_NOW_WAITS,
  BECKON_LAND_NOW_ASKED,
  BECKON_LAND_NOW_LANDED,
} BeckonLandNow;

G_END_DECLS
