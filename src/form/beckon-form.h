/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-parameters.h"

#include <glib-object.h>

G_BEGIN_DECLS

/** Bytes a person may write in one place. */
#define BECKON_FORM_MAX_TEXT (256 * 1024)

#define BECKON_TYPE_FORM (beckon_form_get_type ())
G_DECLARE_FINAL_TYPE (BeckonForm, beckon_form, BECKON, FORM, GObject)

/**
 * BeckonForm:
 *
 * Proposed arguments and what a person makes of them, as JSON text and as fields at once. The text is the truth: a change in
 * a field changes the bytes of its value and no others, the fields are made from the text, and one history holds the changes of
 * both, so that undoing gives back the very bytes. While the text is no JSON the fields are those of the last one that was,
 * and take nothing. Knows no widgets. Main thread.
 *
 * Signal `changed`: the text, and with it the fields, are others; every #BeckonFormField is a new one.
 */

/**
 * beckon_form_new:
 * @schema: (nullable): the arguments' JSON Schema; one that cannot be read counts as one that says nothing
 * @proposal: the arguments as the model wrote them
 * @parameters: (nullable): what is settled about them
 *
 * Returns: (transfer full): a form
 */
BeckonForm *beckon_form_new (const char *schema, const char *proposal, BeckonParameters *parameters) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_form_new_to_fill_in:
 * @schema: the JSON Schema of what is to be filled in
 * @initial: what is filled in at first, JSON
 *
 * A form that somebody else asks a person to fill in. Each member has its place from the beginning, and goes when it is blank;
 * where it is required that is a fault. What is not of its format is one, too.
 *
 * Returns: (transfer full): a form
 */
BeckonForm *beckon_form_new_to_fill_in (const char *schema, const char *initial) G_GNUC_WARN_UNUSED_RESULT;

/** Marks members of a form to fill in as secrets: their fields don't show what stands there. @names: (element-type utf8). */
void beckon_form_set_secrets (BeckonForm *form, GPtrArray *names);

/** The text without what is secret, for drafts; as it is while it is no JSON and nothing is secret. Caller frees. */
char *beckon_form_dup_public (BeckonForm *form) G_GNUC_WARN_UNUSED_RESULT;

/** Problems that keep it from being sent, translated, a line for each field; %NULL when there are none. Caller frees. */
char *beckon_form_dup_problems (BeckonForm *form) G_GNUC_WARN_UNUSED_RESULT;

const char *beckon_form_get_text (BeckonForm *form);
const char *beckon_form_get_proposal (BeckonForm *form);

/**
 * beckon_form_redacts:
 *
 * Whether something in it is not to be seen: then its text is not either, but what the next one gives of it.
 */
gboolean beckon_form_redacts (BeckonForm *form);

/** As much of @text, which is the form's or its proposal, as may be shown. Caller frees. */
char *beckon_form_dup_shown (BeckonForm *form, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_form_set_text:
 *
 * What a person made of the JSON text, in one stroke. Strokes that go on where the last one ended are undone together.
 */
void beckon_form_set_text (BeckonForm *form, const char *text);

/** The fields; never %NULL, empty where the proposal is no JSON. Borrowed until the next change. */
BeckonFormField *beckon_form_get_root (BeckonForm *form);

/** As beckon_form_field_find() in all of it. */
BeckonFormField *beckon_form_find (BeckonForm *form, const char *pointer);

/** Whether the text is JSON; whether it may be run as it is. */
gboolean beckon_form_is_json (BeckonForm *form);
gboolean beckon_form_is_valid (BeckonForm *form);

/**
 * beckon_form_dup_fault:
 * @form: a form
 * @line: (out) (optional): where, from 0
 *
 * Returns: (transfer full) (nullable): what is wrong with a text that is no JSON, translated
 */
char *beckon_form_dup_fault (BeckonForm *form, guint *line);

/** The line of the text, from 0, on which the value of a place begins. */
guint beckon_form_find_line (BeckonForm *form, const char *pointer);

/** Whether the text is another than the proposal. */
gboolean beckon_form_is_edited (BeckonForm *form);

/*
 * Changes of fields. Each takes a field of now and returns %FALSE, having changed nothing, where the field does not take
 * it: the text is no JSON at the moment, the person settled that it is not changed, the field is not of that kind.
 */

/** Types into a field. A number field keeps other text as a text until it is one; one of JSON does the same. */
gboolean beckon_form_type (BeckonForm *form, BeckonFormField *field, const char *text);

/** Another of the options. For a choice: the value becomes one of that kind, with as much of what it was as fits. */
gboolean beckon_form_choose (BeckonForm *form, BeckonFormField *field, guint option);

/** Picks one of the options of several, or drops it. */
gboolean beckon_form_pick (BeckonForm *form, BeckonFormField *field, guint option, gboolean on);
gboolean beckon_form_switch (BeckonForm *form, BeckonFormField *field, gboolean on);

/** A number one step (what multipleOf says, or 1) up or down, as far as it may go. */
gboolean beckon_form_step (BeckonForm *form, BeckonFormField *field, int steps);

/** A value as JSON, such as one that was used before. */
gboolean beckon_form_put (BeckonForm *form, BeckonFormField *field, const char *json);

/** Takes the value out of a place that stays, in a form that is filled in. */
gboolean beckon_form_clear (BeckonForm *form, BeckonFormField *field);

/** Gives a place without a value its proposal or its default. */
gboolean beckon_form_fill (BeckonForm *form, BeckonFormField *field);

/** Gives an object a member of that name, which it has not, with its default. */
gboolean beckon_form_add_member (BeckonForm *form, BeckonFormField *object, const char *name);

/** Appends an element to an array. */
gboolean beckon_form_add_element (BeckonForm *form, BeckonFormField *array);

/** Takes out a key with its value, or an element. */
gboolean beckon_form_remove (BeckonForm *form, BeckonFormField *field);

/** Moves an element by @steps places. */
gboolean beckon_form_move (BeckonForm *form, BeckonFormField *element, int steps);

/** Back to what was proposed for that place. */
gboolean beckon_form_reset (BeckonForm *form, BeckonFormField *field);

/** Back to the proposal; can be undone. */
gboolean beckon_form_revert (BeckonForm *form);

gboolean beckon_form_can_undo (BeckonForm *form);
gboolean beckon_form_can_redo (BeckonForm *form);
void     beckon_form_undo (BeckonForm *form);
void     beckon_form_redo (BeckonForm *form);

/** Makes the next typing a separate undo. */
void beckon_form_break_typing (BeckonForm *form);

G_END_DECLS
