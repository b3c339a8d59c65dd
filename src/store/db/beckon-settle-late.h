/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"

G_BEGIN_DECLS

/** Cancels the open questions of a conversation that its model did not wait for: the run that asked them is over. */
gboolean beckon_settle_late_end (BeckonDatabase *database, const char *conversation_id, gint64 at, GError **error);

G_END_DECLS
