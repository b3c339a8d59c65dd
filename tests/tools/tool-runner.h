/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-store-fixture.h"
#include "tools/beckon-tool-registry.h"

G_BEGIN_DECLS

/**
 * ToolRunner:
 *
 * Calls tools as the agent does: arguments checked, effects computed, run on the main loop, in a folder of its own.
 */
typedef struct _ToolRunner ToolRunner;

struct _ToolRunner
{
  char *root;
  char *folder;
  BeckonToolRegistry *registry;
  char *directory;
  BeckonStore *store;
  BeckonTurn *turn;
  BeckonToolCall *call; /* the last one, with the pictures of its result */
  BeckonOutputStore *outputs;
  BeckonToolEnd end; /* how the last call ended */
  gboolean lands;    /* what is decided of a call holds for a view of the folder alone */
  BeckonLanding *landing; /* (nullable): what the last call changed on its view */
  BeckonMask *mask;  /* (nullable): the secrets of the person */
  gsize most;        /* bytes that a model is sent of a result; 0 for all */
  GString *reported; /* all that was reported live, one after another */
  guint n_reports;
  BeckonDeniedPaths *denied; /* what a rule denies; NULL for nothing */
  const char *seen;          /* a file below the folder that gets all that was reported so far; NULL for none */
  const char *gate;          /* a file below the folder that is made when a tool asks; NULL for none */
  const char *prompt_answer; /* the choice that is made when a tool asks; "" for none, NULL where nobody can be asked */
  void (*asked) (ToolRunner *runner); /* called when a tool has asked; NULL for nothing */
  char *prompted;            /* what it asked last */
  guint n_prompts;
  gboolean was_taken_back;
  guint next_place;
  struct ToolRun *running; /* (nullable): the last call, until it goes on in the background */
  guint n_background;        /* those that do */
};

void tool_runner_set_up (ToolRunner *runner);
void tool_runner_tear_down (ToolRunner *runner);

/** Writes a file below the folder, with the folders on the way. */
void tool_runner_write (ToolRunner *runner, const char *name, const char *contents);

/** A file below the folder; %NULL if there is none. Caller frees. */
char *tool_runner_read (ToolRunner *runner, const char *name);

/** A call, with @arguments in which ' stands for ". The result, or what is told of it while it goes on in the background; %NULL
 *  with the error. When it ends there it gets its result, and its landing is dropped. Caller frees. */
char *tool_runner_run (ToolRunner *runner, const char *tool, const char *arguments, GCancellable *cancellable,
                       GError **error);

/** The same; it has to succeed, and hold each of the words up to %NULL. */
void tool_runner_expect (ToolRunner *runner, const char *tool, const char *arguments, ...) G_GNUC_NULL_TERMINATED;

/** The same; it has to fail with a BECKON_ERROR of @code whose message holds @words. */
void tool_runner_expect_error (ToolRunner *runner, const char *tool, const char *arguments, int code, const char *words);

/** Stores the call that is the runner's, as one of its conversation. */
void tool_runner_store_call (ToolRunner *runner);

/** The effects of a call, to be cleared. */
void tool_runner_get_effects (ToolRunner *runner, const char *tool, const char *arguments, BeckonEffects *effects);

/** Turns the main loop until *@result is there, at most 60 seconds. */
GAsyncResult *tool_runner_wait (GAsyncResult **result);

/** A callback that keeps the result at @slot. */
void tool_runner_keep (GObject *source, GAsyncResult *result, gpointer slot);

G_END_DECLS
