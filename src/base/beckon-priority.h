/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BECKON_PRIORITY_SHARED:
 *
 * The priority of sources with much to do, such as output that pours in. It is that with which a window draws its frames, so
 * that both take turns. Below it, at %G_PRIORITY_DEFAULT_IDLE, nothing is dispatched for seconds where each frame takes
 * longer to draw than it is shown, as with a renderer in software; above it no frame is drawn while there is something to do.
 */
#define BECKON_PRIORITY_SHARED (G_PRIORITY_HIGH_IDLE + 20)

G_END_DECLS
