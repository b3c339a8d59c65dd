/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ATTACHED_WINDOW (beckon_attached_window_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAttachedWindow, beckon_attached_window, BECKON, ATTACHED_WINDOW, AdwWindow)

/** Shows a picture or an attached text whole, copies it and saves it. @part: as of beckon_attached_view_new(). */
GtkWidget *beckon_attached_window_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_attached_window_dup_copy:
 * @part: as of beckon_attached_view_new()
 * @name: (out): name that fits what is saved; caller frees
 *
 * Returns: (transfer full): bytes that *Save a Copy* writes: of a PDF the PDF itself, if it is kept
 */
GBytes *beckon_attached_window_dup_copy (BeckonPart *part, char **name) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
