/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "request/beckon-request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonTimeLeft:
 *
 * Says in a label when a request times out, and keeps saying it as the time goes by; while nothing ends the request the
 * label is not there. Belongs to the widget that holds the label.
 */
typedef struct _BeckonTimeLeft BeckonTimeLeft;

/** @label: not referenced; free this in the dispose of its owner. @request: referenced. */
BeckonTimeLeft *beckon_time_left_new (GtkLabel *label, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_time_left_free (BeckonTimeLeft *self);

/** Another clock than the system's. */
void beckon_time_left_set_clock (BeckonTimeLeft *self, BeckonClock *clock);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTimeLeft, beckon_time_left_free)

G_END_DECLS
