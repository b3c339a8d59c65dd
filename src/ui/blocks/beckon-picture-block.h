/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"
#include "tools/beckon-web-pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PICTURE_BLOCK (beckon_picture_block_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPictureBlock, beckon_picture_block, BECKON, PICTURE_BLOCK, GtkBox)

/** A paragraph, heading or cell in which pictures are named: its text, and below it each of them for who asks to see it. */
GtkWidget *beckon_picture_block_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** The text's label. Borrowed. */
GtkLabel *beckon_picture_block_get_label (BeckonPictureBlock *self);

/** Shows @leaf. Pictures that are named as before stay the widgets that they are. */
void beckon_picture_block_update (BeckonPictureBlock *self, const BeckonMarkdownNode *leaf);

/** Whether @leaf is one: there is something to fetch pictures with, and it names some. */
gboolean beckon_picture_block_takes (const BeckonMarkdownNode *leaf);

/** Sets the source of pictures from now on. @pictures: (nullable): none. */
void beckon_picture_block_set_pictures (BeckonWebPictures *pictures);

G_END_DECLS
