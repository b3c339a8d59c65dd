/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-model-pick.h"
#include "runtime/beckon-profile-tester.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_MODEL_CHOOSER (beckon_model_chooser_get_type ())
G_DECLARE_FINAL_TYPE (BeckonModelChooser, beckon_model_chooser, BECKON, MODEL_CHOOSER, AdwBin)

/**
 * BeckonModelChooser:
 *
 * A button that opens the list of models a server has, with what is known of each; the newest suitable one is selected.
 * Signals: `wanted`, when it opens: whoever has the profile calls beckon_model_chooser_fetch(); `chosen` (name).
 */
/**
 * Asks @profile's server, with @key if there is one, and shows what it has; what was asked before is ended. @preset
 * (nullable) is the provider that the person chose, whatever became of its address.
 */
void beckon_model_chooser_fetch (BeckonModelChooser *chooser, BeckonProfileTester *tester, BeckonProfile *profile,
                                 BeckonPreset *preset, const char *key);

/** After how many model calls the agent pauses, as a title. Caller frees. */
char *beckon_model_labels_describe_rounds (guint rounds) G_GNUC_WARN_UNUSED_RESULT;

/** The facts of a model in a line, such as "1M tokens · $2 / $10 · sees pictures"; "" if nothing is. Caller frees. */
char *beckon_model_labels (const BeckonModelDetails *details) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
