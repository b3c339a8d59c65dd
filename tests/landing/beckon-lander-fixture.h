/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

G_BEGIN_DECLS

/*
 * A folder, a landing place, and what becomes of the changes of a command. Everything that fails ends the test.
 */

typedef struct
{
  char *top;
  char *folder;
  char *place;
  gint64 base;
  BeckonLanding *landing;
} Fixture;

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);

/** Runs a line of a shell in the folder, as the person would. */
void run (Fixture *fixture, const char *line);

/** The same in a view of it, as the agent would. */
void command (Fixture *fixture, const char *line);

/** Makes the command's changes the landing of the fixture. */
void survey (Fixture *fixture);
/** All but what would replace another writer's work. */
void keep_all (Fixture *fixture);
void land (Fixture *fixture);
void undo (Fixture *fixture);
void redo (Fixture *fixture);

/** Compares the changes with a list of "KIND PATH CONCERN FATE" by line. */
void assert_list (Fixture *fixture, const char *expected);

/** Another process calls @function with the landing, and is killed at the step of this number. */
void be_killed (Fixture *fixture, gboolean (*function) (BeckonLanding *, GError **), guint n_steps);

/** (transfer full): the folder as it is now, to be compared. */
char *describe (Fixture *fixture);

#define CASE(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

/** @add: adds the cases; without an overlay all are skipped. Returns the status of the program. */
int run_cases (int *argc, char ***argv, void (*add) (void));

G_END_DECLS
