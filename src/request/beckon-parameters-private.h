/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-parameters.h"

G_BEGIN_DECLS

/** Whether nobody knows what is settled. @parameters: (nullable). */
gboolean beckon_parameters_is_closed (BeckonParameters *parameters);

G_END_DECLS
