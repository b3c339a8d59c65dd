/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

G_BEGIN_DECLS

/** How many of the @messages of a request stay as they are in the next one. Pure. */
guint beckon_prompt_hash_count_final (GPtrArray *messages);

/** A hash of what the first @n of the @messages of a request say. The same in every process. Pure. */
guint64 beckon_prompt_hash (GPtrArray *messages, guint n);

G_END_DECLS
