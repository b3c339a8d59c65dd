/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * beckon_plan_stamps_take:
 * @folder: (nullable): the working folder
 * @document: a plan that is proposed, or what its person made of it
 * @source: who wrote it
 *
 * Worker threads.
 *
 * Returns: (transfer full) (nullable): stamps of the files that its steps name, and of the folders on the way to them
 */
char *beckon_plan_stamps_take (const char *folder, const char *document, BeckonPlanSource source) G_GNUC_WARN_UNUSED_RESULT;

/** Adds stamps of files that only the plan names as its person changed it, from before its first step. @files: (nullable). */
void beckon_plan_stamps_add (BeckonRequest *request, const char *files);

/**
 * beckon_plan_stamps_dup:
 * @call: a call
 * @folder: (nullable): the working folder
 *
 * Returns: (transfer full) (nullable): the stamps that the files of a step have to have now so that they are those that its
 *   person has read about; %NULL if it did not stand so on the plan that they accepted. See beckon_file_stamps_fill_in()
 */
char *beckon_plan_stamps_dup (BeckonToolCall *call, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
