/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-endpoint-source.h"
#include "settings/beckon-secrets.h"
#include "tour/beckon-tour.h"

G_BEGIN_DECLS

#define BECKON_TYPE_ENDPOINTS (beckon_endpoints_get_type ())
G_DECLARE_FINAL_TYPE (BeckonEndpoints, beckon_endpoints, BECKON, ENDPOINTS, GObject)

/**
 * BeckonEndpoints:
 *
 * Joins what knows an address and what knows a key: profiles and the keyring, and for the tour its own server, which is
 * started when it is first asked for. Main thread.
 */
BeckonEndpoints *beckon_endpoints_new (BeckonSecrets *secrets, BeckonTour *tour) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_endpoints_bind_environment:
 * @endpoints: the endpoints
 * @base_url: (nullable): an address on the server that the environment's key is for; %NULL for the first that is asked for
 *
 * The environment has one key and cannot say whose it is. It goes to this server and to no other, whatever profiles there
 * are, so that one provider never sees the key of another.
 */
void beckon_endpoints_bind_environment (BeckonEndpoints *endpoints, const char *base_url);

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
