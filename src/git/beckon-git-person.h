/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_git_person_dup_config:
 * @folder: the folder that is worked in, an absolute path: includes may depend on it
 * @ignore_file: where @ignored is to stand
 * @ignored: (out) (nullable) (transfer full): what the person has Git overlook everywhere
 *
 * Reads the person's own configuration of Git, and the computer's, whatever files these include. Nothing of it is taken but
 * name, address, the name of a first branch, and aliases that run no program: no credentials, hooks, helpers or keys.
 *
 * Returns: (transfer full): a configuration with that, which includes nothing. Any thread; blocks
 */
char *beckon_git_person_dup_config (const char *folder, const char *ignore_file,
                                    char **ignored) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
