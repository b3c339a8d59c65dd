/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-fault.h"

#include <glib/gi18n-lib.h>

void
beckon_plan_fault_clear (BeckonPlanFault *fault)
{
  g_clear_pointer (&fault->step_id, g_free);
  g_clear_pointer (&fault->other_id, g_free);
  g_clear_pointer (&fault->detail, g_free);
  fault->kind = BECKON_PLAN_FAULT_NONE;
}

/* The same sentence for both: a model is told it as it stands here. */
static const char *
in_words_of (gboolean for_person, const char *text)
{
  return for_person ? g_dgettext (GETTEXT_PACKAGE, text) : text;
}

static char *
name_step (guint number, const char *id, gboolean for_person)
{
  if (number == 0)
    return g_strdup (id != NULL ? id : "");
  if (for_person)
    /* Translators: a step of a plan by its number */
    return g_strdup_printf (_("Step %u"), number);
  return g_strdup_printf ("Step %u (id \"%s\")", number, id != NULL ? id : "");
}

static const char *
plan_fault_get_text (BeckonPlanFaultKind kind)
{
  switch (kind)
    {
    case BECKON_PLAN_FAULT_NOT_JSON:
      return N_("This is not a plan in JSON.");
    case BECKON_PLAN_FAULT_NO_STEPS:
      return N_("The plan has no steps.");
    case BECKON_PLAN_FAULT_TOO_MANY_STEPS:
      return N_("The plan has too many steps.");
    case BECKON_PLAN_FAULT_TOO_LARGE:
      return N_("The plan is too large.");
    case BECKON_PLAN_FAULT_NO_TOOL:
      return N_("It names no tool.");
    case BECKON_PLAN_FAULT_BAD_ID:
      return N_("An id may have letters, digits, - and _ only, 64 at most.");
    case BECKON_PLAN_FAULT_SAME_ID:
      return N_("Another step has the same id.");
    case BECKON_PLAN_FAULT_BAD_WORD:
      return N_("This is not one of the allowed words.");
    case BECKON_PLAN_FAULT_ARGUMENTS:
      return N_("Its arguments are not a JSON object.");
    case BECKON_PLAN_FAULT_REFERENCE:
      return N_("A reference to a result is written {{step.ID.result}}, with a path such as .files[0].name behind it.");
    case BECKON_PLAN_FAULT_UNKNOWN_STEP:
      return N_("It uses the result of a step that is not in the plan.");
    case BECKON_PLAN_FAULT_ITSELF:
      return N_("It uses its own result.");
    case BECKON_PLAN_FAULT_LATER_STEP:
      return N_("It uses the result of a step that comes after it.");
    case BECKON_PLAN_FAULT_CYCLE:
      return N_("The two use each other's results.");
    case BECKON_PLAN_FAULT_FAILED_STEP:
      return N_("It uses the result of a step that failed.");
    case BECKON_PLAN_FAULT_SKIPPED_STEP:
      return N_("It uses the result of a step that is skipped.");
    case BECKON_PLAN_FAULT_OPEN_STEP:
      return N_("It uses the result of a step that is not done yet.");
    case BECKON_PLAN_FAULT_RESULT_NOT_JSON:
      return N_("It uses a part of a result that is not JSON.");
    case BECKON_PLAN_FAULT_NO_SUCH_PATH:
      return N_("It uses a part that is not in the result.");
    case BECKON_PLAN_FAULT_USED:
      return N_("Another step uses its result.");
    case BECKON_PLAN_FAULT_BEGUN:
      return N_("It has begun and stays as it is.");
    case BECKON_PLAN_FAULT_BEFORE_BEGUN:
      return N_("Nothing can be put before a step that has begun.");
    case BECKON_PLAN_FAULT_CHANGED_BEGUN:
      return N_("It has begun; it must be in the plan as it was, and nothing new before it.");
    case BECKON_PLAN_FAULT_NO_SUCH_STEP:
      return N_("Step not found.");
    case BECKON_PLAN_FAULT_NOTHING_LEFT:
      return N_("Nothing is left to be done in this plan.");
    case BECKON_PLAN_FAULT_NONE:
    default:
      return "";
    }
}

char *
beckon_plan_fault_to_words (const BeckonPlanFault *fault, gboolean for_person)
{
  g_autoptr (GString) words = g_string_new (NULL);

  g_return_val_if_fail (fault != NULL, NULL);

  if (fault->step > 0)
    {
      g_autofree char *step = name_step (fault->step, fault->step_id, for_person);

      g_string_append_printf (words, "%s: ", step);
    }
  g_string_append (words, in_words_of (for_person, plan_fault_get_text (fault->kind)));
  if (fault->other > 0)
    {
      g_autofree char *other = name_step (fault->other, fault->other_id, for_person);

      g_string_append_printf (words, " (%s)", other);
    }
  else if (fault->detail != NULL && *fault->detail != '\0')
    {
      g_autofree char *detail = g_utf8_substring (fault->detail, 0, MIN (g_utf8_strlen (fault->detail, -1), 200));

      g_string_append_printf (words, " (%s)", detail);
    }
  return g_string_free (g_steal_pointer (&words), FALSE);
}
