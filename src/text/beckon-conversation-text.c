/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-text.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-plain-text.h"
#include "domain/beckon-citation.h"
#include "domain/beckon-usage.h"
#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"
#include "domain/beckon-provider-search.h"
#include "form/beckon-parameters.h"
#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static char *
make_safe (const char *text, gsize length)
{
  return beckon_text_for_display (text, (gssize) length, BECKON_TEXT_MARKED);
}

static void
append_quoted (GString *markdown, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (markdown, ">%s%s\n", *lines[i] != '\0' ? " " : "", lines[i]);
  g_string_append_c (markdown, '\n');
}

static gsize
longest_run (const char *text, char c)
{
  gsize longest = 0, length = 0;

  for (; *text != '\0'; text++)
    {
      length = *text == c ? length + 1 : 0;
      longest = MAX (longest, length);
    }

  return longest;
}

/* With a fence that the text does not have. */
static void
append_fenced (GString *markdown, const char *text)
{
  g_autofree char *safe = make_safe (text, strlen (text));
  g_autofree char *fence = g_strnfill (MAX (longest_run (safe, '`') + 1, 3), '`');

  g_string_append_printf (markdown, "%s\n%s%s%s\n\n", fence, safe, g_str_has_suffix (safe, "\n") ? "" : "\n", fence);
}

static void
append_request (GString *markdown, BeckonRequest *request)
{
  g_autofree char *summary = beckon_request_dup_summary (request);
  g_autofree char *safe = NULL;

  for (guint i = 0; i < beckon_plain_text_n_items (request); i++)
    {
      g_autofree char *asked = beckon_plain_text_format (request, i);

      append_quoted (markdown, asked);
    }

  safe = summary != NULL ? make_safe (summary, strlen (summary)) : g_strdup (_("Not answered yet."));
  g_string_append_printf (markdown, "→ %s\n\n", safe);
}

/* The forms that its server asked while it ran. */
static void
append_asked (GString *markdown, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_tool_call_get_n_asked (call); i++)
    {
      GObject *asked = beckon_tool_call_get_asked (call, i);
      g_autofree char *trace = BECKON_IS_FORM_REQUEST (asked) ? beckon_form_request_dup_trace (BECKON_REQUEST (asked)) : NULL;
      g_autofree char *safe = trace != NULL ? make_safe (trace, strlen (trace)) : NULL;

      if (safe != NULL)
        append_quoted (markdown, safe);
    }
}

static void
append_call (GString *markdown, BeckonToolCall *call)
{
  g_autofree char *name = beckon_text_for_display (beckon_tool_call_get_name (call), -1, BECKON_TEXT_EXACT);
  g_autofree char *arguments = beckon_parameters_show_call (call);
  GObject *request = beckon_tool_call_get_request (call);

  if (request != NULL && beckon_request_get_question (BECKON_REQUEST (request)) != NULL)
    {
      append_request (markdown, BECKON_REQUEST (request));
      return;
    }

  g_string_append_printf (markdown, "**%s**\n\n", name);
  append_fenced (markdown, arguments);
  if (request != NULL)
    append_request (markdown, BECKON_REQUEST (request));
  append_asked (markdown, call);
  if (beckon_tool_call_get_result (call) != NULL)
    {
      beckon_text_append (markdown, "%s\n\n", beckon_tool_call_get_is_error (call) ? _("Error:") : _("Result:"));
      append_fenced (markdown, beckon_tool_call_get_result (call));
    }
}

static void
append_opaque (GString *markdown, BeckonPart *part)
{
  g_autoptr (GPtrArray) sources = beckon_citation_list (part);

  if (sources != NULL)
    {
      beckon_text_append (markdown, "%s\n\n", _("Sources:"));
      for (guint i = 0; i < sources->len; i++)
        {
          const BeckonCitation *source = g_ptr_array_index (sources, i);

          g_string_append_printf (markdown, "%u. [", i + 1);
          /* A title is a stranger's, and nothing in it is Markdown. */
          for (const char *text = source->title; *text != '\0'; text++)
            {
              if (strchr ("\\`*_[]<>&!#|~", *text) != NULL)
                g_string_append_c (markdown, '\\');
              g_string_append_c (markdown, *text);
            }
          g_string_append_printf (markdown, "](<%s>)\n", source->url);
        }
      g_string_append_c (markdown, '\n');
    }
  else
    {
      g_autofree char *note = beckon_note_dup_sentence (part);
      g_autofree char *sentence = note != NULL ? g_steal_pointer (&note) : beckon_opaque_dup_sentence (part);
      g_autofree char *safe = sentence != NULL ? make_safe (sentence, strlen (sentence)) : NULL;

      /* A note of ours, or what the provider did by itself; what only seals its reasoning says nothing to people. */
      if (safe != NULL)
        g_string_append_printf (markdown, "*%s*\n\n", safe);
    }
}

static void
conversation_text_append_part (GString *markdown, BeckonPart *part)
{
  g_autofree char *safe = make_safe (beckon_part_get_text (part), beckon_part_get_length (part));

  switch (beckon_part_get_kind (part))
    {
    case BECKON_PART_TEXT:
      if (*g_strstrip (safe) != '\0')
        g_string_append_printf (markdown, "%s\n\n", safe);
      break;

    case BECKON_PART_REASONING:
      if (*g_strstrip (safe) != '\0')
        append_quoted (markdown, safe);
      break;

    case BECKON_PART_CALL:
      append_call (markdown, beckon_part_get_call (part));
      break;

    case BECKON_PART_OPAQUE:
      append_opaque (markdown, part);
      break;

    case BECKON_PART_IMAGE:
    default:
      break;
    }
}

static const char *
describe_status (BeckonMessageStatus status)
{
  switch (status)
    {
    case BECKON_MESSAGE_STREAMING:
      return _("This message is still arriving.");

    case BECKON_MESSAGE_CUT_OFF:
      return _("This message was cut off.");

    case BECKON_MESSAGE_STOPPED:
      return _("This message was stopped.");

    case BECKON_MESSAGE_FAILED:
      return _("An error ended this message.");

    case BECKON_MESSAGE_COMPLETE:
    default:
      return NULL;
    }
}

static char *
format_time (gint64 at)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (at / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : g_strdup ("");
}

static void
append_usage (GString *markdown, const BeckonUsage *usage, const char *label)
{
  g_autofree char *text = beckon_usage_dup_text (usage, NULL);

  if (text != NULL)
    g_string_append_printf (markdown, "*%s%s*\n\n", label != NULL ? label : "", text);
}

static const char *
describe_author (BeckonMessage *message)
{
  if (beckon_note_get_kind (message) != BECKON_NOTE_NONE)
    return _("Note");
  return beckon_message_get_role (message) == BECKON_ROLE_USER ? _("You") : _("Agent");
}

static void
append_message (GString *markdown, BeckonMessage *message)
{
  g_autofree char *time = format_time (beckon_message_get_created_at (message));
  const char *status = describe_status (beckon_message_get_status (message));
  g_autofree char *text = NULL;

  g_string_append_printf (markdown, "## %s · %s\n\n",
                          describe_author (message), time);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    conversation_text_append_part (markdown, beckon_message_get_part (message, i));
  if (status != NULL)
    g_string_append_printf (markdown, "*%s*\n\n", status);
  text = beckon_provider_search_dup_count (beckon_provider_search_count (message));
  if (text != NULL)
    g_string_append_printf (markdown, "*%s*\n\n", text);
  append_usage (markdown, beckon_message_get_usage (message), NULL);
}

char *
beckon_conversation_text_of_messages (GPtrArray *messages)
{
  GString *markdown;

  g_return_val_if_fail (messages != NULL, NULL);

  markdown = g_string_new (NULL);
  for (guint i = 0; i < messages->len; i++)
    append_message (markdown, g_ptr_array_index (messages, i));
  if (markdown->len > 0)
    g_string_truncate (markdown, markdown->len - 1);

  return g_string_free (markdown, FALSE);
}

char *
beckon_conversation_text_to_markdown (BeckonConversation *conversation)
{
  g_autofree char *title = NULL;
  GString *markdown;
  BeckonUsage sum = BECKON_USAGE_INIT;
  g_autoptr (BeckonCosts) costs = NULL;
  g_autofree char *paid = NULL;

  g_return_val_if_fail (BECKON_IS_CONVERSATION (conversation), NULL);

  title = beckon_text_for_display (beckon_conversation_get_title (conversation), -1, BECKON_TEXT_EXACT);
  markdown = g_string_new (NULL);
  beckon_text_append (markdown, "# %s\n\n", *title != '\0' ? title : _("Untitled conversation"));
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    append_message (markdown, beckon_conversation_get_message (conversation, i));
  costs = beckon_costs_new ();
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      const BeckonUsage *usage = beckon_message_get_usage (beckon_conversation_get_message (conversation, i));

      beckon_usage_add (&sum, usage);
      beckon_costs_add (costs, usage);
    }
  append_usage (markdown, &sum, _("Total: "));
  /* A lone currency is in that line. */
  paid = beckon_costs_get_n_currencies (costs) > 1 ? beckon_costs_dup_text (costs) : NULL;
  if (paid != NULL)
    g_string_append_printf (markdown, "*%s*\n\n", paid);
  g_string_truncate (markdown, markdown->len - 1);

  return g_string_free (markdown, FALSE);
}
