/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-same-change.h"

#include <string.h>

/* The lines in which two texts differ: all ahead of @start and behind the ends is the same. */
typedef struct
{
  gsize start;
  gsize end;
  gsize other_end; /* in the other text */
} Span;

static gboolean
begins_line (const char *text, gsize at)
{
  return at == 0 || text[at - 1] == '\n';
}

static Span
find_difference (const char *text, const char *other)
{
  gsize length = strlen (text), other_length = strlen (other);
  gsize most = MIN (length, other_length);
  gsize n_ahead = 0, n_behind = 0;

  while (n_ahead < most && text[n_ahead] == other[n_ahead])
    n_ahead++;
  while (!begins_line (text, n_ahead))
    n_ahead--;
  while (n_behind < most - n_ahead && text[length - n_behind - 1] == other[other_length - n_behind - 1])
    n_behind++;
  while (n_behind > 0 && (!begins_line (text, length - n_behind) || !begins_line (other, other_length - n_behind)))
    n_behind--;
  return (Span){ n_ahead, length - n_behind, other_length - n_behind };
}

/* Whether @text is @whole, with the bytes of it from @start to @end replaced by @n_new bytes of @new_text. */
static gboolean
is_replaced (const char *text, const char *whole, gsize start, gsize end, const char *new_text, gsize n_new)
{
  gsize n_behind = strlen (whole) - end;

  return strlen (text) == start + n_new + n_behind && memcmp (text, whole, start) == 0
         && memcmp (text + start, new_text, n_new) == 0 && memcmp (text + start + n_new, whole + end, n_behind) == 0;
}

/* Whether both only add lines, in one place: their order is not known. */
static gboolean
is_same_gap (const Span *one, const Span *other)
{
  return one->start == one->end && other->start == other->end && one->start == other->start;
}

gboolean
beckon_same_change (const char *before, const char *after, const char *later, const char *later_after)
{
  Span meanwhile, change;
  gsize moved;

  g_return_val_if_fail (before != NULL && after != NULL && later != NULL && later_after != NULL, FALSE);

  meanwhile = find_difference (before, later);
  change = find_difference (before, after);
  if (is_same_gap (&meanwhile, &change))
    return FALSE;
  if (change.end <= meanwhile.start)
    moved = 0;
  else if (change.start >= meanwhile.end)
    moved = meanwhile.other_end - meanwhile.end;
  else
    return FALSE;
  /* The difference wraps round where the text became shorter, and so does the sum. */
  return is_replaced (later_after, later, change.start + moved, change.end + moved, after + change.start,
                      change.other_end - change.start);
}
