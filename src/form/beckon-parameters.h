/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-value.h"
#include "base/beckon-mask.h"
#include "domain/beckon-tool-call.h"
#include "form/beckon-form-field.h"

G_BEGIN_DECLS

/**
 * BeckonParameters:
 *
 * What a person settled about the parameters of one tool, once and for all its calls: who may see and change them, a value that
 * one always has, values of which it has to have one. About the members of the arguments themselves, not about what is inside
 * of them. Built, then not changed; reference counted; any thread.
 */
typedef struct _BeckonParameters BeckonParameters;

/**
 * BeckonParameter:
 * @name: the member's
 * @access: what a person who is asked may do with it
 * @pinned: (nullable): what it always is, as JSON, whatever the model writes
 * @allowed: (nullable) (element-type utf8): values of which it has to be one, as JSON
 */
typedef struct
{
  char *name;
  BeckonFormAccess access;
  char *pinned;
  GPtrArray *allowed;
} BeckonParameter;

/** The mask shown for a masked value. */
#define BECKON_PARAMETERS_MASK "••••••"

/** "editable", "read-only", "masked" or "hidden"; static. */
const char *beckon_form_access_to_string (BeckonFormAccess access);

/** %FALSE if @word is none of them, where @access becomes %BECKON_FORM_HIDDEN: what is not known is not shown. @word:
 *  (nullable). */
gboolean beckon_form_access_from_string (const char *word, BeckonFormAccess *access);

/** Makes an empty set; fill it with the function below. */
BeckonParameters *beckon_parameters_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_parameters_add:
 * @parameters: just made
 * @name: a member
 * @access: what may be done with it
 * @pinned: (nullable): JSON
 * @allowed: (nullable) (array zero-terminated=1): JSON
 * @error: return location
 *
 * In place of what was settled about @name before; without any condition it is forgotten.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID where a value is no JSON, or the pinned one is not allowed
 */
gboolean beckon_parameters_add (BeckonParameters *parameters, const char *name, BeckonFormAccess access, const char *pinned,
                                const char *const *allowed, GError **error);

/** JSON for the store, and back; {} where nothing is settled. */
char             *beckon_parameters_to_json (BeckonParameters *parameters) G_GNUC_WARN_UNUSED_RESULT;
BeckonParameters *beckon_parameters_from_json (const char *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Stands for unreadable settings: no parameter is shown or may be changed, and nothing runs. */
BeckonParameters *beckon_parameters_new_closed (void) G_GNUC_WARN_UNUSED_RESULT;

BeckonParameters *beckon_parameters_ref (BeckonParameters *parameters);
void              beckon_parameters_unref (BeckonParameters *parameters);

guint                  beckon_parameters_get_n (BeckonParameters *parameters);
const BeckonParameter *beckon_parameters_get (BeckonParameters *parameters, guint index);

/** By the member's name; %NULL where nothing is settled about it. @parameters: (nullable). */
const BeckonParameter *beckon_parameters_find (BeckonParameters *parameters, const char *name);

/**
 * beckon_parameters_apply:
 * @parameters: (nullable): what is settled
 * @arguments: what the model wrote, a JSON object
 *
 * Returns: (transfer full) (nullable): the arguments with what is pinned put in; %NULL where they are so already
 */
char *beckon_parameters_apply (BeckonParameters *parameters, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_parameters_check:
 * @parameters: (nullable): what is settled
 * @arguments: what would run, a JSON object
 * @error: return location
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID where a value is not the pinned one or none of the allowed; in English, for
 *   the model
 */
gboolean beckon_parameters_check (BeckonParameters *parameters, const char *arguments, GError **error);

/** As beckon_parameters_check(), for arguments that were read. */
gboolean beckon_parameters_check_value (BeckonParameters *parameters, const BeckonJsonValue *arguments, GError **error);

/**
 * beckon_parameters_check_edit:
 * @parameters: (nullable): what is settled
 * @proposed: the arguments that a person was shown
 * @edited: what they made of them
 * @error: return location
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_INVALID, translated, where something was changed that may not be, or is not
 *   allowed
 */
gboolean beckon_parameters_check_edit (BeckonParameters *parameters, const char *proposed, const char *edited, GError **error);

/*
 * Redacted values. They are in the arguments that run, and in the store, from which they run; not in what is shown, logged or
 * exported.
 */

/** Whether there is such. @parameters: (nullable). */
gboolean beckon_parameters_redacts (BeckonParameters *parameters);

/** Only that, as JSON for beckon_tool_call_set_redacted(); %NULL where there is none. Caller frees. */
char *beckon_parameters_dup_redacted (BeckonParameters *parameters);

/**
 * beckon_parameters_redact:
 * @parameters: (nullable): what is settled
 * @arguments: a JSON object, or what is none
 *
 * Returns: (transfer full): the text that may be shown: what is hidden is not in it, what is masked is
 *   %BECKON_PARAMETERS_MASK; nothing but that of a text that cannot be taken apart
 */
char *beckon_parameters_redact (BeckonParameters *parameters, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_parameters_restore:
 * @parameters: (nullable): what is settled
 * @proposed: the arguments, of which a person was shown what beckon_parameters_redact() left
 * @edited: what they made of that, JSON
 *
 * Returns: (transfer full): @edited with what they were not shown, and left as it was, put back
 */
char *beckon_parameters_restore (BeckonParameters *parameters, const char *proposed,
                                 const char *edited) G_GNUC_WARN_UNUSED_RESULT;

/** Replaces the values that are not shown, wherever else they stand; %NULL where there are none. Caller frees. */
BeckonMask *beckon_parameters_make_mask (BeckonParameters *parameters, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** The arguments that a call runs with, as far as they are shown. Caller frees. */
char *beckon_parameters_show_call (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** The same of @arguments, which are others of that call. */
char *beckon_parameters_show_for_call (BeckonToolCall *call, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** The same by what the call's row has, see beckon_tool_call_get_redacted(). @redacted: (nullable). */
char *beckon_parameters_show_by (const char *redacted, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** As beckon_parameters_make_mask() by that. @redacted: (nullable). */
BeckonMask *beckon_parameters_make_mask_by (const char *redacted, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** The same for what is kept of it: where the values stand elsewhere in it they go, too. */
char *beckon_parameters_log_by (const char *redacted, const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonParameters, beckon_parameters_unref)

G_END_DECLS
