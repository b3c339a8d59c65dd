/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-attachment-loader.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FILE_STRIP (beckon_file_strip_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFileStrip, beckon_file_strip, BECKON, FILE_STRIP, AdwBin)

/**
 * BeckonFileStrip:
 *
 * What is attached to a draft, and what is still being read: a row of small pictures and names, each with a button that takes
 * it out again. Not visible while there is none. Made in templates.
 */

/** Shows the list of @intake and follows it. */
void beckon_file_strip_set_intake (BeckonFileStrip *strip, BeckonAttachmentLoader *loader);

/** Prevents removals while @locked. */
void beckon_file_strip_set_locked (BeckonFileStrip *strip, gboolean locked);

G_END_DECLS
