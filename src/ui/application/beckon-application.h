/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_APPLICATION (beckon_application_get_type ())
G_DECLARE_FINAL_TYPE (BeckonApplication, beckon_application, BECKON, APPLICATION, AdwApplication)

/**
 * BeckonApplication:
 *
 * The program with the window, one per session. Shows the window first and opens the store while it appears; when the
 * last window goes it stores drafts and closes the store before it ends. Actions: `new-conversation`, `preferences`,
 * `shortcuts`, `about`, `quit`.
 */
BeckonApplication *beckon_application_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Makes resources and widget types known, as the application does at its start; for tests of widgets. */
void beckon_application_register_resources (void);

G_END_DECLS
