/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

G_BEGIN_DECLS

/*
 * Landings that no store knows, of temporary conversations, are noted in their place, so that the finder after a crash
 * leaves no folder half changed. All of it blocks: worker threads only.
 */

/** Notes, in the place of @landing, what beckon_lander_land() is about to do. */
gboolean beckon_lander_note_write (const BeckonLanding *landing, GError **error);

/**
 * beckon_lander_note_finish:
 * @place: a landing place of a process that is gone
 * @error: return location
 *
 * Finishes what was begun there by a landing that is noted in it: landing, undoing or making again.
 *
 * Returns: %TRUE if nothing is left to be done, or ever can be; %FALSE with an error where it may be possible later
 */
gboolean beckon_lander_note_finish (const char *place, GError **error);

G_END_DECLS
