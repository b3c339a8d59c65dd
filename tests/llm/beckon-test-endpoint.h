/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-endpoint-source.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TEST_ENDPOINT (beckon_test_endpoint_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTestEndpoint, beckon_test_endpoint, BECKON, TEST_ENDPOINT, GObject)

/** An endpoint source that gives what it was given; @key may be %NULL. */
BeckonTestEndpoint *beckon_test_endpoint_new (const char *base_url, const char *key) G_GNUC_WARN_UNUSED_RESULT;

/** A look-up that begins while it is held ends only by its cancellable. */
void beckon_test_endpoint_set_held (BeckonTestEndpoint *endpoint, gboolean held);

/** Every look-up fails with a copy of this. */
void beckon_test_endpoint_set_error (BeckonTestEndpoint *endpoint, const GError *error);

G_END_DECLS
