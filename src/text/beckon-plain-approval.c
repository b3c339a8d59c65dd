/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-approval.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "beckon-call-risks.h"
#include "beckon-plain-class.h"
#include "beckon-plain-plan.h"
#include "beckon-plain-remember.h"
#include "beckon-plain-reply.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-call-preview.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_LINE_CHARS 400

static const char *
get_colour (char sign)
{
  switch (sign)
    {
    case '+':
      return BECKON_PLAIN_GREEN;
    case '-':
      return BECKON_PLAIN_RED;
    case '@':
      return BECKON_PLAIN_CYAN;
    default:
      return NULL;
    }
}

/* @sign: what stands before the line; NUL where the line has it. Returns whether the line was cut. */
static gboolean
approval_append_line (GString *text, char sign, const char *line, gboolean colour, gboolean cuts)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (line, -1);
  g_autofree char *shown = cuts ? beckon_text_shorten (safe, MOST_LINE_CHARS) : NULL;
  const char *begin = colour ? get_colour (sign != '\0' ? sign : *line) : NULL;
  const char signs[] = { sign, '\0' };

  g_string_append_printf (text, "\n%s%s%s%s", begin != NULL ? begin : "", signs, shown != NULL ? shown : safe,
                          begin != NULL ? BECKON_PLAIN_DEFAULT : "");
  return shown != NULL && strcmp (shown, safe) != 0;
}

/* Several hunks begin with their numbers; one alone needs none. */
static gboolean
is_shown (const BeckonCallPreview *preview, const char *line)
{
  return preview->n_hunks != 1 || !g_str_has_prefix (line, "@@ ");
}

/* Returns whether lines, or ends of lines, were left out */
static gboolean
plain_diff_append (GString *text, const BeckonCallPreview *preview, gboolean colour, guint most_lines)
{
  g_auto (GStrv) lines = g_strsplit (preview->shown, "\n", -1);
  guint n = g_strv_length (lines);
  /* A new file's content is all new. */
  char sign = preview->n_hunks == 0 ? '+' : '\0';
  gboolean is_cut = FALSE;
  guint n_shown = 0;

  if (n > 0 && *lines[n - 1] == '\0')
    n--;
  if (n == 0 && !preview->is_new)
    beckon_text_append (text, "\n%s", _("Nothing in the file would change."));
  for (guint i = 0; i < n; i++)
    {
      if (!is_shown (preview, lines[i]))
        continue;
      if (most_lines > 0 && n_shown == most_lines)
        {
          g_string_append_c (text, '\n');
          beckon_text_append (text, g_dngettext (GETTEXT_PACKAGE, "… %u more line", "… %u more lines", n - i), n - i);
          is_cut = TRUE;
          break;
        }
      is_cut |= approval_append_line (text, sign, lines[i], colour, most_lines > 0);
      n_shown++;
    }
  return is_cut;
}

/* A terminal shows this much of a call at first. */
#define MOST_LINES 40
#define MOST_ARGUMENTS 12
#define MOST_VALUE_CHARS 200

/* How an approval is written. */
typedef struct
{
  const char *edited;               /* (nullable): the arguments that the person made of the request's */
  const BeckonCallPreview *preview; /* (nullable) */
  const char *problem;              /* (nullable): why there is none */
  gboolean colour;
  gboolean is_whole; /* nothing is shortened */
  gboolean is_cut;   /* something was */
} Style;

/* A preview would show what is redacted. */
gboolean
beckon_plain_approval_has_preview (BeckonRequest *request, BeckonCallPreviewer *previewer)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);

  return previewer != NULL && BECKON_IS_APPROVAL_REQUEST (request) && (details == NULL || details->server == NULL)
         && (details == NULL || !beckon_parameters_redacts (details->parameters))
         && beckon_call_previewer_has_preview (previewer, beckon_request_get_tool (request));
}

static char *
approval_dup_shown (BeckonRequest *request, const Style *style)
{
  return style->edited != NULL ? g_strdup (style->edited) : beckon_request_dup_shown_arguments (request);
}

/* The sentence of the window's card, with how much changes and where. */
static void
append_sentence (GString *text, BeckonRequest *request, const Style *style)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autofree char *shown = approval_dup_shown (request, style);
  g_autofree char *sentence
      = beckon_call_labels_describe (beckon_request_get_tool (request), details != NULL ? details->server : NULL, shown,
                                     BECKON_CALL_PHASE_ASK);
  g_autofree char *size = style->preview != NULL ? beckon_call_labels_describe_size (style->preview) : NULL;
  g_autofree char *where = details != NULL ? beckon_call_labels_describe_folder (beckon_request_get_tool (request),
                                                                                 details->server, details->folder)
                                           : NULL;

  beckon_plain_text_append (text, "", sentence);
  if (size != NULL)
    g_string_append_printf (text, " %s", size);
  if (where != NULL)
    /* A question is not continued. Translators: between what a call does and "in FOLDER" */
    beckon_plain_text_append (text, g_str_has_suffix (sentence, "?") || g_str_has_suffix (sentence, "？") ? " · "
                                    : C_("before a folder", " "), where);
}

/* Set in, so that no line of it can be taken for one of the card. */
static void
append_block (GString *text, const char *command, Style *style)
{
  g_autofree char *shown = beckon_text_command_for_display (command);
  g_auto (GStrv) lines = g_strsplit (shown, "\n", -1);
  guint n = g_strv_length (lines);
  guint n_shown = style->is_whole ? n : MIN (n, MOST_LINES);

  for (guint i = 0; i < n_shown; i++)
    beckon_plain_text_append (text, "\n    ", lines[i]);
  if (n_shown == n)
    return;
  g_string_append_c (text, '\n');
  beckon_text_append (text, g_dngettext (GETTEXT_PACKAGE, "… %u more line", "… %u more lines", n - n_shown), n - n_shown);
  style->is_cut = TRUE;
}

static void
append_argument (GString *text, const char *name, JsonNode *value, Style *style)
{
  g_autofree char *exact = beckon_call_labels_show_value (value, style->is_whole ? "      " : NULL);
  g_autofree char *shown = style->is_whole ? g_strdup (exact) : beckon_text_shorten (exact, MOST_VALUE_CHARS);
  g_autofree char *label = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

  style->is_cut |= strcmp (shown, exact) != 0;
  beckon_plain_text_append (text, "\n    ", label);
  beckon_plain_text_append (text, *shown == '\n' ? ":" : ": ", shown);
}

static void
append_arguments (GString *text, const char *shown, JsonObject *object, const char *left_out, Style *style)
{
  g_autofree char *json = object == NULL ? beckon_text_json_for_display (shown) : NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  guint n = 0;

  if (object == NULL)
    {
      beckon_plain_text_append (text, "\n    ", json);
      return;
    }
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      if (g_strcmp0 (name, left_out) == 0)
        continue;
      if (!style->is_whole && n++ == MOST_ARGUMENTS)
        {
          g_string_append (text, "\n    …");
          style->is_cut = TRUE;
          return;
        }
      append_argument (text, name, value, style);
    }
}

/* (nullable): which argument is shown as a block: the command that would run, or what the sentence is about. */
static const char *
find_block (BeckonRequest *request, JsonObject *object)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  const char *usual = beckon_call_labels_get_block (beckon_request_get_tool (request));
  g_autoptr (GList) names = object != NULL ? json_object_get_members (object) : NULL;

  if (details != NULL && details->server != NULL)
    usual = NULL;
  for (GList *at = names; at != NULL; at = at->next)
    {
      const char *value = beckon_json_get_string (object, at->data);

      if (details != NULL && details->command != NULL ? g_strcmp0 (value, details->command) == 0
          : value != NULL && g_strcmp0 (at->data, usual) == 0)
        return at->data;
    }
  return NULL;
}

/* The difference, the command, or the arguments: what will happen itself. */
static void
append_call (GString *text, BeckonRequest *request, Style *style)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autofree char *shown = approval_dup_shown (request, style);
  g_autoptr (JsonObject) object = beckon_json_parse_object (shown, -1, NULL);
  const char *block = find_block (request, object);
  const char *command = block != NULL ? beckon_json_get_string (object, block) : details != NULL ? details->command : NULL;
  gboolean is_builtin = details == NULL || details->server == NULL;
  gboolean is_said = is_builtin && beckon_call_labels_says_all (beckon_request_get_tool (request), shown);

  if (style->problem != NULL)
    beckon_plain_text_append (text, "\n", style->problem);
  if (style->preview != NULL)
    {
      style->is_cut |= plain_diff_append (text, style->preview, style->colour, style->is_whole ? 0 : MOST_LINES);
      return;
    }
  if (command != NULL)
    append_block (text, command, style);
  if (command == NULL && !beckon_plain_class_waits (request))
    {
      g_autofree char *lines = beckon_call_labels_list_arguments (shown, TRUE);

      beckon_plain_text_append (text, lines != NULL ? "\n" : "", lines);
      return;
    }
  if (command != NULL || !is_said || style->is_whole)
    append_arguments (text, shown, object, block, style);
}

static void
append_body (GString *text, BeckonRequest *request, Style *style)
{
  const char *reason = beckon_request_get_reason (request);
  g_autofree char *risks
      = beckon_call_risks_describe (beckon_request_get_tool (request), beckon_request_get_details (request));

  beckon_plain_plan_append_step (text, request);
  append_call (text, request, style);
  if (*risks != '\0')
    beckon_plain_text_append (text, "\n", risks);
  if (reason != NULL && !beckon_approval_reason_is_plain (reason))
    beckon_plain_text_append (text, "\n", reason);
  if (!beckon_plain_class_waits (request))
    return;
  beckon_text_append (text, "\n1. %s\n2. %s\n3. %s", _("Run"), _("Deny"), _("Stop"));
  beckon_plain_remember_append (
      text, request, _("Run it and don’t ask again, in this conversation with /here N or everywhere with /always N:"));
}

void
beckon_plain_approval_append_heading (GString *text, BeckonRequest *request, guint item)
{
  append_sentence (text, request, &(const Style){ .preview = beckon_request_get_preview (request) });
}

static void
append_hint (GString *text)
{
  beckon_text_append (text, "\n\n%s", _("Reply with a number, with 2 and why not, or with changed arguments as a JSON object"));
}

void
beckon_plain_approval_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  Style style = { .preview = beckon_request_get_preview (request), .is_whole = TRUE };

  append_body (text, request, &style);
  if (beckon_plain_class_waits (request))
    append_hint (text);
}

char *
beckon_plain_approval_format (BeckonRequest *request, const char *edited, const BeckonCallPreview *preview,
                              const char *problem, gboolean colour, gboolean *is_cut)
{
  Style style = { .edited = edited, .preview = preview, .problem = problem, .colour = colour };
  GString *text = g_string_new (BECKON_PLAIN_CARD_MARK " ");

  g_string_append (text, colour ? BECKON_PLAIN_YELLOW : "");
  append_sentence (text, request, &style);
  g_string_append (text, colour ? BECKON_PLAIN_DEFAULT : "");
  append_body (text, request, &style);
  beckon_text_append (text, "\n\n%s",
                      style.is_cut
                      ? _("Reply with /all to see all of it, with a number, with 2 and why not, or with changed "
                          "arguments as a JSON object")
                      : _("Reply with a number, with 2 and why not, or with changed arguments as a JSON object; /all "
                          "shows them"));
  *is_cut = style.is_cut;
  return g_string_free (text, FALSE);
}

char *
beckon_plain_approval_format_listed (BeckonRequest *request, const BeckonCallPreview *preview, const char *problem)
{
  Style style = { .preview = preview, .problem = problem, .is_whole = TRUE };
  g_autofree char *code = beckon_plain_text_dup_code (request);
  GString *text = g_string_new (beckon_plain_class_get (request)->sign);

  g_string_append_printf (text, "[%s] ", code);
  append_sentence (text, request, &style);
  append_body (text, request, &style);
  append_hint (text);
  return g_string_free (text, FALSE);
}

char *
beckon_plain_approval_format_all (BeckonRequest *request, const char *edited, const BeckonCallPreview *preview,
                                  gboolean colour)
{
  Style style = { .edited = edited, .preview = preview, .colour = colour, .is_whole = TRUE };
  g_autofree char *shown = approval_dup_shown (request, &style);
  g_autofree char *json = beckon_text_json_for_display (shown);
  g_autoptr (GString) text = g_string_new (NULL);

  append_call (text, request, &style);
  beckon_plain_text_append (text, "\n\n", json);
  return g_strdup (text->str + strspn (text->str, "\n"));
}

/* Members in the reply replace the proposed ones, or those @edited before, null removes them, all others stay. */
static char *
merge_arguments (BeckonRequest *request, const BeckonAnswer *edited, const char *line, char **message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) changes = beckon_json_parse_object (line, -1, &error);
  g_autoptr (JsonNode) merged = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (changes != NULL)
    merged = beckon_json_parse (edited != NULL && edited->kind == BECKON_ANSWER_APPROVED_EDITED
                                ? edited->text : beckon_request_get_arguments (request), -1, &error);
  if (merged == NULL || !JSON_NODE_HOLDS_OBJECT (merged))
    {
      /* Translators: %s says what is wrong with a JSON text that was typed */
      *message = beckon_text_printf (_("Can't use these changes: %s"), error != NULL ? error->message : "");
      return NULL;
    }

  before = beckon_json_print (merged);
  json_object_iter_init (&iter, changes);
  while (json_object_iter_next (&iter, &name, &value))
    if (JSON_NODE_HOLDS_NULL (value))
      json_object_remove_member (json_node_get_object (merged), name);
    else
      json_object_set_member (json_node_get_object (merged), name, json_node_copy (value));

  after = beckon_json_print (merged);
  if (strcmp (before, after) != 0)
    return g_steal_pointer (&after);

  *message = g_strdup (_("This changes nothing. Reply with 1 to run it as it is."));
  return NULL;
}

BeckonPlainResult
beckon_plain_approval_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                             char **message)
{
  const char *const words[] = { _("Run"), _("Deny"), _("Stop") };
  const char *reason = beckon_plain_reply_get_reason (line);
  const char *hint = _("Reply with 1 to run it, 2 to deny it, 2 and why not, 3 to stop, or a JSON object of changes.");
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole)
      || beckon_plain_plan_parse_command (request, line, answer, &result, whole, message))
    return result;

  if (beckon_plain_remember_parse (request, line, NULL, hint, whole, message))
    return *whole != NULL ? BECKON_PLAIN_ANSWER : BECKON_PLAIN_AGAIN;

  if (*line == '{')
    {
      g_autofree char *arguments = merge_arguments (request, answer, line, message);

      if (arguments == NULL)
        return BECKON_PLAIN_AGAIN;
      *whole = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, arguments);
      return BECKON_PLAIN_ANSWER;
    }

  if (reason == NULL && beckon_plain_reply_parse_decision (line, words) == 0)
    *whole = beckon_plain_plan_take_words (request, line);
  if (*whole != NULL)
    return BECKON_PLAIN_ANSWER;
  return beckon_plain_reply_decide (line, words, reason, hint, whole, message);
}
