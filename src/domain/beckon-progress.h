/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"

G_BEGIN_DECLS

/** An entry of a model's own list. */
typedef struct
{
  char *title;
  BeckonStepStatus status;
} BeckonProgressStep;

/**
 * beckon_progress_parse:
 * @arguments: {steps: [{title, status}]} as a model wrote it
 * @error: return location
 *
 * The list that a model keeps of what it does; nothing of it is run. Words for a status are read as they are meant.
 *
 * Returns: (transfer full) (element-type BeckonProgressStep) (nullable): %NULL with %BECKON_ERROR_INVALID; the message is for
 *   the model
 */
GPtrArray *beckon_progress_parse (const char *arguments, GError **error);

/** How many are done, or skipped. */
guint beckon_progress_count_done (GPtrArray *steps);

G_END_DECLS
