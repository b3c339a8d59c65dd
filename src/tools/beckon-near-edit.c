/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-near-edit.h"

#include "base/beckon-text.h"

#include <string.h>

/* --- Texts made alike --------------------------------------------------------------------------------------------- */

/* A text without what may differ. For each byte of it, where in the original it begins and ends. */
typedef struct
{
  GString *text;
  GArray *starts; /* (element-type gsize) */
  GArray *ends;   /* (element-type gsize) */
} Folded;

static void
folded_clear (Folded *folded)
{
  g_string_free (folded->text, TRUE);
  g_array_unref (folded->starts);
  g_array_unref (folded->ends);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folded, folded_clear)

static gsize
folded_start (const Folded *folded, gsize index)
{
  return g_array_index (folded->starts, gsize, index);
}

static gsize
folded_end (const Folded *folded, gsize index)
{
  return g_array_index (folded->ends, gsize, index);
}

static void
folded_append (Folded *folded, char byte, gsize start, gsize end)
{
  g_string_append_c (folded->text, byte);
  g_array_append_val (folded->starts, start);
  g_array_append_val (folded->ends, end);
}

/* Blanks of any kind, but no line break. */
static gsize
span_blanks (const char *text)
{
  const char *at = text;

  while (*at == ' ' || *at == '\t'
         || ((guchar) *at >= 0x80 && g_unichar_type (g_utf8_get_char (at)) == G_UNICODE_SPACE_SEPARATOR))
    at = g_utf8_next_char (at);
  return (gsize) (at - text);
}

static char
fold_letter (gunichar c)
{
  switch (c)
    {
    case 0x2018:
    case 0x2019:
    case 0x201a:
    case 0x201b:
      return '\'';
    case 0x201c:
    case 0x201d:
    case 0x201e:
    case 0x201f:
      return '"';
    default:
      return '\0';
    }
}

static void
fold (Folded *folded, const char *text)
{
  const char *at = text;
  gboolean is_start = TRUE;

  *folded = (Folded){ g_string_new (NULL), g_array_new (FALSE, FALSE, sizeof (gsize)),
                      g_array_new (FALSE, FALSE, sizeof (gsize)) };
  while (*at != '\0')
    {
      gsize n_blanks = span_blanks (at);
      const char *next = at + n_blanks;
      char letter;

      if (n_blanks > 0)
        {
          if (!is_start && *next != '\n' && *next != '\0')
            folded_append (folded, ' ', (gsize) (at - text), (gsize) (next - text));
          at = next;
          continue;
        }
      next = g_utf8_next_char (at);
      letter = fold_letter (g_utf8_get_char (at));
      if (letter != '\0')
        folded_append (folded, letter, (gsize) (at - text), (gsize) (next - text));
      for (; letter == '\0' && at < next; at++)
        folded_append (folded, *at, (gsize) (at - text), (gsize) (at - text) + 1);
      is_start = next[-1] == '\n';
      at = next;
    }
}

/* --- Indentation -------------------------------------------------------------------------------------------------- */

/* How an indentation of the model becomes one of the file: tabs and blanks are exchanged, then something is put before it or
 * taken off. */
typedef struct
{
  int tab;     /* blanks that a tab stands for: negative where they become tabs, 0 where neither is exchanged; 24: two blanks
                  become four, and so on */
  char *added; /* (owned) (nullable) */
  char *taken; /* (owned) (nullable) */
} Indentation;

static void
indentation_clear (Indentation *indentation)
{
  g_free (indentation->added);
  g_free (indentation->taken);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Indentation, indentation_clear)

static char *
exchange_tabs (int tab, const char *indent)
{
  GString *exchanged = g_string_new (indent);
  g_autofree char *blanks = g_strnfill ((gsize) ABS (tab), ' ');
  gsize n = strspn (indent, " ");

  if (tab > 10)
    {
      gsize from = (gsize) tab / 10, to = (gsize) tab % 10;
      g_autofree char *made = g_strnfill (n / from * to + n % from, ' ');

      g_string_prepend (g_string_erase (exchanged, 0, (gssize) n), made);
    }
  else if (tab != 0)
    g_string_replace (exchanged, tab < 0 ? blanks : "\t", tab < 0 ? "\t" : blanks, 0);
  return g_string_free (exchanged, FALSE);
}

static char *
indentation_apply (const Indentation *indentation, const char *indent)
{
  g_autofree char *exchanged = exchange_tabs (indentation->tab, indent);
  const char *rest = exchanged;

  if (indentation->taken != NULL)
    rest += g_str_has_prefix (rest, indentation->taken) ? strlen (indentation->taken) : strlen (rest);
  return g_strconcat (indentation->added != NULL ? indentation->added : "", rest, NULL);
}

/* @ours, @theirs: the same lines' indentations in the file and as the model wrote them. %FALSE if no rule makes all of these of
 * those. */
static gboolean
indentation_find (Indentation *indentation, GPtrArray *ours, GPtrArray *theirs)
{
  static const int tabs[] = { 0, -4, -2, -8, -3, 4, 2, 8, 3 }, steps[] = { 24, 42, 48, 84, 28, 82, 34, 43, 23 };

  G_STATIC_ASSERT (G_N_ELEMENTS (tabs) == G_N_ELEMENTS (steps));
  for (guint shift = 0; shift < 3; shift++)
    for (guint i = 0; i < G_N_ELEMENTS (tabs); i++)
      {
        g_auto (Indentation) tried = { .tab = shift < 2 ? tabs[i] : steps[i] };
        gboolean fits = TRUE;

        if (shift == 1 && ours->len > 0)
          {
            const char *our = g_ptr_array_index (ours, 0);
            g_autofree char *their = exchange_tabs (tabs[i], g_ptr_array_index (theirs, 0));

            if (g_str_has_suffix (our, their))
              tried.added = g_strndup (our, strlen (our) - strlen (their));
            else if (g_str_has_suffix (their, our))
              tried.taken = g_strndup (their, strlen (their) - strlen (our));
          }
        for (guint k = 0; k < ours->len && fits; k++)
          {
            g_autofree char *made = indentation_apply (&tried, g_ptr_array_index (theirs, k));

            fits = g_str_equal (made, g_ptr_array_index (ours, k));
          }
        if (fits)
          {
            *indentation = tried;
            tried = (Indentation){ 0 };
            return TRUE;
          }
      }
  return FALSE;
}

static char *
dup_indent (const char *line)
{
  return g_strndup (line, span_blanks (line));
}

static gboolean
is_blank_line (const char *line)
{
  line += span_blanks (line);
  return *line == '\n' || *line == '\0';
}

/* Compares the lines behind the first, and the first too if @with_first. */
static void
compare_indents (Indentation *indentation, gboolean *is_even, const char *ours, const char *theirs, gboolean with_first)
{
  g_autoptr (GPtrArray) our_indents = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) their_indents = g_ptr_array_new_with_free_func (g_free);

  while (ours != NULL && theirs != NULL && *ours != '\0' && *theirs != '\0')
    {
      if (with_first && !is_blank_line (theirs))
        {
          g_ptr_array_add (our_indents, dup_indent (ours));
          g_ptr_array_add (their_indents, dup_indent (theirs));
        }
      with_first = TRUE;
      ours = strchr (ours, '\n');
      theirs = strchr (theirs, '\n');
      ours += ours != NULL;
      theirs += theirs != NULL;
    }
  *is_even = indentation_find (indentation, our_indents, their_indents);
}

static void
append_indented (GString *text, const char *from, gsize length, gboolean is_start, const Indentation *indentation)
{
  g_autofree char *piece = g_strndup (from, length);

  for (const char *at = piece; *at != '\0'; is_start = TRUE)
    {
      const char *end = strchr (at, '\n');

      if (is_start && !is_blank_line (at))
        {
          g_autofree char *indent = dup_indent (at);
          g_autofree char *made = indentation_apply (indentation, indent);

          g_string_append (text, made);
          at += strlen (indent);
        }
      end = end != NULL ? end + 1 : at + strlen (at);
      g_string_append_len (text, at, end - at);
      at = end;
    }
}

/* --- Places ------------------------------------------------------------------------------------------------------- */

/* A text that is looked for, and what it would become. */
typedef struct
{
  const char *before;
  const char *old_text;
  const char *new_text;
  Folded folded;         /* @before */
  Folded folded_old;     /* @old_text */
  gboolean is_unended;   /* the last line of @before ends with nothing, and counts as if it did */
} Search;

/* How many bytes at the beginning and at the end both texts share, as far as the cut is not within blanks. */
static void
find_common (const Search *search, gsize *n_ahead, gsize *n_behind)
{
  const char *old_text = search->old_text, *new_text = search->new_text;
  gsize n_old = strlen (old_text), n_new = strlen (new_text);
  gsize ahead = 0, behind = 0;

  while (ahead < MIN (n_old, n_new) && old_text[ahead] == new_text[ahead])
    ahead++;
  while (ahead > 0 && (((guchar) old_text[ahead] & 0xc0) == 0x80 || old_text[ahead - 1] == ' ' || old_text[ahead - 1] == '\t'))
    ahead--;
  while (behind < MIN (n_old, n_new) - ahead && old_text[n_old - behind - 1] == new_text[n_new - behind - 1])
    behind++;
  while (behind > 0 && (((guchar) old_text[n_old - behind] & 0xc0) == 0x80 || span_blanks (old_text + n_old - behind) > 0))
    behind--;
  *n_ahead = ahead;
  *n_behind = behind;
}

/* (nullable): @before with the replacement where @index is in its folded text; %NULL if the lines are not evenly indented. */
static char *
replace_at (const Search *search, gsize index)
{
  const Folded *folded = &search->folded, *folded_old = &search->folded_old;
  gsize n_old = strlen (search->old_text), n_new = strlen (search->new_text), n_folded = folded_old->text->len;
  gsize start = folded_start (folded, index), end = folded_end (folded, index + n_folded - 1);
  gsize line = start, n_ahead, n_behind, ahead = 0, behind = n_folded;
  gboolean begins_line, is_even, has_indent = span_blanks (search->old_text) > 0;
  g_auto (Indentation) indentation = { 0 };
  g_autoptr (GString) after = g_string_new (NULL);
  const char *at = search->before;

  while (line > 0 && search->before[line - 1] != '\n')
    line--;
  begins_line = line + span_blanks (at + line) == start;
  compare_indents (&indentation, &is_even, at + (begins_line ? line : start), search->old_text, begins_line && has_indent);
  if (!is_even)
    return NULL;

  find_common (search, &n_ahead, &n_behind);
  while (ahead < n_folded && folded_end (folded_old, ahead) <= n_ahead)
    ahead++;
  while (behind > ahead && folded_start (folded_old, behind - 1) >= n_old - n_behind)
    behind--;
  if (ahead == 0)
    n_ahead = 0;
  if (behind == n_folded)
    n_behind = 0;
  if (ahead > 0)
    start = folded_end (folded, index + ahead - 1);
  else if (begins_line && has_indent)
    start = line;
  else if (has_indent)
    while (start > 0 && (at[start - 1] == ' ' || at[start - 1] == '\t'))
      start--;
  g_string_append_len (after, at, (gssize) start);
  append_indented (after, search->new_text + n_ahead, n_new - n_ahead - n_behind,
                   n_ahead > 0 ? search->new_text[n_ahead - 1] == '\n' : begins_line && has_indent, &indentation);
  if (n_behind > 0)
    end = folded_start (folded, index + behind);
  else if (n_old > 0 && (search->old_text[n_old - 1] == ' ' || search->old_text[n_old - 1] == '\t'))
    end += span_blanks (at + end);
  g_string_append (after, at + end);
  if (search->is_unended && index + n_folded == folded->text->len && after->len > 0 && n_behind == 0
      && after->str[after->len - 1] == '\n')
    g_string_truncate (after, after->len - 1);
  return g_string_free (g_steal_pointer (&after), FALSE);
}

/* Places that are looked at; more are too many in any case. */
#define MOST_TRIED 64

static char *
find_place (const char *before, const char *old_text, const char *new_text, GArray *places)
{
  Search search = { before, old_text, new_text };
  g_autofree char *after = NULL;
  const char *found;

  fold (&search.folded, before);
  fold (&search.folded_old, old_text);
  found = search.folded.text->str;
  search.is_unended = search.folded.text->len > 0 && !g_str_has_suffix (found, "\n");
  if (search.is_unended)
    folded_append (&search.folded, '\n', strlen (before), strlen (before));
  found = search.folded.text->str;
  if (search.folded_old.text->str[strspn (search.folded_old.text->str, "\n")] == '\0')
    found = NULL;
  for (guint i = 0; i < MOST_TRIED && found != NULL && (found = strstr (found, search.folded_old.text->str)) != NULL; i++)
    {
      gsize index = (gsize) (found - search.folded.text->str);
      /* A text that begins with blanks is not in the middle of a word. */
      gsize start = folded_start (&search.folded, index);
      g_autofree char *made
          = (span_blanks (search.old_text) == 0 || start == 0 || strchr (" \t\n", search.before[start - 1]) != NULL)
                ? replace_at (&search, index)
                : NULL;

      if (made != NULL)
        {
          g_array_append_val (places, g_array_index (search.folded.starts, gsize, index));
          if (after == NULL)
            after = g_steal_pointer (&made);
          else
            g_clear_pointer (&after, g_free);
        }
      found++;
    }
  folded_clear (&search.folded);
  folded_clear (&search.folded_old);
  return places->len == 1 ? g_steal_pointer (&after) : NULL;
}

/* --- What models add ---------------------------------------------------------------------------------------------- */

/* (nullable): without the numbers before its lines; %NULL if a line has none. */
static char *
strip_numbers (const char *text, gboolean needs_all)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *number = lines[i] + strspn (lines[i], " ");
      const char *end = number + strspn (number, "0123456789");

      if (end > number && *end == '\t')
        memmove (lines[i], end + 1, strlen (end + 1) + 1);
      else if (needs_all && *number != '\0')
        return NULL;
    }
  return g_strjoinv ("\n", lines);
}

static char *
unescape (const char *text)
{
  GString *plain = g_string_new (text);

  g_string_replace (plain, "\\n", "\n", 0);
  g_string_replace (plain, "\\t", "\t", 0);
  g_string_replace (plain, "\\\"", "\"", 0);
  return g_string_free (plain, FALSE);
}

char *
beckon_near_edit (const char *before, const char *old_text, const char *new_text, GArray *places)
{
  g_autofree char *unnumbered = NULL;
  char *after;

  after = find_place (before, old_text, new_text, places);
  if (places->len == 0 && (unnumbered = strip_numbers (old_text, TRUE)) != NULL)
    {
      g_autofree char *new_unnumbered = strip_numbers (new_text, FALSE);

      after = find_place (before, unnumbered, new_unnumbered, places);
    }
  if (places->len == 0 && strstr (old_text, "\\n") != NULL)
    {
      g_autofree char *plain = unescape (old_text);
      g_autofree char *new_plain = unescape (new_text);

      after = find_place (before, plain, new_plain, places);
    }
  return after;
}

/* --- The nearest lines -------------------------------------------------------------------------------------------- */

static const char *
skip_lines_back (const char *text, const char *line, guint n)
{
  for (; n > 0 && line > text; n--)
    for (line--; line > text && line[-1] != '\n';)
      line--;
  return line;
}

#define MOST_LINES 12
#define LEAST_ALIKE 50

/* How many times as long as what is looked for a line is in which a piece is, and how many letters are shown around that. */
#define AROUND 40
#define LONG_LINE 3

/* A piece of a line with some of what is around it, in whole letters. */
static const char *
widen (const char *text, const char *piece, gsize *length)
{
  const char *start = piece, *end = piece + *length;

  for (guint i = 0; i < AROUND && start > text && start[-1] != '\n'; i++)
    start = g_utf8_prev_char (start);
  for (guint i = 0; i < AROUND && *end != '\0' && *end != '\n'; i++)
    end = g_utf8_find_next_char (end, NULL);
  *length = (gsize) (end - start);
  return start;
}

const char *
beckon_near_edit_find_lines (const char *before, const char *old_text, gsize *length)
{
  g_auto (GStrv) wanted = g_strsplit (old_text, "\n", -1);
  guint pivot = 0, n_wanted = g_strv_length (wanted), best = LEAST_ALIKE - 1;
  const char *found = NULL, *end;
  BeckonLikeness likeness;

  if (n_wanted > 1 && *wanted[n_wanted - 1] == '\0')
    n_wanted--;
  for (guint i = 0; i < n_wanted; i++)
    {
      g_strstrip (wanted[i]);
      if (strlen (wanted[i]) > strlen (wanted[pivot]))
        pivot = i;
    }
  if (n_wanted == 0)
    return NULL;
  *length = 0;
  beckon_likeness_init (&likeness, wanted[pivot], strlen (wanted[pivot]));
  for (const char *line = before; *line != '\0'; line = *end != '\0' ? end + 1 : end)
    {
      const char *start = line + span_blanks (line);
      gsize wide, all;

      end = line + strcspn (line, "\n");
      all = (gsize) (end - start);
      /* A piece of a line that is much longer is looked for within it. */
      wide = n_wanted == 1 && all > LONG_LINE * strlen (wanted[0]) ? strlen (wanted[0]) : all;
      for (gsize at = 0; wide > 0 && at + wide / 2 < all; at += wide < all ? MAX (1, wide / 4) : all)
        {
          gsize n = MIN (wide, all - at);
          guint alike = beckon_likeness_compare (&likeness, start + at, n);

          if (alike <= best)
            continue;
          best = alike;
          found = wide < all ? start + at : line;
          *length = wide < all ? n : 0;
        }
    }
  if (found == NULL)
    return NULL;
  if (*length > 0)
    return widen (before, found, length);
  found = skip_lines_back (before, found, pivot);
  end = found;
  for (guint i = 0; i < MIN (n_wanted, MOST_LINES) && *end != '\0'; i++)
    {
      end += strcspn (end, "\n");
      end += *end != '\0';
    }
  *length = (gsize) (end - found);
  return found;
}
