/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-context.h"

#include "beckon-history.h"
#include "beckon-tokens.h"

#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"
#include "tools/beckon-change-tool.h"
#include "tools/beckon-output-store.h"

#include <string.h>

/* For the model. */
#define HEADING                                                                                                            \
  "The earlier part of this conversation is too long to be repeated. This is a summary of it, made when it was still "      \
  "known; what the user decided and answered is quoted word for word."

/* Bytes that stay of a cut result, and the length from which cutting is worth it. The end says how it went. */
#define BEGINNING_BYTES 100
#define END_BYTES 300
#define WORTH_BYTES 800

/* Lines in brackets, which tell where the rest is and what else happened, stay as far as they fit. */
#define NOTE_BYTES 500
#define NOTES_BYTES 900

/* The share of a request that a single result may have, and how many such shares the results of one message. They are bounded
 * when they are first sent: later, what was sent would change. */
#define RESULT_SHARE (1.0 / 20)
#define RESULTS_AT_ONCE 6
#define BYTES_PER_TOKEN 4
#define LEAST_BYTES 4000

/* The most pictures of results that are sent at once. Google takes 20 MB with all of a request, in Base64. What is beyond goes
 * several at a time, so that what is sent does not begin differently with each new picture. */
#define MOST_IMAGES 20
#define MOST_IMAGE_BYTES (9 * 1024 * 1024)
#define IMAGES_AT_ONCE 8

#define LEFT_OUT " bytes were left out to save space"
#define IMAGES_CUT "[What it showed as a picture was left out to save space.]"
#define IMAGES_REFUSED "[What it showed as a picture is not shown to you: your server refused it.]"
#define IMAGES_NOT_SEEN "[What it showed as a picture is not shown to you: this model does not take pictures.]"

static gboolean
is_remade (BeckonMessage *message)
{
  BeckonMessageStatus status = beckon_message_get_status (message);

  if (beckon_message_get_role (message) != BECKON_ROLE_ASSISTANT)
    return FALSE;
  if (status != BECKON_MESSAGE_CUT_OFF && status != BECKON_MESSAGE_FAILED && status != BECKON_MESSAGE_STREAMING)
    return FALSE;
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) == BECKON_PART_CALL)
      return FALSE;
  return TRUE;
}

static gboolean
is_note (BeckonMessage *message)
{
  return beckon_note_get_kind (message) != BECKON_NOTE_NONE;
}

/* (nullable): the last one stands for what those before it stood for, too. Borrowed. */
static BeckonMessage *
find_summary (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      if (beckon_note_get_kind (message) == BECKON_NOTE_SUMMARY)
        return message;
    }
  return NULL;
}

gint64
beckon_context_get_summarized (BeckonConversation *conversation)
{
  BeckonMessage *message = find_summary (conversation);
  g_auto (BeckonNote) note = { 0 };

  if (message == NULL || !beckon_note_read (beckon_message_get_part (message, 0), &note))
    return -1;
  return note.through;
}

char *
beckon_context_dup_kept (BeckonConversation *conversation)
{
  BeckonMessage *message = find_summary (conversation);
  g_auto (BeckonNote) note = { 0 };

  return message != NULL && beckon_note_read (beckon_message_get_part (message, 0), &note) ? g_strdup (note.kept) : NULL;
}

/* A person's message begins the turn. */
static gboolean
has_turn (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    if (beckon_message_get_role (beckon_conversation_get_message (conversation, i - 1)) == BECKON_ROLE_USER)
      return TRUE;
  return FALSE;
}

gboolean
beckon_context_is_loaded (BeckonConversation *conversation)
{
  if (!beckon_conversation_get_has_earlier (conversation))
    return TRUE;
  return has_turn (conversation)
         && beckon_context_get_summarized (conversation)
              >= beckon_message_get_seq (beckon_conversation_get_message (conversation, 0));
}

static void
add_summary (GPtrArray *messages, BeckonMessage *summary)
{
  g_auto (BeckonNote) note = { 0 };
  g_autoptr (BeckonMessage) message = NULL;
  g_autoptr (BeckonPart) part = NULL;
  g_autofree char *text = NULL;

  if (!beckon_note_read (beckon_message_get_part (summary, 0), &note))
    return;
  text = g_strconcat (HEADING, "\n\n", note.summary, *note.kept != '\0' ? "\n\n" : "", note.kept, NULL);
  message = beckon_message_new (NULL, BECKON_ROLE_USER, beckon_message_get_created_at (summary));
  part = beckon_part_new (BECKON_PART_TEXT, text);
  beckon_message_add_part (message, part);
  g_ptr_array_add (messages, g_steal_pointer (&message));
}

GPtrArray *
beckon_context_list (BeckonConversation *conversation)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = beckon_conversation_get_n_messages (conversation);
  gint64 summarized = beckon_context_get_summarized (conversation);

  if (summarized >= 0)
    add_summary (messages, find_summary (conversation));
  while (n > 0
         && (is_note (beckon_conversation_get_message (conversation, n - 1))
             || is_remade (beckon_conversation_get_message (conversation, n - 1))))
    n--;
  for (guint i = 0; i < n; i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      if (beckon_message_get_seq (message) > summarized && !is_note (message))
        g_ptr_array_add (messages, g_object_ref (message));
    }
  return messages;
}

/* --- Cutting ------------------------------------------------------------------------------------------------------ */

/* How results are shortened: those of more than @worth bytes, to @beginning and @end bytes. @instead: (nullable): stands for
 * their pictures; %NULL keeps these. @is_old: what was told may have changed since. @is_last: nothing shortens it after
 * this. */
typedef struct
{
  gsize worth;
  gsize beginning;
  gsize end;
  const char *instead;
  gboolean is_old;
  gboolean is_last;
} Shape;

/* Appends the lines in brackets that begin between @from and @end. */
static void
append_notes (GString *text, const char *from, const char *end, gsize most)
{
  gsize left = MIN (NOTES_BYTES, most);

  for (const char *next; from < end; from = next)
    {
      gsize length = strcspn (from, "\n");

      next = from + length + 1;
      if (length < 2 || length > NOTE_BYTES || length > left || *from != '[' || from[length - 1] != ']')
        continue;
      g_string_append_len (text, from, (gssize) length);
      g_string_append_c (text, '\n');
      left -= length;
    }
}

/* Behind the @last, or first, end of a line from @from to @to; of a word where there is none, and of a character at least. */
static const char *
context_find_end (const char *from, const char *to, gboolean last)
{
  static const char *const marks[] = { "\n", " " };
  const char *end = last ? to : from;

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      const char *mark = last ? g_strrstr_len (from, to - from, marks[i]) : g_strstr_len (from, to - from, marks[i]);

      if (mark != NULL)
        return mark + 1;
    }
  while (((guchar) *end & 0xc0) == 0x80)
    end += last ? -1 : 1;
  return end;
}

char *
beckon_context_shorten (const char *text, gsize beginning, gsize end, const char *way)
{
  gsize length = strlen (text);
  const char *cut, *rest;
  GString *shortened;

  if (length <= beginning + end)
    return g_strdup (text);
  cut = context_find_end (text + beginning / 2, text + beginning, TRUE);
  rest = context_find_end (text + length - end, text + length - end / 2, FALSE);
  shortened = g_string_new_len (text, cut - text);
  if (cut > text && cut[-1] != '\n')
    g_string_append_c (shortened, '\n');
  g_string_append_printf (shortened, "[%" G_GSIZE_FORMAT LEFT_OUT "%s.]\n", (gsize) (rest - cut),
                          way != NULL ? way : "");
  append_notes (shortened, cut, rest, 2 * (beginning + end));
  g_string_append (shortened, rest);
  if (shortened->len >= length)
    g_string_assign (shortened, text);
  return g_string_free (shortened, FALSE);
}

/* The line that tells where an output is kept is of no use while nothing was left out of it. */
static const char *
find_whole (const char *told)
{
  const char *line = strstr (told, "\n" BECKON_OUTPUT_STORE_WHOLE);

  return line != NULL && strstr (told, LEFT_OUT) == NULL ? line : NULL;
}

/* (transfer full): what a model is told where it is told everything. */
static char *
context_dup_told (BeckonToolCall *call)
{
  const char *told = beckon_history_get_told (call);
  char *brief = told == beckon_tool_call_get_result (call) ? beckon_change_tool_dup_brief (call) : NULL;

  return brief != NULL ? brief : g_strdup (told);
}

static gboolean
is_worth_cutting (BeckonToolCall *call, const Shape *shape)
{
  g_autofree char *told = call != NULL ? context_dup_told (call) : NULL;

  return told != NULL
         && (strlen (told) > shape->worth || (shape->instead != NULL && beckon_tool_call_get_n_images (call) > 0)
             || (shape->is_last && (find_whole (told) != NULL || strcmp (told, beckon_history_get_told (call)) != 0)));
}

/* The copy has what a model is told of the call as its result, so that nothing has to be mended in it. */
static void
cut_result (BeckonToolCall *call, BeckonToolCall *copy, const Shape *shape)
{
  g_autofree char *told = context_dup_told (call);
  const char *whole = shape->is_last ? find_whole (told) : NULL;
  g_autofree char *way = shape->is_old && beckon_tool_call_get_read_only (call)
                           ? g_strdup_printf ("; %s has what is there now", beckon_tool_call_get_name (call)) : NULL;
  g_autofree char *text = strlen (told) > shape->worth ? beckon_context_shorten (told, shape->beginning, shape->end, way)
                         : whole != NULL ? g_strdup_printf ("%.*s%s", (int) (whole - told), told, strchrnul (whole + 1, '\n'))
                                         : g_strdup (told);
  gboolean loses_images = shape->instead != NULL && beckon_tool_call_get_n_images (call) > 0;
  gboolean is_error = beckon_tool_call_get_background (call) == NULL && beckon_tool_call_get_is_error (call);
  g_autofree char *result
    = loses_images ? g_strconcat (text, "\n", shape->instead, NULL) : g_steal_pointer (&text);

  if (!loses_images)
    beckon_tool_call_add_images_of (copy, call);
  beckon_tool_call_set_result (copy, result, is_error);
}

static BeckonPart *
cut_part (BeckonPart *part, const Shape *shape)
{
  BeckonToolCall *call = beckon_part_get_call (part);
  g_autoptr (BeckonToolCall) copy
      = beckon_tool_call_new (beckon_tool_call_get_id (call), beckon_tool_call_get_provider_id (call),
                              beckon_tool_call_get_name (call), beckon_tool_call_get_arguments (call));
  BeckonPart *cut;

  beckon_tool_call_set_read_only (copy, beckon_tool_call_get_read_only (call));
  beckon_tool_call_set_edited_arguments (copy, beckon_tool_call_get_edited_arguments (call));
  beckon_tool_call_set_fault (copy, beckon_tool_call_get_fault (call));
  beckon_tool_call_set_state (copy, beckon_tool_call_get_state (call));
  cut_result (call, copy, shape);
  cut = beckon_part_new_call (copy);
  beckon_part_set_origin (cut, beckon_part_get_origin (part));
  return cut;
}

static BeckonMessage *
copy_message (BeckonMessage *message, const Shape *shape)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      g_autoptr (BeckonPart) kept
          = is_worth_cutting (beckon_part_get_call (part), shape) ? cut_part (part, shape) : g_object_ref (part);

      beckon_message_add_part (copy, kept);
    }
  return copy;
}

/* Puts a copy in the place of a message that has something worth cutting; returns the tokens that were saved. */
static gint64
cut_at (GPtrArray *messages, guint index, const Shape *shape)
{
  g_autoptr (BeckonMessage) message = g_object_ref (g_ptr_array_index (messages, index));
  gboolean worth = FALSE;

  for (guint i = 0; i < beckon_message_get_n_parts (message) && !worth; i++)
    worth = is_worth_cutting (beckon_part_get_call (beckon_message_get_part (message, i)), shape);
  if (!worth)
    return 0;
  g_object_unref (message);
  g_ptr_array_index (messages, index) = copy_message (message, shape);
  return beckon_tokens_of_message (message) - beckon_tokens_of_message (g_ptr_array_index (messages, index));
}

static const Shape cut_shape = { .worth = WORTH_BYTES, .beginning = BEGINNING_BYTES, .end = END_BYTES,
                                 .instead = IMAGES_CUT, .is_old = TRUE };

gint64
beckon_context_count_cut (GPtrArray *messages, guint n, gint64 after)
{
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 saved = 0;

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (copies, g_object_ref (g_ptr_array_index (messages, i)));
      if (beckon_message_get_seq (g_ptr_array_index (messages, i)) > after)
        saved += cut_at (copies, i, &cut_shape);
    }
  return saved;
}

void
beckon_context_cut_results (GPtrArray *messages, gint64 through)
{
  for (guint i = 0; i < messages->len && beckon_message_get_seq (g_ptr_array_index (messages, i)) <= through; i++)
    cut_at (messages, i, &cut_shape);
}

gsize
beckon_context_get_most_of_a_result (gint64 budget)
{
  return MAX ((gsize) (RESULT_SHARE * (double) budget) * BYTES_PER_TOKEN, LEAST_BYTES);
}

gsize
beckon_context_get_share (BeckonMessage *message, gsize most)
{
  gsize n = 0;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    n += beckon_part_get_call (beckon_message_get_part (message, i)) != NULL;
  return MAX (n > RESULTS_AT_ONCE ? most * RESULTS_AT_ONCE / n : most, WORTH_BYTES);
}

void
beckon_context_bound_results (GPtrArray *messages, gsize most)
{
  for (guint i = 0; i < messages->len; i++)
    {
      gsize share = beckon_context_get_share (g_ptr_array_index (messages, i), most);
      const Shape shape = { .worth = share, .beginning = share / 3, .end = share / 2, .is_last = TRUE };

      cut_at (messages, i, &shape);
    }
}

/* --- Bound blocks ------------------------------------------------------------------------------------------------- */

static gboolean
is_bound_block (BeckonMessage *message, guint place)
{
  return beckon_opaque_is_thinking (beckon_message_get_part (message, place))
         || beckon_opaque_is_bound_to_search (message, place);
}

static gboolean
has_bound (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (is_bound_block (message, i))
      return TRUE;
  return FALSE;
}

static BeckonMessage *
copy_without_bound (BeckonMessage *message)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (!is_bound_block (message, i))
      beckon_message_add_part (copy, beckon_message_get_part (message, i));
  return copy;
}

void
beckon_context_drop_bound_blocks (GPtrArray *messages, gint64 through)
{
  for (guint i = 0; i < messages->len; i++)
    {
      g_autoptr (BeckonMessage) message = g_object_ref (g_ptr_array_index (messages, i));

      if (beckon_message_get_seq (message) > through || !has_bound (message))
        continue;
      g_object_unref (message);
      g_ptr_array_index (messages, i) = copy_without_bound (message);
    }
}

/* --- Pictures ----------------------------------------------------------------------------------------------------- */

static guint
count_images (BeckonMessage *message, gsize *bytes)
{
  guint n = 0;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      for (guint image = 0; call != NULL && image < beckon_tool_call_get_n_images (call); image++, n++)
        *bytes += beckon_part_get_length (beckon_tool_call_get_image (call, image));
    }
  return n;
}

static guint
round_up (guint n)
{
  return (n + IMAGES_AT_ONCE - 1) / IMAGES_AT_ONCE * IMAGES_AT_ONCE;
}

void
beckon_context_bound_images (GPtrArray *messages, gboolean takes_images)
{
  Shape shape = { .worth = G_MAXSIZE, .instead = takes_images ? IMAGES_CUT : IMAGES_NOT_SEEN };
  gsize bytes = 0;
  guint n = 0, too_many;

  for (guint i = 0; i < messages->len; i++)
    n += count_images (g_ptr_array_index (messages, i), &bytes);
  too_many = !takes_images ? n : n > MOST_IMAGES ? round_up (n - MOST_IMAGES) : 0;
  for (guint i = 0, gone = 0; i < messages->len && (gone < too_many || bytes > MOST_IMAGE_BYTES); i++)
    {
      gsize saved = 0;

      gone += count_images (g_ptr_array_index (messages, i), &saved);
      bytes -= saved;
      if (saved > 0)
        cut_at (messages, i, &shape);
    }
}

gboolean
beckon_context_has_pictures (BeckonMessage *message)
{
  gsize bytes = 0;

  return beckon_history_has_pictures (message) || count_images (message, &bytes) > 0;
}

void
beckon_context_leave_out_pictures (GPtrArray *messages, const char *const *ids)
{
  static const Shape shape = { .worth = G_MAXSIZE, .instead = IMAGES_REFUSED };

  for (guint i = 0; i < messages->len; i++)
    {
      g_autoptr (BeckonMessage) message = g_object_ref (g_ptr_array_index (messages, i));

      if (!g_strv_contains (ids, beckon_message_get_id (message)))
        continue;
      cut_at (messages, i, &shape);
      if (!beckon_history_has_pictures (message))
        continue;
      g_object_unref (message);
      g_ptr_array_index (messages, i) = beckon_history_copy_without_pictures (message);
    }
}
