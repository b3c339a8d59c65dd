/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-import-archive.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonImportDraft:
 *
 * A conversation of another program's that becomes a document in our own form, as an export has it. Messages are a tree.
 * Pictures are only named at first; beckon_import_drafts_fill() puts them in, for many conversations at once.
 */
typedef struct _BeckonImportDraft BeckonImportDraft;

/** @source: where it is from and what it is called there, so that it is imported once. @title: (nullable). Microseconds. */
BeckonImportDraft *beckon_import_draft_new (const char *source, const char *title, gint64 created_at,
                                            gint64 updated_at) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_import_draft_free (BeckonImportDraft *draft);

/** @parent: (nullable): a message of the draft. Borrowed by it; a message that gets no part is not to be made. */
JsonObject *beckon_import_draft_add_message (BeckonImportDraft *draft, const char *role, JsonObject *parent, gint64 at,
                                             gboolean is_chosen);

/** Parts of a message; %NULL and "" add none. */
void beckon_import_draft_add_text (JsonObject *message, const char *text);
void beckon_import_draft_add_reasoning (JsonObject *message, const char *text);
void beckon_import_draft_add_file (JsonObject *message, const char *name, const char *text);
void beckon_import_draft_add_image (BeckonImportDraft *draft, JsonObject *message, const char *asset, const char *name);

/** @arguments: (nullable): any text; what is no JSON object becomes a member of one. Borrowed. */
JsonObject *beckon_import_draft_add_call (JsonObject *message, const char *tool, const char *arguments, gint64 at);
gboolean    beckon_import_draft_has_result (JsonObject *call);
void        beckon_import_draft_set_result (JsonObject *call, const char *text, gboolean is_error);
void        beckon_import_draft_add_result_image (BeckonImportDraft *draft, JsonObject *call, const char *asset);

/** The conversation; %NULL if it has no messages. (transfer full): also the draft. */
JsonObject *beckon_import_draft_finish (BeckonImportDraft *draft, GPtrArray *images) G_GNUC_WARN_UNUSED_RESULT;

/** Pictures that conversations of @images name, from the archive. @n_images, @n_missing: (inout): counted. Blocks. */
void beckon_import_drafts_fill (BeckonImportArchive *archive, GPtrArray *images, guint *n_images, guint *n_missing);

/** For beckon_import_draft_finish(). */
GPtrArray *beckon_import_images_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonImportDraft, beckon_import_draft_free)

G_END_DECLS
