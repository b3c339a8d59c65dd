/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-labels.h"

#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-config.h"
#include "domain/beckon-tool-names.h"
#include "form/beckon-parameters.h"
#include "request/beckon-approval-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_CHARS 60

/* Calls are described in many places, most of which know no server. */
static GHashTable *titles; /* (element-type utf8 utf8) (nullable) */
G_LOCK_DEFINE_STATIC (titles);

void
beckon_tool_titles_set (const char *tool, const char *title)
{
  g_autofree char *shown = NULL;

  g_return_if_fail (tool != NULL);

  if (title != NULL && *title != '\0')
    shown = beckon_text_for_display (title, -1, BECKON_TEXT_EXACT);
  G_LOCK (titles);
  if (titles == NULL)
    titles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (shown != NULL)
    g_hash_table_replace (titles, g_strdup (tool), beckon_text_shorten (shown, MOST_CHARS));
  else
    g_hash_table_remove (titles, tool);
  G_UNLOCK (titles);
}

/** (nullable): the title of a tool, short and safe to be shown; caller frees. Any thread. */
static char *
beckon_tool_titles_dup (const char *tool)
{
  char *title;

  G_LOCK (titles);
  title = titles != NULL ? g_strdup (g_hash_table_lookup (titles, tool)) : NULL;
  G_UNLOCK (titles);
  return title;
}

/* Longer arguments are a file's whole content, and are not read for the sake of a line. */
#define MAX_READ (512 * 1024)
#define MOST_OBJECT_CHARS 80
#define MOST_VALUE_CHARS 200
#define MOST_ARGUMENTS 12

/* The longest text of a step that its plan shows; a longer one is shown when it is its turn. */
#define MOST_WHOLE_BYTES 4000
#define MOST_WHOLE_LINES 80

/* A tool: which argument names what it works on, and the sentences, with it and without. */
typedef struct
{
  const char *tool;
  const char *icon;
  const char *argument; /* (nullable) */
  const char *words[4];
  const char *bare[4];
} Wording;

static const Wording wordings[] = {
  { "edit_file", "document-edit-symbolic", "path",
    /* Translators: sentences about the calls of tools; %s is a file, an address, a command or what is searched for. The first
       are asked about ("Edit notes.txt") or stand in a plan; those with -ing run now; the last ones are over. */
    { N_("Edit %s"), N_("Edit %s"), N_("Editing %s"), N_("Edited %s") },
    { N_("Edit a file"), N_("Edit a file"), N_("Editing a file"), N_("Edited a file") } },
  { "write_file", "document-new-symbolic", "path",
    { N_("Write %s"), N_("Write %s"), N_("Writing %s"), N_("Wrote %s") },
    { N_("Write a file"), N_("Write a file"), N_("Writing a file"), N_("Wrote a file") } },
  { "move_files", "edit-cut-symbolic", "moves", { N_("Move %s"), N_("Move %s"), N_("Moving %s"), N_("Moved %s") },
    { N_("Move files"), N_("Move files"), N_("Moving files"), N_("Moved files") } },
  { "delete_files", "user-trash-symbolic", "paths", { N_("Delete %s"), N_("Delete %s"), N_("Deleting %s"), N_("Deleted %s") },
    { N_("Delete files"), N_("Delete files"), N_("Deleting files"), N_("Deleted files") } },
  { "read_file", "document-open-symbolic", "path",
    { NC_("what a tool does", "Read %s"), NC_("what a tool does", "Read %s"), N_("Reading %s"),
      NC_("what a tool did", "Read %s") },
    { NC_("what a tool does", "Read a file"), NC_("what a tool does", "Read a file"), N_("Reading a file"),
      NC_("what a tool did", "Read a file") } },
  { "list_files", "folder-symbolic", "path",
    { N_("List the files in %s"), N_("List the files in %s"), N_("Listing the files in %s"), N_("Listed the files in %s") },
    { N_("List the files"), N_("List the files"), N_("Listing the files"), N_("Listed the files") } },
  { "search_files", "edit-find-symbolic", "pattern",
    { N_("Search the files for %s"), N_("Search the files for %s"), N_("Searching the files for %s"),
      N_("Searched the files for %s") },
    { N_("Search the files"), N_("Search the files"), N_("Searching the files"), N_("Searched the files") } },
  { "run_command", "utilities-terminal-symbolic", "command",
    { N_("Run this command?"), NC_("a command", "Run %s"), NC_("a command", "Running %s"), NC_("a command", "Ran %s") },
    { N_("Run this command?"), N_("Run a command"), N_("Running a command"), N_("Ran a command") } },
  { "end_command", "utilities-terminal-symbolic", NULL, { NULL },
    { N_("End a background command"), N_("End a background command"), N_("Ending a background command"),
      N_("Ended a background command") } },
  /* A text that looks like a call, and is none that can be run. */
  { "tool_call", "utilities-terminal-symbolic", NULL, { NULL },
    { N_("Call written as text"), N_("Call written as text"), N_("Call written as text"), N_("Call written as text") } },
  { "fetch_url", "web-browser-symbolic", "url",
    { N_("Fetch %s"), N_("Fetch %s"), N_("Fetching %s"), N_("Fetched %s") },
    { N_("Fetch a page"), N_("Fetch a page"), N_("Fetching a page"), N_("Fetched a page") } },
  { "web_search", "system-search-symbolic", "query",
    { N_("Search the web for %s"), N_("Search the web for %s"), N_("Searching the web for %s"), N_("Searched the web for %s") },
    { N_("Search the web"), N_("Search the web"), N_("Searching the web"), N_("Searched the web") } },
  { "remember", "user-bookmarks-symbolic", "text",
    { N_("Remember this?"), N_("Remember %s"), N_("Remembering %s"), N_("Remembered %s") },
    { N_("Remember this?"), N_("Remember a note"), N_("Remembering a note"), N_("Remembered a note") } },
  { "recall", "user-bookmarks-symbolic", NULL, { NULL },
    { N_("Look up notes"), N_("Look up notes"), N_("Looking up notes"), N_("Looked up notes") } },
  { "read_skill", "document-open-symbolic", "name",
    { NC_("what a tool does", "Read the skill %s"), NC_("what a tool does", "Read the skill %s"), N_("Reading the skill %s"),
      NC_("what a tool did", "Read the skill %s") },
    { NC_("what a tool does", "Read a skill"), NC_("what a tool does", "Read a skill"), N_("Reading a skill"),
      NC_("what a tool did", "Read a skill") } },
  { "find_tool", "edit-find-symbolic", "query",
    { N_("Find tools for %s"), N_("Find tools for %s"), N_("Finding tools for %s"), N_("Found tools for %s") },
    { N_("Find tools"), N_("Find tools"), N_("Finding tools"), N_("Found tools") } },
  { "get_current_time", "preferences-system-time-symbolic", NULL, { NULL },
    { N_("Look at the clock"), N_("Look at the clock"), N_("Looking at the clock"), N_("Looked at the clock") } },
  { "ask_user", "dialog-question-symbolic", "question",
    { N_("Ask you: %s"), N_("Ask you: %s"), N_("Asking you: %s"), N_("Asked you: %s") },
    { N_("Ask you"), N_("Ask you"), N_("Asking you"), N_("Asked you") } },
  { "propose_plan", "view-list-symbolic", "title",
    { N_("Propose a plan: %s"), N_("Propose a plan: %s"), N_("Carrying out the plan: %s"), N_("Carried out the plan: %s") },
    { N_("Propose a plan"), N_("Propose a plan"), N_("Carrying out the plan"), N_("Carried out the plan") } },
  { "update_plan", "view-list-symbolic", NULL, { NULL },
    { N_("Update the steps"), N_("Update the steps"), N_("Updating the steps"), N_("Updated the steps") } },
};

static const Wording *
call_labels_find (const char *tool, const char *server)
{
  for (guint i = 0; server == NULL && tool != NULL && i < G_N_ELEMENTS (wordings); i++)
    if (g_str_equal (wordings[i].tool, tool))
      return &wordings[i];
  return NULL;
}

/* Read and listed are the same word in both tenses, in English. */
static const char *
call_labels_translate (const char *words, BeckonCallPhase phase)
{
  static const char *const contexts[] = { "a command", "what a tool does", "what a tool did" };

  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    {
      const char *found;

      if ((phase == BECKON_CALL_PHASE_DONE && i == 1) || (phase != BECKON_CALL_PHASE_DONE && i == 2))
        continue;
      found = g_dpgettext2 (GETTEXT_PACKAGE, contexts[i], words);
      if (found != words)
        return found;
    }
  return g_dgettext (GETTEXT_PACKAGE, words);
}

/* Arguments that a model writes as Markdown. */
static gboolean
is_prose (const Wording *wording)
{
  return g_str_equal (wording->tool, "ask_user") || g_str_equal (wording->tool, "propose_plan");
}

/* Without the marks of bold, code and headings, which a line of a card does not show. */
static char *
drop_marks (const char *markdown)
{
  GString *text = g_string_new (markdown + strspn (markdown, "# "));

  g_string_replace (text, "**", "", 0);
  g_string_replace (text, "`", "", 0);
  return g_string_free (text, FALSE);
}

/* Arguments of which line breaks are a part; in a name they are told. */
static gboolean
has_lines (const Wording *wording)
{
  return is_prose (wording) || g_str_equal (wording->tool, "run_command") || g_str_equal (wording->tool, "remember");
}

/* (nullable): the files of a list, as the first and how many there are besides. */
static char *
call_labels_dup_files (JsonArray *list)
{
  const guint n = list != NULL ? json_array_get_length (list) : 0;
  JsonNode *node = n > 0 ? json_array_get_element (list, 0) : NULL;
  JsonObject *move = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *from = move != NULL ? beckon_json_get_string (move, "from") : NULL;
  const char *to = move != NULL ? beckon_json_get_string (move, "to") : NULL;
  g_autofree char *text = from != NULL && to != NULL ? g_strdup_printf ("%s → %s", from, to)
                          : node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_dup_string (node) : NULL;
  g_autofree char *shown = text != NULL ? beckon_text_for_display (text, -1, BECKON_TEXT_EXACT) : NULL;
  g_autofree char *first = shown != NULL ? beckon_text_shorten (shown, MOST_OBJECT_CHARS) : NULL;

  return first == NULL || n == 1 ? g_steal_pointer (&first)
                                 : beckon_text_printf (g_dngettext (GETTEXT_PACKAGE, "%s and %u more", "%s and %u more", n - 1),
                                                       first, n - 1);
}

/* (nullable): the argument that the sentence is about, fit to be decided on, and short. */
static char *
dup_object (const Wording *wording, const char *arguments)
{
  g_autoptr (JsonObject) object = NULL;
  g_autofree char *host = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *first = NULL;
  g_autofree char *shown = NULL;
  const char *value;

  if (wording->argument == NULL || arguments == NULL || strlen (arguments) > MAX_READ)
    return NULL;
  object = beckon_json_parse_object (arguments, -1, NULL);
  if (object != NULL && beckon_call_labels_is_list (wording->tool))
    return call_labels_dup_files (beckon_json_get_array (object, wording->argument));
  value = object != NULL ? beckon_json_get_string (object, wording->argument) : NULL;
  if (value == NULL || *value == '\0' || (g_str_equal (wording->tool, "list_files") && g_str_equal (value, ".")))
    return NULL;
  if (g_str_equal (wording->argument, "url"))
    {
      g_autoptr (GUri) uri = g_uri_parse (value, G_URI_FLAGS_PARSE_RELAXED, NULL);

      if (g_str_equal (wording->argument, "url"))
        host = uri != NULL && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0' ? g_strdup (g_uri_get_host (uri))
                                                                                            : NULL;
    }
  plain = is_prose (wording) ? drop_marks (value) : NULL;
  if (has_lines (wording))
    {
      const char *text = plain != NULL ? plain : value;
      const char *start = text + strspn (text, " \t\r\n");
      gsize length = strcspn (start, "\r\n");
      const char *rest = start + length + strspn (start + length, " \t\r\n");
      g_autofree char *line = g_strchomp (g_strndup (start, length));

      if (has_lines (wording))
        first = *rest != '\0' ? g_strconcat (line, " …", NULL) : g_steal_pointer (&line);
    }
  if (first != NULL && *first == '\0')
    return NULL;
  shown = beckon_text_for_display (host != NULL ? host : first != NULL ? first : value, -1, BECKON_TEXT_EXACT);
  return beckon_text_shorten (shown, MOST_OBJECT_CHARS);
}

char *
beckon_call_labels_describe (const char *tool, const char *server, const char *arguments, BeckonCallPhase phase)
{
  const Wording *wording = call_labels_find (tool, server);
  g_autofree char *object = NULL;
  g_autofree char *isolated = NULL;
  const char *words;

  g_return_val_if_fail (tool != NULL, NULL);

  if (wording == NULL)
    {
      const char *end = strstr (tool, "__");
      g_autofree char *prefix = end != NULL && end > tool && end[2] != '\0' ? g_strndup (tool, (gsize) (end - tool)) : NULL;
      g_autofree char *name = beckon_text_for_display (prefix != NULL ? end + 2 : tool, -1, BECKON_TEXT_EXACT);
      g_autofree char *shown = server != NULL || prefix != NULL
                                 ? beckon_text_for_display (server != NULL ? server : prefix, -1, BECKON_TEXT_EXACT)
                                 : NULL;
      g_autofree char *title = shown != NULL ? beckon_tool_titles_dup (tool) : NULL;

      /* The name of a server's tool begins with the server's, which stands in for it where that is not known. */
      if (shown == NULL)
        return g_steal_pointer (&name);
      if (title != NULL && !g_str_equal (title, name))
        /* Translators: a tool, as its server calls it for people and by its name, and the server:
           "Create an Issue (create_issue) on GitHub server" */
        return beckon_text_printf (_("%s (%s) on %s server"), title, name, shown);
      /* Translators: a tool and the server that offers it: "create_issue on GitHub server" */
      return beckon_text_printf (_("%s on %s server"), name, shown);
    }
  object = dup_object (wording, arguments);
  if (object == NULL)
    return g_strdup (call_labels_translate (wording->bare[phase], phase));
  words = call_labels_translate (wording->words[phase], phase);
  isolated = beckon_text_isolate (object, words);
  return beckon_text_fill_in (words, isolated);
}

static BeckonCallPhase
get_phase (BeckonToolCall *call)
{
  switch (beckon_tool_call_get_state (call))
    {
    case BECKON_CALL_STARTED:
      return BECKON_CALL_PHASE_RUNNING;

    case BECKON_CALL_DONE:
      /* A command that failed ran; an edit that failed is none. */
      return beckon_tool_call_get_started_at (call) > 0
                     && (!beckon_tool_call_get_is_error (call) || beckon_tool_call_get_exit_status (call) > 0)
                 ? BECKON_CALL_PHASE_DONE : BECKON_CALL_PHASE_STEP;

    case BECKON_CALL_PROPOSED:
    case BECKON_CALL_AWAITING:
    case BECKON_CALL_DECIDED:
    case BECKON_CALL_UNKNOWN:
    case BECKON_CALL_CANCELLED:
    default:
      return BECKON_CALL_PHASE_STEP;
    }
}

const char *
beckon_call_labels_get_server (BeckonToolCall *call)
{
  BeckonRequest *request;
  const BeckonApprovalDetails *details;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  request = BECKON_REQUEST (beckon_tool_call_get_request (call));
  details = request != NULL ? beckon_request_get_details (request) : NULL;
  return details != NULL ? details->server : NULL;
}

char *
beckon_call_labels_describe_call (BeckonToolCall *call)
{
  g_autofree char *shown = NULL;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  shown = beckon_parameters_show_call (call);
  return beckon_call_labels_describe (beckon_tool_call_get_name (call), beckon_call_labels_get_server (call), shown,
                                      get_phase (call));
}

char *
beckon_call_labels_dup_object (const char *tool, const char *arguments)
{
  const Wording *wording = call_labels_find (tool, NULL);

  return wording != NULL ? dup_object (wording, arguments) : NULL;
}

gboolean
beckon_call_labels_is_known (const char *tool)
{
  return call_labels_find (tool, NULL) != NULL;
}

const char *
beckon_call_labels_get_block (const char *tool)
{
  static const char *const blocks[] = { "run_command", "fetch_url", "web_search", "remember", NULL };

  return tool != NULL && g_strv_contains (blocks, tool) ? call_labels_find (tool, NULL)->argument : NULL;
}

const char *
beckon_call_labels_get_icon (const char *tool)
{
  const Wording *wording = call_labels_find (tool, NULL);

  return wording != NULL ? wording->icon : "system-run-symbolic";
}

/* An element of a list, as JSON, so that nothing in it can look like what stands around it; of a move, with an arrow. */
static char *
show_element (JsonNode *element)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;
  JsonNode *from = object != NULL ? json_object_get_member (object, "from") : NULL;
  JsonNode *to = object != NULL ? json_object_get_member (object, "to") : NULL;
  gboolean is_move = from != NULL && to != NULL && json_object_get_size (object) == 2;
  g_autofree char *first = beckon_json_print (is_move ? from : element);
  g_autofree char *second = is_move ? beckon_json_print (to) : NULL;
  g_autofree char *text = is_move ? g_strdup_printf ("%s → %s", first, second) : g_steal_pointer (&first);

  return beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);
}

char *
beckon_call_labels_show_value (JsonNode *value, const char *before_element)
{
  JsonArray *array = before_element != NULL && JSON_NODE_HOLDS_ARRAY (value) ? json_node_get_array (value) : NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) lines = NULL;

  if (array == NULL || json_array_get_length (array) == 0)
    {
      text = JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING ? json_node_dup_string (value)
                                                                                               : beckon_json_print (value);
      return beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);
    }
  lines = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autofree char *element = show_element (json_array_get_element (array, i));

      g_string_append_printf (lines, "\n%s%s", before_element, element);
    }
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

/* (transfer full): a text as its lines, each behind a bar, so that none can look like what stands around it. */
static char *
call_labels_show_lines (const char *text)
{
  g_autofree char *shown = beckon_text_command_for_display (text);
  const gsize length = strlen (shown);
  GString *lines = g_string_new ("\n");

  g_string_append_len (lines, shown, (gssize) (g_str_has_suffix (shown, "\n") ? length - 1 : length));
  g_string_replace (lines, "\n", "\n  │ ", 0);
  return g_string_free (lines, FALSE);
}

char *
beckon_call_labels_list_arguments (const char *arguments, gboolean is_whole)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (arguments, -1, NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  guint n = 0;

  if (object == NULL)
    return NULL;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value) && (is_whole || n++ < MOST_ARGUMENTS))
    {
      const gboolean is_text = is_whole && JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING
                               && strchr (json_node_get_string (value), '\n') != NULL;
      g_autofree char *shown = is_text ? NULL : beckon_call_labels_show_value (value, is_whole ? "  " : NULL);
      g_autofree char *fitting = is_text    ? call_labels_show_lines (json_node_get_string (value))
                                 : is_whole ? beckon_text_command_for_display (shown)
                                            : beckon_text_shorten (shown, MOST_VALUE_CHARS);
      g_autofree char *label = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
      g_autofree char *name_fitting
        = is_whole ? beckon_text_command_for_display (label) : beckon_text_shorten (label, MOST_VALUE_CHARS);

      /* Set out as a command is, a long line goes on below: nothing of it leaves the card, or takes long to lay out. */
      g_string_append_printf (lines, "%s%s:%s%s", lines->len > 0 ? "\n" : "", name_fitting, *fitting == '\n' ? "" : " ",
                              fitting);
    }
  if (!is_whole && json_object_get_size (object) > MOST_ARGUMENTS)
    g_string_append (lines, "\n…");
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

gboolean
beckon_call_labels_is_list (const char *tool)
{
  return g_strcmp0 (tool, "move_files") == 0 || g_strcmp0 (tool, "delete_files") == 0;
}

gboolean
beckon_call_labels_is_whole (const char *tool, const char *arguments)
{
  guint n_lines = 0;

  if (beckon_call_labels_is_list (tool))
    return TRUE;
  for (const char *at = arguments; (at = strstr (at, "\\n")) != NULL; at += 2)
    n_lines++;
  return (g_strcmp0 (tool, "write_file") == 0 || g_strcmp0 (tool, "edit_file") == 0) && strlen (arguments) <= MOST_WHOLE_BYTES
         && n_lines <= MOST_WHOLE_LINES;
}

gboolean
beckon_call_labels_is_look (const char *tool)
{
  return g_strcmp0 (tool, "read_file") == 0 || g_strcmp0 (tool, "list_files") == 0 || g_strcmp0 (tool, "search_files") == 0;
}

char *
beckon_call_labels_list_unsaid (const char *tool, const char *server, const char *arguments)
{
  char *lines = NULL;

  g_return_val_if_fail (tool != NULL && arguments != NULL, NULL);

  if (server == NULL && beckon_call_labels_says_all (tool, arguments))
    return NULL;
  lines = beckon_call_labels_list_arguments (arguments, TRUE);
  if (lines == NULL)
    lines = beckon_text_command_for_display (arguments);
  if (*lines == '\0')
    g_clear_pointer (&lines, g_free);
  return lines;
}

gboolean
beckon_call_labels_says_all (const char *tool, const char *arguments)
{
  g_autoptr (JsonObject) object = beckon_call_labels_is_look (tool) ? beckon_json_parse_object (arguments, -1, NULL) : NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (object == NULL)
    return FALSE;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      g_autofree char *text = beckon_json_print (value);

      if (strlen (text) > MOST_OBJECT_CHARS || strlen (name) > MOST_OBJECT_CHARS)
        return FALSE;
    }
  return TRUE;
}

char *
beckon_call_labels_describe_looks (GPtrArray *calls)
{
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_searches = 0, n_files;

  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);
      g_autofree char *shown = beckon_parameters_show_call (call);
      g_autoptr (JsonObject) object = beckon_json_parse_object (shown, -1, NULL);
      const char *path = object != NULL ? beckon_json_get_string (object, "path") : NULL;

      if (g_str_equal (beckon_tool_call_get_name (call), "search_files"))
        n_searches++;
      else
        g_hash_table_add (files, g_strdup (path != NULL ? path : "."));
    }
  n_files = g_hash_table_size (files);
  if (n_files > 0)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "Looked at %u file", "Looked at %u files", n_files), n_files);
  if (n_searches > 0 && n_files > 0)
    /* Translators: behind "Looked at 3 files" */
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, ", searched %u time", ", searched %u times", n_searches),
                            n_searches);
  else if (n_searches > 0)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "Searched the files %u time", "Searched the files %u times",
                                               n_searches), n_searches);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_call_labels_shorten_path (const char *path)
{
  const char *home = g_get_home_dir ();
  const char *relative = strcmp (home, "/") != 0 ? beckon_path_relate (path, home) : NULL;
  g_autofree char *shorter = NULL;

  if (relative != NULL)
    shorter = *relative != '\0' ? g_strconcat ("~/", relative, NULL) : g_strdup ("~");
  return beckon_text_for_display (shorter != NULL ? shorter : path, -1, BECKON_TEXT_EXACT);
}

static gboolean
works_elsewhere (const char *tool, const char *server)
{
  static const char *const elsewhere[] = { "fetch_url", "web_search", "get_current_time", "find_tool", NULL };

  return server == NULL && g_strv_contains (elsewhere, tool);
}

char *
beckon_call_labels_describe_folder (const char *tool, const char *server, const char *folder)
{
  gboolean is_shown = folder != NULL && !works_elsewhere (tool, server);
  g_autofree char *shown = is_shown ? beckon_call_labels_shorten_path (folder) : NULL;
  g_autofree char *isolated = NULL;
  const char *words;

  if (shown == NULL)
    return NULL;
  /* Translators: behind the sentence about a call: the folder in which it works */
  words = _("in %s");
  isolated = beckon_text_isolate (shown, words);
  return beckon_text_fill_in (words, isolated);
}

char *
beckon_call_labels_describe_size (const BeckonCallPreview *preview)
{
  g_return_val_if_fail (preview != NULL, NULL);

  if (preview->is_new)
    /* Translators: beside the name of a file that a call would make: how long it would be */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "new, %u line", "new, %u lines", preview->n_added),
                            preview->n_added);
  if (preview->replaces != NULL)
    {
      g_autofree char *size = g_format_size (preview->n_replaced);

      /* Translators: beside the name of a file that a call would overwrite: how much, such as "86 bytes", of what, such as
       * "image/png" */
      return beckon_text_printf (_("replaces %s of %s"), size, preview->replaces);
    }
  if (preview->n_hunks > 0 && preview->encoding != NULL)
    return g_strdup_printf ("+%u \342\210\222%u · %s", preview->n_added, preview->n_removed, preview->encoding);
  return preview->n_hunks > 0 ? g_strdup_printf ("+%u \342\210\222%u", preview->n_added, preview->n_removed) : NULL;
}

gboolean
beckon_call_labels_is_unclear (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);

  return beckon_tool_call_get_is_error (call) && beckon_tool_call_get_started_at (call) == 0
         && (beckon_tool_call_get_fault (call) != NULL || beckon_tool_names_is_refusal (result)
             || g_str_has_prefix (result, BECKON_TOOL_NAMES_UNFIT));
}
