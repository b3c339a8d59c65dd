/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mask.h"

#include "beckon-counted.h"
#include "beckon-json-writer.h"
#include "beckon-json.h"

#include <string.h>

typedef struct _BeckonMaskSet BeckonMaskSet;

/*
 @replacement: (owned): what stands in its place
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

static void mask_close (BeckonMask *mask);

#define NONE G_MAXUINT32

typedef struct
{
  guint32 child;   /* the first of those that continue it; 0: none */
  guint32 sibling; /* the next that continues the same one */
  guint32 fail;    /* its longest end that begins a form, too */
  guint32 depth;
  guint32 form;    /* the form that ends here, or NONE */
  guint32 shorter; /* the nearest of its ends at which a form ends; 0: none */
  guchar byte;
} Node;

struct _BeckonMaskSet
{
  gboolean is_spaced;
  GArray *nodes; /* (element-type Node); the first is the beginning */
  GArray *forms; /* (element-type BeckonMaskForm) */
  guint32 first[256];
  gsize longest;
};

static Node *
get_node (BeckonMaskSet *set, guint32 index)
{
  return &g_array_index (set->nodes, Node, index);
}

static guint32
add_node (BeckonMaskSet *set, guint32 depth, guchar byte)
{
  Node node = { .depth = depth, .form = NONE, .byte = byte };

  g_array_append_val (set->nodes, node);
  return set->nodes->len - 1;
}

static void
form_clear (gpointer data)
{
  g_free (((BeckonMaskForm *) data)->replacement);
}

static BeckonMaskSet *
mask_set_new (gboolean is_spaced)
{
  BeckonMaskSet *set = g_new0 (BeckonMaskSet, 1);

  set->is_spaced = is_spaced;
  set->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  set->forms = g_array_new (FALSE, FALSE, sizeof (BeckonMaskForm));
  g_array_set_clear_func (set->forms, form_clear);
  add_node (set, 0, 0);
  return set;
}

/* The nodes spell the values. An array that grew has left copies behind, as any memory that is moved does. */
static void
mask_set_free (BeckonMaskSet *set)
{
  explicit_bzero (set->nodes->data, set->nodes->len * sizeof (Node));
  g_array_unref (set->nodes);
  g_array_unref (set->forms);
  g_free (set);
}

static guint32
find_child (BeckonMaskSet *set, guint32 state, guchar byte)
{
  guint32 child;

  if (state == 0)
    return set->first[byte];
  child = get_node (set, state)->child;
  while (child != 0 && get_node (set, child)->byte != byte)
    child = get_node (set, child)->sibling;
  return child;
}

static guint32
ensure_child (BeckonMaskSet *set, guint32 state, guchar byte)
{
  guint32 child = find_child (set, state, byte);

  if (child != 0)
    return child;
  child = add_node (set, get_node (set, state)->depth + 1, byte);
  get_node (set, child)->sibling = get_node (set, state)->child;
  get_node (set, state)->child = child;
  if (state == 0)
    set->first[byte] = child;
  return child;
}

static void
mask_set_add (BeckonMaskSet *set, const char *form, const char *replacement, gboolean is_word)
{
  gsize length = strlen (form);
  BeckonMaskForm made = { .length = length, .is_word = is_word };
  guint32 state = 0;
  Node *end;

  for (gsize i = 0; i < length; i++)
    state = ensure_child (set, state, (guchar) form[i]);
  end = get_node (set, state);
  if (end->form != NONE)
    {
      BeckonMaskForm *known = &g_array_index (set->forms, BeckonMaskForm, end->form);

      known->is_word = known->is_word && is_word;
      return;
    }
  end->form = set->forms->len;
  made.replacement = g_strdup (replacement);
  g_array_append_val (set->forms, made);
  set->longest = MAX (set->longest, length);
}

/* The shallow ones first: a link leads to a node that is less deep. */
static void
mask_set_close (BeckonMaskSet *set)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 root = 0;

  g_array_append_val (queue, root);
  for (guint i = 0; i < queue->len; i++)
    {
      guint32 parent = g_array_index (queue, guint32, i);

      for (guint32 child = get_node (set, parent)->child; child != 0; child = get_node (set, child)->sibling)
        {
          Node *node = get_node (set, child);
          guint32 fail = get_node (set, parent)->fail;
          guint32 next;

          if (parent != 0)
            {
              while ((next = find_child (set, fail, node->byte)) == 0 && fail != 0)
                fail = get_node (set, fail)->fail;
              node->fail = next;
              node->shorter = get_node (set, next)->form != NONE ? next : get_node (set, next)->shorter;
            }
          g_array_append_val (queue, child);
        }
    }
}

/* The longest form, in bytes. */
static gsize
mask_set_get_longest (BeckonMaskSet *set)
{
  return set->longest;
}

/* Whether the set passes over @byte. */
static gboolean
mask_set_skips (BeckonMaskSet *set, guchar byte)
{
  return set->is_spaced && (g_ascii_isspace (byte) || byte == ':');
}

static void
mark_pair (guint8 *pairs, guchar first, guint second)
{
  guint bit = (guint) first << 8 | second;

  pairs[bit / 8] |= (guint8) (1 << (bit % 8));
}

/* Marks in a map of 64 Ki bits the pairs of bytes with which a form can begin. */
static void
mask_set_mark_pairs (BeckonMaskSet *set, guint8 *pairs, gboolean *starts)
{
  for (guint byte = 0; byte < 256; byte++)
    {
      const Node *node;

      if (set->first[byte] == 0)
        continue;
      starts[byte] = TRUE;
      node = get_node (set, set->first[byte]);
      for (guint32 child = node->child; child != 0; child = get_node (set, child)->sibling)
        mark_pair (pairs, node->byte, get_node (set, child)->byte);
      for (guint second = 0; second < 256; second++)
        if (node->form != NONE || mask_set_skips (set, (guchar) second))
          mark_pair (pairs, node->byte, second);
    }
}

/* Returns the state after @byte; 0 is the start. */
static guint32
mask_set_step (BeckonMaskSet *set, guint32 state, guchar byte)
{
  guint32 next;

  while ((next = find_child (set, state, byte)) == 0 && state != 0)
    state = get_node (set, state)->fail;
  return next;
}

/* How many of the last bytes may be the beginning of a form. */
static gsize
mask_set_get_depth (BeckonMaskSet *set, guint32 state)
{
  return get_node (set, state)->depth;
}

/* The forms that end here, the longest first: begin with 0, end at %NULL. */
static const BeckonMaskForm *
mask_set_next_form (BeckonMaskSet *set, guint32 state, guint32 *cursor)
{
  const Node *node = get_node (set, state);

  if (*cursor != 0)
    *cursor = get_node (set, *cursor)->shorter;
  else
    *cursor = node->form != NONE ? state : node->shorter;
  return *cursor != 0 ? &g_array_index (set->forms, BeckonMaskForm, get_node (set, *cursor)->form) : NULL;
}

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

  mask_close (mask);
  stream = g_new0 (BeckonMaskStream, 1);
  stream->mask = beckon_mask_ref (mask);
  stream->n_offsets = mask_set_get_longest (mask->spaced) + 1;
  stream->offsets = g_new0 (guint64, stream->n_offsets);
  stream->held = g_string_new (NULL);
  stream->last = ' ';
  stream->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  stream->to = G_MAXUINT64;
  return stream;
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

  while ((form = mask_set_next_form (set, state, &cursor)) != NULL)
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

  if (mask_set_skips (set, byte))
    {
      if (++stream->gap > LONGEST_GAP)
        stream->spaced = 0;
      return;
    }
  stream->gap = 0;
  stream->offsets[stream->n_taken++ % stream->n_offsets] = stream->at - 1;
  stream->spaced = mask_set_step (set, stream->spaced, byte);
  mask_stream_collect (stream, set, stream->spaced);
}

/* Up to where nothing can begin any more that is not known. */
static guint64
find_settled (BeckonMaskStream *stream)
{
  gsize spaced = mask_set_get_depth (stream->mask->spaced, stream->spaced);
  guint64 settled = stream->at - mask_set_get_depth (stream->mask->plain, stream->plain);

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
  /* Moved seldom, so that a byte is moved once or twice. One stays: whether a word begins behind it. */
  if (stream->skipped == 0 || stream->skipped < stream->held->len / 2)
    return;

  stream->last = (guchar) stream->held->str[stream->skipped - 1];
  g_string_erase (stream->held, 0, (gssize) stream->skipped);
  stream->skipped = 0;
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
      guchar byte;

      if (is_idle (stream))
        i += pass_clean (stream, chunk + i, length - i, out);
      if (i == length)
        return;
      byte = (guchar) chunk[i++];
      close_words (stream, byte);
      g_string_append_c (stream->held, (char) byte);
      stream->at++;
      /* Words first: an open span stands behind those that are closed. */
      step_spaced (stream, byte);
      stream->plain = mask_set_step (stream->mask->plain, stream->plain, byte);
      mask_stream_collect (stream, stream->mask->plain, stream->plain);
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

/* A form that is shorter would be found by chance. */
#define SHORTEST_HEX 8
#define SHORTEST_BASE64 6

/* A line of a longer value that is shorter tells too little of it to be looked for by itself. */
#define SHORTEST_LINE 8

/* Longer values are documents, found as they are, in JSON, and line by line. */
#define LONGEST_ENCODED 8192

static void
wipe (char *text)
{
  explicit_bzero (text, strlen (text));
  g_free (text);
}

static void
value_clear (gpointer data)
{
  BeckonMaskValue *value = data;

  wipe (value->value);
  g_free (value->replacement);
}

BeckonMask *
beckon_mask_new (void)
{
  BeckonMask *mask = g_atomic_rc_box_new0 (BeckonMask);

  mask->values = g_array_new (FALSE, FALSE, sizeof (BeckonMaskValue));
  g_array_set_clear_func (mask->values, value_clear);

  mask->plain = mask_set_new (FALSE);
  mask->spaced = mask_set_new (TRUE);
  return mask;
}

static void
mask_clear (gpointer data)
{
  BeckonMask *mask = data;

  g_array_unref (mask->values);
  mask_set_free (mask->plain);
  mask_set_free (mask->spaced);
  explicit_bzero (mask->pairs, sizeof mask->pairs);
}

BECKON_COUNTED (BeckonMask, beckon_mask, mask_clear)

gboolean
beckon_mask_is_empty (BeckonMask *mask)
{
  g_return_val_if_fail (mask != NULL, TRUE);

  return mask->plain->forms->len == 0;
}

/* Whichever thread uses it first. */
static void
mask_close (BeckonMask *mask)
{
  static GMutex mutex;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (mask->is_closed)
    return;

  mask->is_closed = TRUE;
  mask_set_close (mask->plain);
  mask_set_close (mask->spaced);
  mask_set_mark_pairs (mask->plain, mask->pairs, mask->starts);
  mask_set_mark_pairs (mask->spaced, mask->pairs, mask->starts);
}

/* --- How a value is written --------------------------------------------------------------------------------------- */

/* Takes @form. */
static void
add_plain (BeckonMask *mask, char *form, const char *replacement)
{
  if (*form != '\0')
    mask_set_add (mask->plain, form, replacement, strlen (form) < BECKON_MASK_ANYWHERE);
  wipe (form);
}

/* Takes @form. */
static void
add_spaced (BeckonMask *mask, char *form, gsize shortest, const char *replacement)
{
  if (strlen (form) >= shortest)
    mask_set_add (mask->spaced, form, replacement, FALSE);
  wipe (form);
}

/* As programs write it that keep to ASCII. */
static char *
dup_ascii_json (const char *json)
{
  GString *text = g_string_new (NULL);

  for (const char *p = json; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c >= 0x10000)
        g_string_append_printf (text, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
      else if (c >= 0x80)
        g_string_append_printf (text, "\\u%04x", c);
      else
        g_string_append_c (text, *p);
    }
  return g_string_free (text, FALSE);
}

static char *
dup_replaced (const char *text, const char *from, const char *to)
{
  GString *made = g_string_new (text);

  g_string_replace (made, from, to, 0);
  return g_string_free (made, FALSE);
}

/* @kept: (nullable): what is not encoded beside letters and digits; %NULL: nothing. */
static char *
dup_uri (const char *value, const char *kept, gboolean is_upper)
{
  GString *text = g_string_new (NULL);

  for (const char *p = value; *p != '\0'; p++)
    {
      if (kept != NULL && (g_ascii_isalnum (*p) || strchr (kept, *p) != NULL))
        g_string_append_c (text, *p);
      else
        g_string_append_printf (text, is_upper ? "%%%02X" : "%%%02x", (guchar) *p);
    }
  return g_string_free (text, FALSE);
}

/* The digits that the value alone makes when @before other bytes stand before it: of those at its ends the neighbours have a
 * part. */
static char *
dup_base64_core (const char *value, guint before)
{
  gsize length = strlen (value);
  g_autofree guchar *bytes = g_malloc0 (before + length + 3);
  gsize from = (8 * before + 5) / 6;
  gsize to = 8 * (before + length) / 6;
  char *all;
  char *core;

  memcpy (bytes + before, value, length);
  all = g_base64_encode (bytes, before + length);
  core = to > from ? g_strndup (all + from, to - from) : g_strdup ("");
  explicit_bzero (bytes, before + length);
  wipe (all);
  return core;
}

/* Takes @form. */
static void
add_base64_form (BeckonMask *mask, char *form, gsize shortest, const char *replacement)
{
  add_spaced (mask, g_strdelimit (g_strdelimit (g_strdup (form), "+", '-'), "/", '_'), shortest, replacement);
  add_spaced (mask, form, shortest, replacement);
}

static void
add_forms (BeckonMask *mask, const char *value, const char *replacement)
{
  static const char *const kept[] = { "-._~", "-._", "-._~/", "-._~!'()*", "-._~!'()*;,/?:@&=+$#", "*-._ ", NULL };
  gsize length = strlen (value);
  GString *text;
  BeckonJsonWriter writer;
  char *json;
  char *whole;

  add_plain (mask, g_strdup (value), replacement);
  text = g_string_new (NULL);
  /* As it stands between the quotes of JSON. */
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, value, -1);
  g_string_truncate (text, text->len - 1);
  g_string_erase (text, 0, 1);

  json = g_string_free (text, FALSE);
  add_plain (mask, dup_ascii_json (json), replacement);
  add_plain (mask, dup_replaced (json, "/", "\\/"), replacement);
  add_plain (mask, json, replacement);
  if (length < BECKON_MASK_SHORTEST || length > LONGEST_ENCODED)
    return;
  if (g_utf8_validate (value, -1, NULL))
    add_plain (mask, g_utf8_strreverse (value, -1), replacement);
  /* Programs keep different characters: by RFC 3986, that without the tilde, a path, what browsers do to a part, to a whole
   * address and to a form; nothing. */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (kept); i++)
    {
      char *form = dup_uri (value, kept[i / 2], i % 2 == 0);

      if (kept[i / 2] != NULL && strchr (kept[i / 2], ' ') != NULL)
        g_strdelimit (form, " ", '+');
      add_plain (mask, form, replacement);
    }
  for (guint upper = 0; upper < 2; upper++)
    {
      GString *hex = g_string_new (NULL);

      for (const char *p = value; *p != '\0'; p++)
        g_string_append_printf (hex, upper ? "%02X" : "%02x", (guchar) *p);
      add_spaced (mask, g_string_free (hex, FALSE), SHORTEST_HEX, replacement);
    }
  whole = g_base64_encode ((const guchar *) value, strlen (value));
  for (guint before = 0; before < 3; before++)
    add_base64_form (mask, dup_base64_core (value, before), SHORTEST_BASE64, replacement);
  add_base64_form (mask, g_strdelimit (g_strdup (whole), "=", '\0'), SHORTEST_BASE64, replacement);
  add_base64_form (mask, whole, SHORTEST_HEX, replacement);
}

static void
mask_remember (BeckonMask *mask, const char *value, const char *replacement, gboolean is_word)
{
  BeckonMaskValue made = { g_strdup (value), g_strdup (replacement), is_word };

  g_array_append_val (mask->values, made);
}

void
beckon_mask_add (BeckonMask *mask, const char *value, const char *replacement)
{
  char *stripped;
  g_auto (GStrv) lines = NULL;

  g_return_if_fail (mask != NULL && !mask->is_closed);
  g_return_if_fail (value != NULL && *value != '\0');
  g_return_if_fail (replacement != NULL);

  if (strlen (value) < BECKON_MASK_SHORTEST)
    return;
  mask_remember (mask, value, replacement, FALSE);
  add_forms (mask, value, replacement);
  stripped = g_strstrip (g_strdup (value));
  if (strlen (stripped) >= BECKON_MASK_SHORTEST && strlen (stripped) < strlen (value))
    add_forms (mask, stripped, replacement);
  wipe (stripped);
  lines = strpbrk (value, "\r\n") != NULL ? g_strsplit_set (value, "\r\n", -1) : NULL;
  /* A tool may show any one of its lines. What stands around a key is in every key. */
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      g_strstrip (lines[i]);
      if (strlen (lines[i]) >= SHORTEST_LINE && !g_str_has_prefix (lines[i], "-----"))
        add_forms (mask, lines[i], replacement);
      explicit_bzero (lines[i], strlen (lines[i]));
    }
}

void
beckon_mask_add_word (BeckonMask *mask, const char *value, const char *replacement)
{
  g_return_if_fail (mask != NULL && !mask->is_closed);
  g_return_if_fail (value != NULL && *value != '\0');
  g_return_if_fail (replacement != NULL);

  mask_remember (mask, value, replacement, TRUE);
  add_forms (mask, value, replacement);
}

void
beckon_mask_add_all (BeckonMask *mask, BeckonMask *other)
{
  g_return_if_fail (mask != NULL && !mask->is_closed);
  g_return_if_fail (other != NULL && other != mask);

  for (guint i = 0; i < other->values->len; i++)
    {
      const BeckonMaskValue *value = &g_array_index (other->values, BeckonMaskValue, i);

      if (value->is_word)
        beckon_mask_add_word (mask, value->value, value->replacement);
      else
        beckon_mask_add (mask, value->value, value->replacement);
    }
}

/* --- Whole texts -------------------------------------------------------------------------------------------------- */

static void
append_masked (BeckonMask *mask, const char *text, gsize length, GString *out)
{
  g_autoptr (BeckonMaskStream) stream = beckon_mask_stream_new (mask);

  beckon_mask_stream_feed (stream, text, length, out);
  beckon_mask_stream_finish (stream, out);
}

char *
beckon_mask_apply (BeckonMask *mask, const char *text)
{
  GString *out;

  g_return_val_if_fail (mask != NULL && text != NULL, NULL);

  out = g_string_sized_new (strlen (text) + 1);
  append_masked (mask, text, strlen (text), out);
  return g_string_free (out, FALSE);
}

GString *
beckon_mask_apply_window (BeckonMask *mask, const char *bytes, gsize length, gsize from, gsize to)
{
  g_autoptr (BeckonMaskStream) stream = NULL;
  GString *out;

  g_return_val_if_fail (mask != NULL, NULL);
  g_return_val_if_fail (from <= to && to <= length, NULL);

  out = g_string_sized_new (to - from + 1);
  stream = beckon_mask_stream_new (mask);
  /* Limits the stream's output to that range. */
  stream->from = from;
  stream->to = to;
  beckon_mask_stream_feed (stream, bytes, length, out);
  beckon_mask_stream_finish (stream, out);
  return out;
}

/* Twice the longest form: one that is broken into lines has what breaks it in it. */
gsize
beckon_mask_get_reach (BeckonMask *mask)
{
  g_return_val_if_fail (mask != NULL, 0);

  return 2 * MAX (mask_set_get_longest (mask->plain), mask_set_get_longest (mask->spaced));
}

gboolean
beckon_mask_finds (BeckonMask *mask, const char *bytes, gsize length)
{
  g_autoptr (GString) out = NULL;
  gboolean found;

  g_return_val_if_fail (mask != NULL, FALSE);

  out = g_string_sized_new (length + 1);
  append_masked (mask, bytes, length, out);
  found = out->len != length || (length > 0 && memcmp (out->str, bytes, length) != 0);
  explicit_bzero (out->str, out->len);
  return found;
}

/* Bytes of the string behind its opening quote, without the other one. */
static gsize
measure_string (const char *text)
{
  gsize length = 0;

  while (text[length] != '\0' && text[length] != '"')
    length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
  return length;
}

char *
beckon_mask_apply_json (BeckonMask *mask, const char *text)
{
  static const char structure[] = "{}[],: \t\r\n";
  GString *out;

  g_return_val_if_fail (mask != NULL && text != NULL, NULL);

  if (!beckon_json_check (text, -1, NULL))
    return beckon_mask_apply (mask, text);
  out = g_string_sized_new (strlen (text) + 1);
  while (*text != '\0')
    {
      gsize length = strspn (text, structure);

      g_string_append_len (out, text, (gssize) length);
      text += length;
      if (*text == '"')
        {
          length = measure_string (++text);
          g_string_append_c (out, '"');
          append_masked (mask, text, length, out);
          g_string_append_c (out, '"');
          text += length + 1;
          continue;
        }
      length = strcspn (text, structure);
      if (length > 0)
        {
          g_autoptr (GString) masked = g_string_new (NULL);

          append_masked (mask, text, length, masked);
          if (masked->len == length && memcmp (masked->str, text, length) == 0)
            g_string_append_len (out, text, (gssize) length);
          else
            g_string_append_printf (out, "\"%s\"", masked->str);
        }
      text += length;
    }
  return g_string_free (out, FALSE);
}
