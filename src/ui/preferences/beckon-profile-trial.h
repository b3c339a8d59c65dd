/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-profile-tester.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct _BeckonProfileTrial BeckonProfileTrial;

/**
 * beckon_profile_trial_new:
 * @row: says in its subtitle what came of it
 * @spinner: turns while it lasts
 * @image: shows whether it worked
 * @button: begins it, and ends it while it lasts
 *
 * The trial of a profile in a row of an editor. The widgets outlive it.
 */
BeckonProfileTrial *beckon_profile_trial_new (AdwActionRow *row, GtkSpinner *spinner, GtkImage *image,
                                              GtkButton *button) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_profile_trial_free (BeckonProfileTrial *trial);

/** Makes one small request, or ends the one that is under way. */
void beckon_profile_trial_start (BeckonProfileTrial *trial, BeckonProfileTester *tester, BeckonProfile *profile,
                                 const char *key);

/** Ends a trial that is under way and takes back what the last one said: something else would be tried now. */
void beckon_profile_trial_reset (BeckonProfileTrial *trial);

/** Says why it cannot even be tried. */
void beckon_profile_trial_fail (BeckonProfileTrial *trial, const char *message);

G_END_DECLS
