/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "domain/beckon-landing.h"
#include "policy/beckon-denied-paths.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_landing_survey_now:
 *
 * Returns: the time of now, in nanoseconds since the epoch. To be taken before anything of the sandbox is prepared: what has a
 *   later ctime was changed by another writer while the command ran. Any thread; does not block.
 */
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
 * Finds what the command changed, by descriptors and without following links: what is the same in content, mode and
 * attributes as in the folder is no change, whatever its times. Every change has its concern, its hashes, and as text its
 * difference. Fate is %BECKON_FILE_OPEN, %BECKON_FILE_DENIED, %BECKON_FILE_CONFLICT for what is in the folder since @base, or
 * %BECKON_FILE_FAILED with a remark for what cannot land. Of a conflict @diff is between what is in the folder now and what
 * the command made: both sides at once; @theirs is %NULL, because what the command saw is unknown. A new name for a file
 * that was there before becomes a file of its own. Of the folder itself neither mode nor name is looked at.
 *
 * New folders with few files are told file by file, and so are changes as long as they are few; others are one change of type
 * %BECKON_FILE_FOLDER with @n_files. In such a folder what waits, or does not land, is still told by itself. A deleted folder
 * is always one change; a file with a secret of the person's in it is told by itself as well, because it is not kept.
 *
 * What every file takes to land is written down in @place, for beckon_lander_land(). What only an overlay needs is taken off
 * the files of new folders. Blocks: worker threads only.
 *
 * Returns: (transfer full): the changes, which may be none; %NULL with an error
 */
BeckonChangeSet *beckon_landing_survey (const char *place, const char *folder, gint64 base, BeckonDeniedPaths *denied,
                                        BeckonMask *mask, GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
