/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-error.h"

G_DEFINE_QUARK (beckon-error-quark, beckon_error)
