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

const char *
beckon_effort_labels_get_word (BeckonEffort effort)
{
  switch (effort)
    {
    case BECKON_EFFORT_OFF:
      return C_("reasoning effort, within a line", "off");
    case BECKON_EFFORT_LOW:
      return C_("reasoning effort, within a line", "low");
    case BECKON_EFFORT_MEDIUM:
      return C_("reasoning effort, within a line", "medium");
    case BECKON_EFFORT_HIGH:
      return C_("reasoning effort, within a line", "high");
    case BECKON_EFFORT_MAX:
      return C_("reasoning effort, within a line", "maximum");
    case BECKON_EFFORT_DEFAULT:
    default:
      return C_("reasoning effort, within a line", "default");
    }
}

const char *
beckon_effort_labels_get_short (BeckonEffort effort)
{
  switch (effort)
    {
    case BECKON_EFFORT_OFF:
      return C_("reasoning effort, shortened", "off");
    case BECKON_EFFORT_LOW:
      return C_("reasoning effort, shortened", "low");
    case BECKON_EFFORT_MEDIUM:
      return C_("reasoning effort, shortened", "med");
    case BECKON_EFFORT_HIGH:
      return C_("reasoning effort, shortened", "high");
    case BECKON_EFFORT_MAX:
      return C_("reasoning effort, shortened", "max");
    case BECKON_EFFORT_DEFAULT:
    default:
      return C_("reasoning effort, shortened", "auto");
    }
}
