/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonSuggestion:
 * @word: what stands in front: a command with its slash, or a path
 * @title: (nullable): what it does
 * @text: (nullable): what takes the place of what was typed; %NULL is nothing
 * @action: (nullable): what is done
 * @target: (nullable): with what
 *
 * What can be completed to in the composer.
 */
typedef struct
{
  char *word;
  char *title;
  char *text;
  char *action;
  GVariant *target;
} BeckonSuggestion;

void beckon_suggestion_free (BeckonSuggestion *suggestion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSuggestion, beckon_suggestion_free)

/**
 * beckon_suggestion_list_commands:
 * @conversation: (nullable): what they are about
 * @profiles: (nullable): a #GListModel of #BeckonProfile
 * @typed: what was typed behind the slash
 *
 * Returns: (transfer full) (element-type BeckonSuggestion): those that fit
 */
GPtrArray *beckon_suggestion_list_commands (BeckonConversation *conversation, GListModel *profiles, const char *typed)
  G_GNUC_WARN_UNUSED_RESULT;

/** @names: (element-type utf8): paths. @typed: what was typed behind the at sign. The best first, a few of them. */
GPtrArray *beckon_suggestion_list_files (GPtrArray *names, const char *typed) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
