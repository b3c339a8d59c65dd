/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonChoiceMode:
 * @BECKON_CHOICE_AT_ONCE: a click is the answer
 * @BECKON_CHOICE_ONE_OF: one of several is marked
 * @BECKON_CHOICE_ANY_OF: any number is marked
 */
typedef enum
{
  BECKON_CHOICE_AT_ONCE,
  BECKON_CHOICE_ONE_OF,
  BECKON_CHOICE_ANY_OF,
} BeckonChoiceMode;

#define BECKON_TYPE_CHOICE (beckon_choice_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChoice, beckon_choice, BECKON, CHOICE, GtkButton)

/** Makes a numbered choice of a question. @number: from 1. Chosen by the caller: see beckon_choice_set_chosen(). */
GtkWidget *beckon_choice_new (const BeckonQuestionOption *option, guint number,
                              BeckonChoiceMode mode) G_GNUC_WARN_UNUSED_RESULT;

gboolean beckon_choice_get_chosen (BeckonChoice *self);
void     beckon_choice_set_chosen (BeckonChoice *self, gboolean chosen);

/** The same as chosen, but with its number in sight: it is not the person's until they send it. */
void beckon_choice_suggest (BeckonChoice *self);

/** Marks it as the answer when the same was asked before. */
void beckon_choice_set_last (BeckonChoice *self, gboolean is_last);

/** The label as the model wrote it. */
const char *beckon_choice_get_label (BeckonChoice *self);

G_END_DECLS
