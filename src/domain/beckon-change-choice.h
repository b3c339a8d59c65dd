/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-set.h"

G_BEGIN_DECLS

/**
 * BeckonChangeChoice:
 *
 * What a person says to a set of changes: all of it lands but for what is left out, whole files and hunks of them.
 */
typedef struct _BeckonChangeChoice BeckonChangeChoice;

/** Everything lands, concerns too. */
BeckonChangeChoice *beckon_change_choice_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_change_choice_new_first:
 * @set: changes
 *
 * The choice that every front end begins with, in every mode: ordinary changes land, and those with a concern are left out,
 * because they land only where the person names them; and so is what cannot be shown whole. An answer that says no more than
 * "keep" means this.
 *
 * Returns: (transfer full): the choice
 */
BeckonChangeChoice *beckon_change_choice_new_first (const BeckonChangeSet *set) G_GNUC_WARN_UNUSED_RESULT;

void                beckon_change_choice_free (BeckonChangeChoice *choice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChangeChoice, beckon_change_choice_free)

/** @change: an index into the set. Leaves it out, or takes that back. */
void     beckon_change_choice_set_left_out (BeckonChangeChoice *choice, guint change, gboolean left_out);
gboolean beckon_change_choice_get_left_out (const BeckonChangeChoice *choice, guint change);

/** The same for one hunk of its difference, counted from 0. */
void     beckon_change_choice_set_hunk_left_out (BeckonChangeChoice *choice, guint change, guint hunk, gboolean left_out);
gboolean beckon_change_choice_get_hunk_left_out (const BeckonChangeChoice *choice, guint change, guint hunk);

/**
 * beckon_change_choice_follow:
 * @choice: a choice, in which @change was left out, or kept
 * @set: what it is about
 * @change: an index into @set
 *
 * What stands on another change is left out with it, and takes it along where it is kept: what is in a folder that takes the
 * place of a file can't land without it.
 */
void beckon_change_choice_follow (BeckonChangeChoice *choice, const BeckonChangeSet *set, guint change);

/** Whether nothing is left out. */
gboolean beckon_change_choice_is_empty (const BeckonChangeChoice *choice);

/** Whether any open change of @set lands, at least in part. */
gboolean beckon_change_choice_keeps_any (const BeckonChangeChoice *choice, const BeckonChangeSet *set);

/** Whether anything of @set lands: what is open and kept, or what is kept in any case. */
gboolean beckon_change_choice_lands_any (const BeckonChangeChoice *choice, const BeckonChangeSet *set);

/**
 * As the text of an answer: {"leave_out":[{"change":3},{"change":4,"hunks":[1,3]}]}, both counted from 1, as every list that a
 * person sees counts them. Caller frees.
 */
char *beckon_change_choice_to_json (const BeckonChangeChoice *choice) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_change_choice_parse:
 * @json: (nullable): what beckon_change_choice_to_json() writes; %NULL for beckon_change_choice_new_first()
 * @set: what it is about
 * @error: return location
 *
 * Returns: (transfer full): the choice; %NULL with BECKON_ERROR_INVALID, translated, if it names what is not in @set, or is
 *   not open there
 */
BeckonChangeChoice *beckon_change_choice_parse (const char *json, const BeckonChangeSet *set,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Sets the fate of what is open in @set: kept, left out, or kept in part. With all of its hunks left out a file is, too. */
void beckon_change_choice_apply (const BeckonChangeChoice *choice, BeckonChangeSet *set);

G_END_DECLS
