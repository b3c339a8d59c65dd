/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl answers`: lists and forgets what was answered, and is shown when the same is asked again. */
int beckon_command_answers (int argc, char **argv);

G_END_DECLS
