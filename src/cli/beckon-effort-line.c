/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-effort-line.h"

#include "llm/beckon-effort-members.h"

#include <glib/gi18n-lib.h>

/* (nullable): the words that make a difference to the model, where that is known. */
static char *
dup_offered (BeckonProfile *profile)
{
  g_autoptr (GString) words = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; profile != NULL && i < BECKON_EFFORT_N_EFFORTS; i++)
    if (beckon_effort_is_offered (profile, (BeckonEffort) i))
      {
        g_string_append_printf (words, "%s%s", n > 0 ? ", " : "", beckon_effort_to_string ((BeckonEffort) i));
        n++;
      }
  return n > 0 && n < BECKON_EFFORT_N_EFFORTS ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

char *
beckon_effort_line_take (BeckonLibrary *library, BeckonConversation *conversation, BeckonProfile *profile, const char *word)
{
  BeckonEffort effort = beckon_conversation_get_effort (conversation);
  g_autofree char *offered = dup_offered (profile);

  if (*word != '\0' && !beckon_effort_from_string (word, &effort))
    return g_strdup (_ ("Choose the effort “off”, “low”, “medium”, “high”, “max” "
                        "or “default”."));
  if (*word != '\0')
    beckon_library_set_effort (library, conversation, effort);
  if (offered != NULL)
    /* Translators: the first is one of off, low, medium, high, max and default, as it is typed, the second several of them */
    return g_strdup_printf (_ ("Reasoning effort: %s (this model has: %s)"), beckon_effort_to_string (effort), offered);
  /* Translators: %s is one of off, low, medium, high, max and default, as it is typed */
  return g_strdup_printf (_ ("Reasoning effort: %s"), beckon_effort_to_string (effort));
}
