/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Some lines of Markdown of every kind, nested and broken in every way. Caller frees. */
GString *markdown_random (GRand *random) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
