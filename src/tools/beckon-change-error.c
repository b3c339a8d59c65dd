/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-error.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (beckon-change-error-quark, beckon_change_error)

static char *
explain_edit (BeckonChangeError code, const char *path)
{
  switch (code)
    {
    case BECKON_CHANGE_ERROR_NO_FILE:
      return beckon_text_printf (_("“%s” was not found, so it can't be edited."), path);
    case BECKON_CHANGE_ERROR_NOT_TEXT:
      return beckon_text_printf (_("“%s” isn't a text file, so it can't be edited."), path);
    case BECKON_CHANGE_ERROR_NO_PLACE:
      return beckon_text_printf (_("The text to replace is not in “%s”."), path);
    case BECKON_CHANGE_ERROR_ENCODING:
      return beckon_text_printf (_("The encoding of “%s” lacks characters of the new text."), path);
    case BECKON_CHANGE_ERROR_PLACEHOLDER:
      return beckon_text_printf (
          _("The new text of “%s” has a placeholder where lines should be, and those lines would be lost."), path);
    case BECKON_CHANGE_ERROR_UNCLEAR:
      return beckon_text_printf (_("The new text of “%s” is ambiguous."), path);
    case BECKON_CHANGE_ERROR_MANY_PLACES:
    default:
      return beckon_text_printf (_("The text to replace is in “%s” more than once."), path);
    }
}

static char *
explain_reading (BeckonError code, const char *path)
{
  switch (code)
    {
    case BECKON_ERROR_TOO_LARGE:
      return beckon_text_printf (_("“%s” is or would become too large to be changed by the agent."), path);
    case BECKON_ERROR_CONFLICT:
      return beckon_text_printf (_("“%s” is being changed by another program."), path);
    case BECKON_ERROR_NOT_FOUND:
      return g_strdup (_("The working folder was not found."));
    case BECKON_ERROR_UNAVAILABLE:
      return g_strdup (_("The conversation has no working folder."));
    case BECKON_ERROR_INVALID:
    case BECKON_ERROR_TOO_DEEP:
    case BECKON_ERROR_STORE:
    case BECKON_ERROR_DEFERRED:
    default:
      return beckon_text_printf (_("“%s” can't be changed: it is not a regular file within the working folder."), path);
    }
}

char *
beckon_change_error_explain (const GError *error, const char *path)
{
  if (path != NULL && error->domain == BECKON_CHANGE_ERROR)
    return explain_edit (error->code, path);
  if (path != NULL && error->domain == BECKON_ERROR)
    return explain_reading (error->code, path);
  return g_strdup (_("This change can't be made with the file as it is now."));
}

void
beckon_change_error_note (BeckonToolCall *call, const GError *error)
{
  g_autoptr (JsonObject) arguments = NULL;
  const char *path;
  g_autofree char *shown = NULL;
  g_autofree char *reason = NULL;

  if (error->domain != BECKON_CHANGE_ERROR)
    return;
  arguments = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);
  path = arguments != NULL ? beckon_json_get_string (arguments, "path") : NULL;
  shown = path != NULL ? beckon_text_for_display (path, -1, BECKON_TEXT_EXACT) : NULL;
  reason = beckon_change_error_explain (error, shown);
  beckon_tool_call_set_reason (call, reason);
}
