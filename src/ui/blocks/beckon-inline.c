/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-inline.h"

#include "base/beckon-text.h"
#include "markdown/beckon-markdown-formula.h"
#include "markdown/beckon-markdown-parse.h"
#include "ui/widgets/beckon-label-links.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A ground under code, in any theme. */
#define CODE_GROUND 0x8080
#define CODE_GROUND_ALPHA 0x2400
#define FAINT_ALPHA 0xa000

typedef struct
{
  const BeckonMarkdownNode *node;
  GString *text;
  GPtrArray *links; /* (nullable) (element-type BeckonLabelLink) */
  gboolean in_link;
  gboolean in_code; /* where each character counts */
  PangoAttrList *attributes;
} Writer;

#define LEFT_TO_RIGHT_OVERRIDE "\342\200\255"
#define RIGHT_TO_LEFT_OVERRIDE "\342\200\256"

char *
beckon_inline_name_overrides (const char *text, gsize length)
{
  GString *named = g_string_new_len (text, (gssize) length);

  g_string_replace (named, LEFT_TO_RIGHT_OVERRIDE, "<U+202D>", 0);
  g_string_replace (named, RIGHT_TO_LEFT_OVERRIDE, "<U+202E>", 0);
  return g_string_free (named, FALSE);
}

static void
inline_insert (Writer *self, PangoAttribute *attribute, gsize start)
{
  attribute->start_index = (guint) start;
  attribute->end_index = (guint) self->text->len;
  pango_attr_list_insert (self->attributes, attribute);
}

static void
inline_write_text (Writer *self, const char *text, gsize length)
{
  g_autofree char *shown = self->in_code ? beckon_text_mark_hidden (text, (gssize) length)
                                         : beckon_inline_name_overrides (text, length);

  g_string_append (self->text, shown);
}

static void
write_code (Writer *self, const char *text, gsize length)
{
  gboolean was_code = self->in_code;

  self->in_code = TRUE;
  inline_write_text (self, text, length);
  self->in_code = was_code;
}

static void
write_formula (Writer *self, const char *latex, gsize length)
{
  g_autoptr (GString) formula = g_string_new (NULL);

  beckon_markdown_formula_append (latex, length, formula);
  write_code (self, formula->str, formula->len);
}

static void
style (Writer *self, BeckonMarkdownSpanKind kind, gsize start)
{
  switch (kind)
    {
    case BECKON_MARKDOWN_SPAN_EMPHASIS:
      inline_insert (self, pango_attr_style_new (PANGO_STYLE_ITALIC), start);
      break;
    case BECKON_MARKDOWN_SPAN_STRONG:
      inline_insert (self, pango_attr_weight_new (PANGO_WEIGHT_BOLD), start);
      break;
    case BECKON_MARKDOWN_SPAN_STRUCK:
      inline_insert (self, pango_attr_strikethrough_new (TRUE), start);
      break;
    case BECKON_MARKDOWN_SPAN_CODE:
      inline_insert (self, pango_attr_family_new ("Monospace"), start);
      inline_insert (self, pango_attr_background_new (CODE_GROUND, CODE_GROUND, CODE_GROUND), start);
      inline_insert (self, pango_attr_background_alpha_new (CODE_GROUND_ALPHA), start);
      break;
    case BECKON_MARKDOWN_SPAN_MATH:
      inline_insert (self, pango_attr_family_new ("Serif"), start);
      break;
    case BECKON_MARKDOWN_SPAN_HTML:
      inline_insert (self, pango_attr_family_new ("Monospace"), start);
      inline_insert (self, pango_attr_foreground_alpha_new (FAINT_ALPHA), start);
      break;
    case BECKON_MARKDOWN_SPAN_LINK:
    case BECKON_MARKDOWN_SPAN_IMAGE:
    case BECKON_MARKDOWN_SPAN_BREAK:
    default:
      break;
    }
}

static void write_spans (Writer *self, guint *index, gsize at, gsize end);

/* A label has no link within a link. */
static gboolean
begin_link (Writer *self, const BeckonMarkdownSpan *span)
{
  if (self->in_link || !beckon_link_opener_can_open (span->target))
    return FALSE;
  self->in_link = TRUE;
  return TRUE;
}

/* Such an address says nothing to anybody, and may be as long as a picture. */
static gboolean
holds_content (const char *address)
{
  return g_ascii_strncasecmp (address, "data:", 5) == 0;
}

static void
write_span (Writer *self, const BeckonMarkdownSpan *span, guint *index)
{
  gboolean has_address = span->kind == BECKON_MARKDOWN_SPAN_LINK || span->kind == BECKON_MARKDOWN_SPAN_IMAGE;
  gboolean is_link = has_address && begin_link (self, span);
  gboolean was_code = self->in_code;
  gsize start = self->text->len;

  self->in_code |= span->kind == BECKON_MARKDOWN_SPAN_CODE || span->kind == BECKON_MARKDOWN_SPAN_HTML;
  if (span->kind == BECKON_MARKDOWN_SPAN_MATH)
    write_formula (self, self->node->text->str + span->start, span->end - span->start);
  else if (span->kind == BECKON_MARKDOWN_SPAN_IMAGE)
    {
      /* A picture is nowhere but at its address, and nothing goes there before it is clicked. */
      /* Translators: what stands for a picture of the web that is not fetched, before its description */
      const char *word = _("Picture:");

      inline_write_text (self, word, strlen (word));
      inline_write_text (self, " ", 1);
      if (span->end == span->start && span->target != NULL && !holds_content (span->target))
        write_code (self, span->target, strlen (span->target));
      write_spans (self, index, span->start, span->end);
    }
  else
    write_spans (self, index, span->start, span->end);
  self->in_code = was_code;
  style (self, span->kind, start);
  if (is_link)
    {
      self->in_link = FALSE;
      if (self->links == NULL && self->text->len > start)
        self->links = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_label_link_free);
      if (self->text->len > start)
        g_ptr_array_add (self->links, beckon_label_link_new ((guint) start, (guint) self->text->len, span->target));
    }
  else if (has_address)
    {
      /* Unopenable links are written out: where they lead is not hidden. */
      if (span->target != NULL && *span->target != '\0' && !self->in_link && !holds_content (span->target))
        {
          inline_write_text (self, " (", 2);
          write_code (self, span->target, strlen (span->target));
          inline_write_text (self, ")", 1);
        }
    }
}

/* The text from @at to @end, with the spans from *@index on that begin in it. */
static void
write_spans (Writer *self, guint *index, gsize at, gsize end)
{
  const char *text = self->node->text->str;

  while (*index < beckon_markdown_node_get_n_spans (self->node))
    {
      const BeckonMarkdownSpan *span = beckon_markdown_node_get_span (self->node, *index);

      if (span->start > end || (span->start == end && span->end > end))
        break;
      inline_write_text (self, text + at, span->start - at);
      (*index)++;
      write_span (self, span, index);
      at = span->end;
    }
  inline_write_text (self, text + at, end - at);
}

/* Bytes without the line breaks at the end. */
static gsize
get_ink_length (const GString *text)
{
  gsize length = text->len;

  while (length > 0 && text->str[length - 1] == '\n')
    length--;
  return length;
}

static void
write_leaf (Writer *self, const BeckonMarkdownNode *node)
{
  guint index = 0;

  self->node = node;
  if (node->kind == BECKON_MARKDOWN_MATH)
    write_formula (self, node->text->str, node->text->len);
  else if (node->kind == BECKON_MARKDOWN_HTML)
    write_code (self, node->text->str, get_ink_length (node->text));
  else
    write_spans (self, &index, 0, node->text->len);
}

/* A hyphen where a long word had to be broken would be read as part of an address, a path or a name. */
static Writer
inline_begin (void)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  return (Writer){ .text = g_string_new (NULL), .attributes = attributes };
}

void
beckon_inline_init (BeckonInline *self, const BeckonMarkdownNode *node)
{
  Writer writer = inline_begin ();

  write_leaf (&writer, node);
  self->text = g_string_free (writer.text, FALSE);
  self->links = writer.links;
  self->attributes = writer.attributes;
}

void
beckon_inline_clear (BeckonInline *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->links, g_ptr_array_unref);
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
}

static void
write_leaves (Writer *self, const BeckonMarkdownNode *node)
{
  if (node->text != NULL)
    {
      if (self->text->len > 0)
        inline_write_text (self, "\n", 1);
      write_leaf (self, node);
    }
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    write_leaves (self, beckon_markdown_node_get_child (node, i));
}

char *
beckon_inline_render (const char *text, PangoAttrList **attributes)
{
  g_autoptr (GPtrArray) blocks = NULL;
  Writer writer = inline_begin ();

  /* No place for a click, so no link. */
  writer.in_link = TRUE;
  blocks = beckon_markdown_parse (text, strlen (text), BECKON_MARKDOWN_RICH);
  for (guint i = 0; i < blocks->len; i++)
    write_leaves (&writer, g_ptr_array_index (blocks, i));
  *attributes = writer.attributes;
  return g_string_free (writer.text, FALSE);
}
