/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-effort.h"

G_BEGIN_DECLS

/** The effort's name, such as "High"; translated, static. */
const char *beckon_effort_labels_get_name (BeckonEffort effort);

/** The same within a line, such as "medium", and where there is little room, such as "med"; translated, static. */
const char *beckon_effort_labels_get_word (BeckonEffort effort);
const char *beckon_effort_labels_get_short (BeckonEffort effort);

G_END_DECLS
