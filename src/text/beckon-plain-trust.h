/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/* Requests about what a folder brings in plain text, as #BeckonPlainClass says. */

void beckon_plain_trust_append_heading (GString *text, BeckonRequest *request, guint item);
void beckon_plain_trust_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_trust_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                            BeckonAnswer **whole, char **message);

G_END_DECLS
