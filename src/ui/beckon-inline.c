/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-inline.h"

#include <string.h>

/* Longer stretches between two marks stay as they are: looking for the closing mark costs what it looks at. */
#define LONGEST_SPAN 2000

typedef struct
{
  const char *mark;
  PangoAttribute *(*make) (void);
} Style;

static PangoAttribute *
make_bold (void)
{
  return pango_attr_weight_new (PANGO_WEIGHT_BOLD);
}

static PangoAttribute *
make_italic (void)
{
  return pango_attr_style_new (PANGO_STYLE_ITALIC);
}

static PangoAttribute *
make_struck (void)
{
  return pango_attr_strikethrough_new (TRUE);
}

/* Longer marks first. */
static const Style styles[] = {
  { "**", make_bold }, { "__", make_bold }, { "~~", make_struck }, { "*", make_italic }, { "_", make_italic },
};

static void
insert (PangoAttrList *list, PangoAttribute *attribute, gsize start, gsize end)
{
  attribute->start_index = (guint) start;
  attribute->end_index = (guint) end;
  pango_attr_list_insert (list, attribute);
}

static const char *
find_close (const char *text, const char *mark, gsize mark_length)
{
  const char *stop = text + strnlen (text, LONGEST_SPAN);

  for (const char *at = text; at < stop; at++)
    {
      if (*at == '\\' && at[1] != '\0')
        at++;
      else if (strncmp (at, mark, mark_length) == 0)
        return at;
    }
  return NULL;
}

/* An opening mark touches the word after it; an underscore inside a word is part of the word. */
static gboolean
opens (const char *begin, const char *at, const char *mark, gsize mark_length)
{
  char after = at[mark_length];

  if (strncmp (at, mark, mark_length) != 0 || after == '\0' || g_ascii_isspace (after) || after == mark[0])
    return FALSE;
  return mark[0] != '_' || at == begin || !(g_ascii_isalnum (at[-1]) || (guchar) at[-1] >= 0x80);
}

static gboolean
closes (const char *close, const char *mark, gsize mark_length)
{
  char after = close[mark_length];

  if (g_ascii_isspace (close[-1]))
    return FALSE;
  return mark[0] != '_' || !(g_ascii_isalnum (after) || (guchar) after >= 0x80);
}

static const char *render_span (const char *begin, const char *at, const char *end, GString *out, PangoAttrList *list);

static void
render (const char *text, const char *end, GString *out, PangoAttrList *list)
{
  const char *at = text;

  while (at < end)
    at = render_span (text, at, end, out, list);
}

static const char *
render_code (const char *at, const char *end, GString *out, PangoAttrList *list)
{
  gsize ticks = strspn (at, "`");
  g_autofree char *mark = g_strndup (at, ticks);
  const char *inside = at + ticks;
  gssize room = MIN (end - inside, LONGEST_SPAN + (gssize) ticks);
  const char *close = room > 0 ? g_strstr_len (inside, room, mark) : NULL;
  gsize start = out->len;

  if (close == NULL || close == inside)
    {
      g_string_append_len (out, at, (gssize) MIN (ticks, (gsize) (end - at)));
      return MIN (inside, end);
    }
  g_string_append_len (out, inside, close - inside);
  insert (list, pango_attr_family_new ("Monospace"), start, out->len);
  insert (list, pango_attr_background_new (0x8080, 0x8080, 0x8080), start, out->len);
  insert (list, pango_attr_background_alpha_new (0x2400), start, out->len);
  return close + ticks;
}

static const char *
render_style (const char *begin, const char *at, const char *end, GString *out, PangoAttrList *list)
{
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      const char *mark = styles[i].mark;
      gsize length = strlen (mark);
      const char *close;
      gsize start = out->len;

      if (!opens (begin, at, mark, length))
        continue;
      close = find_close (at + length, mark, length);
      if (close == NULL || close + length > end || !closes (close, mark, length))
        continue;
      render (at + length, close, out, list);
      insert (list, styles[i].make (), start, out->len);
      return close + length;
    }
  return NULL;
}

static const char *
render_span (const char *begin, const char *at, const char *end, GString *out, PangoAttrList *list)
{
  const char *next;

  if (*at == '\\' && at + 1 < end && g_ascii_ispunct (at[1]))
    {
      g_string_append_c (out, at[1]);
      return at + 2;
    }
  if (*at == '`')
    return render_code (at, end, out, list);
  if (strchr ("*_~", *at) != NULL)
    {
      next = render_style (begin, at, end, out, list);
      if (next != NULL)
        return next;
      /* A run of marks that opens nothing is text as a whole. */
      next = at + strspn (at, (char[]){ *at, '\0' });
      next = MIN (next, end);
    }
  else
    next = MIN (at + 1 + strcspn (at + 1, "\\`*_~"), end);
  g_string_append_len (out, at, next - at);
  return next;
}

char *
beckon_inline_render (const char *text, PangoAttrList **attributes)
{
  GString *out;

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (attributes != NULL, NULL);

  out = g_string_sized_new (strlen (text));
  *attributes = pango_attr_list_new ();
  render (text, text + strlen (text), out, *attributes);
  return g_string_free (out, FALSE);
}
