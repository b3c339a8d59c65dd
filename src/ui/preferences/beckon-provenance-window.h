/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROVENANCE_WINDOW (beckon_provenance_window_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProvenanceWindow, beckon_provenance_window, BECKON, PROVENANCE_WINDOW, AdwWindow)

/** The log of what was asked, decided and run, a page at a time, with filters, and a way to write it to a file. */
GtkWidget *beckon_provenance_window_new (BeckonRuntime *runtime);

G_END_DECLS
