/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-composer.h"
#include "beckon-file-intake.h"
#include "beckon-file-strip.h"

G_BEGIN_DECLS

struct _BeckonComposer
{
  AdwBin parent_instance;

  gboolean composing; /* an input method has text that is not final */
  gboolean replacing; /* the text is being set, not typed */
  gboolean needs_control;
  gboolean locked;
  gboolean queued;

  BeckonFileIntake *intake;      /* (owned) */
  GListStore *no_files;          /* (owned): while there is no draft that could have any */
  GtkFileChooserNative *chooser; /* (owned) (nullable) */
  int paste_length;              /* characters before something was pasted */
  GtkTextMark *paste_mark;       /* (nullable): where a long text was pasted that may become a file */

  char *kept_text;        /* (owned) (nullable): the draft, while an earlier message is edited */
  GListStore *kept_files; /* (owned) (nullable): likewise */

  GtkRevealer *edit_revealer;
  GtkRevealer *offer_revealer;
  GtkLabel *offer_label;
  GtkWidget *answer_child;
  GtkWidget *later_child;
  GtkWidget *dismiss_child;
  GtkRevealer *notice_revealer;
  GtkLabel *notice_label;
  GtkWidget *as_file_button;
  BeckonFileStrip *strip;
  GtkWidget *attach_button;
  GtkTextView *text_view;
  GtkLabel *placeholder;
  GtkWidget *send_button;
};

/** Brings buttons and placeholder in line with what there is. */
void beckon_composer_update (BeckonComposer *self);

/** The person changed the draft. */
void beckon_composer_emit_changed (BeckonComposer *self);

void beckon_composer_install_edit (GtkWidgetClass *widget_class);

void beckon_composer_install_files (GtkWidgetClass *widget_class);
void beckon_composer_init_files (BeckonComposer *self);
void beckon_composer_dispose_files (BeckonComposer *self);

G_END_DECLS
