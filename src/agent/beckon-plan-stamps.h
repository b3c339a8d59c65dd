/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-planned-call.h"

G_BEGIN_DECLS

/**
 * beckon_plan_stamps_take:
 * @folder: (nullable): the working folder
 * @document: a plan that is proposed
 *
 * Worker threads.
 *
 * Returns: (transfer full) (nullable): stamps of the files that its steps name, and of the folders on the way to them
 */
char *beckon_plan_stamps_take (const char *folder, const char *document) G_GNUC_WARN_UNUSED_RESULT;

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
