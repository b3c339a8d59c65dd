/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-context.h"

#include "beckon-prompt.h"
#include "beckon-tokens.h"

#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"

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
#define NOTE_BYTES 300
#define NOTES_BYTES 900

/* The most pictures of results that are sent at once. Google takes 20 MB with all of a request, in Base64. What is beyond goes
 * several at a time, so that what is sent does not begin differently with each new picture. */
#define MOST_IMAGES 20
#define MOST_IMAGE_BYTES (9 * 1024 * 1024)
#define IMAGES_AT_ONCE 8

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
 * their pictures; %NULL keeps these. */
typedef struct
{
  gsize worth;
  gsize beginning;
  gsize end;
  const char *instead;
} Shape;

/* Appends the lines in brackets that begin between @from and @end. */
static void
append_notes (GString *text, const char *from, const char *end)
{
  gsize left = NOTES_BYTES;

  for (const char *next; (from = memchr (from, '\n', (gsize) (end - from))) != NULL && ++from < end; from = next)
    {
      gsize length = strcspn (from, "\n");

      next = from + length;
      if (next > end)
        return;
      if (length > NOTE_BYTES || length > left || *from != '[' || from[length - 1] != ']')
        continue;
      g_string_append_len (text, from, (gssize) length);
      g_string_append_c (text, '\n');
      left -= length;
    }
}

static char *
shorten_result (const char *result, const Shape *shape)
{
  gsize length = strlen (result);
  const char *end = result + length - MIN (shape->end, length);
  gsize beginning_length = shape->beginning;
  g_autoptr (GString) text = NULL;

  if (length <= shape->worth)
    return g_strdup (result);
  while (((guchar) *end & 0xc0) == 0x80)
    end++;
  while (((guchar) result[beginning_length] & 0xc0) == 0x80)
    beginning_length--;
  text = g_string_new_len (result, (gssize) beginning_length);
  g_string_append_printf (text, "\n[%" G_GSIZE_FORMAT " bytes of this result were left out to save space.]\n",
                          (gsize) (end - result) - beginning_length);
  append_notes (text, result + beginning_length, end);
  g_string_append (text, end);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_worth_cutting (BeckonToolCall *call, const Shape *shape)
{
  const char *result = call != NULL ? beckon_tool_call_get_result (call) : NULL;

  return result != NULL
         && (strlen (result) > shape->worth || (shape->instead != NULL && beckon_tool_call_get_n_images (call) > 0));
}

static void
cut_result (BeckonToolCall *call, BeckonToolCall *copy, const Shape *shape)
{
  g_autofree char *text = shorten_result (beckon_tool_call_get_result (call), shape);
  gboolean loses_images = shape->instead != NULL && beckon_tool_call_get_n_images (call) > 0;
  g_autofree char *result = loses_images ? g_strconcat (text, "\n", shape->instead, NULL) : g_steal_pointer (&text);

  if (!loses_images)
    beckon_tool_call_add_images_of (copy, call);
  beckon_tool_call_set_result (copy, result, beckon_tool_call_get_is_error (call));
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
                                 .instead = IMAGES_CUT };

gint64
beckon_context_choose_cut (GPtrArray *messages, gint64 too_many, guint n_recent)
{
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 through = -1, saved = 0;

  for (guint i = 0; i + n_recent < messages->len && saved < too_many; i++)
    {
      gint64 more;

      g_ptr_array_add (copies, g_object_ref (g_ptr_array_index (messages, i)));
      more = cut_at (copies, i, &cut_shape);
      if (more > 0)
        through = beckon_message_get_seq (g_ptr_array_index (messages, i));
      saved += more;
    }
  return through;
}

void
beckon_context_cut_results (GPtrArray *messages, gint64 through)
{
  for (guint i = 0; i < messages->len && beckon_message_get_seq (g_ptr_array_index (messages, i)) <= through; i++)
    cut_at (messages, i, &cut_shape);
}

void
beckon_context_bound_results (GPtrArray *messages, gsize most)
{
  Shape shape = { .worth = MAX (most, WORTH_BYTES), .beginning = most / 2, .end = most / 4 };

  for (guint i = 0; i < messages->len; i++)
    cut_at (messages, i, &shape);
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

  return beckon_prompt_has_pictures (message) || count_images (message, &bytes) > 0;
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
      if (!beckon_prompt_has_pictures (message))
        continue;
      g_object_unref (message);
      g_ptr_array_index (messages, i) = beckon_prompt_copy_without_pictures (message);
    }
}
