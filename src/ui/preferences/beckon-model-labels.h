/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-listed-model.h"

G_BEGIN_DECLS

/** After how many model calls the agent pauses, as a title. Caller frees. */
char *beckon_model_labels_describe_rounds (guint rounds) G_GNUC_WARN_UNUSED_RESULT;

/** The facts of a model in a line, such as "1M tokens · $2 / $10 · sees pictures"; "" if nothing is. Caller frees. */
char *beckon_model_labels (const BeckonModelDetails *details) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
