/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channels.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PREFERENCES (beckon_preferences_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPreferences, beckon_preferences, BECKON, PREFERENCES, BeckonSheet)

/** @channels: (nullable): without them there is no page for them. Shows profiles, which of them is the default, whether the
 *  agent may ask, and what else a person may set. */
GtkWidget *beckon_preferences_new (BeckonRuntime *runtime, BeckonChannels *channels) G_GNUC_WARN_UNUSED_RESULT;

/** Shows one of its pages, with the focus on the row that is called @title (nullable), if there is one to be seen. */
void beckon_preferences_show_row (BeckonPreferences *preferences, const char *page, const char *title);

/** The page that is shown. Borrowed. */
AdwPreferencesPage *beckon_preferences_get_page (BeckonPreferences *preferences);

G_END_DECLS
