/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-error.h"
#include "beckon-change-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "sandbox/beckon-folder.h"

#include <string.h>

/* As many places as are worth naming. */
#define MAX_NAMED 10

static const char description[]
    = "Replaces a piece of a text file in the working folder. `old_text` has to be in the file exactly, every space and line "
      "break, and only once, unless `replace_all` is set: give enough of the lines around it. Read the file first. The result "
      "is the difference.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
      "\"description\":\"The file, relative to the working folder.\"},"
      "\"old_text\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1048576,"
      "\"description\":\"The piece to replace, exactly as it is in the file.\"},"
      "\"new_text\":{\"type\":\"string\",\"maxLength\":1048576,\"description\":\"What takes its place; may be empty.\"},"
      "\"replace_all\":{\"type\":\"boolean\",\"default\":false,"
      "\"description\":\"Whether to replace it everywhere in the file.\"}},"
      "\"required\":[\"path\",\"old_text\",\"new_text\"],\"additionalProperties\":false}";

static char *
refuse_missing (const char *path, const char *before, const char *old_text, GError **error)
{
  const char *hint = "Read it, and copy the piece as it is there, with every space and line break.";

  if (strstr (before, "\r\n") != NULL && strstr (old_text, "\r\n") == NULL && strchr (old_text, '\n') != NULL)
    hint = "The lines of this file end with \\r\\n; write them so in old_text and new_text.";
  g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NO_PLACE, "old_text is not in “%s”. %s", path, hint);
  return NULL;
}

/* The lines at which old_text begins, also within itself: at most MAX_NAMED and one more. */
static GArray *
find_places (const char *before, const char *old_text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (guint));
  const char *counted = before;
  guint line = 1;

  for (const char *found = before; lines->len <= MAX_NAMED && (found = strstr (found, old_text)) != NULL; found++)
    {
      for (; counted < found; counted++)
        line += *counted == '\n';
      g_array_append_val (lines, line);
    }
  return lines;
}

static char *
refuse_many (const char *path, const GArray *lines, GError **error)
{
  const guint n_named = MIN (lines->len, MAX_NAMED);
  g_autoptr (GString) places = g_string_new (NULL);

  for (guint i = 0; i < n_named; i++)
    g_string_append_printf (places, "%s%u", i > 0 ? ", " : "", g_array_index (lines, guint, i));
  g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_MANY_PLACES,
               "old_text is in “%s” %s%u times, at lines %s%s. Give more of the text around the one that is meant, or set "
               "replace_all.",
               path, lines->len > n_named ? "more than " : "", n_named, places->str, lines->len > n_named ? " and more" : "");
  return NULL;
}

/* Known before any of it is made: a letter that is everywhere may become a megabyte each time. */
static gboolean
check_length (const char *path, const char *before, guint n_found, JsonObject *arguments, GError **error)
{
  gsize removed = n_found * strlen (beckon_json_get_string (arguments, "old_text"));
  guint64 added = (guint64) n_found * strlen (beckon_json_get_string (arguments, "new_text"));

  if (strlen (before) - removed + added <= BECKON_FOLDER_MAX_FILE)
    return TRUE;

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE, "“%s” would have more than %d bytes; at most so many are written.",
               path, BECKON_FOLDER_MAX_FILE);
  return FALSE;
}

static char *
replace (const char *before, const char *old_text, const char *new_text)
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

static char *
change (const char *path, GBytes *bytes, JsonObject *arguments, GError **error)
{
  g_autofree char *before = bytes != NULL ? beckon_change_tool_dup_text (bytes) : NULL;
  const char *old_text = beckon_json_get_string (arguments, "old_text");
  g_autoptr (GArray) lines = NULL;
  guint n_found = 0;

  if (bytes == NULL)
    {
      g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NO_FILE, "There is no “%s”. Make it with write_file.",
                   path);
      return NULL;
    }
  if (before == NULL)
    {
      g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NOT_TEXT,
                   "“%s” is no UTF-8 text, so that it cannot be edited.", path);
      return NULL;
    }

  lines = find_places (before, old_text);
  if (lines->len == 0)
    return refuse_missing (path, before, old_text, error);
  if (lines->len > 1 && !beckon_json_get_boolean (arguments, "replace_all", FALSE))
    return refuse_many (path, lines, error);
  for (const char *p = before; (p = strstr (p, old_text)) != NULL; p += strlen (old_text))
    n_found++;
  if (!check_length (path, before, n_found, arguments, error))
    return NULL;

  return replace (before, old_text, beckon_json_get_string (arguments, "new_text"));
}

BeckonTool *
beckon_edit_file_new (BeckonFileCopies *copies)
{
  return beckon_change_tool_new (beckon_tool_definition_new ("edit_file", description, schema, FALSE), change, copies);
}
