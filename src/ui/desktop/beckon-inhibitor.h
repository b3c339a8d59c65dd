/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_INHIBITOR (beckon_inhibitor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonInhibitor, beckon_inhibitor, BECKON, INHIBITOR, GObject)

/**
 * BeckonInhibitor:
 *
 * While a tool runs in this process, the computer does not go to sleep by itself and the session's end is asked about: a
 * command that is cut off may leave things half done. Waiting for a model or a person keeps nobody from leaving.
 */
BeckonInhibitor *beckon_inhibitor_new (GtkApplication *application, BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
