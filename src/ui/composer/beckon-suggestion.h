/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "domain/beckon-folder-extras.h"

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

/** Adds those of @own that fit: commands in files. */
void beckon_suggestion_add_own (GPtrArray *found, const BeckonFolderExtras *own, const char *typed);

/**
 * beckon_suggestion_add_prompts:
 * @found: to which they are added
 * @servers: a #GListModel of #BeckonMcpService
 * @folder: (nullable): the working folder
 * @typed: what was typed behind the slash
 *
 * Adds prompts of servers that fit, as /server:prompt. Their action is `composer.prompt`, with the server's id and the name.
 */
void beckon_suggestion_add_prompts (GPtrArray *found, GListModel *servers, const char *folder, const char *typed);

/**
 * beckon_suggestion_add_resources:
 * @found: to which they are added
 * @servers: a #GListModel of #BeckonMcpService
 * @folder: (nullable): the working folder
 * @typed: what was typed behind the at sign
 *
 * Adds resources of servers that fit, and what was typed itself if it is the address of one, as server:address. Their action is
 * `composer.resource`, with the server's id and the address; of a template `composer.template`, with its pattern.
 */
void beckon_suggestion_add_resources (GPtrArray *found, GListModel *servers, const char *folder, const char *typed);

/** @names: (element-type utf8): paths. @typed: what was typed behind the at sign. The best first, a few of them. */
GPtrArray *beckon_suggestion_list_files (GPtrArray *names, const char *typed) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_SUGGESTION_ROW (beckon_suggestion_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSuggestionRow, beckon_suggestion_row, BECKON, SUGGESTION_ROW, GtkListBoxRow)

/** Shows what can be completed to: its word, and what it does. */
GtkWidget *beckon_suggestion_row_new (const BeckonSuggestion *suggestion) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
