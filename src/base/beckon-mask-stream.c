/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mask-private.h"

#include <string.h>

/*
 * Both sets of forms are followed at once. Bytes with which nothing can begin are passed on as they are. Any other are held
 * until neither set can still have a form that begins with them, or before them; what was found meanwhile is a list of spans,
 * those that overlap made into one, so that no end of a value is left standing beside another.
 */

/* More white space than that ends a form. */
#define LONGEST_GAP 64

typedef struct
{
  guint64 from;
  guint64 to;
  gsize form;              /* length of the longest form in it */
  const char *replacement; /* of that form */
  gboolean is_open;        /* a word that ends here, if the next byte says so */
} Span;

struct _BeckonMaskStream
{
  BeckonMask *mask; /* (owned) */

  guint64 at;       /* bytes so far */
  guint32 plain;    /* states */
  guint32 spaced;
  guint64 *offsets; /* (owned): of the last bytes that the spaced set took */
  guint64 n_taken;
  gsize n_offsets;
  guint gap;        /* bytes passed over since */

  GString *held;    /* from @done on */
  gsize skipped;    /* bytes of @held that are done, too */
  guint64 done;
  guchar last;      /* the byte before @at; a space at the beginning */
  GArray *spans;    /* (element-type Span): in order, none of which touches what is done */

  guint64 from;     /* the window */
  guint64 to;
};

BeckonMaskStream *
beckon_mask_stream_new (BeckonMask *mask)
{
  BeckonMaskStream *stream;

  g_return_val_if_fail (mask != NULL, NULL);

  beckon_mask_close (mask);
  stream = g_new0 (BeckonMaskStream, 1);
  stream->mask = beckon_mask_ref (mask);
  stream->n_offsets = beckon_mask_set_get_longest (mask->spaced) + 1;
  stream->offsets = g_new0 (guint64, stream->n_offsets);
  stream->held = g_string_new (NULL);
  stream->last = ' ';
  stream->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  stream->to = G_MAXUINT64;
  return stream;
}

void
beckon_mask_stream_set_window (BeckonMaskStream *stream, guint64 from, guint64 to)
{
  stream->from = from;
  stream->to = to;
}

void
beckon_mask_stream_free (BeckonMaskStream *stream)
{
  if (stream == NULL)
    return;

  beckon_mask_unref (stream->mask);
  explicit_bzero (stream->held->str, stream->held->allocated_len);
  g_string_free (stream->held, TRUE);
  g_array_unref (stream->spans);
  g_free (stream->offsets);
  g_free (stream);
}

static Span *
get_span (BeckonMaskStream *stream, guint index)
{
  return &g_array_index (stream->spans, Span, index);
}

/* Only ASCII: Chinese has no space before a number. */
static gboolean
is_of_word (guchar byte)
{
  return g_ascii_isalnum (byte) || byte == '_';
}

static guchar
get_before (BeckonMaskStream *stream, guint64 at)
{
  gsize index = stream->skipped + (gsize) (at - stream->done);

  return index > 0 ? (guchar) stream->held->str[index - 1] : stream->last;
}

/* The span ends where the text does so far, so that it can only touch those at the end. An open one stays by itself until it
 * is known whether it is one. */
static void
add_span (BeckonMaskStream *stream, Span span)
{
  while (stream->spans->len > 0 && !span.is_open)
    {
      const Span *other = get_span (stream, stream->spans->len - 1);

      if (other->to <= span.from || other->is_open)
        break;
      span.from = MIN (span.from, other->from);
      if (other->form > span.form)
        {
          span.form = other->form;
          span.replacement = other->replacement;
        }
      g_array_set_size (stream->spans, stream->spans->len - 1);
    }
  g_array_append_val (stream->spans, span);
}

/* The words that ended with the last byte are words if another thing than @next follows. They stand at the end of the list. */
static void
close_words (BeckonMaskStream *stream, guchar next)
{
  guint first = stream->spans->len;
  g_autoptr (GArray) open = NULL;

  while (first > 0 && get_span (stream, first - 1)->is_open)
    first--;
  if (first == stream->spans->len)
    return;
  open = g_array_new (FALSE, FALSE, sizeof (Span));
  g_array_append_vals (open, get_span (stream, first), stream->spans->len - first);
  g_array_set_size (stream->spans, first);
  for (guint i = 0; i < open->len && !is_of_word (next); i++)
    {
      Span span = g_array_index (open, Span, i);

      span.is_open = FALSE;
      add_span (stream, span);
    }
}

/* The forms of @set that end with the last byte; the first that holds anywhere has all the shorter ones in it. */
static void
mask_stream_collect (BeckonMaskStream *stream, BeckonMaskSet *set, guint32 state)
{
  const BeckonMaskForm *form;
  guint32 cursor = 0;

  while ((form = beckon_mask_set_next_form (set, state, &cursor)) != NULL)
    {
      Span span = { .to = stream->at, .form = form->length, .replacement = form->replacement, .is_open = form->is_word };

      span.from = set == stream->mask->spaced ? stream->offsets[(stream->n_taken - form->length) % stream->n_offsets]
                                              : stream->at - form->length;
      if (!form->is_word || !is_of_word (get_before (stream, span.from)))
        add_span (stream, span);
      if (!form->is_word)
        return;
    }
}

static void
step_spaced (BeckonMaskStream *stream, guchar byte)
{
  BeckonMaskSet *set = stream->mask->spaced;

  if (beckon_mask_set_skips (set, byte))
    {
      if (++stream->gap > LONGEST_GAP)
        stream->spaced = 0;
      return;
    }
  stream->gap = 0;
  stream->offsets[stream->n_taken++ % stream->n_offsets] = stream->at - 1;
  stream->spaced = beckon_mask_set_step (set, stream->spaced, byte);
  mask_stream_collect (stream, set, stream->spaced);
}

static void
mask_stream_step (BeckonMaskStream *stream, guchar byte)
{
  close_words (stream, byte);
  g_string_append_c (stream->held, (char) byte);
  stream->at++;
  /* Words first: an open span stands behind those that are closed. */
  step_spaced (stream, byte);
  stream->plain = beckon_mask_set_step (stream->mask->plain, stream->plain, byte);
  mask_stream_collect (stream, stream->mask->plain, stream->plain);
}

/* Up to where nothing can begin any more that is not known. */
static guint64
find_settled (BeckonMaskStream *stream)
{
  gsize spaced = beckon_mask_set_get_depth (stream->mask->spaced, stream->spaced);
  guint64 settled = stream->at - beckon_mask_set_get_depth (stream->mask->plain, stream->plain);

  if (spaced > 0)
    settled = MIN (settled, stream->offsets[(stream->n_taken - spaced) % stream->n_offsets]);
  for (guint i = stream->spans->len; i > 0 && get_span (stream, i - 1)->is_open; i--)
    settled = MIN (settled, get_span (stream, i - 1)->from);
  return settled;
}

/* As much of the bytes that stand at @at as is in the window. */
static void
append_visible (BeckonMaskStream *stream, const char *bytes, guint64 at, gsize length, GString *out)
{
  guint64 from = CLAMP (stream->from, at, at + length);
  guint64 to = CLAMP (stream->to, at, at + length);

  if (from < to)
    g_string_append_len (out, bytes + (from - at), (gssize) (to - from));
}

/* Held bytes up to @to are done with; @out: (nullable): what gets them. */
static void
pass_on (BeckonMaskStream *stream, guint64 to, GString *out)
{
  gsize length = (gsize) (to - stream->done);

  if (length == 0)
    return;
  if (out != NULL)
    append_visible (stream, stream->held->str + stream->skipped, stream->done, length, out);
  stream->skipped += length;
  stream->done = to;
}

/* Moved seldom, so that a byte is moved once or twice. One stays: whether a word begins behind it. */
static void
tidy_held (BeckonMaskStream *stream)
{
  if (stream->skipped == 0 || stream->skipped < stream->held->len / 2)
    return;

  stream->last = (guchar) stream->held->str[stream->skipped - 1];
  g_string_erase (stream->held, 0, (gssize) stream->skipped);
  stream->skipped = 0;
}

static void
mask_stream_release (BeckonMaskStream *stream, guint64 settled, GString *out)
{
  guint n_done = 0;

  while (n_done < stream->spans->len && get_span (stream, n_done)->to <= settled && !get_span (stream, n_done)->is_open)
    {
      const Span *span = get_span (stream, n_done++);

      pass_on (stream, span->from, out);
      if (span->from < stream->to && span->to > stream->from)
        g_string_append (out, span->replacement);
      pass_on (stream, span->to, NULL);
    }
  if (n_done < stream->spans->len)
    settled = MIN (settled, get_span (stream, n_done)->from);
  if (n_done > 0)
    g_array_remove_range (stream->spans, 0, n_done);
  if (settled > stream->done)
    pass_on (stream, settled, out);
  tidy_held (stream);
}

static gboolean
is_idle (BeckonMaskStream *stream)
{
  return stream->plain == 0 && stream->spaced == 0 && stream->spans->len == 0 && stream->done == stream->at;
}

static gboolean
may_begin (BeckonMask *mask, const char *chunk, gsize length)
{
  guint bit;

  if (length < 2)
    return mask->starts[(guchar) *chunk];
  bit = (guint) (guchar) chunk[0] << 8 | (guchar) chunk[1];
  return (mask->pairs[bit / 8] & (1 << (bit % 8))) != 0;
}

/* Bytes with which nothing begins; the most there are, and most of what there is. */
static gsize
pass_clean (BeckonMaskStream *stream, const char *chunk, gsize length, GString *out)
{
  gsize n = 0;

  while (n < length && !may_begin (stream->mask, chunk + n, length - n))
    n++;
  if (n == 0)
    return 0;

  append_visible (stream, chunk, stream->at, n, out);
  stream->at += n;
  stream->done = stream->at;
  g_string_truncate (stream->held, 0);
  stream->skipped = 0;
  stream->last = (guchar) chunk[n - 1];
  return n;
}

void
beckon_mask_stream_feed (BeckonMaskStream *stream, const char *chunk, gsize length, GString *out)
{
  g_return_if_fail (stream != NULL && out != NULL);

  for (gsize i = 0; i < length;)
    {
      if (is_idle (stream))
        i += pass_clean (stream, chunk + i, length - i, out);
      if (i == length)
        return;
      mask_stream_step (stream, (guchar) chunk[i++]);
      mask_stream_release (stream, find_settled (stream), out);
    }
}

void
beckon_mask_stream_finish (BeckonMaskStream *stream, GString *out)
{
  g_return_if_fail (stream != NULL && out != NULL);

  close_words (stream, ' ');
  stream->plain = 0;
  stream->spaced = 0;
  stream->gap = 0;
  mask_stream_release (stream, stream->at, out);
  stream->last = ' ';
  g_string_truncate (stream->held, 0);
  stream->skipped = 0;
}
