/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/*
 * A question with a few buttons, or a message: a sheet within its window (AdwAlertDialog) where libadwaita has it, from 1.5 on,
 * and a window of its own (AdwMessageDialog) elsewhere. Both are widgets with the properties `heading`, `body` and
 * `extra-child`, and a signal `response` that has the id of the button, or of the close response. Main thread only.
 */

/**
 * beckon_alert_new:
 * @heading: (nullable): a title in header capitals
 * @body: (nullable): sentences; text, not markup
 *
 * Returns: (transfer none): an alert, which lives until it is closed once it was presented
 */
GtkWidget *beckon_alert_new (const char *heading, const char *body) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a widget is one. */
gboolean beckon_alert_is (gpointer widget);

/** Pairs of an id and a label with a mnemonic, in order, up to a NULL. */
void beckon_alert_add_responses (GtkWidget *alert, const char *first_id, ...) G_GNUC_NULL_TERMINATED;

void beckon_alert_set_appearance (GtkWidget *alert, const char *id, AdwResponseAppearance appearance);
void beckon_alert_set_enabled (GtkWidget *alert, const char *id, gboolean is_enabled);

/**
 * beckon_alert_set_defaults:
 * @default_id: (nullable): what Enter answers
 * @close_id: what Escape answers; without this call it is `close`, which needs no button
 */
void beckon_alert_set_defaults (GtkWidget *alert, const char *default_id, const char *close_id);

/** A widget below body and heading. It is borrowed by the getter, and NULL where there is none. */
void beckon_alert_set_extra_child (GtkWidget *alert, GtkWidget *child);
GtkWidget *beckon_alert_get_extra_child (GtkWidget *alert);

/**
 * beckon_alert_present:
 * @parent: (nullable): the window that it covers, or any widget in it
 *
 * Any response closes the alert.
 */
void beckon_alert_present (GtkWidget *alert, GtkWidget *parent);

/** Closes it without an answer. */
void beckon_alert_dismiss (GtkWidget *alert);

/** A toast that says @words as they are; a title of its own would be read as markup. */
AdwToast *beckon_toast_new (const char *words) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_toast_show:
 * @widget: what was done is shown there, or where it is in
 * @toast: (transfer full): not shown where there is no place for it
 */
void beckon_toast_show (GtkWidget *widget, AdwToast *toast);

G_END_DECLS
