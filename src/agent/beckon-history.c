/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Servers refuse a whole request for one thing in its history that they do not expect, and would refuse every later one of the
 * same conversation. What is stored stays as it is; what is sent is mended here, for every protocol in one place. */

#include "beckon-history.h"

#include "domain/beckon-attachment.h"

#define LOST "The result of this call was lost. Nothing is known about what it did."
#define NOT_RUN "This call was not run."
#define NOT_KNOWN "The program ended while this call was running. Whether it took effect is not known."
#define NOT_ENDED "This call has not ended yet."
#define OPENING "(The beginning of this conversation is not here.)"

typedef struct
{
  const char *origin;
  GHashTable *ids;       /* (element-type utf8): of the calls, as they are sent */
  GHashTable *calls;     /* (element-type utf8): our own, to know one that is there twice */
  GPtrArray *repaired;
  BeckonMessage *joined; /* (nullable): the last of those, if it was made here by joining */
} Repair;

static const char *
describe_missing (BeckonToolCall *call)
{
  switch (beckon_tool_call_get_state (call))
    {
    case BECKON_CALL_PROPOSED:
    case BECKON_CALL_AWAITING:
    case BECKON_CALL_DECIDED:
    case BECKON_CALL_CANCELLED:
      return NOT_RUN;
    case BECKON_CALL_STARTED:
      return NOT_ENDED;
    case BECKON_CALL_UNKNOWN:
      return NOT_KNOWN;
    case BECKON_CALL_DONE:
    default:
      return LOST;
    }
}

/* A begun call may have had effects, so it is told whatever became of its message. */
static gboolean
is_partial (BeckonMessage *message, BeckonToolCall *call)
{
  return beckon_message_get_status (message) != BECKON_MESSAGE_COMPLETE && beckon_tool_call_get_result (call) == NULL
         && beckon_tool_call_get_state (call) == BECKON_CALL_PROPOSED;
}

static gboolean
speaks (Repair *self, BeckonMessage *message, BeckonPart *part)
{
  const char *origin = beckon_part_get_origin (part);

  switch (beckon_part_get_kind (part))
    {
    case BECKON_PART_TEXT:
      return beckon_part_get_length (part) > 0;
    case BECKON_PART_CALL:
      return beckon_message_get_role (message) == BECKON_ROLE_ASSISTANT
             && !g_hash_table_contains (self->calls, beckon_tool_call_get_id (beckon_part_get_call (part)))
             && !is_partial (message, beckon_part_get_call (part));
    case BECKON_PART_OPAQUE:
      return beckon_part_get_length (part) > 0 && (origin == NULL || g_strcmp0 (origin, self->origin) == 0);
    case BECKON_PART_IMAGE:
      return beckon_message_get_role (message) == BECKON_ROLE_USER;
    /* Alone it is an answer to nobody; beside something else it goes along. */
    case BECKON_PART_REASONING:
    default:
      return FALSE;
    }
}

static gboolean
has_something (Repair *self, BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (speaks (self, message, beckon_message_get_part (message, i)))
      return TRUE;

  return FALSE;
}

static gboolean
has_usable_id (Repair *self, BeckonToolCall *call)
{
  const char *id = beckon_tool_call_get_provider_id (call);

  return *id != '\0' && !g_hash_table_contains (self->ids, id);
}

/* Ours is unique, unless a confused provider made up the very same. */
static char *
history_make_id (Repair *self, BeckonToolCall *call)
{
  char *id = g_strdup (beckon_tool_call_get_id (call));

  for (guint i = 2; g_hash_table_contains (self->ids, id); i++)
    {
      g_free (id);
      id = g_strdup_printf ("%s-%u", beckon_tool_call_get_id (call), i);
    }
  return id;
}

const char *
beckon_history_get_told (BeckonToolCall *call)
{
  const char *begun = beckon_tool_call_get_background (call);

  return begun != NULL ? begun : beckon_tool_call_get_result (call);
}

static BeckonToolCall *
copy_call (BeckonToolCall *call, const char *id)
{
  BeckonToolCall *copy = beckon_tool_call_new (beckon_tool_call_get_id (call), id, beckon_tool_call_get_name (call),
                                               beckon_tool_call_get_arguments (call));
  const char *told = beckon_history_get_told (call);
  gboolean is_result = told == beckon_tool_call_get_result (call);

  beckon_tool_call_set_read_only (copy, beckon_tool_call_get_read_only (call));
  beckon_tool_call_set_edited_arguments (copy, beckon_tool_call_get_edited_arguments (call));
  beckon_tool_call_set_fault (copy, beckon_tool_call_get_fault (call));
  beckon_tool_call_set_state (copy, BECKON_CALL_DONE);
  if (told != NULL)
    {
      if (is_result)
        beckon_tool_call_add_images_of (copy, call);
      beckon_tool_call_set_result (copy, told, is_result && beckon_tool_call_get_is_error (call));
    }
  else
    beckon_tool_call_set_result (copy, describe_missing (call), TRUE);
  return copy;
}

/* The part itself where its call is well. Of one that ran in the background the model goes on to read how it began, and is told
 * of the end behind it: what was sent stays as it was. */
static BeckonPart *
repair_call (Repair *self, BeckonPart *part)
{
  BeckonToolCall *call = beckon_part_get_call (part);
  g_autoptr (BeckonToolCall) copy = NULL;
  BeckonPart *repaired = g_object_ref (part);

  g_hash_table_add (self->calls, g_strdup (beckon_tool_call_get_id (call)));
  if (!has_usable_id (self, call) || beckon_tool_call_get_result (call) == NULL
      || beckon_tool_call_get_background (call) != NULL)
    {
      g_autofree char *id
          = has_usable_id (self, call) ? g_strdup (beckon_tool_call_get_provider_id (call)) : history_make_id (self, call);

      copy = copy_call (call, id);
      g_object_unref (repaired);
      repaired = beckon_part_new_call (copy);
      beckon_part_set_origin (repaired, beckon_part_get_origin (part));
      call = copy;
    }
  g_hash_table_add (self->ids, g_strdup (beckon_tool_call_get_provider_id (call)));
  return repaired;
}

/* Keeps what has something to say, and reasoning; NULL where a part is to be left out. */
static BeckonPart *
repair_part (Repair *self, BeckonMessage *message, BeckonPart *part)
{
  if (beckon_part_get_kind (part) == BECKON_PART_REASONING)
    return g_object_ref (part);
  if (!speaks (self, message, part))
    return NULL;
  if (beckon_part_get_kind (part) == BECKON_PART_CALL)
    return repair_call (self, part);
  return g_object_ref (part);
}

static gboolean
has_calls (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) == BECKON_PART_CALL)
      return TRUE;

  return FALSE;
}

static BeckonMessage *
copy_head (BeckonMessage *message)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  beckon_message_set_usage (copy, beckon_message_get_usage (message));
  return copy;
}

static void
add_parts (BeckonMessage *message, BeckonMessage *more, guint n)
{
  for (guint i = 0; i < n; i++)
    beckon_message_add_part (message, beckon_message_get_part (more, i));
}

/* The message itself where nothing has to be mended, which is nearly always. */
static BeckonMessage *
repair_message (Repair *self, BeckonMessage *message)
{
  BeckonMessage *copy = NULL;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      g_autoptr (BeckonPart) repaired = repair_part (self, message, part);

      if (copy == NULL && repaired != part)
        {
          copy = copy_head (message);
          add_parts (copy, message, i);
        }
      if (copy != NULL && repaired != NULL)
        beckon_message_add_part (copy, repaired);
    }
  return copy != NULL ? copy : g_object_ref (message);
}

static gboolean
has_text (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) == BECKON_PART_TEXT)
      return TRUE;

  return FALSE;
}

/* Text parts that follow each other are one text on the wire. */
static void
history_join (Repair *self, BeckonMessage *message)
{
  guint last = self->repaired->len - 1;
  BeckonMessage *first = g_ptr_array_index (self->repaired, last);

  if (first != self->joined)
    {
      self->joined = copy_head (first);
      add_parts (self->joined, first, beckon_message_get_n_parts (first));
      g_object_unref (first);
      self->repaired->pdata[last] = self->joined;
    }
  if (has_text (self->joined) && has_text (message))
    {
      g_autoptr (BeckonPart) gap = beckon_part_new (BECKON_PART_TEXT, "\n\n");

      beckon_message_add_part (self->joined, gap);
    }
  add_parts (self->joined, message, beckon_message_get_n_parts (message));
}

static void
history_add_message (Repair *self, BeckonMessage *message)
{
  guint n = self->repaired->len;
  BeckonMessage *last = n > 0 ? g_ptr_array_index (self->repaired, n - 1) : NULL;

  if (last != NULL && beckon_message_get_role (last) == beckon_message_get_role (message) && !has_calls (last))
    history_join (self, message);
  else
    g_ptr_array_add (self->repaired, g_object_ref (message));
}

static void
add_opening (Repair *self, BeckonMessage *first)
{
  g_autoptr (BeckonMessage) opening =
      beckon_message_new (NULL, BECKON_ROLE_USER, beckon_message_get_created_at (first));
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, OPENING);

  beckon_message_add_part (opening, part);
  g_ptr_array_add (self->repaired, g_steal_pointer (&opening));
}

GPtrArray *
beckon_history_repair (GPtrArray *messages, const char *origin)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Repair self = { .origin = origin, .ids = ids, .calls = calls };

  g_return_val_if_fail (messages != NULL, NULL);

  self.repaired = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);
      g_autoptr (BeckonMessage) repaired = NULL;

      if (!has_something (&self, message))
        continue;
      repaired = repair_message (&self, message);
      if (self.repaired->len == 0 && beckon_message_get_role (message) == BECKON_ROLE_ASSISTANT)
        add_opening (&self, message);
      history_add_message (&self, repaired);
    }
  return self.repaired;
}

/* --- Pictures ------------------------------------------------------------------------------------------------------ */

/* A model that does not see pictures is told that there is one; many servers refuse the whole request otherwise. */
static BeckonPart *
describe_picture (BeckonPart *part)
{
  const char *name = beckon_attachment_get_name (part);
  g_autofree char *words = name != NULL ? g_strdup_printf ("[The user attached the picture %s, which you cannot see.]", name)
                                        : g_strdup ("[The user attached a picture, which you cannot see.]");

  return beckon_part_new (BECKON_PART_TEXT, words);
}

BeckonMessage *
beckon_history_copy_without_pictures (BeckonMessage *message)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      g_autoptr (BeckonPart) told
          = beckon_part_get_kind (part) == BECKON_PART_IMAGE ? describe_picture (part) : g_object_ref (part);

      beckon_message_add_part (copy, told);
    }
  return copy;
}

gboolean
beckon_history_has_pictures (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) == BECKON_PART_IMAGE)
      return TRUE;
  return FALSE;
}

void
beckon_history_add (BeckonLlmRequest *request, GPtrArray *messages, const char *origin)
{
  g_autoptr (GPtrArray) repaired = beckon_history_repair (messages, origin);
  BeckonModelFacts facts;

  beckon_profile_get_facts (request->profile, &facts);
  for (guint i = 0; i < repaired->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (repaired, i);
      g_autoptr (BeckonMessage) told
          = facts.images == 0 && beckon_history_has_pictures (message) ? beckon_history_copy_without_pictures (message)
                                                                     : g_object_ref (message);

      beckon_llm_request_add_message (request, told);
    }
}
