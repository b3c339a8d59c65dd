/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/* Calls of an unknown outcome in plain text, as #BeckonPlainClass says. */

void beckon_plain_outcome_append_heading (GString *text, BeckonRequest *request, guint item);
void beckon_plain_outcome_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_outcome_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                              BeckonAnswer **whole, char **message);

G_END_DECLS
