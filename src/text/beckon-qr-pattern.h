/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The light margin that a QR code needs to be found, in its modules. */
#define BECKON_QR_MARGIN 4

/**
 * BeckonQrPattern:
 * @size: modules of a side, without the margin
 * @dark: @size * @size of them, row by row; 1 is dark
 *
 * The squares of a QR code.
 */
typedef struct
{
  guint size;
  guint8 *dark;
} BeckonQrPattern;

/**
 * beckon_qr_pattern_new:
 * @text: valid UTF-8
 *
 * Pure; any thread.
 *
 * Returns: (transfer full) (nullable): the code; %NULL if @text is empty or too long for one, or this build makes none
 */
BeckonQrPattern *beckon_qr_pattern_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_qr_pattern_free (BeckonQrPattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonQrPattern, beckon_qr_pattern_free)

/** Whether a module is dark; the margin around the code, and what is beyond it, is light. */
gboolean beckon_qr_pattern_is_dark (const BeckonQrPattern *pattern, int x, int y);

/**
 * beckon_qr_pattern_print:
 * @pattern: a code
 * @colours: the terminal understands them
 *
 * Draws it for a terminal, two rows of modules in each line. With colours it is dark on light on every terminal; without, light
 * is drawn, as terminals mostly are dark.
 *
 * Returns: (transfer full): lines, each with its end
 */
char *beckon_qr_pattern_print (const BeckonQrPattern *pattern, gboolean colours) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
