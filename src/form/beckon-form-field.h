/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFormKind:
 * @BECKON_FORM_TEXT: a string, to be typed
 * @BECKON_FORM_NUMBER: a number, to be typed or stepped; kept as it is written
 * @BECKON_FORM_INTEGER: a whole one
 * @BECKON_FORM_BOOLEAN: on or off
 * @BECKON_FORM_ENUM: one of `options`
 * @BECKON_FORM_CONST: can be nothing else
 * @BECKON_FORM_OBJECT: members, in `children`
 * @BECKON_FORM_ARRAY: elements, in `children`
 * @BECKON_FORM_SEVERAL: any number of `options`
 * @BECKON_FORM_CHOICE: one of several kinds of value, called by `options`; the value itself is the only child
 * @BECKON_FORM_RAW: JSON, for what no control fits
 */
typedef enum
{
  BECKON_FORM_TEXT,
  BECKON_FORM_NUMBER,
  BECKON_FORM_INTEGER,
  BECKON_FORM_BOOLEAN,
  BECKON_FORM_ENUM,
  BECKON_FORM_CONST,
  BECKON_FORM_OBJECT,
  BECKON_FORM_ARRAY,
  BECKON_FORM_SEVERAL,
  BECKON_FORM_CHOICE,
  BECKON_FORM_RAW,
} BeckonFormKind;

/**
 * BeckonFormAccess: what a person may do with a parameter
 * @BECKON_FORM_EDITABLE: see and change it
 * @BECKON_FORM_READ_ONLY: see it
 * @BECKON_FORM_MASKED: see that it is there
 * @BECKON_FORM_HIDDEN: not even that
 */
typedef enum
{
  BECKON_FORM_EDITABLE,
  BECKON_FORM_READ_ONLY,
  BECKON_FORM_MASKED,
  BECKON_FORM_HIDDEN,
} BeckonFormAccess;

/**
 * BeckonFormField:
 * @pointer: where, as a JSON pointer; "" for the whole
 * @name: how the program calls it; the place in its list, from 1, of an element; fit to show
 * @title: how people call it; @name where the schema has no title; fit to show
 * @description: (nullable): what it is for; fit to show
 * @hint: (nullable): what may stand there, in words
 * @kind: which control it needs
 * @access: what the person may do with it
 * @is_present: it has a value; without one it is a place that has to be filled, or whose key was removed
 * @is_required: its key has to be there
 * @is_element: it is one of a list, which has a place in it
 * @is_multiline: a text of several lines, or one that is likely to be
 * @is_edited: it is not what was proposed
 * @is_on: of a %BECKON_FORM_BOOLEAN
 * @is_settled: the person settled which values it may have, or that it is always the same
 * @is_pinned: it is always the same
 * @is_secret: what stands there is not shown
 * @is_open: it has a control even without a value, as a place in a form that is filled in
 * @can_remove: its key, or the element, may be taken out
 * @can_grow: an array takes one more element, an object a key of any name
 * @text: (nullable): what the control shows: the string itself, the number as it is written, JSON; %NULL without a value
 * @json: (nullable): the value as it stands in the JSON text; %NULL without one
 * @shown: (nullable): @text with what would not be seen written out, where there is such
 * @proposed: (nullable): what stood there in the proposal, as JSON; %NULL where nothing did
 * @options: (nullable) (element-type utf8): of a %BECKON_FORM_ENUM, %BECKON_FORM_SEVERAL or %BECKON_FORM_CHOICE, to be shown
 * @chosen: the place of the value among @options; -1 if it is none of them
 * @picked: (nullable): of a %BECKON_FORM_SEVERAL: which of @options
 * @children: (element-type BeckonFormField): see #BeckonFormKind
 * @addable: (nullable) (element-type utf8): of an object, names of members that could be there
 * @problem: (nullable): what is wrong, translated
 * @is_warning: @problem keeps nothing from running
 * @shape: the form's own
 * @values: the form's own
 *
 * One place of a form, as it is now; never changed once made: a change of the form makes new ones. Reference counted.
 */
typedef struct _BeckonFormField BeckonFormField;
struct _BeckonFormShape;

struct _BeckonFormField
{
  char *pointer;
  char *name;
  char *title;
  char *description;
  char *hint;
  BeckonFormKind kind;
  BeckonFormAccess access;
  gboolean is_present;
  gboolean is_required;
  gboolean is_element;
  gboolean is_multiline;
  gboolean is_edited;
  gboolean is_on;
  gboolean is_settled;
  gboolean is_pinned;
  gboolean is_secret;
  gboolean is_open;
  gboolean can_remove;
  gboolean can_grow;
  char *text;
  char *json;
  char *shown;
  char *proposed;
  GPtrArray *options;
  int chosen;
  gboolean *picked;
  GPtrArray *children;
  GPtrArray *addable;
  char *problem;
  gboolean is_warning;
  struct _BeckonFormShape *shape;
  GPtrArray *values;
};

BeckonFormField *beckon_form_field_new (const char *pointer) G_GNUC_WARN_UNUSED_RESULT;
BeckonFormField *beckon_form_field_ref (BeckonFormField *field);
void             beckon_form_field_unref (BeckonFormField *field);

/** The field of a place, or %NULL; of a choice, the innermost. Borrowed. */
BeckonFormField *beckon_form_field_find (BeckonFormField *root, const char *pointer);

/** The value in the words of its control, fit to show; a mask for a secret; %NULL where there is none. Caller frees. */
char *beckon_form_field_dup_words (const BeckonFormField *field) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFormField, beckon_form_field_unref)

G_END_DECLS
