/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonKnownRequests:
 *
 * The pending requests that the store has handed out, without keeping them: a later reader gets the object that is
 * there already. Main thread.
 */
typedef struct _BeckonKnownRequests BeckonKnownRequests;

BeckonKnownRequests *beckon_known_requests_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                 beckon_known_requests_free (BeckonKnownRequests *known);

/** The one object of a request: @request itself, or the older one, brought up to what was read. Caller owns. */
BeckonRequest *beckon_known_requests_unify (BeckonKnownRequests *known, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
