/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-config.h"

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

/** The object's path, and its name, which is the same in every process; see the description in data/. */
#define BECKON_QUESTIONS_PATH "/io/github/beckon/Beckon/Questions"
#define BECKON_QUESTIONS_NAME BECKON_APPLICATION_ID ".Questions"
#define BECKON_QUESTIONS_INTERFACE "io.github.beckon.Beckon.Questions1"
#define BECKON_QUESTIONS_ERROR(name) BECKON_QUESTIONS_INTERFACE ".Error." name

#define BECKON_TYPE_QUESTIONS (beckon_questions_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestions, beckon_questions, BECKON, QUESTIONS, GObject)

/**
 * BeckonQuestions:
 *
 * The requests on the session bus, for other programs: `io.github.beckon.Beckon.Questions1` as data/ describes it. It reads
 * what is pending from the store, so that every process of Beckon that serves it says the same. The process that has the name
 * serves it, and signals come from that one alone. Main thread.
 *
 * Signal `wanted`: a call came while there is no runtime; it waits until there is one.
 * Signal `replied` (#BeckonRequest): another program settled it here. Its run may have no driver.
 */

/** @application: (nullable): kept from ending while a call is being answered. */
BeckonQuestions *beckon_questions_new (GApplication *application) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the object on a connection; calls are taken from now on. Before the process has any name that brings calls. */
gboolean beckon_questions_export (BeckonQuestions *questions, GDBusConnection *connection, GError **error);

/** Asks for the name, or queues for it, and lets go of it. After beckon_questions_export(). */
void beckon_questions_own_name (BeckonQuestions *questions);
void beckon_questions_withdraw (BeckonQuestions *questions);

/** @runtime: (nullable): open, or %NULL before it is closed; what was pending before is not announced again. */
void beckon_questions_set_runtime (BeckonQuestions *questions, BeckonRuntime *runtime);

/** Whether calls wait for a runtime. */
gboolean beckon_questions_is_wanted (BeckonQuestions *questions);

/** Announces a request that was there before the runtime was given. */
void beckon_questions_announce (BeckonQuestions *questions, BeckonRequest *request);

/** Calls back once everything that was announced has left for the bus. @cancellable: (nullable): gives up. */
void     beckon_questions_flush_async (BeckonQuestions *questions, GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean beckon_questions_flush_finish (BeckonQuestions *questions, GAsyncResult *result, GError **error);

G_END_DECLS
