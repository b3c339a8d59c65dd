/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonUsage:
 * @input: tokens of the prompt, cached ones included; -1 when not reported
 * @output: tokens of the reply, reasoning included; -1 when not reported
 * @cached: tokens of the prompt that came from the provider's cache; -1 when not reported
 *
 * What one request cost, as the provider reported it.
 */
typedef struct
{
  gint64 input;
  gint64 output;
  gint64 cached;
} BeckonUsage;

#define BECKON_USAGE_INIT { -1, -1, -1 }

G_END_DECLS
