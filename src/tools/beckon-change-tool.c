/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-tool.h"

#include "base/beckon-error.h"
#include "base/beckon-file-text.h"
#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-line-diff.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-file-stamp.h"
#include "domain/beckon-tool-call.h"
#include "landing/beckon-runners.h"
#include "sandbox/beckon-denied-view.h"
#include "sandbox/beckon-folder.h"

#include <glib.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

G_DEFINE_QUARK (beckon-change-error-quark, beckon_change_error)

/* The same for the person: translated, without what is written for a model. Any thread. Returns (transfer full): one or two
 * sentences */
static char *
change_error_explain (const GError *error, const char *path)
{
  if (path != NULL && error->domain == BECKON_CHANGE_ERROR)
    switch (error->code)
      {
      case BECKON_CHANGE_ERROR_NO_FILE:
        return beckon_text_printf (_("“%s” was not found, so it can't be edited."), path);
      case BECKON_CHANGE_ERROR_NOT_TEXT:
        return beckon_text_printf (_("“%s” isn't a text file, so it can't be edited."), path);
      case BECKON_CHANGE_ERROR_NO_PLACE:
        return beckon_text_printf (_("The text to replace is not in “%s”."), path);
      case BECKON_CHANGE_ERROR_ENCODING:
        return beckon_text_printf (_("The encoding of “%s” lacks characters of the new text."), path);
      case BECKON_CHANGE_ERROR_PLACEHOLDER:
        return beckon_text_printf (
            _("The new text of “%s” has a placeholder where lines should be, and those lines would be lost."), path);
      case BECKON_CHANGE_ERROR_UNCLEAR:
        return beckon_text_printf (_("The new text of “%s” is ambiguous."), path);
      case BECKON_CHANGE_ERROR_SAME:
        return beckon_text_printf (_("“%s” holds exactly that already."), path);
      case BECKON_CHANGE_ERROR_MANY_PLACES:
      default:
        return beckon_text_printf (_("The text to replace is in “%s” more than once."), path);
      }
  if (path != NULL && error->domain == BECKON_ERROR)
    switch (error->code)
      {
      case BECKON_ERROR_TOO_LARGE:
        return beckon_text_printf (_("“%s” is or would become too large to be changed by the agent."), path);
      case BECKON_ERROR_CONFLICT:
        return beckon_text_printf (_("“%s” is being changed by another program."), path);
      case BECKON_ERROR_NOT_FOUND:
        return g_strdup (_("The working folder was not found."));
      case BECKON_ERROR_UNAVAILABLE:
        return g_strdup (_("The conversation has no working folder."));
      case BECKON_ERROR_INVALID:
      case BECKON_ERROR_TOO_DEEP:
      case BECKON_ERROR_STORE:
      case BECKON_ERROR_DEFERRED:
      default:
        return beckon_text_printf (_("“%s” can't be changed: it is not a regular file within the working folder."), path);
      }
  return g_strdup (_("This change can't be made with the file as it is now."));
}

void
beckon_change_error_note (BeckonToolCall *call, const GError *error)
{
  g_autoptr (JsonObject) arguments = NULL;
  const char *path;
  g_autofree char *shown = NULL;
  g_autofree char *reason = NULL;

  if (error->domain != BECKON_CHANGE_ERROR)
    return;
  arguments = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);
  path = arguments != NULL ? beckon_json_get_string (arguments, "path") : NULL;
  shown = path != NULL ? beckon_text_for_display (path, -1, BECKON_TEXT_EXACT) : NULL;
  reason = change_error_explain (error, shown);
  beckon_tool_call_set_reason (call, reason);
}

#define CONTEXT_LINES 3
#define DIFFERENCE "\n--- a/"
#define DIFFERENCE_CUT "[The rest of the difference is left out.]"

/* Limits of a difference that is told briefly: ranges of lines, and bytes of a file that nobody had to read before. */
#define MOST_RANGES 12
#define MOST_UNREAD 3000
#define MAX_DIFF (32 * 1024)

/* Bytes of a line that stands for others. */
#define MAX_PLACEHOLDER 200

/* Hunks of longer texts are not chosen one by one. */
#define MAX_CHOOSABLE (256 * 1024)

/* How often a file may change while a preview is made of it. */
#define MOST_READS 3

struct _BeckonChangeTool
{
  BeckonBuiltinTool parent_instance;

  BeckonChangeFunction function;
  BeckonFileCopies *copies;
};

/* A call: read and computed on a thread, kept by the store, written on a thread. */
typedef struct
{
  BeckonToolCall *call;
  BeckonChangeFunction function;
  char *root; /* (owned) (nullable) */
  BeckonToolArguments *arguments; /* (owned) */
  BeckonFolder *folder; /* (owned) (nullable): once it is open */
  char *path;
  BeckonMask *mask; /* (owned) (nullable) */
  BeckonDeniedPaths *denied; /* (owned) (nullable) */
  char *files;      /* (nullable): stamps of what the approval holds for */
  gint64 now;

  GBytes *before; /* (nullable) */
  BeckonFileText *text; /* (owned) (nullable): what @before says, if it is text */
  GBytes *after;
  GString *note; /* (owned): what the result says besides the difference */
  gboolean is_withheld; /* @before holds a secret */
  gboolean is_after_withheld; /* @after holds one */
  guint n_folders; /* that are to be made */
  char *result;
} Change;

static void beckon_change_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonChangeTool, beckon_change_tool, BECKON_TYPE_BUILTIN_TOOL,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_change_tool_tool_init))

static void
beckon_change_tool_finalize (GObject *object)
{
  g_object_unref (BECKON_CHANGE_TOOL (object)->copies);

  G_OBJECT_CLASS (beckon_change_tool_parent_class)->finalize (object);
}

/* As landing does with what commands make; no person writes one of that size. */
#define MAX_PACKAGE (1024 * 1024)

char *
beckon_change_tool_take (const BeckonFileEdit *edit, const char *name, GError **error)
{
  g_autofree char *unclear = NULL;
  char *text = beckon_file_text_take (edit->before, beckon_json_get_string (edit->arguments, name), &unclear);

  if (text == NULL)
    g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_UNCLEAR,
                 "%s has %s, and “%s” has neither that character nor these letters, so it is unclear which is meant. Write the "
                 "character itself, or <U+003C>%s for the letters.",
                 name, unclear, edit->path, unclear + 1);
  return text;
}

/* (transfer full) (nullable): what the change makes of @bytes. @text: (out): what they say */
static char *
change_tool_apply (BeckonChangeFunction function, const char *path, GBytes *bytes, JsonObject *arguments, BeckonFileText **text,
                   GError **error)
{
  g_autoptr (GString) note = g_string_new (NULL);
  BeckonFileEdit edit = { .path = path, .exists = bytes != NULL, .arguments = arguments, .note = note };

  *text = bytes != NULL ? beckon_file_text_new (bytes) : NULL;
  edit.before = *text;
  return function (&edit, error);
}

/* The texts of a package.json before and after; without them a change is taken for one that counts. */
static void
read_package (BeckonChangeTool *self, const BeckonToolContext *context, char **was, char **becomes)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, NULL);
  g_autofree char *path = NULL;
  g_autoptr (BeckonFolder) folder = NULL;
  g_autoptr (GBytes) before = NULL;
  g_autoptr (BeckonFileText) text = NULL;
  g_autoptr (GError) error = NULL;
  struct stat info;

  if (arguments != NULL)
    folder = beckon_folder_tool_open (context->folder, beckon_json_get_string (arguments, "path"), &path, NULL);
  if (folder == NULL || (beckon_folder_look_at (folder, path, &info) && info.st_size > MAX_PACKAGE))
    return;

  before = beckon_folder_read (folder, path, &error);
  if (before == NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    return;
  *becomes = change_tool_apply (self->function, path, before, arguments, &text, NULL);
  *was = text != NULL ? g_strdup (text->text) : NULL;
}

/* A file that other programs run does not land unasked when a command makes it; a tool that writes it is asked about too. */
static void
change_tool_get_effects (BeckonTool *tool, const BeckonToolContext *context, BeckonEffects *effects)
{
  beckon_folder_tool_get_effects (context, effects);
  if (effects->paths != NULL)
    {
      const char *path = effects->paths[0];
      g_autofree char *real = beckon_folder_resolve (context->folder, ".", NULL);
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;
      g_autofree char *why = NULL;
      g_autofree char *shown = NULL;
      locale_t english;

      /* The path has its links resolved, the folder may be reached by one. The sentence is for the person alone. */
      if (g_str_has_suffix (path, "/package.json"))
        read_package (BECKON_CHANGE_TOOL (tool), context, &before, &after);
      english = uselocale (LC_GLOBAL_LOCALE);
      why = beckon_runner_why (real, path, &(BeckonRunnerChange){ .before = before, .after = after });
      uselocale (english);
      if (why == NULL)
        return;
      shown = beckon_text_for_display (why, -1, BECKON_TEXT_PROSE);
      beckon_effects_set_runner (effects, shown);
    }
}

/* Models that take the folder's own name for a part of the path would make it once more within itself. */
static gboolean
change_tool_check (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, error);
  const char *path = arguments != NULL ? beckon_json_get_string (arguments, "path") : NULL;
  g_autofree char *relative = NULL;
  g_autoptr (BeckonFolder) folder
    = arguments != NULL ? beckon_folder_tool_open (context->folder, path, &relative, error) : NULL;
  g_autofree char *name = folder != NULL ? g_path_get_basename (beckon_folder_get_path (folder)) : NULL;
  const char *rest = name != NULL && g_str_has_prefix (relative, name) ? relative + strlen (name) : "";
  struct stat info;

  if (*rest != '/' || *path == '/' || g_str_has_prefix (path, "./") || beckon_folder_look_at (folder, name, &info))
    return folder != NULL;
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "The working folder itself is “%s”, and there is none of that name in it. Did you mean “%s”? If not, write "
               "“./%s”.",
               name, rest + 1, relative);
  return FALSE;
}

/* Clears all that compute_text() has set. */
static void
change_forget (Change *change)
{
  g_clear_object (&change->folder);
  g_clear_pointer (&change->path, g_free);
  g_clear_pointer (&change->before, g_bytes_unref);
  g_clear_pointer (&change->text, beckon_file_text_free);
  g_clear_pointer (&change->after, g_bytes_unref);
  if (change->note != NULL)
    g_string_free (g_steal_pointer (&change->note), TRUE);
}

static void
change_tool_change_free (gpointer data)
{
  Change *change = data;

  g_object_unref (change->call);
  g_free (change->root);
  beckon_tool_arguments_unref (change->arguments);
  beckon_mask_unref (change->mask);
  beckon_denied_paths_unref (change->denied);
  g_free (change->files);
  change_forget (change);
  g_free (change->result);
  g_free (change);
}

/* %TRUE also if there is no file. */
static gboolean
read_before (Change *change, GError **error)
{
  g_autoptr (GError) read_error = NULL;

  change->before = beckon_folder_read (change->folder, change->path, &read_error);
  if (change->before != NULL || g_error_matches (read_error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&read_error));
  return FALSE;
}

/* Before it is cut. Takes @text. */
static char *
mask_text (Change *change, char *text)
{
  g_autofree char *before = text;

  return change->mask != NULL ? beckon_mask_apply (change->mask, text) : g_steal_pointer (&before);
}

static gboolean
finds_secret (Change *change, const char *text)
{
  return change->mask != NULL && *text != '\0' && beckon_mask_finds (change->mask, text, strlen (text));
}

/* In its bytes, or in what they say: UTF-16 hides a secret from who looks for its UTF-8. */
static gboolean
holds_secret (Change *change, GBytes *bytes, BeckonFileText *text)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  return (change->mask != NULL && length > 0 && beckon_mask_finds (change->mask, data, length))
         || (text != NULL && finds_secret (change, text->text));
}

/* For people and models alike: a character that can't be seen is told from the letters that stand for it. */
static char *
write_difference (Change *change, BeckonLineDiff *diff, const char *after)
{
  g_autofree char *unified = mask_text (change, beckon_line_diff_to_unified (diff, CONTEXT_LINES));

  return change->text->has_hidden || beckon_file_text_hides (after) ? beckon_file_text_write_out (unified, -1)
                                                                    : g_steal_pointer (&unified);
}

static char *
guess_type (Change *change)
{
  gsize size;
  const guchar *data = g_bytes_get_data (change->before, &size);

  return g_content_type_guess (change->path, data, size, NULL);
}

/* Lines of the file as it is now, in ranges. */
typedef struct
{
  GString *ranges;
  guint n_ranges;
  guint first; /* 0: none is open */
  guint last;
} Touched;

static void
touched_end (Touched *touched)
{
  if (touched->first == 0)
    return;
  if (++touched->n_ranges <= MOST_RANGES)
    g_string_append_printf (touched->ranges, touched->last > touched->first ? "%s%u–%u" : "%s%u",
                            touched->n_ranges > 1 ? ", " : "", touched->first, touched->last);
  touched->first = 0;
}

static void
touched_add (Touched *touched, guint line)
{
  if (touched->first > 0 && line > touched->last + 1)
    touched_end (touched);
  if (touched->first == 0)
    touched->first = line;
  touched->last = line;
}

/* A file of a few bytes may be written over unread, so that what it had is told. */
char *
beckon_change_tool_dup_brief (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);
  const gboolean is_write = g_str_equal (beckon_tool_call_get_name (call), "write_file");
  const char *head_end = result != NULL && g_str_has_prefix (result, "“") ? strstr (result, DIFFERENCE) : NULL;
  g_autoptr (GString) ranges = g_string_new (NULL);
  g_autoptr (GString) had = g_string_new (NULL);
  g_autoptr (GString) rest = g_string_new (NULL);
  Touched touched = { .ranges = ranges };
  g_auto (GStrv) lines = NULL;
  guint line = 0;

  if (head_end == NULL || beckon_tool_call_get_is_error (call) || beckon_tool_call_get_edited_arguments (call) != NULL
      || (!is_write && !g_str_equal (beckon_tool_call_get_name (call), "edit_file")))
    return NULL;

  lines = g_strsplit (head_end + 1, "\n", -1);
  for (guint i = 2; lines[0] != NULL && lines[1] != NULL && lines[i] != NULL; i++)
    switch (lines[i][0])
      {
      case '@':
        touched_end (&touched);
        if (sscanf (lines[i], "@@ -%*u,%*u +%u", &line) != 1)
          return NULL;
        line = MAX (line, 1);
        break;
      case '+':
        touched_add (&touched, line++);
        break;
      case '-':
        touched_add (&touched, line);
        g_string_append_printf (had, "\n%s", lines[i]);
        break;
      case ' ':
        line++;
        break;
      case '\0':
      case '\\':
        break;
      default:
        if (strcmp (lines[i], DIFFERENCE_CUT) != 0)
          g_string_append_printf (rest, "\n%s", lines[i]);
        break;
      }
  touched_end (&touched);
  if (!is_write || had->len > MOST_UNREAD)
    g_string_truncate (had, 0);
  return g_strdup_printf ("%.*s It is at %s %s%s now.%s%s%s", (int) (head_end - result), result,
                          touched.n_ranges == 1 && strstr (ranges->str, "–") == NULL ? "line" : "lines", ranges->str,
                          touched.n_ranges > MOST_RANGES || strstr (result, DIFFERENCE_CUT) != NULL ? " and on" : "",
                          had->len > 0 ? "\nWhat was there:" : "", had->str, rest->str);
}

/* Between this look and the writing the file may still change, which is found when it is written: it is replaced only as it was
 * read. */
static gboolean
check_shown (Change *change, GError **error)
{
  g_autofree char *changed = change->files != NULL ? beckon_file_stamps_find_change (change->files) : NULL;

  if (changed == NULL)
    return TRUE;
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "“%s” has changed since the user approved this change to it, so nothing was written. Read it again.",
               change->path);
  return FALSE;
}

/* (transfer full) (nullable): a line that stands for lines which a model left out: @after is shorter than @before, which has no
 * such line. */
static char *
find_placeholder (const char *before, const char *after)
{
#define MARK "^\\s*(?:\\{?/\\*+|//+|#+|--+|<!--|;+|%+|\\*)\\s*[\\[(]?"
#define DOTS "(?:\\.{3,}|…)\\s*"
#define REST "(?:the |all |other )*(?:rest|remain|existing|previous|unchanged|same|original|omitted)"
  static const char pattern[] = MARK DOTS "(?:" REST ".*|[\\w ,'’-]{0,60}" DOTS ")?[\\s*/}\\])>-]*$"
                                "|" MARK REST "\\b.{0,60}\\b(?:unchanged|same|stays?|remains?|omitted|as before|here)\\b"
                                "|^\\s*[\\[(<]?\\s*" DOTS "[\\[(]?" REST "\\b";
  g_auto (GStrv) were = g_strsplit (before, "\n", -1);
  g_auto (GStrv) lines = g_strsplit (after, "\n", -1);
  g_autoptr (GRegex) regex = NULL;

  if (g_strv_length (lines) >= g_strv_length (were))
    return NULL;
  regex = g_regex_new (pattern, G_REGEX_CASELESS, 0, NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    if (strlen (g_strstrip (lines[i])) < MAX_PLACEHOLDER && g_regex_match (regex, lines[i], 0, NULL)
        && strstr (before, lines[i]) == NULL)
      return g_strdup (lines[i]);
  return NULL;
}

/* (transfer full) (nullable): what the file becomes, as text; its bytes are in @change. */
static char *
compute_text (Change *change, GError **error)
{
  JsonObject *arguments = beckon_tool_arguments_get_object (change->arguments, error);
  g_autofree char *after = NULL;
  g_autofree char *placeholder = NULL;
  BeckonFileEdit edit;
  gunichar missing;

  if (arguments != NULL)
    change->folder
      = beckon_folder_tool_open (change->root, beckon_json_get_string (arguments, "path"), &change->path, error);
  if (change->folder == NULL || !read_before (change, error))
    return NULL;
  change->text = change->before != NULL ? beckon_file_text_new (change->before) : NULL;
  change->note = g_string_new (NULL);
  edit = (BeckonFileEdit){ change->path, change->before != NULL, change->text, arguments, change->mask, change->note };
  after = change->function (&edit, error);
  placeholder = after != NULL && change->text != NULL ? find_placeholder (change->text->text, after) : NULL;
  if (placeholder != NULL)
    {
      g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_PLACEHOLDER,
                   "Nothing was changed: “%s” would stand in “%s” as a line of its own, and the lines that it seems to stand "
                   "for would be lost. Write them out, or change only a part with edit_file. If the line itself is meant, put "
                   "it in with a call that takes no lines away; a line that the file has already may stay.",
                   placeholder, change->path);
      return NULL;
    }
  change->after = after != NULL ? beckon_file_text_encode (change->text, after, &missing) : NULL;
  if (after != NULL && change->after == NULL)
    {
      char letter[7] = "";

      g_unichar_to_utf8 (missing, letter);
      if (g_str_equal (change->text->encoding, "UTF-8"))
        g_set_error (
            error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_ENCODING,
            "The text has U+FFFD, and “%s” has none, but bytes that are not UTF-8. They are shown as <0xE9>, and have to "
            "be written so.",
            change->path);
      else
        g_set_error (
            error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_ENCODING,
            "“%s” is %s, which has no “%s” (U+%04X). Write it with other characters, or convert the file to UTF-8 first, "
            "with iconv -f %s -t UTF-8.",
            change->path, change->text->encoding, letter, missing, change->text->encoding);
    }
  if (change->after != NULL && change->before != NULL && g_bytes_equal (change->before, change->after))
    {
      g_set_error (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_SAME,
                   "“%s” holds exactly that already; nothing was changed.", change->path);
      return NULL;
    }
  return change->after != NULL ? g_steal_pointer (&after) : NULL;
}

/* For the model: @error is why no text was made. */
static void
change_name_alike (Change *change, GError *error)
{
  g_autoptr (BeckonDeniedView) view = NULL;
  const BeckonToolContext context = { .denied = change->denied };
  const BeckonFolderCall call
    = { .folder = change->folder, .path = change->path, .context = &context, .denied_view = &view };

  if (g_error_matches (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_NO_FILE))
    beckon_folder_call_name_alike (&call, error);
}

/* The path was judged; another name of a file that a rule denies is that file. */
static gboolean
check_names (Change *change, GError **error)
{
  g_autofree char *path = beckon_folder_resolve (change->root, change->path, NULL);
  g_autoptr (BeckonDeniedView) view = NULL;

  if (!beckon_denied_view_has_linked (&view, change->denied, change->root, path, TRUE))
    return TRUE;
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "A rule of the user denies “%.200s”.", change->path);
  return FALSE;
}

static gboolean
compute (Change *change, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *after = compute_text (change, &why);
  const char *cut = "";

  if (change->path != NULL && !check_names (change, error))
    return FALSE;
  if (after == NULL)
    {
      change_name_alike (change, why);
      g_propagate_error (error, g_steal_pointer (&why));
    }
  if (after == NULL || !check_shown (change, error))
    return FALSE;

  if (change->before == NULL)
    change->result = g_strdup_printf ("“%s” was made, with %u bytes.", change->path, (guint) strlen (after));
  else if (change->text == NULL)
    {
      g_autofree char *type = guess_type (change);

      change->result = g_strdup_printf ("“%s”, which was no text but %" G_GSIZE_FORMAT " bytes of %s, was replaced.",
                                        change->path, g_bytes_get_size (change->before), type);
    }
  else
    {
      g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (change->text->text, after);
      guint n_removed = beckon_line_diff_get_n_removed (diff);
      g_autofree char *unified = write_difference (change, diff, after);
      g_autofree char *note = beckon_file_text_describe (change->text, g_bytes_get_size (change->before));

      if (strlen (unified) > MAX_DIFF)
        {
          *g_utf8_find_prev_char (unified, unified + MAX_DIFF) = '\0';
          cut = "\n" DIFFERENCE_CUT "\n";
        }
      change->result
          = g_strdup_printf ("%s“%s” was changed: %u %s removed, %u added.\n--- a/%s\n+++ b/%s\n%s%s%s", change->note->str,
                             change->path, n_removed, n_removed == 1 ? "line" : "lines", beckon_line_diff_get_n_added (diff),
                             change->path, change->path, unified, cut, note != NULL ? note : "");
    }
  change->is_withheld = change->before != NULL && holds_secret (change, change->before, change->text);
  change->is_after_withheld = finds_secret (change, after) || holds_secret (change, change->after, NULL);
  change->n_folders = change->before == NULL ? beckon_folder_count_missing (change->folder, change->path) : 0;
  return TRUE;
}

/* --- Previews ----------------------------------------------------------------------------------------------------- */

static guint
change_tool_count_lines (const char *text)
{
  guint n = 0;

  for (const char *at = text; *at != '\0'; n++)
    {
      const char *end = strchr (at, '\n');

      at = end != NULL ? end + 1 : at + strlen (at);
    }
  return n;
}

static guint
count_hunks (const char *diff)
{
  guint n = g_str_has_prefix (diff, "@@ ");

  for (const char *at = diff; (at = strstr (at, "\n@@ ")) != NULL; at++)
    n++;
  return n;
}

/* Arguments that make some of a change alone say to the letter what is in the file, and what it becomes. */
static gboolean
is_divisible (const BeckonFileText *file, const char *after)
{
  g_autofree char *unclear_before = NULL;
  g_autofree char *unclear = NULL;
  g_autofree char *taken_before = beckon_file_text_take (file, file->text, &unclear_before);
  g_autofree char *taken = beckon_file_text_take (file, after, &unclear);

  return g_strcmp0 (taken_before, file->text) == 0 && g_strcmp0 (taken, after) == 0;
}

/* Takes @after. */
static BeckonCallPreview *
make_preview (Change *change, char *after)
{
  BeckonCallPreview *preview = beckon_call_preview_new ();

  preview->after = after;
  preview->is_new = change->before == NULL;
  if (change->text != NULL)
    {
      g_autoptr (BeckonLineDiff) diff = NULL;
      g_autofree char *unified = NULL;
      guint n_hunks;

      preview->before = g_strdup (change->text->text);
      diff = beckon_line_diff_new (preview->before, preview->after);
      unified = beckon_line_diff_to_unified (diff, CONTEXT_LINES);
      n_hunks = count_hunks (unified);
      preview->n_added = beckon_line_diff_get_n_added (diff);
      preview->n_removed = beckon_line_diff_get_n_removed (diff);
      preview->shown = write_difference (change, diff, preview->after);
      preview->n_hunks = n_hunks;
      preview->encoding = g_str_equal (change->text->encoding, "UTF-8") ? NULL : change->text->encoding;
      /* A secret of several lines may hide where a hunk begins, and other arguments would be told with what stays of the file.
       */
      preview->can_leave_out = n_hunks > 1 && strlen (preview->shown) <= BECKON_CALL_PREVIEW_PIECE
                               && count_hunks (preview->shown) == n_hunks && is_divisible (change->text, preview->after)
                               && !holds_secret (change, change->before, change->text)
                               && strlen (preview->before) <= MAX_CHOOSABLE && strlen (preview->after) <= MAX_CHOOSABLE;
      return preview;
    }
  if (preview->is_new)
    preview->before = g_strdup ("");
  else
    {
      preview->replaces = guess_type (change);
      preview->n_replaced = g_bytes_get_size (change->before);
    }
  preview->n_added = change_tool_count_lines (after);
  preview->shown = mask_text (change, g_strdup (after));
  return preview;
}

/* Stamps before and after reading say that what was read is what they are of. */
static BeckonCallPreview *
preview_once (Change *change, GError **error)
{
  g_autoptr (BeckonCallPreview) preview = NULL;
  g_autofree char *path = NULL;
  g_autofree char *after = NULL;
  const char *const *paths;

  change_forget (change);
  after = compute_text (change, error);
  if (after == NULL)
    return NULL;
  preview = make_preview (change, g_steal_pointer (&after));
  path = beckon_folder_resolve (change->root, change->path, NULL);
  paths = (const char *const[]){ path, NULL };
  preview->files = beckon_file_stamps_take (paths);
  return g_steal_pointer (&preview);
}

static gboolean
check_files (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  Change change = {
    .function = BECKON_CHANGE_TOOL (tool)->function,
    .root = (char *) context->folder,
    .arguments = context->parsed,
    .mask = context->mask,
    .denied = context->denied,
  };
  g_autofree char *after = compute_text (&change, error);

  if (after == NULL && error != NULL)
    change_name_alike (&change, *error);
  change_forget (&change);
  return after != NULL;
}

static BeckonCallPreview *
preview (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  Change change = {
    .function = BECKON_CHANGE_TOOL (tool)->function,
    .root = (char *) context->folder,
    .arguments = context->parsed,
    .mask = context->mask,
  };
  g_autoptr (GError) why = NULL;
  g_autofree char *explained = NULL;
  BeckonCallPreview *preview;
  g_autoptr (BeckonCallPreview) last = preview_once (&change, &why);
  gboolean is_still = FALSE;

  for (guint i = 1; last != NULL && !is_still && i < MOST_READS; i++)
    {
      g_autoptr (BeckonCallPreview) again = preview_once (&change, &why);

      is_still = again != NULL && (g_strcmp0 (last->files, again->files) == 0 && g_strcmp0 (last->before, again->before) == 0);
      g_clear_pointer (&last, beckon_call_preview_unref);
      last = g_steal_pointer (&again);
    }
  if (last == NULL || is_still)
    preview = g_steal_pointer (&last);
  else
    {
      g_set_error (&why, BECKON_ERROR, BECKON_ERROR_CONFLICT, "“%s” is being changed by another program.", change.path);
      preview = NULL;
    }

  if (preview == NULL)
    {
      JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, NULL);

      explained = change_error_explain (why, arguments != NULL ? beckon_json_get_string (arguments, "path") : NULL);
      /* Another call may make the file what this one needs. */
      if (why->domain == BECKON_CHANGE_ERROR && why->code != BECKON_CHANGE_ERROR_NO_FILE
          && why->code != BECKON_CHANGE_ERROR_NOT_TEXT)
        {
          char *whole = beckon_text_printf (_("%s Running this changes nothing and tells the agent so."), explained);

          g_free (explained);
          explained = whole;
        }
      g_set_error_literal (error, why->domain, why->code, explained);
    }
  change_forget (&change);
  return preview;
}

/* --- The call ----------------------------------------------------------------------------------------------------------- */

static void
compute_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (compute (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
write_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Change *change = task_data;
  GError *error = NULL;

  if (beckon_folder_write (change->folder, change->path, change->after, change->before, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* A phase on a worker thread, whose own task is within that of the call. */
static void
change_tool_run_phase (GTask *task, GTaskThreadFunc function, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) phase = g_task_new (g_task_get_source_object (task), NULL, callback, g_object_ref (task));

  g_task_set_source_tag (phase, change_tool_run_phase);
  g_task_set_task_data (phase, g_task_get_task_data (task), NULL);
  beckon_worker_run (phase, function);
}

static void
change_tool_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      beckon_file_copies_drop (BECKON_CHANGE_TOOL (source)->copies, beckon_tool_call_get_id (change->call));
      g_task_return_error (task, error);
      return;
    }

  beckon_tool_call_set_change (change->call, change->is_withheld ? BECKON_CALL_CHANGE_WITHHELD : BECKON_CALL_CHANGE_KEPT);
  g_task_return_pointer (task, g_steal_pointer (&change->result), g_free);
}

static void
on_kept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!beckon_file_copies_keep_finish (BECKON_FILE_COPIES (source), result, &error))
    {
      g_prefix_error (&error, "What the file is now could not be kept, so it was not changed. ");
      g_task_return_error (task, error);
    }
  else if (!g_task_return_error_if_cancelled (task))
    change_tool_run_phase (task, write_on_thread, change_tool_on_written);
}

static void
on_computed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonChangeTool *self = BECKON_CHANGE_TOOL (source);
  g_autoptr (GTask) task = user_data;
  Change *change = g_task_get_task_data (task);
  g_autofree char *hash = NULL;
  g_autoptr (BeckonFileCopy) copy = NULL;
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_task_return_error_if_cancelled (task))
    return;

  hash = beckon_file_copy_hash (change->after);
  copy = beckon_file_copy_new (beckon_tool_call_get_id (change->call), beckon_folder_get_path (change->folder),
                               change->path, change->is_withheld ? NULL : change->before, hash, change->now);
  copy->is_withheld = change->is_withheld;
  copy->is_after_withheld = change->is_after_withheld;
  copy->n_folders = change->n_folders;
  beckon_file_copies_keep_async (self->copies, copy, on_kept, g_steal_pointer (&task));
}

static void
change_tool_start (BeckonBuiltinTool *tool, const BeckonToolContext *context, JsonObject *arguments, GTask *task)
{
  Change *change = g_new0 (Change, 1);

  /* Once the file is replaced the call has succeeded, whatever was cancelled meanwhile. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, change, change_tool_change_free);
  change->call = g_object_ref (context->call);
  change->function = BECKON_CHANGE_TOOL (tool)->function;
  change->now = context->now;
  change->mask = context->mask != NULL ? beckon_mask_ref (context->mask) : NULL;
  change->denied = context->denied != NULL ? beckon_denied_paths_ref (context->denied) : NULL;
  change->files = g_strdup (context->files);
  change->root = g_strdup (context->folder);
  change->arguments = beckon_tool_arguments_ref (context->parsed);
  change_tool_run_phase (task, compute_on_thread, on_computed);
}

static void
verify_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  BeckonFileCopy *copy = task_data;
  GError *error = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_new (copy->folder, &error);
  g_autoptr (GBytes) now = folder != NULL ? beckon_folder_read (folder, copy->path, &error) : NULL;
  g_autofree char *hash = now != NULL ? beckon_file_copy_hash (now) : NULL;
  gboolean is_missing = g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND) && folder != NULL;
  const char *found;

  if (error != NULL && !is_missing)
    {
      g_task_return_error (task, error);
      return;
    }

  g_clear_error (&error);
  if (copy->undone_at > 0)
    found = "it was done, and the user has undone it since.";
  else if (hash != NULL && strcmp (hash, copy->after_hash) == 0)
    found = "the file holds what the call was to write, so it was done.";
  else if (copy->is_withheld)
    found = "the file is not what the call was to write. What it was before is not kept, because it held a secret of the "
            "user's. Read it before you continue.";
  else if ((is_missing && copy->before == NULL)
           || (now != NULL && copy->before != NULL && g_bytes_equal (now, copy->before)))
    found = "the file is as it was before the call, so it was not done. Call it again if it is still wanted.";
  else
    found = "the file is neither as it was before the call nor what the call was to write. Read it before you go on.";
  g_task_return_pointer (task, g_strdup (found), g_free);
}

static void
on_copy_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonFileCopy *copy = beckon_file_copies_get_finish (BECKON_FILE_COPIES (source), result, &error);

  if (copy != NULL)
    {
      g_task_set_task_data (task, copy, (GDestroyNotify) beckon_file_copy_free);
      beckon_worker_run (task, verify_on_thread);
    }
  else if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    {
      /* The copy is stored before any write. */
      g_clear_error (&error);
      g_task_return_pointer (task, g_strdup ("the call had not begun to change the file. Call it again if it is still wanted."),
                             g_free);
    }
  else
    g_task_return_error (task, error);
}

static void
verify_async (BeckonTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GAsyncReadyCallback callback,
              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);

  g_task_set_source_tag (task, verify_async);
  beckon_file_copies_get_async (BECKON_CHANGE_TOOL (tool)->copies, beckon_tool_call_get_id (context->call), cancellable,
                                on_copy_found, g_object_ref (task));
}

static BECKON_FINISH_POINTER (char *, verify, BeckonTool)

static void
beckon_change_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_absence = beckon_folder_tool_get_absence;
  iface->check = change_tool_check;
  iface->get_effects = change_tool_get_effects;
  iface->check_files = check_files;
  iface->preview = preview;
  iface->verify_async = verify_async;
  iface->verify_finish = verify_finish;
}

static void
beckon_change_tool_class_init (BeckonChangeToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_change_tool_finalize;
  BECKON_BUILTIN_TOOL_CLASS (klass)->start = change_tool_start;
}

static void
beckon_change_tool_init (BeckonChangeTool *self)
{
}

BeckonTool *
beckon_change_tool_new (BeckonToolDefinition *definition, BeckonChangeFunction function, BeckonFileCopies *copies)
{
  BeckonChangeTool *self;

  self = g_object_new (BECKON_TYPE_CHANGE_TOOL, NULL);
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self), definition);
  self->function = function;
  self->copies = g_object_ref (copies);
  return BECKON_TOOL (self);
}
