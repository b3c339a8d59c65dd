/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-tour-texts.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TOUR (beckon_tour_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTour, beckon_tour, BECKON, TOUR, GObject)

/**
 * BeckonTour:
 *
 * The built-in offline model: an HTTP server on 127.0.0.1, a random port and a random token, that speaks OpenAI chat
 * completions from a script. It keeps no state: what it says follows from the history that each request carries. Main
 * thread.
 */
BeckonTour *beckon_tour_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** A tour is read in the window unless this says otherwise. */
void beckon_tour_set_place (BeckonTour *tour, BeckonTourPlace place);

/** Starts listening; does nothing when it already listens. */
gboolean beckon_tour_start (BeckonTour *tour, GError **error);

/** Such as "http://127.0.0.1:40123/v1"; %NULL until started. */
const char *beckon_tour_get_base_url (BeckonTour *tour);

/** The bearer token of every request. */
const char *beckon_tour_get_token (BeckonTour *tour);

/** Milliseconds between the pieces of a reply; 20 by default, 0 in tests. */
void beckon_tour_set_pace (BeckonTour *tour, guint milliseconds);

G_END_DECLS
