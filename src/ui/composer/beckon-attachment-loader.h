/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ATTACHMENT_LOADER (beckon_attachment_loader_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAttachmentLoader, beckon_attachment_loader, BECKON, ATTACHMENT_LOADER, GObject)

/**
 * BeckonAttachmentLoader:
 *
 * The way of files into a draft: what is chosen, dropped or pasted is read on another thread and then is in the list. What is
 * begun for one list ends up in that one, whatever list is set by then. Signals: `changed`: what is being read, or the list
 * that is set, changed; `failed` (words): why something is not attached. Main thread.
 */
BeckonAttachmentLoader *beckon_attachment_loader_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** @files: (nullable): a #GListStore of #BeckonPart. */
void        beckon_attachment_loader_set_files (BeckonAttachmentLoader *loader, GListStore *files);
GListStore *beckon_attachment_loader_get_files (BeckonAttachmentLoader *loader);

/** The names of what is being read for the list that is set. (transfer full) */
char **beckon_attachment_loader_dup_reading (BeckonAttachmentLoader *loader);

/** Drops all files that are being read. */
void beckon_attachment_loader_cancel (BeckonAttachmentLoader *loader);

void beckon_attachment_loader_take_file (BeckonAttachmentLoader *loader, GFile *file);
void beckon_attachment_loader_take_bytes (BeckonAttachmentLoader *loader, GBytes *bytes, const char *name);
/** A file that is read elsewhere first. */
typedef struct _BeckonAttachmentReading BeckonAttachmentReading;

/** Begins to wait for something; beckon_attachment_reading_end() has to follow. %NULL if there is no room for it. Borrowed. */
BeckonAttachmentReading *beckon_attachment_loader_begin (BeckonAttachmentLoader *loader, const char *name);

/** Cancelled when the person no longer wants it. Borrowed. */
GCancellable *beckon_attachment_reading_get_cancellable (BeckonAttachmentReading *reading);

/** Takes what came of it, or a part of that, for the list that it was begun for. */
void beckon_attachment_reading_take_bytes (BeckonAttachmentReading *reading, GBytes *bytes, const char *name);

/** @error: (nullable): why nothing came of it, in words to be shown. Frees @reading. */
void beckon_attachment_reading_end (BeckonAttachmentReading *reading, const GError *error);

/** Takes what is in the clipboard if it is files or a picture; %FALSE if it is nothing of the kind. */
gboolean beckon_attachment_loader_take_clipboard (BeckonAttachmentLoader *loader, GdkClipboard *clipboard);

/** Takes what a drop brought: a #GdkFileList or a #GdkTexture. */
gboolean beckon_attachment_loader_take_value (BeckonAttachmentLoader *loader, const GValue *value);

G_END_DECLS
