/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/** A toast that says @words as they are; a title of its own would be read as markup. */
AdwToast *beckon_toast_new (const char *words) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_toast_show:
 * @widget: what was done is shown there, or where it is in
 * @toast: (transfer full): not shown where there is no place for it
 */
void beckon_toast_show (GtkWidget *widget, AdwToast *toast);

G_END_DECLS
