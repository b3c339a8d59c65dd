/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_QR_CODE (beckon_qr_code_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQrCode, beckon_qr_code, BECKON, QR_CODE, GtkWidget)

/**
 * BeckonQrCode:
 *
 * A QR code, black on white with its margin whatever the colours around it are, and with edges on whole pixels at any size. It
 * is an image to assistive technology, named by whoever shows it. Property `text` (nullable). Main thread.
 */

/** @text: (nullable): what the code says from now on. */
void beckon_qr_code_set_text (BeckonQrCode *self, const char *text);

/** (nullable), borrowed. */
const char *beckon_qr_code_get_text (BeckonQrCode *self);

/** Whether there is a code to scan: not without a text, and not in a build that makes none. */
gboolean beckon_qr_code_has_code (BeckonQrCode *self);

G_END_DECLS
