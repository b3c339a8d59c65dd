/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-last-answer.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define BECKON_QUESTION_MAX_ITEMS 20
#define BECKON_QUESTION_HEADER_CHARS 30

/**
 * BeckonQuestionOption:
 * @label: what the person picks; never empty, unique in its item
 * @description: (nullable): a sentence
 * @preview: (nullable): Markdown to show beside it
 * @recommended: the model recommends it
 */
typedef struct
{
  char *label;
  char *description;
  char *preview;
  gboolean recommended;
} BeckonQuestionOption;

/**
 * BeckonQuestionItem:
 * @question: the question; never empty
 * @header: (nullable): a tab title, whole; views cut it
 * @options: (element-type BeckonQuestionOption): may be empty, then the answer is free text
 * @multiple: several options may be picked
 * @freeform: free text may be given; always %TRUE without options
 * @secret: the answer is masked
 * @last: (nullable): what was answered the last time; no part of the question itself
 */
typedef struct
{
  char *question;
  char *header;
  GPtrArray *options;
  gboolean multiple;
  gboolean freeform;
  gboolean secret;
  BeckonLastAnswer *last;
} BeckonQuestionItem;

/**
 * BeckonQuestion:
 * @items: (element-type BeckonQuestionItem): at least one
 * @simple: it came in the simple form, so that the result is the answer's text as it is
 * @is_late: the model does not wait for it (`wait` was false): the call has its result at once, and the answer comes as a
 *   message at a round boundary
 *
 * What one call of `ask_user` asks. Immutable once it is shown; reference counted; any thread.
 */
typedef struct
{
  GPtrArray *items;
  gboolean simple;
  gboolean is_late;
} BeckonQuestion;

/** More questions that the model does not wait for are not open in one conversation; the next one is waited for. */
#define BECKON_QUESTION_MAX_LATE 8

#define BECKON_TYPE_QUESTION (beckon_question_get_type ())
GType beckon_question_get_type (void) G_GNUC_CONST;

/**
 * beckon_question_parse:
 * @arguments: the raw JSON text of the call's arguments
 * @error: return location for an error; its message is English, for the model
 *
 * Reads the arguments of `ask_user` tolerantly: `clarify` and other spellings of `question` are accepted, objects where
 * strings belong are flattened, duplicate labels and an authored "Other" are dropped, "(Recommended)" becomes the flag.
 * A cosmetic excess is cut, never refused.
 *
 * Returns: (transfer full): the question, or %NULL with %BECKON_ERROR_INVALID or %BECKON_ERROR_TOO_LARGE
 */
BeckonQuestion *beckon_question_parse (const char *arguments, GError **error) G_GNUC_WARN_UNUSED_RESULT;

BeckonQuestion *beckon_question_ref (BeckonQuestion *question);
void            beckon_question_unref (BeckonQuestion *question);

guint                       beckon_question_get_n_items (const BeckonQuestion *question);
const BeckonQuestionItem   *beckon_question_get_item (const BeckonQuestion *question, guint index);
const BeckonQuestionOption *beckon_question_item_get_option (const BeckonQuestionItem *item, guint index);

/** Whether a click on a choice is the whole answer. */
gboolean beckon_question_is_single_choice (const BeckonQuestion *question);

/** Canonical JSON for the store and for other programs, and back. */
char           *beckon_question_to_json (const BeckonQuestion *question);
BeckonQuestion *beckon_question_from_json (const char *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonQuestion, beckon_question_unref)

G_END_DECLS
