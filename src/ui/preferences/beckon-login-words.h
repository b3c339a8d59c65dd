/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-login.h"

G_BEGIN_DECLS

/** The settings of a sign-in for people, a line each; fit to be shown. Caller frees. */
char *beckon_login_words_describe (const BeckonLogin *login) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
