/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** beckon_wipe: @text: (nullable) (transfer full): a secret. Overwrites it, then frees it. */
void beckon_wipe (char *text);

/* For a variable whose text is wiped where its scope ends. */
static inline void
beckon_wipe_at (char **text)
{
  beckon_wipe (*text);
}

#define beckon_autowipe __attribute__ ((cleanup (beckon_wipe_at)))

G_END_DECLS
