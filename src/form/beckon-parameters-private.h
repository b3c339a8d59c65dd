/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-parameters.h"

G_BEGIN_DECLS

/** Whether it is unknown what is overridden. @parameters: (nullable). */
gboolean beckon_parameters_is_closed (BeckonParameters *parameters);

/** Adds the values that are not shown to @mask. @parameters: (nullable). */
void beckon_parameters_add_to_mask (BeckonParameters *parameters, const char *arguments, BeckonMask *mask);

G_END_DECLS
