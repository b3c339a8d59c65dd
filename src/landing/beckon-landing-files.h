/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

G_BEGIN_DECLS

/**
 * beckon_landing_list_files:
 * @landing: changes that have not landed yet
 * @change: one of them that stands for all in a folder
 * @most: how many files are listed
 *
 * Lists the files that @change stands for, which the set of changes only counts. Links are not followed. Blocks; any thread.
 *
 * Returns: (transfer full) (element-type filename): paths relative to the working folder, sorted, at most @most; empty where
 *   the folder cannot be read
 */
GPtrArray *beckon_landing_list_files (const BeckonLanding *landing, const BeckonFileChange *change,
                                      guint most) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
