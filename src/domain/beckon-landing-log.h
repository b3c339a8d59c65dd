/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"

G_BEGIN_DECLS

/**
 * BeckonLandingBy:
 * @asked: (nullable): the changes of which some were asked about: those that are open in it
 * @answered: (nullable): by what these were let through: "person", or "rule" for rules on their paths
 * @ordinary: (nullable): the same of other ordinary changes: "mode:outside", "rule:ID", "plan" or "rule"
 * @by_products: (nullable): the same of those that tools made for themselves, "mode:changes" too
 * @concerned: (nullable): the same of those that are asked about in every mode
 * @front_end: (nullable): where the person was
 * @actor: (nullable): who that was
 */
typedef struct
{
  const BeckonChangeSet *asked;
  const char *answered;
  const char *ordinary;
  const char *by_products;
  const char *concerned;
  const char *front_end;
  const char *actor;
} BeckonLandingBy;

/**
 * beckon_landing_log:
 * @landing: a landing
 * @by: who let its changes through, or took them back
 *
 * Returns: (transfer full): what the log of what was decided and run says of it, as JSON: for each file its path, what
 *   happened to it, its hashes before and after, what became of that, and by whom
 */
char *beckon_landing_log (const BeckonLanding *landing, const BeckonLandingBy *by) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
