/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel-adapter.h"
#include "domain/beckon-channel-account.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonChannelClass:
 * @get_type: which class of requests it is about
 * @title: a line that says what kind of thing waits, and nothing of its content; to be translated
 * @is_whole: (nullable): whether a request is shown and can be answered by a channel; without it none is
 * @format: (nullable): how it is shown; by default as plain text everywhere
 * @add_labels: (nullable): labels of buttons
 * @check_answer: (nullable): whether an answer may be given by a channel; by default any
 * @is_named: a line answers it only if it names it, by its code or as a reply to its message
 *
 * How requests of a class go over a channel. Private to this room; the table in beckon-channel-class.c has one for each class.
 */
typedef struct
{
  GType (*get_type) (void);
  const char *title;
  gboolean (*is_whole) (BeckonRequest *request, const BeckonChannelAccount *account, const BeckonChannelLimits *limits);
  char *(*format) (BeckonRequest *request, guint item);
  void (*add_labels) (BeckonRequest *request, guint item, GPtrArray *labels);
  gboolean (*check_answer) (const BeckonAnswer *answer, GError **error);
  gboolean is_named;
} BeckonChannelClass;

const BeckonChannelClass *beckon_channel_class_get (BeckonRequest *request);

G_END_DECLS
