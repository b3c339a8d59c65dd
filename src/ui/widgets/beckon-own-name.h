/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * Names a control that its row is activated for. Such a control is labelled by the row's title; beside a label of its own both
 * would be read. Called after the control was given to its row.
 */
void beckon_own_name_set (GtkWidget *control, const char *name);

G_END_DECLS
