/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLastAnswer:
 * @selected: (owned) (element-type utf8): labels, in the order of the options then
 * @text: (owned) (nullable): what was typed, alone or beside them; cut
 * @at: when, in microseconds since the epoch
 *
 * What a person answered the last time they were asked the same in the same folder. Shown, and its choice may be preselected;
 * it never answers by itself.
 */
typedef struct
{
  GPtrArray *selected;
  char *text;
  gint64 at;
} BeckonLastAnswer;

/** Characters of typed text that are remembered. */
#define BECKON_LAST_ANSWER_MAX_TEXT 200

/** @text: (nullable): cut where it is too long. Without labels yet. Caller owns. */
BeckonLastAnswer *beckon_last_answer_new (const char *text, gint64 at) G_GNUC_WARN_UNUSED_RESULT;
BeckonLastAnswer *beckon_last_answer_copy (const BeckonLastAnswer *self) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_last_answer_free (BeckonLastAnswer *self);

/** JSON for the store, and back; %NULL where it says nothing that can be understood. Caller owns both. */
char             *beckon_last_answer_to_json (const BeckonLastAnswer *self) G_GNUC_WARN_UNUSED_RESULT;
BeckonLastAnswer *beckon_last_answer_from_json (const char *json) G_GNUC_WARN_UNUSED_RESULT;

/** In a line for people, such as "Blue, and dark". Caller frees. */
char *beckon_last_answer_describe (const BeckonLastAnswer *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLastAnswer, beckon_last_answer_free)

G_END_DECLS
