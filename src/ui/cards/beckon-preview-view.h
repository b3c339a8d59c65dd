/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-preview.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PREVIEW_VIEW (beckon_preview_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPreviewView, beckon_preview_view, BECKON, PREVIEW_VIEW, AdwBin)

/**
 * BeckonPreviewView:
 *
 * What a call would change, as a coloured difference, each hunk with a check where it can be left out. A long one is shown
 * piece by piece, and one that is too long for that not to its end. Made in templates. Signals: `chosen`, other hunks are
 * checked; `whole`, its last piece is shown.
 */

/** @preview: (nullable): %NULL shows nothing. All of its hunks are checked. */
void beckon_preview_view_set_preview (BeckonPreviewView *self, BeckonCallPreview *preview);

/** Says why there is no difference to show. @message: (nullable). */
void beckon_preview_view_set_error (BeckonPreviewView *self, const char *message);

/** Checks all hunks again, without telling. */
void beckon_preview_view_check_all (BeckonPreviewView *self);

/** (transfer full) (element-type guint): the hunks that are checked, counted from 0, rising; all where there are no checks. */
GArray *beckon_preview_view_dup_kept (BeckonPreviewView *self) G_GNUC_WARN_UNUSED_RESULT;

/** Whether all of the difference is shown, or there is none. */
gboolean beckon_preview_view_is_whole (BeckonPreviewView *self);

/** Whether all of it is shown and its end has been on the screen, or there is none. */
gboolean beckon_preview_view_get_seen (BeckonPreviewView *self);

/** Whether it has its place by now, so that beckon_preview_view_get_seen() tells the truth. */
gboolean beckon_preview_view_is_laid_out (BeckonPreviewView *self);

/** Scrolls to the end of what is shown of it; where that was seen, shows the next piece. @with: (nullable): see
 *  beckon_end_watch_show_end(). */
void beckon_preview_view_show_end (BeckonPreviewView *self, GtkWidget *with);

G_END_DECLS
