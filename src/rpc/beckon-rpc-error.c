/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rpc-error.h"

G_DEFINE_QUARK (beckon-rpc-error-quark, beckon_rpc_error)
