/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Once, when GTK is ready: has newer ones do what the oldest we work with does, and all of them what they should. */
void beckon_compat_init (void);

G_END_DECLS
