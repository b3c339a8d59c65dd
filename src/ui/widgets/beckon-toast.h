/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/** A toast that says @words as they are; a title of its own would be read as markup. */
AdwToast *beckon_toast_new (const char *words) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
