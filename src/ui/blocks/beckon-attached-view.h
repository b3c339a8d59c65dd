/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"
#include "domain/beckon-tool-call.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ATTACHED_VIEW (beckon_attached_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAttachedView, beckon_attached_view, BECKON, ATTACHED_VIEW, AdwBin)

/**
 * beckon_attached_view_new:
 * @part: an image, of whoever made it, or a text that is an attached file
 *
 * What a message holds beside its text: a picture as it is, no larger than reads well, any other file by its name and size. A
 * click shows it whole, in a window that saves it. Pixels are held only while the view is on screen.
 */
GtkWidget *beckon_attached_view_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** The same, smaller, and never narrower than it is. */
GtkWidget *beckon_attached_view_new_small (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** Names a file, even one without a name. Caller frees. */
char *beckon_attached_view_dup_name (BeckonPart *part);

/** How large it is, or of a PDF how many pages it has. Caller frees. */
char *beckon_attached_view_dup_size (BeckonPart *part);

/** The pictures that came with the result of @call, one below the other; %NULL (and not a widget) without any. */
GtkWidget *beckon_result_images_new (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
