/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-effort-labels.h"

#include <glib/gi18n-lib.h>

const char *
beckon_effort_labels_get_name (BeckonEffort effort)
{
  switch (effort)
    {
    case BECKON_EFFORT_OFF:
      return C_("reasoning effort", "Off");
    case BECKON_EFFORT_LOW:
      return C_("reasoning effort", "Low");
    case BECKON_EFFORT_MEDIUM:
      return C_("reasoning effort", "Medium");
    case BECKON_EFFORT_HIGH:
      return C_("reasoning effort", "High");
    case BECKON_EFFORT_MAX:
      return C_("reasoning effort", "Maximum");
    case BECKON_EFFORT_DEFAULT:
    default:
      return C_("reasoning effort", "Model Default");
    }
}
