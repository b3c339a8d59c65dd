/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-llm-error.h"

G_DEFINE_QUARK (beckon-llm-error-quark, beckon_llm_error)
