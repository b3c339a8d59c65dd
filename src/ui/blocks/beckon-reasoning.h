/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_REASONING (beckon_reasoning_get_type ())
G_DECLARE_FINAL_TYPE (BeckonReasoning, beckon_reasoning, BECKON, REASONING, AdwBin)

/** The model's reasoning, folded. Its text is laid out when it is unfolded for the first time. */
GtkWidget *beckon_reasoning_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
