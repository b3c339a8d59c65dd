/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-known-secrets.h"
#include "domain/beckon-file-copies.h"
#include "tools/beckon-tool.h"

G_BEGIN_DECLS

/**
 * BeckonCallSurvey:
 *
 * What is known of a call before it is decided or started: its arguments, read once; what its tool says of them; what it would
 * do; and what the files that it names are. Made on a worker thread, as all of that may look at files. Never changed once made;
 * any thread may hold it.
 */
typedef struct _BeckonCallSurvey BeckonCallSurvey;

/**
 * beckon_call_survey_async:
 * @tool: the call's tool
 * @context: the call; with `parsed` where its arguments were read before
 * @bound: (nullable): the stamps of files that a decision about it is bound to
 * @copies: (nullable): for a call that is to start: where what other calls of its message have changed is kept. A decision
 *   holds for files as those calls left them, if the call still does to them what it was shown to do; or, for a tool that
 *   can't say, if they left them before the decision
 * @secrets: (nullable): for a call that is to be decided: what nothing that a file holds may be quoted with
 * @callback: called later on this thread, however long the file system takes
 * @user_data: for @callback
 */
void beckon_call_survey_async (BeckonTool *tool, const BeckonToolContext *context, const char *bound,
                               BeckonFileCopies *copies, BeckonKnownSecrets *secrets, GAsyncReadyCallback callback,
                               gpointer user_data);

/** (transfer full): never %NULL. */
BeckonCallSurvey *beckon_call_survey_finish (GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

void beckon_call_survey_unref (BeckonCallSurvey *self);

/** Whether it is about these arguments in this folder. @folder: (nullable) */
gboolean beckon_call_survey_fits (const BeckonCallSurvey *self, const char *arguments, const char *folder);

/** (nullable): the arguments, read, if their text is @arguments. Borrowed. */
BeckonToolArguments *beckon_call_survey_get_parsed (const BeckonCallSurvey *self, const char *arguments);

/** (nullable): what a model's arguments were completed to, if they were @given; see beckon_tool_complete_arguments().
 *  Borrowed. */
const char *beckon_call_survey_get_completed (const BeckonCallSurvey *self, const char *given);

/** The arguments that would run, read. Borrowed. */
BeckonToolArguments *beckon_call_survey_get_arguments (const BeckonCallSurvey *self);

/** Whether the tool can carry the call out, if its arguments fit; an error for the model if not. */
gboolean beckon_call_survey_check (const BeckonCallSurvey *self, GError **error);

/** (nullable): why the call cannot be done with the files as they are, for a model that may read them. Borrowed. */
const GError *beckon_call_survey_get_obstacle (const BeckonCallSurvey *self);

/** Its effects. Borrowed. */
const BeckonEffects *beckon_call_survey_get_effects (const BeckonCallSurvey *self);

/** (nullable): stamps of the files that it would change, or whose change it proposes, as they were found. Borrowed. */
const char *beckon_call_survey_get_files (const BeckonCallSurvey *self);

/** (nullable): the digest of its tool's definition, as it was looked at; see beckon_tool_get_digest(). Borrowed. */
const char *beckon_call_survey_get_definition (const BeckonCallSurvey *self);

/** (nullable): the stamps of the files that the decision about it holds for: those that it was given, or later ones where other
 *  calls of its message made them; for a step that nobody was asked about, those of the plan, if the files are what they were
 *  when the plan was shown, or what its steps made of them. Borrowed. */
const char *beckon_call_survey_get_bound (const BeckonCallSurvey *self);

/** (nullable): a file that is not what the stamps said that it was given, nor what those calls made of it. Borrowed. */
const char *beckon_call_survey_get_changed (const BeckonCallSurvey *self);

/** (nullable): the path of a file of a step that is not what it was when its person accepted the plan. @were_there: (out):
 *  whether it was there then */
const char *beckon_call_survey_get_news (const BeckonCallSurvey *self, gboolean *were_there);

/** Whether the command of a started call runs, or was about to, on a view of the folder, of which nothing has landed. */
gboolean beckon_call_survey_has_place (const BeckonCallSurvey *self);

/** How long the first file is that the call would change; 0 where there is none. */
goffset beckon_call_survey_get_size (const BeckonCallSurvey *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCallSurvey, beckon_call_survey_unref)

/** Lets the call run with its files as they are by then, whatever a person was shown. */
void beckon_call_survey_unbind (BeckonCallSurvey *self);

G_END_DECLS
