/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-request-words.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "markdown/beckon-markdown-plain.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-trust-request.h"
#include "text/beckon-call-labels.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_NOTICE_CHARS 300
#define MOST_TITLE_CHARS 120

static char *
request_words_dup_text (const char *untrusted, guint n_chars)
{
  g_autofree char *safe = beckon_text_for_display (untrusted, -1, BECKON_TEXT_PROSE);

  return beckon_text_shorten (safe, n_chars);
}

/* A question is Markdown, which a glance does not show. */
static char *
dup_question (BeckonRequest *request, guint n_chars)
{
  g_autofree char *line
      = beckon_markdown_to_line (beckon_question_get_item (beckon_request_get_question (request), 0)->question);

  return request_words_dup_text (line, n_chars);
}

static char *
dup_question_notice (BeckonRequest *request)
{
  return dup_question (request, MOST_NOTICE_CHARS);
}

static char *
dup_question_title (BeckonRequest *request)
{
  return dup_question (request, MOST_TITLE_CHARS);
}

/* The command stands in it: a notification has no block. */
static char *
dup_wish (BeckonRequest *request)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autofree char *shown = beckon_request_dup_shown_arguments (request);

  return beckon_call_labels_describe (beckon_request_get_tool (request), details != NULL ? details->server : NULL, shown,
                                      BECKON_CALL_PHASE_STEP);
}

static char *
dup_plan_title (BeckonRequest *request)
{
  return g_strdup (_("A plan to review"));
}

/* A step is shown within its plan. */
static char *
dup_call_title (BeckonRequest *request)
{
  return beckon_request_get_step (request) != NULL ? dup_plan_title (request) : dup_wish (request);
}

static char *
dup_outcome_notice (BeckonRequest *request)
{
  g_autofree char *sentence = dup_wish (request);

  /* Translators: %s is what an agent was doing when the program ended, such as "Run make" */
  return beckon_text_printf (_("Interrupted: %s"), sentence);
}

static char *
dup_changes (BeckonRequest *request)
{
  g_autofree char *wish = beckon_changes_request_dup_wish (request);
  g_autofree char *sentence = beckon_changes_request_dup_sentence (request);
  g_autofree char *shown = request_words_dup_text (sentence, MOST_NOTICE_CHARS);

  if (wish != NULL)
    /* Translators: %s is what an agent is about to do, such as "Move 3 files" */
    return beckon_text_printf (_("%s?"), shown);
  /* Translators: %s is what a command changed, such as "Changed 3 files, deleted 1 file" */
  return beckon_text_printf (_("%s. Keep the changes?"), shown);
}

static char *
dup_form (BeckonRequest *request)
{
  g_autofree char *title = beckon_form_request_dup_title (request);
  g_autofree char *message = request_words_dup_text (beckon_form_request_get_message (request), MOST_NOTICE_CHARS);

  /* Translators: "GitHub asks", and what it says; the second is what an untrusted server wrote */
  return beckon_text_printf (_("%s: %s"), title, message);
}

static char *
dup_trust (BeckonRequest *request)
{
  return beckon_trust_request_dup_sentence (BECKON_TRUST_REQUEST (request));
}

/* Words by class of request. */
static const struct
{
  GType (*get_type) (void);
  char *(*dup_notice) (BeckonRequest *request);
  char *(*dup_title) (BeckonRequest *request);
} words[] = {
  { beckon_question_request_get_type, dup_question_notice, dup_question_title },
  { beckon_approval_request_get_type, dup_wish, dup_call_title },
  { beckon_plan_request_get_type, dup_plan_title, dup_plan_title },
  { beckon_outcome_request_get_type, dup_outcome_notice, dup_outcome_notice },
  { beckon_changes_request_get_type, dup_changes, dup_changes },
  { beckon_form_request_get_type, dup_form, dup_form },
  { beckon_trust_request_get_type, dup_trust, dup_trust },
};

static gsize
request_words_find (BeckonRequest *request)
{
  gsize i = 0;

  while (i < G_N_ELEMENTS (words) - 1 && G_OBJECT_TYPE (request) != words[i].get_type ())
    i++;
  return i;
}

char *
beckon_request_words_dup_notice (BeckonRequest *request)
{
  return words[request_words_find (request)].dup_notice (request);
}

char *
beckon_request_words_dup_title (BeckonRequest *request)
{
  return words[request_words_find (request)].dup_title (request);
}

#define LONGEST_LINE 200

typedef struct
{
  GString *line;
  gsize first_value; /* where the first value begins */
  guint names;       /* how many arguments were named */
} Writer;

static void
write_gap (Writer *writer)
{
  if (writer->line->len > 0 && writer->line->str[writer->line->len - 1] != ' ')
    g_string_append_c (writer->line, ' ');
}

char *
beckon_arguments_line (const char *arguments)
{
  Writer writer = { g_string_new (NULL), 0, 0 };
  gboolean inside = FALSE;
  const char *next;

  for (const char *at = arguments; *at != '\0' && writer.line->len < LONGEST_LINE; at = next)
    {
      next = g_utf8_next_char (at);
      if (*at == '"')
        inside = !inside;
      else if (inside && *at == '\\' && (guchar) at[1] < 0x80 && at[1] != '\0')
        {
          /* The character after a backslash. */
          char escaped = *next++;

          if (strchr ("ntrbf", escaped) != NULL)
            write_gap (&writer);
          else
            g_string_append_c (writer.line, escaped);
        }
      else if (inside)
        {
          if (g_unichar_isspace (g_utf8_get_char (at)))
            write_gap (&writer);
          else
            g_string_append_len (writer.line, at, next - at);
        }
      else if (strchr ("{}[]", *at) == NULL && !g_ascii_isspace (*at))
        {
          g_string_append_len (writer.line, at, next - at);
          if (*at == ':' || *at == ',')
            g_string_append_c (writer.line, ' ');
          if (*at == ':' && writer.names++ == 0)
            writer.first_value = writer.line->len;
        }
    }
  if (writer.names == 1)
    g_string_erase (writer.line, 0, (gssize) writer.first_value);
  return g_string_free (writer.line, FALSE);
}
