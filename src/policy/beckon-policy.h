/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** What policy says to a call. */
typedef enum
{
  BECKON_VERDICT_ALLOW,
  BECKON_VERDICT_ASK,
  BECKON_VERDICT_DENY,
} BeckonVerdict;

/** How much the person wants to be asked. */
typedef enum
{
  BECKON_MODE_ASK_EVERYTHING,
  BECKON_MODE_ASK_CHANGES,
  BECKON_MODE_ASK_OUTSIDE,
} BeckonMode;

/**
 * BeckonEffects:
 * @tool: the tool's name
 * @read_only: running it changes nothing
 * @leaves_folder: it reads or writes outside the conversation's folder
 * @uses_network: it can carry data out
 *
 * What a call would do, computed by its tool; the input of every decision.
 */
typedef struct
{
  const char *tool;
  gboolean read_only;
  gboolean leaves_folder;
  gboolean uses_network;
} BeckonEffects;

/**
 * BeckonDecision:
 * @verdict: the verdict
 * @reason: the rule in words, translated; static
 * @refusal: (nullable): for %BECKON_VERDICT_DENY: the call's result, English, for the model; static
 */
typedef struct
{
  BeckonVerdict verdict;
  const char *reason;
  const char *refusal;
} BeckonDecision;

/**
 * beckon_policy_decide:
 * @effects: what the call would do
 * @mode: the conversation's mode
 * @has_person: %FALSE where nobody can answer; what would be asked is denied then
 *
 * Pure; any thread.
 *
 * Returns: the decision
 */
BeckonDecision beckon_policy_decide (const BeckonEffects *effects, BeckonMode mode, gboolean has_person);

G_END_DECLS
