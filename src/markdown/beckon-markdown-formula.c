/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-formula.h"

#include "beckon-markdown-symbols.h"

#include <string.h>

/* Groups within groups; what lies deeper stays as it was written. */
#define DEEPEST 12

typedef struct
{
  const char *at;
  const char *end;
  guint depth;
  gboolean is_unknown; /* something in it can't be shown as a line of text */
} Reader;

static void read_until (Reader *self, char stop, GString *out);

static void
skip_blanks (Reader *self)
{
  while (self->at < self->end && g_ascii_isspace (*self->at))
    self->at++;
}

/* The name of a command, behind its backslash. */
static char *
formula_read_name (Reader *self)
{
  const char *begin = self->at;

  if (self->at < self->end && !g_ascii_isalpha (*self->at))
    self->at = MIN (g_utf8_next_char (self->at), self->end);
  else
    while (self->at < self->end && g_ascii_isalpha (*self->at))
      self->at++;
  return g_strndup (begin, (gsize) (self->at - begin));
}

static void read_atom (Reader *self, GString *out);

/* A group, or what is one without braces. */
static GString *
read_argument (Reader *self)
{
  GString *out = g_string_new (NULL);

  skip_blanks (self);
  if (self->at < self->end && *self->at == '{' && self->depth < DEEPEST)
    {
      self->at++;
      self->depth++;
      read_until (self, '}', out);
      self->depth--;
    }
  else if (self->at < self->end && self->depth < DEEPEST)
    {
      self->depth++;
      read_atom (self, out);
      self->depth--;
    }
  else if (self->at < self->end)
    {
      self->is_unknown = TRUE;
      g_string_append_c (out, *self->at++);
    }
  return out;
}

/* A sum within a product has brackets around it; where a product is to be read as one, it has, too. */
static void
append_wrapped (GString *out, const GString *part, gboolean wraps_products)
{
  gboolean is_one = g_utf8_strlen (part->str, -1) <= 1 || strspn (part->str, "0123456789.") == part->len;

  for (const char *c = part->str; !is_one && *c != '\0'; c = g_utf8_next_char (c))
    {
      if (wraps_products || (!g_unichar_isalnum (g_utf8_get_char (c)) && *c != '.'))
        {
          g_string_append_printf (out, "(%s)", part->str);
          return;
        }
    }
  g_string_append (out, part->str);
}

/* Whether what follows would be read as a part of what stands before it. */
static gboolean
is_multiplied (const Reader *self)
{
  Reader ahead = *self;
  g_autofree char *name = NULL;
  const char *symbol;

  skip_blanks (&ahead);
  if (ahead.at >= ahead.end)
    return FALSE;
  if (*ahead.at != '\\')
    return g_ascii_isalnum (*ahead.at) || strchr ("({[^", *ahead.at) != NULL;
  ahead.at++;
  name = formula_read_name (&ahead);
  symbol = beckon_markdown_symbols_look_up (name);
  if (symbol != NULL)
    return g_unichar_isalpha (g_utf8_get_char (symbol)) || strstr ("∑∫∏√∇∂", symbol) != NULL;
  return g_ascii_isalpha (*name) && !g_str_equal (name, "right");
}

/* Small letters where there are some for all of it, or else the mark. */
static void
append_script (GString *out, const GString *part, gboolean is_raised)
{
  g_autoptr (GString) small = g_string_new (NULL);

  for (const char *c = part->str; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = beckon_markdown_symbols_get_small (g_utf8_get_char (c), is_raised);

      if (letter == 0)
        {
          g_string_append_c (out, is_raised ? '^' : '_');
          append_wrapped (out, part, is_raised);
          return;
        }
      g_string_append_unichar (small, letter);
    }
  g_string_append (out, small->str);
}

static void
read_root (Reader *self, GString *out)
{
  g_autoptr (GString) of = NULL;

  skip_blanks (self);
  if (self->at < self->end && *self->at == '[')
    {
      g_autoptr (GString) degree = g_string_new (NULL);

      self->at++;
      self->depth++;
      read_until (self, ']', degree);
      self->depth--;
      append_script (out, degree, TRUE);
    }
  of = read_argument (self);
  if (is_multiplied (self))
    g_string_append_printf (out, "√(%s)", of->str);
  else
    {
      g_string_append (out, "√");
      append_wrapped (out, of, FALSE);
    }
}

/* An accent stands behind the letter that it belongs to. */
static void
read_accent (Reader *self, gunichar accent, GString *out)
{
  g_autoptr (GString) on = read_argument (self);

  self->is_unknown |= g_utf8_strlen (on->str, -1) > 1;
  for (const char *c = on->str; *c != '\0'; c = g_utf8_next_char (c))
    {
      g_string_append_unichar (out, g_utf8_get_char (c));
      g_string_append_unichar (out, accent);
    }
}

static gboolean
formula_is_one_of (const char *name, const char *const *names)
{
  return g_strv_contains (names, name);
}

/* (transfer full): the name in braces, letter by letter. */
static char *
read_environment (Reader *self)
{
  const char *begin = self->at + 1;
  const char *end = self->at < self->end && *self->at == '{' ? memchr (begin, '}', (gsize) (self->end - begin)) : NULL;

  if (end == NULL)
    return g_strdup ("");
  self->at = end + 1;
  return g_strndup (begin, (gsize) (end - begin));
}

static void
read_named (Reader *self, const char *name, GString *out)
{
  static const char *const fractions[] = { "frac", "dfrac", "tfrac", "cfrac", NULL };
  static const char *const plain[] = {
    "text",    "mathrm", "mathbf", "mathit", "textbf", "textit",    "mathsf",     "mathtt", "boldsymbol", "operatorname",
    "boxed",   "mbox",   "textrm", "bm",     NULL,
  };
  static const char *const lines[] = { "aligned",  "align",    "align*",   "gathered",  "gather", "gather*",
                                       "equation", "equation*", "split", NULL };
  static const char *const dropped[] = {
    "left", "right", "big",  "Big",    "bigg",         "Bigg",      "bigl",     "bigr", "Bigl",
    "Bigr", "limits", "displaystyle", "textstyle", "nolimits", "!",  NULL,
  };
  const char *symbol = beckon_markdown_symbols_look_up (name);
  gunichar accent = beckon_markdown_symbols_get_accent (name);

  if (formula_is_one_of (name, fractions))
    {
      g_autoptr (GString) above = read_argument (self);
      g_autoptr (GString) below = read_argument (self);
      gboolean is_factor = is_multiplied (self);

      g_string_append (out, is_factor ? "(" : "");
      append_wrapped (out, above, FALSE);
      g_string_append_c (out, '/');
      append_wrapped (out, below, TRUE);
      g_string_append (out, is_factor ? ")" : "");
    }
  else if (strcmp (name, "sqrt") == 0)
    read_root (self, out);
  else if (strcmp (name, "mathbb") == 0 || strcmp (name, "mathcal") == 0)
    {
      g_autoptr (GString) letters = read_argument (self);

      for (const char *c = letters->str; *c != '\0'; c = g_utf8_next_char (c))
        g_string_append_unichar (out, beckon_markdown_symbols_get_styled (g_utf8_get_char (c), name));
    }
  else if (accent != 0)
    read_accent (self, accent, out);
  else if (strcmp (name, "begin") == 0 || strcmp (name, "end") == 0)
    {
      g_autofree char *kind = read_environment (self);

      self->is_unknown |= !formula_is_one_of (kind, lines);
    }
  else if (formula_is_one_of (name, plain))
    {
      g_autoptr (GString) inside = read_argument (self);

      g_string_append (out, inside->str);
    }
  else if (symbol != NULL)
    g_string_append (out, symbol);
  else if (g_ascii_isalpha (name[0]))
    self->is_unknown |= !formula_is_one_of (name, dropped);
  else if (!formula_is_one_of (name, dropped))
    g_string_append (out, name);
}

static void
read_atom (Reader *self, GString *out)
{
  char c = *self->at++;

  if (c == '\\')
    {
      g_autofree char *name = formula_read_name (self);

      /* An empty delimiter is a dot. */
      read_named (self, name, out);
      /* A line break may say how much room is behind it. */
      if (g_str_equal (name, "\\") && self->at < self->end && *self->at == '[')
        {
          const char *end = memchr (self->at, ']', (gsize) (self->end - self->at));

          self->at = end != NULL ? end + 1 : self->at;
        }
      if ((g_str_equal (name, "left") || g_str_equal (name, "right")) && self->at < self->end && *self->at == '.')
        self->at++;
    }
  else if (c == '^' || c == '_')
    {
      g_autoptr (GString) script = read_argument (self);

      append_script (out, script, c == '^');
    }
  else if (c == '{' && self->depth < DEEPEST)
    {
      self->depth++;
      read_until (self, '}', out);
      self->depth--;
    }
  else if (c == '{')
    {
      self->is_unknown = TRUE;
      g_string_append_c (out, c);
    }
  else if (c == '~' || c == '\n' || c == '\t')
    g_string_append_c (out, ' ');
  else if (c == '-')
    g_string_append (out, "−");
  else if (c == '\'')
    g_string_append (out, "′");
  else if (c == '&')
    g_string_append_c (out, ' ');
  else
    g_string_append_c (out, c);
}

static void
read_until (Reader *self, char stop, GString *out)
{
  while (self->at < self->end)
    {
      if (*self->at == stop)
        {
          self->at++;
          return;
        }
      read_atom (self, out);
    }
}

/* Lines stay lines; blanks were there for the eye of who wrote it. */
static void
append_neat (GString *out, const char *text)
{
  gsize begin = out->len;

  for (; *text != '\0'; text++)
    {
      char last = out->len > begin ? out->str[out->len - 1] : '\n';

      if (*text == ' ' && (last == ' ' || last == '\n'))
        continue;
      if (*text == '\n' && last == ' ')
        g_string_truncate (out, out->len - 1);
      if (*text != '\n' || out->len > begin)
        g_string_append_c (out, *text);
    }
  while (out->len > begin && g_ascii_isspace (out->str[out->len - 1]))
    g_string_truncate (out, out->len - 1);
}

void
beckon_markdown_formula_append (const char *latex, gsize length, GString *out)
{
  Reader reader = { latex, latex + length, 0, FALSE };
  g_autoptr (GString) text = g_string_sized_new (length);

  read_until (&reader, '\0', text);
  if (reader.is_unknown)
    {
      g_string_truncate (text, 0);
      g_string_append_len (text, latex, (gssize) length);
    }
  append_neat (out, text->str);
}
