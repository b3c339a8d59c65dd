/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-effort.h"
#include "domain/beckon-mode.h"

G_BEGIN_DECLS

/**
 * BeckonPlaceOptions:
 * @folder: (owned) (nullable): `--folder`, resolved by beckon_place_options_check()
 * @mode_word: (owned) (nullable): `--mode`
 * @mode: what it says
 * @effort_word: (owned) (nullable): `--effort`
 * @effort: what it says
 *
 * Where a conversation works, how much it asks and how much its model reasons, as options.
 */
typedef struct
{
  char *folder;
  char *mode_word;
  BeckonMode mode;
  char *effort_word;
  BeckonEffort effort;
  gboolean is_without_instructions;
} BeckonPlaceOptions;

void beckon_place_options_add_to (BeckonPlaceOptions *options, GOptionContext *context);

/** %FALSE, with a message for the person, if they make no sense. */
gboolean beckon_place_options_check (BeckonPlaceOptions *options, GError **error);
void     beckon_place_options_clear (BeckonPlaceOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonPlaceOptions, beckon_place_options_clear)

G_END_DECLS
