/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-attachment.h"

G_BEGIN_DECLS

/**
 * BeckonAttachOptions:
 * @paths: (owned) (nullable): `--attach`, each time it was given
 * @files: (owned) (nullable) (element-type BeckonPart): what they are, by beckon_attach_options_read()
 *
 * Files that go with the first message, as options.
 */
typedef struct
{
  char **paths;
  GPtrArray *files;
} BeckonAttachOptions;

void beckon_attach_options_add_to (BeckonAttachOptions *options, GOptionContext *context);

/**
 * beckon_attach_options_read:
 * @options: what was given
 * @input: (nullable): what was piped in, which goes with them
 * @error: return location
 *
 * Reads them, with a main loop of its own.
 *
 * Returns: %FALSE, with a message for the person, if one of them cannot be attached
 */
gboolean beckon_attach_options_read (BeckonAttachOptions *options, GBytes *input, GError **error);
void     beckon_attach_options_clear (BeckonAttachOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonAttachOptions, beckon_attach_options_clear)

G_END_DECLS
