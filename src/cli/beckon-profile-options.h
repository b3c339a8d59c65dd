/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-profiles.h"

G_BEGIN_DECLS

/**
 * BeckonProfileOptions:
 *
 * What `beckonctl profile add` and `profile set` were told about a profile; what was not said stays as it is.
 */
typedef struct
{
  char *preset;
  char *kind;
  char *base_url;
  char *model;
  char *rounds;
  char *context_window;
  char *temperature;
  char *output_limit;
  char *pdf;
  char **headers;
  char *extra_body;
  char *system_prompt;
  char **fallbacks;
  char *prices[BECKON_N_PRICES];
  char *currency;
  char *key_command;
  gboolean web_search;
  gboolean no_web_search;
} BeckonProfileOptions;

/** Adds what the command understands; @options outlives @context. */
void beckon_profile_options_add_to (BeckonProfileOptions *options, GOptionContext *context);

/**
 * beckon_profile_options_apply:
 * @options: what was said
 * @profile: a profile that is changed; not checked yet
 * @profiles: where names of others are looked up
 * @error: return location
 *
 * Returns: %FALSE with a translated message for what is no number, no kind or no profile
 */
gboolean beckon_profile_options_apply (const BeckonProfileOptions *options, BeckonProfile *profile,
                                       BeckonProfiles *profiles, GError **error);

void beckon_profile_options_clear (BeckonProfileOptions *options);

/** The profile of this id, or of this name. Borrowed; %NULL if there is none. */
BeckonProfile *beckon_profile_find (BeckonProfiles *profiles, const char *name);

/** All of a profile as lines of "member: value", as people read it; what is not set is left out. */
void beckon_profile_print (BeckonProfile *profile, BeckonProfiles *profiles);

/** The same as JSON with `in-use`; of no @profile, an array of all. @used_id: (nullable): the id of the profile in use. */
void beckon_profile_print_json (BeckonProfile *profile, BeckonProfiles *profiles, const char *used_id);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonProfileOptions, beckon_profile_options_clear)

G_END_DECLS
