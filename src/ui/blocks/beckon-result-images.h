/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** The pictures that came with the result of @call, one below the other; %NULL (and not a widget) without any. */
GtkWidget *beckon_result_images_new (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
