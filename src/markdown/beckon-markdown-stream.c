/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-stream.h"

#include "base/beckon-text.h"
#include "beckon-markdown-definitions.h"
#include "beckon-markdown-line.h"
#include "beckon-markdown-parse.h"
#include "beckon-markdown-scanner.h"

#include <string.h>

/* Text without a place to cut is cut before the first line behind this that begins at the margin, or else before any. A line is
 * cut within. Pictures do not count. */
#define LARGE_OPEN (32 * 1024)
#define LARGEST_OPEN (64 * 1024)

/* A piece of the text that was parsed by itself. */
typedef struct
{
  gsize start;
  gsize end;
  guint first; /* its blocks */
  guint n;
  guint known; /* definitions when it was parsed */
} Piece;

struct _BeckonMarkdownStream
{
  GString *source;
  gsize settled; /* bytes of it that are settled */
  gsize scanned; /* bytes of it that are lines which the scanner took */
  BeckonMarkdownLine line; /* the one behind them */
  gsize held;              /* bytes of pictures in the lines between */
  BeckonMarkdownScanner scanner;
  BeckonMarkdownDefinitions *definitions;

  GPtrArray *blocks; /* (element-type BeckonMarkdownNode) */
  GArray *pieces;    /* (element-type Piece): of the settled ones */
  guint n_settled;
  guint changed; /* the first block that is not what it was at the last update */

  BeckonMarkdownNode *code; /* (owned) (nullable): what is open, where that is nothing but code */
  gsize code_end;           /* bytes of the source that are in it */
  gboolean is_finished;
  gboolean is_behind_return; /* the last byte was a carriage return, which ended a line with or without a line feed */
};

/* (nullable): with @is_late, only if definitions from the @since-th on are used. */
static GPtrArray *
markdown_stream_parse (BeckonMarkdownStream *self, gsize start, gsize end, guint since, gboolean is_late)
{
  const char *text = self->source->str + start;
  g_autoptr (GString) definitions = beckon_markdown_definitions_select (self->definitions, text, end - start, since);

  if (is_late && definitions == NULL)
    return NULL;
  return beckon_markdown_parse_with (definitions != NULL ? definitions->str : NULL, text, end - start, BECKON_MARKDOWN_RICH);
}

static void
drop_open (BeckonMarkdownStream *self)
{
  g_ptr_array_set_size (self->blocks, (int) self->n_settled);
  self->changed = MIN (self->changed, self->n_settled);
}

static void
take_blocks (BeckonMarkdownStream *self, GPtrArray *blocks)
{
  drop_open (self);
  g_ptr_array_extend_and_steal (self->blocks, blocks);
}

/* Settling */

/* A seeming picture may be text after all, as it is within code, and far more than can be shown at once. */
static gboolean
has_swollen (GPtrArray *blocks)
{
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      const BeckonMarkdownNode *node = g_ptr_array_index (blocks, i);

      if ((node->text != NULL && node->text->len > LARGEST_OPEN) || has_swollen (node->children))
        return TRUE;
    }
  return FALSE;
}

static gsize
find_character (BeckonMarkdownStream *self, gsize at)
{
  while (at > self->settled + 1 && ((guchar) self->source->str[at] & 0xc0) == 0x80)
    at--;
  return at;
}

static GPtrArray *
learn_and_parse (BeckonMarkdownStream *self, gsize end)
{
  beckon_markdown_definitions_learn (self->definitions, self->source->str + self->settled, end - self->settled);
  return markdown_stream_parse (self, self->settled, end, 0, FALSE);
}

static void
add_piece (BeckonMarkdownStream *self, gsize end, GPtrArray *blocks)
{
  Piece piece = { .start = self->settled, .end = end, .first = self->n_settled };

  piece.known = beckon_markdown_definitions_get_n (self->definitions);
  take_blocks (self, blocks);
  self->n_settled = self->blocks->len;
  self->settled = end;
  piece.n = self->n_settled - piece.first;
  g_array_append_val (self->pieces, piece);
}

static void
markdown_stream_settle (BeckonMarkdownStream *self, gsize end)
{
  GPtrArray *blocks;

  g_clear_pointer (&self->code, beckon_markdown_node_unref);
  if (end == self->settled)
    return;
  blocks = learn_and_parse (self, end);
  if (self->held > 0 && has_swollen (blocks))
    {
      g_ptr_array_unref (blocks);
      while (self->settled < end)
        {
          gsize left = end - self->settled;
          gsize at
              = left > BECKON_MARKDOWN_LONGEST_LINE ? find_character (self, end - left + BECKON_MARKDOWN_LONGEST_LINE) : end;

          add_piece (self, at, learn_and_parse (self, at));
        }
    }
  else
    add_piece (self, end, blocks);
  self->held = 0;
}

static void
cut (BeckonMarkdownStream *self, gsize end)
{
  markdown_stream_settle (self, end);
  beckon_markdown_scanner_cut (&self->scanner);
}

static gboolean
is_too_large (BeckonMarkdownStream *self, gsize line)
{
  gsize size = line - self->settled - self->held;

  return size > LARGEST_OPEN || (size > LARGE_OPEN && !g_ascii_isspace (self->source->str[line]));
}

/* The line that is looked at is over. Returns the bytes of pictures in it. */
static gsize
end_line (BeckonMarkdownStream *self, gsize with_break)
{
  gsize held = self->line.held;

  self->scanned += with_break;
  memset (&self->line, 0, sizeof self->line);
  return held;
}

static void
markdown_stream_take_line (BeckonMarkdownStream *self, gsize length, gsize with_break)
{
  gsize begin = self->scanned;
  gsize held = end_line (self, with_break);
  BeckonMarkdownCut where;

  if (self->scanner.fence == '\0' && is_too_large (self, begin))
    cut (self, begin);
  where = beckon_markdown_scanner_take_line (&self->scanner, self->source->str + begin, length);
  if (where & BECKON_MARKDOWN_CUT_BEFORE)
    markdown_stream_settle (self, begin);
  self->held += held;
  if (where & BECKON_MARKDOWN_CUT_AFTER)
    cut (self, self->scanned);
}

/* Blocks of code have no pictures. */
static gsize
markdown_stream_get_room (BeckonMarkdownStream *self)
{
  if (self->scanner.fence != '\0' || self->held >= BECKON_MARKDOWN_LARGEST_PICTURE)
    return 0;
  return BECKON_MARKDOWN_LARGEST_PICTURE - self->held;
}

static BeckonMarkdownLineEnd
look_at_line (BeckonMarkdownStream *self)
{
  const char *begin = self->source->str + self->scanned;
  gsize left = self->source->len - self->scanned;
  const char *newline = NULL;

  /* Most lines are short, and hold no picture. */
  if (self->line.seen == 0)
    newline = memchr (begin, '\n', MIN (left, BECKON_MARKDOWN_LONGEST_LINE + 1));
  if (newline == NULL || g_strstr_len (begin, newline - begin, "](") != NULL)
    return beckon_markdown_line_look (&self->line, begin, left, markdown_stream_get_room (self));
  self->line.seen = (gsize) (newline - begin);
  return BECKON_MARKDOWN_LINE_OVER;
}

/* The first carriage return; the end without one. */
static const char *
find_return (const char *text, gsize length)
{
  const char *found = memchr (text, '\r', length);

  return found != NULL ? found : text + length;
}

/* A line ends by a line feed, a carriage return, or both: all are a line feed from here on. */
void
beckon_markdown_stream_feed (BeckonMarkdownStream *self, const char *text, gsize length)
{
  BeckonMarkdownLineEnd end;

  g_return_if_fail (self != NULL && !self->is_finished);

  while (length > 0)
    {
      gsize n;

      if (self->is_behind_return && *text == '\n')
        {
          text++;
          length--;
        }
      self->is_behind_return = FALSE;
      n = length > 0 ? (gsize) (find_return (text, length) - text) : 0;
      g_string_append_len (self->source, text, (gssize) n);
      if (n < length)
        {
          g_string_append_c (self->source, '\n');
          self->is_behind_return = TRUE;
          n++;
        }
      text += n;
      length -= n;
    }

  while (self->scanned < self->source->len && (end = look_at_line (self)) != BECKON_MARKDOWN_LINE_OPEN)
    if (end == BECKON_MARKDOWN_LINE_OVER)
      markdown_stream_take_line (self, self->line.seen, self->line.seen + 1);
    else
      {
        /* The part of a line that is too long to be one is text or code, whatever its beginning looks like. */
        self->held += end_line (self, self->line.seen);
        if (self->scanner.fence == '\0')
          cut (self, self->scanned);
      }
}

/* The end of the text */

void
beckon_markdown_stream_finish (BeckonMarkdownStream *self)
{
  guint known;

  g_return_if_fail (self != NULL);

  if (self->is_finished)
    return;
  if (self->scanned < self->source->len)
    markdown_stream_take_line (self, self->source->len - self->scanned, self->source->len - self->scanned);
  cut (self, self->source->len);
  /* Only pieces that use what was not known when they were parsed are parsed again. */
  known = beckon_markdown_definitions_get_n (self->definitions);
  if (known != 0)
    {
      GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);

      for (guint i = 0; i < self->pieces->len; i++)
        {
          Piece *piece = &g_array_index (self->pieces, Piece, i);
          g_autoptr (GPtrArray) again
              = piece->known < known ? markdown_stream_parse (self, piece->start, piece->end, piece->known, TRUE) : NULL;
          guint n = again != NULL ? again->len : piece->n;
          guint first = all->len;

          /* The new ones in place of the old ones; what says the same stays. */
          for (guint j = 0; j < n; j++)
            {
              BeckonMarkdownNode *old = j < piece->n ? g_ptr_array_index (self->blocks, piece->first + j) : NULL;
              BeckonMarkdownNode *node = again != NULL ? g_ptr_array_index (again, j) : old;

              if (old != NULL && beckon_markdown_node_equal (old, node))
                node = old;
              else
                self->changed = MIN (self->changed, first + j);
              g_ptr_array_add (all, beckon_markdown_node_ref (node));
            }
          if (n != piece->n)
            self->changed = MIN (self->changed, first);
          piece->first = first;
          piece->n = n;
        }
      g_ptr_array_unref (self->blocks);
      self->blocks = all;
      self->n_settled = all->len;
    }
  self->is_finished = TRUE;
}

/* Open blocks */

static gsize
skip_indent (const char *line, gsize most)
{
  gsize n = 0;

  while (n < most && line[n] == ' ')
    n++;
  return n;
}

/* Characters may be cut, and those that are not whole are not shown. */
static gsize
get_whole_end (BeckonMarkdownStream *self)
{
  gsize end = self->source->len, n = 0;

  while (n < 4 && end - n > self->settled && ((guchar) self->source->str[end - n - 1] & 0xc0) == 0x80)
    n++;
  if (end - n == self->settled)
    return end;
  return beckon_text_utf8_length (self->source->str + end - n - 1, n + 1) == 0 ? end - n - 1 : end;
}

static void
update_open (BeckonMarkdownStream *self)
{
  /* A picture that is on its way is not shown either: it would be seen as what it is written in. */
  gsize end = self->line.is_open ? self->scanned + self->line.picture : get_whole_end (self);
  GPtrArray *blocks;

  if (end == self->settled)
    return;
  blocks = markdown_stream_parse (self, self->settled, end, 0, FALSE);
  if (self->held + self->line.held > 0 && has_swollen (blocks))
    g_ptr_array_unref (blocks);
  else
    take_blocks (self, blocks);
}

guint
beckon_markdown_stream_update (BeckonMarkdownStream *self)
{
  guint changed;

  g_return_val_if_fail (self != NULL, 0);

  drop_open (self);
  if (self->scanner.fence != '\0' && self->scanner.is_code_only)
    {
      if (self->code == NULL)
        {
          const char *begin = self->source->str + self->settled;
          const char *newline = strchr (begin, '\n');
          gsize length = newline != NULL ? (gsize) (newline - begin) + 1 : self->source->len - self->settled;
          g_autoptr (GPtrArray) blocks = beckon_markdown_parse (begin, length, BECKON_MARKDOWN_RICH);

          self->code_end = self->settled + length;
          if (blocks->len != 1 || ((BeckonMarkdownNode *) g_ptr_array_index (blocks, 0))->kind != BECKON_MARKDOWN_CODE)
            self->code = NULL;
          else
            self->code = g_ptr_array_steal_index (blocks, 0);
        }
      if (self->code != NULL)
        {
          gsize end;
          const char *line = self->source->str + self->scanned;
          const char *text = line + strspn (line, " ");

          /* A line that may become the closing fence is shown when it is sure that it does not. */
          if (*text == '\0' || *text == self->scanner.fence)
            end = self->scanned;
          else
            end = self->source->len;

          while (self->code_end < end)
            {
              const char *begin = self->source->str + self->code_end;
              gboolean is_line_start = begin[-1] == '\n';
              gsize skipped = is_line_start ? skip_indent (begin, self->scanner.fence_indent) : 0;
              const char *newline = memchr (begin, '\n', end - self->code_end);
              gsize length = newline != NULL ? (gsize) (newline - begin) + 1 : end - self->code_end;

              skipped = MIN (skipped, length);
              g_string_append_len (self->code->text, begin + skipped, (gssize) (length - skipped));
              self->code_end += length;
            }
          drop_open (self);
          g_ptr_array_add (self->blocks, beckon_markdown_node_ref (self->code));
        }
    }
  else
    update_open (self);
  changed = self->changed;
  self->changed = self->n_settled;
  return changed;
}

guint
beckon_markdown_stream_get_n_blocks (BeckonMarkdownStream *self)
{
  return self->blocks->len;
}

guint
beckon_markdown_stream_get_n_settled (BeckonMarkdownStream *self)
{
  return self->n_settled;
}

BeckonMarkdownNode *
beckon_markdown_stream_get_block (BeckonMarkdownStream *self, guint index)
{
  g_return_val_if_fail (index < self->blocks->len, NULL);

  return g_ptr_array_index (self->blocks, index);
}

GPtrArray *
beckon_markdown_stream_get_blocks (BeckonMarkdownStream *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->blocks;
}

const char *
beckon_markdown_stream_get_source (BeckonMarkdownStream *self, guint index, gsize *length)
{
  guint low = 0, high;

  g_return_val_if_fail (self != NULL && index < self->blocks->len, NULL);

  /* The first piece that ends behind the block. */
  for (high = self->pieces->len; low < high;)
    {
      guint middle = (low + high) / 2;
      const Piece *piece = &g_array_index (self->pieces, Piece, middle);

      if (piece->first + piece->n <= index)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->pieces->len)
    {
      *length = self->source->len - self->settled;
      return self->source->str + self->settled;
    }
  *length = g_array_index (self->pieces, Piece, low).end - g_array_index (self->pieces, Piece, low).start;
  return self->source->str + g_array_index (self->pieces, Piece, low).start;
}

BeckonMarkdownStream *
beckon_markdown_stream_new (void)
{
  BeckonMarkdownStream *self = g_new0 (BeckonMarkdownStream, 1);

  self->source = g_string_new (NULL);
  self->definitions = beckon_markdown_definitions_new ();
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  return self;
}

void
beckon_markdown_stream_free (BeckonMarkdownStream *self)
{
  g_string_free (self->source, TRUE);
  beckon_markdown_definitions_free (self->definitions);
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->pieces);
  g_clear_pointer (&self->code, beckon_markdown_node_unref);
  g_free (self);
}
