/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Lets the keys of a message that has the focus work in @transcript; @rows: in it, its messages. */
void beckon_transcript_add_keys (GtkWidget *transcript, GtkWidget *rows);

G_END_DECLS
