/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-mask.h"

G_BEGIN_DECLS

typedef struct _BeckonMaskSet BeckonMaskSet;

/**
 * BeckonMaskForm:
 * @replacement: (owned): what stands in its place
 * @length: in bytes
 * @is_word: found only between other things than letters and digits
 *
 * One of the ways in which a value is written.
 */
typedef struct
{
  char *replacement;
  gsize length;
  gboolean is_word;
} BeckonMaskForm;

/* beckon-mask-set.c: an automaton by Aho and Corasick, which has seen every form in one pass over a text. */

/** @is_spaced: the forms may have white space and colons anywhere in them. */
BeckonMaskSet *beckon_mask_set_new (gboolean is_spaced);
void           beckon_mask_set_free (BeckonMaskSet *set);
void           beckon_mask_set_add (BeckonMaskSet *set, const char *form, const char *replacement, gboolean is_word);
void           beckon_mask_set_close (BeckonMaskSet *set);
guint          beckon_mask_set_get_n_forms (BeckonMaskSet *set);

/** The longest form, in bytes. */
gsize beckon_mask_set_get_longest (BeckonMaskSet *set);

/** Marks in a map of 64 Ki bits the pairs of bytes with which a form can begin. */
void beckon_mask_set_mark_pairs (BeckonMaskSet *set, guint8 *pairs, gboolean *starts);

/** Whether the set passes over @byte. */
gboolean beckon_mask_set_skips (BeckonMaskSet *set, guchar byte);

/** Returns the state after @byte; 0 is the start. */
guint32 beckon_mask_set_step (BeckonMaskSet *set, guint32 state, guchar byte);

/** How many of the last bytes may be the beginning of a form. */
gsize beckon_mask_set_get_depth (BeckonMaskSet *set, guint32 state);

/** The forms that end here, the longest first: begin with 0, end at %NULL. */
const BeckonMaskForm *beckon_mask_set_next_form (BeckonMaskSet *set, guint32 state, guint32 *cursor);

/* beckon-mask.c */
typedef struct
{
  char *value;
  char *replacement;
  gboolean is_word;
} BeckonMaskValue;

struct _BeckonMask
{
  GArray *values; /* (element-type BeckonMaskValue): what was added */
  BeckonMaskSet *plain;
  BeckonMaskSet *spaced;
  gboolean is_closed;
  gboolean starts[256];   /* bytes with which a form can begin */
  guint8 pairs[64 * 128]; /* the same of two bytes, a bit for each pair */
};

void beckon_mask_close (BeckonMask *mask);

/** Limits the stream's output to that range. */
void beckon_mask_stream_set_window (BeckonMaskStream *stream, guint64 from, guint64 to);

G_END_DECLS
