/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-citation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SOURCES_VIEW (beckon_sources_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSourcesView, beckon_sources_view, BECKON, SOURCES_VIEW, AdwBin)

/**
 * beckon_sources_view_new:
 * @sources: (element-type BeckonCitation): what a passage is said to be from
 *
 * The sources, folded, as numbered links with their hosts. Nothing of them is loaded.
 *
 * Returns: (transfer floating): a widget
 */
GtkWidget *beckon_sources_view_new (GPtrArray *sources) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
