/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FILE_INTAKE (beckon_file_intake_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFileIntake, beckon_file_intake, BECKON, FILE_INTAKE, GObject)

/**
 * BeckonFileIntake:
 *
 * The way of files into a draft: what is chosen, dropped or pasted is read on another thread and then is in the list. What is
 * begun for one list ends up in that one, whatever list is set by then. Signals: `changed`: what is being read, or the list
 * that is set, changed; `failed` (words): why something is not attached. Main thread.
 */
BeckonFileIntake *beckon_file_intake_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** @files: (nullable): a #GListStore of #BeckonPart. */
void        beckon_file_intake_set_files (BeckonFileIntake *intake, GListStore *files);
GListStore *beckon_file_intake_get_files (BeckonFileIntake *intake);

/** The names of what is being read for the list that is set. (transfer full) */
char **beckon_file_intake_dup_reading (BeckonFileIntake *intake);

/** Nothing that is being read now comes into the list. */
void beckon_file_intake_cancel (BeckonFileIntake *intake);

void beckon_file_intake_take_file (BeckonFileIntake *intake, GFile *file);
void beckon_file_intake_take_bytes (BeckonFileIntake *intake, GBytes *bytes, const char *name);
void beckon_file_intake_take_texture (BeckonFileIntake *intake, GdkTexture *texture);

/** Takes what is in the clipboard if it is files or a picture; %FALSE if it is nothing of the kind. */
gboolean beckon_file_intake_take_clipboard (BeckonFileIntake *intake, GdkClipboard *clipboard);

/** Takes what a drop brought: a #GdkFileList or a #GdkTexture. */
gboolean beckon_file_intake_take_value (BeckonFileIntake *intake, const GValue *value);

/** Tells why something cannot be attached, as a failure of its own. */
void beckon_file_intake_fail (BeckonFileIntake *intake, const char *words);

G_END_DECLS
