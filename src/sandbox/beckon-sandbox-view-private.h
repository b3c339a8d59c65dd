/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-sandbox-view.h"

G_BEGIN_DECLS

/** From now on the view of @folder is of @kind, whatever was learned, or will be. Any thread. */
void beckon_sandbox_view_set (const char *folder, BeckonViewKind kind);

/** No view of @folder can be made: from now on it is %BECKON_VIEW_DIRECT. @why: in words. Returns: %FALSE with an error. */
gboolean beckon_sandbox_view_refuse (const char *folder, const char *why, GError **error);

G_END_DECLS
