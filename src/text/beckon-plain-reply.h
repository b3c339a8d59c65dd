/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/* Shared by the replies to requests of all classes. Private to this room. */

/** Sets @message. Returns %BECKON_PLAIN_AGAIN. */
BeckonPlainResult beckon_plain_reply_again (char **message, const char *text);

/** Valid, and without white space of any script around it. Caller frees. */
char *beckon_plain_reply_trim (const char *line);

/** (nullable): what follows "/command " if @line is that and something follows. */
const char *beckon_plain_reply_get_argument (const char *line, const char *command);

/** (nullable): why not, where @line denies and says it: "/deny why", "2 why" or "n why". */
const char *beckon_plain_reply_get_reason (const char *line);

/** Reads the commands that are the same for every request. Returns %FALSE if @line is none of them. */
gboolean beckon_plain_reply_parse_command (const char *line, BeckonPlainResult *result, BeckonAnswer **whole);

/** 1, 2 or 3, as a number or as the word that stands beside it; 0 for anything else. */
guint beckon_plain_reply_parse_decision (const char *line, const char *const words[3]);

/** Reads that to approve, decline or stop. @reason: (nullable): why it was declined, which is a decision by itself; @hint:
 *  what to reply with. */
BeckonPlainResult beckon_plain_reply_decide (const char *line, const char *const words[3], const char *reason, const char *hint,
                                             BeckonAnswer **whole, char **message);

G_END_DECLS
