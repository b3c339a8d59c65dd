/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-endpoint-source.h"

G_BEGIN_DECLS

#define BECKON_TYPE_ENTERED_ENDPOINT (beckon_entered_endpoint_get_type ())
G_DECLARE_FINAL_TYPE (BeckonEnteredEndpoint, beckon_entered_endpoint, BECKON, ENTERED_ENDPOINT, GObject)

/**
 * BeckonEnteredEndpoint:
 *
 * An endpoint source for what a person is about to save: the profile's own address, and the key that was typed beside it. It
 * looks nothing up. Main thread.
 */

/** @key: (nullable): %NULL for none. */
BeckonEnteredEndpoint *beckon_entered_endpoint_new (const char *key) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
