/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A question that was asked back, and the one that the model asks again after it has answered. */

/** A line for a question that was asked back: the question, and what was asked. Caller frees. */
char *beckon_reasked_link_describe (BeckonRequest *request);

/** A line for the question that comes again: what @earlier was asked back with. Caller frees. */
char *beckon_reasked_link_describe_earlier (BeckonRequest *earlier);

G_END_DECLS
