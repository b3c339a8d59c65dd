/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

G_BEGIN_DECLS

/* The words that only the store writes. */

const char *beckon_role_to_word (BeckonRole role);
gboolean    beckon_role_from_word (const char *word, BeckonRole *role);

const char *beckon_part_kind_to_word (BeckonPartKind kind);
gboolean    beckon_part_kind_from_word (const char *word, BeckonPartKind *kind);

G_END_DECLS
