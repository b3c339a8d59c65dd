/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** How many choices the tour's question has. */
#define BECKON_TOUR_N_CHOICES 3

/** How many steps the tour's plan has. */
#define BECKON_TOUR_N_STEPS 3

/** The places where a person reads the tour. */
typedef enum
{
  BECKON_TOUR_WINDOW,
  BECKON_TOUR_TERMINAL,
} BeckonTourPlace;

#define BECKON_TOUR_N_PLACES 2

/**
 * BeckonTourWords:
 *
 * All that the tour says, in one language. The next steps have two texts, by where the person is. It speaks the language of
 * the conversation, which need not be that of the desktop, so these words are not translated through gettext. `%s` stands for
 * what the person said, or for the time.
 */
typedef struct
{
  const char *greeting;
  const char *before_question;
  const char *question;
  const char *choices[BECKON_TOUR_N_CHOICES];
  const char *reactions[BECKON_TOUR_N_CHOICES];
  const char *noted;         /* a choice and a note to it: the note */
  const char *typed;         /* an answer of the person's own */
  const char *delegated;     /* it picks the first choice */
  const char *skipped;
  const char *asked_back;    /* what was asked */
  const char *dismissed;
  const char *unavailable;
  const char *asking_is_off[BECKON_TOUR_N_PLACES];
  const char *before_time;
  const char *time;          /* the time */
  const char *time_failed;
  const char *before_plan;
  const char *plan_title;
  const char *plan_expect[BECKON_TOUR_N_STEPS];
  const char *planned;       /* it was carried out to its end */
  const char *not_planned;   /* it was not */
  const char *summary[BECKON_TOUR_N_PLACES];
  const char *not_a_model[BECKON_TOUR_N_PLACES];
} BeckonTourWords;

extern const BeckonTourWords beckon_tour_texts_en;
extern const BeckonTourWords beckon_tour_texts_zh;

G_END_DECLS
