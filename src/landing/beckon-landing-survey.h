/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "domain/beckon-landing.h"
#include "policy/beckon-denied-paths.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** The time of now by the clock of ctimes: nanoseconds since the epoch. What is changed from now on is not before it. */
gint64 beckon_landing_survey_now (void);

/**
 * beckon_landing_survey:
 * @place: the landing place of a command that has ended, or is stopped
 * @folder: the working folder, an absolute path without links
 * @base: when the command began, from beckon_landing_survey_now()
 * @denied: (nullable): what a rule denies: it never lands. What was hidden from the command (beckon-landing-hidden.h) has a
 *   whiteout in the upper layer that is none of its changes
 * @mask: (nullable): the secrets of the person, which no difference shows
 * @cancellable: (nullable)
 * @error: return location
 *
 * Finds what the command changed, by descriptors and without following links: what is the same in content and mode as in the
 * folder is no change, whatever its times. Every change has its concern, its hashes, and as text its difference. Fate is
 * %BECKON_FILE_OPEN, %BECKON_FILE_DENIED, or %BECKON_FILE_CONFLICT for what is in the folder since @base. Blocks: worker
 * threads only.
 *
 * Returns: (transfer full): the changes, which may be none; %NULL with an error
 */
BeckonChangeSet *beckon_landing_survey (const char *place, const char *folder, gint64 base, BeckonDeniedPaths *denied,
                                        BeckonMask *mask, GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
