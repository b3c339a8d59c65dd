/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonWebPictureState:
 * @BECKON_WEB_PICTURE_UNKNOWN: it was not asked for, or was dropped since
 * @BECKON_WEB_PICTURE_LOADING: it is on its way
 * @BECKON_WEB_PICTURE_LOADED: it is there
 * @BECKON_WEB_PICTURE_FAILED: it could not be had
 */
typedef enum
{
  BECKON_WEB_PICTURE_UNKNOWN,
  BECKON_WEB_PICTURE_LOADING,
  BECKON_WEB_PICTURE_LOADED,
  BECKON_WEB_PICTURE_FAILED,
} BeckonWebPictureState;

/** The most pictures that are kept. */
#define BECKON_WEB_PICTURES_MOST 24

#define BECKON_TYPE_WEB_PICTURES (beckon_web_pictures_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWebPictures, beckon_web_pictures, BECKON, WEB_PICTURES, GObject)

/**
 * BeckonWebPictures:
 *
 * The pictures that a person asked to see, by their addresses, as long as the program runs: a person who scrolls away and comes
 * back sees them still. None is loaded by itself. Main thread. Signal `changed` (string: the address).
 */

BeckonWebPictures *beckon_web_pictures_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether addresses of this computer and its network may be reached; not at first. */
void beckon_web_pictures_set_private_too (BeckonWebPictures *self, gboolean private_too);

/** Loads what is at @address, unless it is there or on its way. @name: what it is called. Only when a person asks for it. */
void beckon_web_pictures_load (BeckonWebPictures *self, const char *address, const char *name);

/** Takes that back. */
void beckon_web_pictures_cancel (BeckonWebPictures *self, const char *address);

BeckonWebPictureState beckon_web_pictures_get_state (BeckonWebPictures *self, const char *address);

/** Returns the loaded image; %NULL else. Borrowed. */
BeckonPart *beckon_web_pictures_get_part (BeckonWebPictures *self, const char *address);

/** Why not, in words; %NULL unless it failed. Borrowed. */
const char *beckon_web_pictures_get_error (BeckonWebPictures *self, const char *address);

G_END_DECLS
