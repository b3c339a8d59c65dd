/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/** The mode's name, such as "Ask for changes"; translated, static. */
const char *beckon_mode_labels_get_name (BeckonMode mode);

/** The behaviour in that mode, in a sentence or two; translated, static. */
const char *beckon_mode_labels_explain (BeckonMode mode);

/** The same in a few words, for the line below the name; translated, static. */
const char *beckon_mode_labels_get_summary (BeckonMode mode);

G_END_DECLS
