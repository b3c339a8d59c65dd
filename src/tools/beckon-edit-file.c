/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-change-tool.h"
#include "beckon-near-edit.h"
#include "sandbox/beckon-folder.h"

#include <string.h>

/* As many places as are worth naming. */
#define MAX_NAMED 10

/* Characters of a line that is quoted. */
#define MAX_QUOTED 300

static const char description[]
    = "Replaces a piece of a text file in the working folder. `old_text` has to be in the file, and only once, unless "
      "`replace_all` is set: give enough of the lines around it, as they are there. Other pieces of the same file "
      "go into `more_edits`: all are made, or none. Read the file first. The result is the difference.";

#define PIECE                                                                                                              \
  "\"old_text\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1048576,"                                                   \
  "\"description\":\"The piece to replace, as it is in the file.\"},"                                                      \
  "\"new_text\":{\"type\":\"string\",\"maxLength\":1048576,\"description\":\"What takes its place; may be empty.\"},"        \
  "\"replace_all\":{\"type\":\"boolean\",\"default\":false,"                                                               \
  "\"description\":\"Whether to replace it everywhere in the file.\"}"

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
      "\"description\":\"The file, relative to the working folder.\"}," PIECE ","
      "\"more_edits\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":100,\"items\":{\"type\":\"object\",\"properties\":{" PIECE
      "},\"required\":[\"old_text\",\"new_text\"],\"additionalProperties\":false},"
      "\"description\":\"More replacements, each applied to the result of the previous one.\"}},"
      "\"required\":[\"path\",\"old_text\",\"new_text\"],\"additionalProperties\":false}";

/* The places where old_text begins, also within itself: at most MAX_NAMED and one more. */
static GArray *
find_places (const char *before, const char *old_text)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (const char *found = before; places->len <= MAX_NAMED && (found = strstr (found, old_text)) != NULL; found++)
    {
      gsize place = (gsize) (found - before);

      g_array_append_val (places, place);
    }
  return places;
}

/* @are_near: what is there differs a little from old_text */
static char *
refuse_many (BeckonFileEdit *edit, const char *text, const GArray *places, gboolean are_near, GError **error)
{
  const guint n_named = MIN (places->len, MAX_NAMED);
  g_autoptr (GString) lines = g_string_new (NULL);
  const char *counted = text;
  guint line = 1;

  for (guint i = 0; i < n_named; i++)
    {
      for (; counted < text + g_array_index (places, gsize, i); counted++)
        line += *counted == '\n';
      g_string_append_printf (lines, "%s%u", i > 0 ? ", " : "", line);
    }
  g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_MANY_PLACES,
               are_near ? "old_text is not in “%s” as it is written. What is near it is there %s%u times, at lines %s%s. Give "
               "more of the text around the one that is meant, as it is there."
               : "old_text is in “%s” %s%u times, at lines %s%s. Give more of the text around the one that is "
               "meant, or set replace_all.",
               edit->path, places->len > n_named ? "more than " : "", n_named, lines->str,
               places->len > n_named ? " and more" : "");
  return NULL;
}

/* (transfer full): a piece of the text for the model, each line with its number. */
static char *
quote_lines (BeckonFileEdit *edit, const char *text, const char *piece, gsize length)
{
  gsize from = (gsize) (piece - text);
  g_autoptr (GString) masked
      = edit->mask != NULL ? beckon_mask_apply_window (edit->mask, text, strlen (text), from, from + length)
                           : g_string_new_len (piece, (gssize) length);
  g_autofree char *shown = beckon_file_text_show (edit->before, masked->str, (gssize) masked->len);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (shown), "\n", -1);
  GString *quoted = g_string_new (NULL);
  guint number = 1;

  for (const char *at = text; at < piece; at++)
    number += *at == '\n';
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = beckon_text_shorten (lines[i], MAX_QUOTED);

      g_string_append_printf (quoted, "%u: %s\n", number + i, line);
    }
  return g_string_free (quoted, FALSE);
}

static char *
replace_near (BeckonFileEdit *edit, const char *text, const char *old_text, const char *new_text, GError **error)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (gsize));
  char *after = beckon_near_edit (text, old_text, new_text, places);

  if (after != NULL)
    g_string_append (edit->note, "[old_text is not in the file to the letter. It was taken for the one place that differs from "
                     "it only in blanks, quotes or how lines are written.]\n");
  else if (places->len > 1)
    refuse_many (edit, text, places, TRUE, error);
  else
    {
      gsize length;
      const char *found = beckon_near_edit_find_lines (text, old_text, &length);

      if (found == NULL)
        g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NO_PLACE,
                     "old_text is not in “%s”, nor is anything like it. Read it, and copy the piece as it is there.",
                     edit->path);
      else
        {
          g_autofree char *quoted = quote_lines (edit, text, found, length);
          gboolean is_piece = (found > text && found[-1] != '\n') || (found[length] != '\0' && found[length - 1] != '\n');

          g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NO_PLACE,
                       "old_text is not in “%s”. Nearest %s:\n%sGive old_text as it is there, without the numbers.", edit->path,
                       is_piece ? "is this piece of a line" : "are these lines", quoted);
        }
    }
  return after;
}

/* Known before any of it is made: a letter that is everywhere may become a megabyte each time. */
static gboolean
check_length (BeckonFileEdit *edit, const char *text, const char *old_text, const char *new_text, guint n_found, GError **error)
{
  guint64 added = (guint64) n_found * strlen (new_text);

  if (strlen (text) + added <= BECKON_FOLDER_MAX_FILE + (guint64) n_found * strlen (old_text))
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "“%s” would have more than %d bytes; at most so many are written.",
               edit->path, BECKON_FOLDER_MAX_FILE);
  return FALSE;
}

static char *
edit_file_replace (const char *before, const char *old_text, const char *new_text)
{
  GString *after = g_string_sized_new (strlen (before));
  const char *found;

  while ((found = strstr (before, old_text)) != NULL)
    {
      g_string_append_len (after, before, found - before);
      g_string_append (after, new_text);
      before = found + strlen (old_text);
    }
  g_string_append (after, before);
  return g_string_free (after, FALSE);
}

/* (transfer full) (nullable): @text with one piece replaced, as the arguments of @edit say. */
static char *
replace_piece (BeckonFileEdit *edit, const char *text, GError **error)
{
  g_autoptr (GArray) places = NULL;
  g_autofree char *old_text = NULL;
  g_autofree char *new_text = NULL;
  guint n_found = 0;

  new_text = beckon_change_tool_take (edit, "new_text", error);
  if (new_text == NULL)
    return NULL;
  old_text = beckon_change_tool_take (edit, "old_text", NULL);
  if (old_text == NULL)
    old_text = g_strdup (beckon_json_get_string (edit->arguments, "old_text"));

  places = find_places (text, old_text);
  if (places->len > 1 && !beckon_json_get_boolean (edit->arguments, "replace_all", FALSE))
    return refuse_many (edit, text, places, FALSE, error);
  for (const char *p = text; (p = strstr (p, old_text)) != NULL; p += strlen (old_text))
    n_found++;
  if (!check_length (edit, text, old_text, new_text, MAX (n_found, 1), error))
    return NULL;
  return n_found > 0 ? edit_file_replace (text, old_text, new_text) : replace_near (edit, text, old_text, new_text, error);
}

static char *
edit_file_change (BeckonFileEdit *edit, GError **error)
{
  JsonArray *more = beckon_json_get_array (edit->arguments, "more_edits");
  guint n_more = more != NULL ? json_array_get_length (more) : 0;
  g_autofree char *text = NULL;

  if (!edit->exists)
    {
      g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NO_FILE, "There is no “%s”. Make it with write_file.",
                   edit->path);
      return NULL;
    }
  if (edit->before == NULL)
    {
      g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NOT_TEXT, "“%s” is no text, so that it cannot be edited.",
                   edit->path);
      return NULL;
    }
  text = replace_piece (edit, edit->before->text, error);
  for (guint i = 0; i < n_more && text != NULL; i++)
    {
      g_autofree char *before = g_steal_pointer (&text);
      BeckonFileEdit piece = *edit;

      piece.arguments = json_array_get_object_element (more, i);
      text = replace_piece (&piece, before, error);
      if (text == NULL)
        g_prefix_error (error, "No edits were made, because number %u of more_edits failed. ", i + 1);
    }
  return g_steal_pointer (&text);
}

BeckonTool *
beckon_edit_file_new (BeckonFileCopies *copies)
{
  return beckon_change_tool_new (beckon_tool_definition_new ("edit_file", description, schema, FALSE), edit_file_change,
                                 copies);
}
