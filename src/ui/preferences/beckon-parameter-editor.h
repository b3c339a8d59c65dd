/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PARAMETER_EDITOR (beckon_parameter_editor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonParameterEditor, beckon_parameter_editor, BECKON, PARAMETER_EDITOR, BeckonSheet)

/**
 * beckon_parameter_editor_new:
 * @runtime: whose tools and store
 * @parameter: (nullable): what is settled about an argument, or is proposed to be; %NULL to choose one
 *
 * What holds for one argument of a tool, in every call: a value that it always has, values of which it has to have
 * one, and what of it is shown on cards. Saved when the person says so.
 */
GtkWidget *beckon_parameter_editor_new (BeckonRuntime *runtime,
                                        const BeckonToolParameter *parameter) G_GNUC_WARN_UNUSED_RESULT;

/** Shows it over @parent for one argument: what is settled about it, with @json as the value that it always has. */
void beckon_parameter_editor_show_for (GtkWidget *parent, BeckonRuntime *runtime, const char *tool, const char *server,
                                       const char *name, const char *json);

G_END_DECLS
