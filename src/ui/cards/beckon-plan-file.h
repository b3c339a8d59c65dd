/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Plans in files that a person chooses. %G_IO_ERROR_CANCELLED when none is chosen. @parent: (nullable). */

void     beckon_plan_file_export_async (const BeckonPlan *plan, GtkWindow *parent, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean beckon_plan_file_export_finish (GAsyncResult *result, GError **error);

void        beckon_plan_file_import_async (GtkWindow *parent, GAsyncReadyCallback callback, gpointer user_data);
BeckonPlan *beckon_plan_file_import_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
