/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  BECKON_LINE_DIFF_SAME,
  BECKON_LINE_DIFF_REMOVED,
  BECKON_LINE_DIFF_ADDED,
} BeckonLineDiffKind;

/**
 * BeckonLineDiffLine:
 * @kind: whether both texts have it, or which
 * @text: the line, without its end; not terminated; points into the text it is of
 * @length: its bytes
 * @before: its number in the text before, counted from 1; of an added one that of the next line there
 * @after: the same in the text after
 */
typedef struct
{
  BeckonLineDiffKind kind;
  const char *text;
  gsize length;
  guint before;
  guint after;
} BeckonLineDiffLine;

/**
 * BeckonLineDiff:
 *
 * How one text becomes another, line by line, with as few changes as can be found in bounded time: texts that have little
 * in common are replaced whole. A last line without an end is another line than one with it. Never changed once made.
 */
typedef struct _BeckonLineDiff BeckonLineDiff;

/**
 * beckon_line_diff_new:
 * @before: the text before; it has to outlive the difference
 * @after: the text after; likewise
 *
 * Returns: (transfer full): the difference
 */
BeckonLineDiff *beckon_line_diff_new (const char *before, const char *after) G_GNUC_WARN_UNUSED_RESULT;

/** All lines of both, in order. */
guint beckon_line_diff_get_n_lines (BeckonLineDiff *diff);
const BeckonLineDiffLine *beckon_line_diff_get_line (BeckonLineDiff *diff, guint index);

guint beckon_line_diff_get_n_removed (BeckonLineDiff *diff);
guint beckon_line_diff_get_n_added (BeckonLineDiff *diff);

/**
 * beckon_line_diff_to_unified:
 * @diff: the difference
 * @n_context: how many lines that stay are shown around those that do not
 *
 * Returns: (transfer full): hunks as diff -u writes them, without the lines that name the files; empty if nothing differs
 */
char *beckon_line_diff_to_unified (BeckonLineDiff *diff, guint n_context) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_line_diff_fold_blank:
 * @unified: hunks, for being shown
 *
 * Many blank lines that came or went together become one that counts them: what stands behind them is not out of sight.
 *
 * Returns: (transfer full): @unified otherwise as it is
 */
char *beckon_line_diff_fold_blank (const char *unified) G_GNUC_WARN_UNUSED_RESULT;

void beckon_line_diff_free (BeckonLineDiff *diff);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLineDiff, beckon_line_diff_free)

G_END_DECLS
