/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-conversation.h"

#include "base/beckon-list-model.h"
#include "base/beckon-words.h"
#include "beckon-tool-call.h"

struct _BeckonConversation
{
  GObject parent_instance;

  /* header */
  char *id; /* (owned) */
  gint64 created_at;
  char *title; /* (owned) */
  gint64 updated_at;
  char *profile_id; /* (owned) (nullable) */
  char *draft;      /* (owned) */

  /* what a person made of it */
  gint64 sequence;
  gint64 path;
  gboolean pinned;
  gboolean archived;
  gboolean unread;
  gint64 seen_at;
  gboolean temporary;
  char *folder; /* (owned) (nullable) */
  BeckonMode mode;
  BeckonEffort effort;
  BeckonTitleSource title_source;
  char *origin_id;         /* (owned) (nullable) */
  char *origin_message_id; /* (owned) (nullable) */

  GListStore *files; /* (owned) (element-type BeckonPart): what is attached to the draft */

  GListStore *queue; /* (owned) (element-type BeckonQueueItem) */

  /* messages */
  GPtrArray *messages; /* (owned) (element-type BeckonMessage) */
  gboolean loaded;
  gboolean has_earlier; /* that are not in the list */
  guint n_left;         /* branches that begin the conversation and are not shown, while none is */

  /* the last run */
  gboolean has_run;
  BeckonRunPhase phase;
  char *detail; /* (owned) (nullable) */
  gint64 retry_at;
  guint waiting;
};

typedef enum
{
  PROP_TITLE = 1,
  PROP_UPDATED_AT,
  PROP_PROFILE_ID,
  PROP_LOADED,
  PROP_PHASE,
  PROP_HAS_RUN,
  PROP_DETAIL,
  PROP_RETRY_AT,
  PROP_WAITING,
  PROP_DRAFT,
  PROP_PINNED,
  PROP_ARCHIVED,
  PROP_UNREAD,
  PROP_TEMPORARY,
  PROP_FOLDER,
  PROP_MODE,
  PROP_EFFORT,
  N_PROPERTIES,
} BeckonConversationProperty;

/* The list holds the messages of one branch, the one that is shown; here is how it becomes another. */

static BeckonMessage *
get_last (BeckonConversation *self)
{
  return self->messages->len > 0 ? g_ptr_array_index (self->messages, self->messages->len - 1) : NULL;
}

void
beckon_conversation_leave (BeckonConversation *self, guint position)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  guint n_versions;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (position < self->messages->len);

  n_versions = beckon_message_get_n_versions (g_ptr_array_index (self->messages, position));
  beckon_conversation_replace_tail (self, position, none);
  self->n_left = position == 0 ? n_versions : 0;
  if (position > 0)
    beckon_message_set_n_left (get_last (self), n_versions);
}

void
beckon_conversation_replace_tail (BeckonConversation *self, guint position, GPtrArray *messages)
{
  g_autoptr (GPtrArray) old = NULL;
  guint n_kept, n_removed, n_added;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (position <= self->messages->len);
  g_return_if_fail (messages != NULL);

  /* How many at the end are the same objects. */
  n_kept = 0;
  while (n_kept < self->messages->len - position && n_kept < messages->len
         && g_ptr_array_index (self->messages, self->messages->len - 1 - n_kept)
                == g_ptr_array_index (messages, messages->len - 1 - n_kept))
    n_kept++;

  n_removed = self->messages->len - position - n_kept;
  n_added = messages->len - n_kept;
  if (n_removed == 0 && n_added == 0)
    return;

  old = g_steal_pointer (&self->messages);
  self->messages = g_ptr_array_new_full (position + messages->len, g_object_unref);
  for (guint i = 0; i < position; i++)
    g_ptr_array_add (self->messages, g_object_ref (g_ptr_array_index (old, i)));
  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (self->messages, g_object_ref (g_ptr_array_index (messages, i)));
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
}

void
beckon_conversation_drop_message (BeckonConversation *self, BeckonMessage *message)
{
  guint n_others, position;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (BECKON_IS_MESSAGE (message));

  if (!g_ptr_array_find (self->messages, message, &position))
    return;

  n_others = beckon_message_get_n_versions (message) - 1;
  if (position + 1 < self->messages->len)
    {
      BeckonMessage *next = g_ptr_array_index (self->messages, position + 1);

      beckon_message_set_parent_id (next, beckon_message_get_parent_id (message));
      beckon_message_set_version (next, beckon_message_get_version (message), n_others + 1);
    }
  else if (position > 0)
    beckon_message_set_n_left (g_ptr_array_index (self->messages, position - 1), n_others);
  else
    self->n_left = n_others;
  g_ptr_array_remove_index (self->messages, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

gboolean
beckon_conversation_has_dropped (BeckonConversation *self, BeckonMessage *message)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);
  g_return_val_if_fail (BECKON_IS_MESSAGE (message), FALSE);

  return beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING
         && !g_ptr_array_find (self->messages, message, NULL);
}

/* From the end, because what is looked for is nearly always recent. */
gboolean
beckon_conversation_find_position (BeckonConversation *self, const char *message_id, guint *position)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);
  g_return_val_if_fail (message_id != NULL && position != NULL, FALSE);

  for (guint i = self->messages->len; i > 0; i--)
    if (g_str_equal (beckon_message_get_id (g_ptr_array_index (self->messages, i - 1)), message_id))
      {
        *position = i - 1;
        return TRUE;
      }

  return FALSE;
}

/* The files attached to the draft, and the messages that are queued. */

GListStore *
beckon_conversation_get_files (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->files;
}

gboolean
beckon_conversation_has_empty_draft (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), TRUE);

  return *self->draft == '\0' && g_list_model_get_n_items (G_LIST_MODEL (self->files)) == 0;
}

GListStore *
beckon_conversation_get_queue (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->queue;
}

static BeckonQueueItem *
find_queued (BeckonConversation *self, const char *id, guint *index)
{
  GListModel *queue = G_LIST_MODEL (self->queue);

  for (*index = 0; *index < g_list_model_get_n_items (queue); (*index)++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, *index);

      if (g_str_equal (beckon_queue_item_get_id (item), id))
        return item;
    }
  return NULL;
}

BeckonQueueItem *
beckon_conversation_find_queued (BeckonConversation *self, const char *id)
{
  guint index;

  g_return_val_if_fail (BECKON_IS_CONVERSATION (self) && id != NULL, NULL);

  return find_queued (self, id, &index);
}

void
beckon_conversation_forget_queued (BeckonConversation *self, const char *id)
{
  guint index;

  g_return_if_fail (BECKON_IS_CONVERSATION (self) && id != NULL);

  if (find_queued (self, id, &index) != NULL)
    g_list_store_remove (self->queue, index);
}

static GParamSpec *properties[N_PROPERTIES];

BECKON_LIST_MODEL (BeckonConversation, beckon_conversation, BECKON_TYPE_MESSAGE, messages)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonConversation, beckon_conversation, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_conversation_model_init))

/* Emits the notification of a property. */
static void
conversation_notify (BeckonConversation *self, BeckonConversationProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* Sets an owned string and notifies if it changed. */
static void
set_text (BeckonConversation *self, char **field, const char *text, BeckonConversationProperty property)
{
  g_autofree char *old = NULL;

  if (g_strcmp0 (*field, text) == 0)
    return;

  old = g_steal_pointer (field);
  *field = g_strdup (text);
  conversation_notify (self, property);
}

static void
beckon_conversation_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonConversation *self = BECKON_CONVERSATION (object);

  switch ((BeckonConversationProperty) property_id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;

    case PROP_UPDATED_AT:
      g_value_set_int64 (value, self->updated_at);
      break;

    case PROP_PROFILE_ID:
      g_value_set_string (value, self->profile_id);
      break;

    case PROP_LOADED:
      g_value_set_boolean (value, self->loaded);
      break;

    case PROP_PHASE:
      g_value_set_int (value, (int) self->phase);
      break;

    case PROP_HAS_RUN:
      g_value_set_boolean (value, self->has_run);
      break;

    case PROP_DETAIL:
      g_value_set_string (value, beckon_conversation_get_detail (self));
      break;

    case PROP_RETRY_AT:
      g_value_set_int64 (value, self->retry_at);
      break;

    case PROP_WAITING:
      g_value_set_uint (value, self->waiting);
      break;

    case PROP_DRAFT:
      g_value_set_string (value, self->draft);
      break;

    case PROP_PINNED:
      g_value_set_boolean (value, self->pinned);
      break;

    case PROP_ARCHIVED:
      g_value_set_boolean (value, self->archived);
      break;

    case PROP_UNREAD:
      g_value_set_boolean (value, self->unread);
      break;

    case PROP_TEMPORARY:
      g_value_set_boolean (value, self->temporary);
      break;

    case PROP_FOLDER:
      g_value_set_string (value, self->folder);
      break;

    case PROP_MODE:
      g_value_set_int (value, (int) self->mode);
      break;

    case PROP_EFFORT:
      g_value_set_int (value, (int) self->effort);
      break;

    case N_PROPERTIES:

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_conversation_finalize (GObject *object)
{
  BeckonConversation *self = BECKON_CONVERSATION (object);

  g_free (self->id);
  g_free (self->title);
  g_free (self->profile_id);
  g_free (self->draft);
  g_free (self->detail);
  g_free (self->folder);
  g_free (self->origin_id);
  g_free (self->origin_message_id);
  g_ptr_array_unref (self->messages);
  g_signal_handlers_disconnect_by_data (self->files, self);
  g_object_unref (self->files);
  g_object_unref (self->queue);

  G_OBJECT_CLASS (beckon_conversation_parent_class)->finalize (object);
}

static void
beckon_conversation_class_init (BeckonConversationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = beckon_conversation_get_property;
  object_class->finalize = beckon_conversation_finalize;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", flags);
  properties[PROP_UPDATED_AT] = g_param_spec_int64 ("updated-at", NULL, NULL, G_MININT64, G_MAXINT64, 0, flags);
  properties[PROP_PROFILE_ID] = g_param_spec_string ("profile-id", NULL, NULL, NULL, flags);
  properties[PROP_LOADED] = g_param_spec_boolean ("loaded", NULL, NULL, FALSE, flags);
  properties[PROP_PHASE] = g_param_spec_int ("phase", NULL, NULL, 0, BECKON_RUN_N_PHASES - 1, 0, flags);
  properties[PROP_HAS_RUN] = g_param_spec_boolean ("has-run", NULL, NULL, FALSE, flags);
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, flags);
  properties[PROP_RETRY_AT] = g_param_spec_int64 ("retry-at", NULL, NULL, G_MININT64, G_MAXINT64, 0, flags);
  properties[PROP_WAITING] = g_param_spec_uint ("waiting", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_DRAFT] = g_param_spec_string ("draft", NULL, NULL, "", flags);
  properties[PROP_PINNED] = g_param_spec_boolean ("pinned", NULL, NULL, FALSE, flags);
  properties[PROP_ARCHIVED] = g_param_spec_boolean ("archived", NULL, NULL, FALSE, flags);
  properties[PROP_UNREAD] = g_param_spec_boolean ("unread", NULL, NULL, FALSE, flags);
  properties[PROP_TEMPORARY] = g_param_spec_boolean ("temporary", NULL, NULL, FALSE, flags);
  properties[PROP_FOLDER] = g_param_spec_string ("folder", NULL, NULL, NULL, flags);
  properties[PROP_MODE] = g_param_spec_int ("mode", NULL, NULL, 0, BECKON_MODE_N_MODES - 1, BECKON_MODE_DEFAULT, flags);
  properties[PROP_EFFORT] = g_param_spec_int ("effort", NULL, NULL, 0, BECKON_EFFORT_N_EFFORTS - 1, BECKON_EFFORT_DEFAULT,
                                               flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
on_files_changed (BeckonConversation *self)
{
  conversation_notify (self, PROP_DRAFT);
}

static void
beckon_conversation_init (BeckonConversation *self)
{
  self->title = g_strdup ("");
  self->draft = g_strdup ("");
  self->mode = BECKON_MODE_DEFAULT;
  self->files = g_list_store_new (BECKON_TYPE_PART);
  self->queue = g_list_store_new (BECKON_TYPE_QUEUE_ITEM);
  g_signal_connect_swapped (self->files, "items-changed", G_CALLBACK (on_files_changed), self);
  self->messages = g_ptr_array_new_with_free_func (g_object_unref);
}

BeckonConversation *
beckon_conversation_new (const char *id, gint64 created_at)
{
  BeckonConversation *self;

  g_return_val_if_fail (id != NULL, NULL);

  self = g_object_new (BECKON_TYPE_CONVERSATION, NULL);
  self->id = g_strdup (id);
  self->created_at = self->updated_at = created_at;

  return self;
}

const char *
beckon_conversation_get_id (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->id;
}

gint64
beckon_conversation_get_created_at (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->created_at;
}

const char *
beckon_conversation_get_title (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->title;
}

void
beckon_conversation_set_title (BeckonConversation *self, const char *title)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_text (self, &self->title, title != NULL ? title : "", PROP_TITLE);
}

gint64
beckon_conversation_get_updated_at (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->updated_at;
}

void
beckon_conversation_set_updated_at (BeckonConversation *self, gint64 updated_at)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  if (self->updated_at == updated_at)
    return;

  self->updated_at = updated_at;
  conversation_notify (self, PROP_UPDATED_AT);
}

const char *
beckon_conversation_get_profile_id (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->profile_id;
}

void
beckon_conversation_set_profile_id (BeckonConversation *self, const char *profile_id)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_text (self, &self->profile_id, profile_id, PROP_PROFILE_ID);
}

gboolean
beckon_conversation_get_loaded (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->loaded;
}

void
beckon_conversation_set_loaded (BeckonConversation *self, gboolean loaded)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  if (self->loaded == !!loaded)
    return;

  self->loaded = !!loaded;
  conversation_notify (self, PROP_LOADED);
}

gboolean
beckon_conversation_get_has_earlier (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->has_earlier;
}

void
beckon_conversation_set_has_earlier (BeckonConversation *self, gboolean has_earlier)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->has_earlier = !!has_earlier;
}

gboolean
beckon_conversation_get_has_run (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->has_run;
}

BeckonRunPhase
beckon_conversation_get_phase (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_RUN_QUEUED);

  return self->phase;
}

const char *
beckon_conversation_get_detail (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return beckon_run_detail_get_sentence (self->detail);
}

const char *
beckon_conversation_get_stored_detail (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->detail;
}

gboolean
beckon_conversation_lacks_model (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->phase == BECKON_RUN_FAILED && beckon_run_detail_get_cause (self->detail) == BECKON_RUN_CAUSE_MODEL;
}

gboolean
beckon_conversation_lacks_key (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->phase == BECKON_RUN_FAILED && beckon_run_detail_get_cause (self->detail) == BECKON_RUN_CAUSE_KEY;
}

gint64
beckon_conversation_get_retry_at (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->retry_at;
}

void
beckon_conversation_set_phase (BeckonConversation *self, BeckonRunPhase phase, const char *detail, gint64 retry_at)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) phase < BECKON_RUN_N_PHASES);

  g_object_freeze_notify (G_OBJECT (self));

  if (self->has_run && !beckon_run_phase_is_end (self->phase) && beckon_run_phase_is_end (phase)
      && phase != BECKON_RUN_STOPPED)
    beckon_conversation_set_unread (self, TRUE);
  if (!self->has_run)
    conversation_notify (self, PROP_HAS_RUN);
  self->has_run = TRUE;
  if (self->phase != phase)
    conversation_notify (self, PROP_PHASE);
  self->phase = phase;
  if (self->retry_at != retry_at)
    conversation_notify (self, PROP_RETRY_AT);
  self->retry_at = retry_at;
  set_text (self, &self->detail, detail, PROP_DETAIL);

  g_object_thaw_notify (G_OBJECT (self));
}

gboolean
beckon_conversation_is_busy (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->has_run && !beckon_run_phase_is_end (self->phase);
}

guint
beckon_conversation_get_waiting (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->waiting;
}

void
beckon_conversation_set_waiting (BeckonConversation *self, guint waiting)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  if (self->waiting == waiting)
    return;

  self->waiting = waiting;
  conversation_notify (self, PROP_WAITING);
}

const char *
beckon_conversation_get_draft (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->draft;
}

void
beckon_conversation_set_draft (BeckonConversation *self, const char *draft)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_text (self, &self->draft, draft != NULL ? draft : "", PROP_DRAFT);
}

guint
beckon_conversation_get_n_messages (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->messages->len;
}

BeckonMessage *
beckon_conversation_get_message (BeckonConversation *self, guint index)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);
  g_return_val_if_fail (index < self->messages->len, NULL);

  return g_ptr_array_index (self->messages, index);
}

BeckonMessage *
beckon_conversation_find_message (BeckonConversation *self, const char *message_id)
{
  guint position;

  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);
  g_return_val_if_fail (message_id != NULL, NULL);

  return beckon_conversation_find_position (self, message_id, &position) ? g_ptr_array_index (self->messages, position)
                                                                         : NULL;
}

static BeckonToolCall *
find_call_in (BeckonMessage *message, const char *call_id)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call == NULL)
        continue;
      if (g_str_equal (beckon_tool_call_get_id (call), call_id))
        return call;
      for (guint k = 0; k < beckon_tool_call_get_n_steps (call); k++)
        if (g_str_equal (beckon_tool_call_get_id (beckon_tool_call_get_step (call, k)), call_id))
          return beckon_tool_call_get_step (call, k);
    }

  return NULL;
}

BeckonToolCall *
beckon_conversation_find_call (BeckonConversation *self, const char *call_id)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);
  g_return_val_if_fail (call_id != NULL, NULL);

  for (guint i = self->messages->len; i > 0; i--)
    {
      BeckonToolCall *call = find_call_in (g_ptr_array_index (self->messages, i - 1), call_id);

      if (call != NULL)
        return call;
    }

  return NULL;
}

gint64
beckon_conversation_get_next_seq (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  if (self->messages->len == 0)
    return 0;
  return beckon_message_get_seq (g_ptr_array_index (self->messages, self->messages->len - 1)) + 1;
}

void
beckon_conversation_add_message (BeckonConversation *self, BeckonMessage *message)
{
  BeckonMessage *last;
  guint n_left;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (BECKON_IS_MESSAGE (message));

  if (beckon_message_get_seq (message) < 0)
    beckon_message_set_seq (message, beckon_conversation_get_next_seq (self));

  last = get_last (self);
  n_left = last != NULL ? beckon_message_get_n_left (last) : self->n_left;
  /* Before it becomes the last one: it follows the one that is, and if others do so too it is one version more. */
  if (last != NULL && beckon_message_get_parent_id (message) == NULL)
    beckon_message_set_parent_id (message, beckon_message_get_id (last));
  if (n_left > 0)
    beckon_message_set_version (message, n_left, n_left + 1);
  if (last != NULL)
    beckon_message_set_n_left (last, 0);
  self->n_left = 0;
  g_ptr_array_add (self->messages, g_object_ref (message));
  g_list_model_items_changed (G_LIST_MODEL (self), self->messages->len - 1, 0, 1);
}

void
beckon_conversation_set_messages (BeckonConversation *self, GPtrArray *messages)
{
  guint removed;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (messages != NULL);

  removed = self->messages->len;
  g_ptr_array_unref (self->messages);
  self->messages = g_ptr_array_new_full (messages->len, g_object_unref);
  for (guint i = 0; i < messages->len; i++)
    g_ptr_array_add (self->messages, g_object_ref (g_ptr_array_index (messages, i)));

  if (removed > 0 || messages->len > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, removed, messages->len);
}

void
beckon_conversation_prepend_messages (BeckonConversation *self, GPtrArray *messages)
{
  GPtrArray *joined;
  gint64 first_seq;
  guint n_added = 0;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (messages != NULL);

  first_seq = self->messages->len > 0 ? beckon_message_get_seq (g_ptr_array_index (self->messages, 0)) : G_MAXINT64;
  while (n_added < messages->len && beckon_message_get_seq (g_ptr_array_index (messages, n_added)) < first_seq)
    n_added++;
  if (n_added == 0)
    return;

  joined = g_ptr_array_new_full (n_added + self->messages->len, g_object_unref);
  for (guint i = 0; i < n_added; i++)
    g_ptr_array_add (joined, g_object_ref (g_ptr_array_index (messages, i)));
  g_ptr_array_extend_and_steal (joined, g_steal_pointer (&self->messages));
  self->messages = joined;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, n_added);
}

void
beckon_conversation_forget_earlier (BeckonConversation *self, guint n_kept)
{
  guint n_removed;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  if (self->messages->len <= n_kept)
    return;

  n_removed = self->messages->len - n_kept;
  g_ptr_array_remove_range (self->messages, 0, n_removed);
  self->has_earlier = TRUE;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_removed, 0);
}

/* A person's changes to a conversation: marks, who named it, where it came from. */

static const char *const source_words[] = {
  [BECKON_TITLE_MESSAGE] = "message",
  [BECKON_TITLE_MODEL] = "model",
  [BECKON_TITLE_PERSON] = "person",
};

static void
set_flag (BeckonConversation *self, gboolean *field, gboolean value, BeckonConversationProperty property)
{
  if (*field == !!value)
    return;

  *field = !!value;
  conversation_notify (self, property);
}

gboolean
beckon_conversation_get_pinned (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->pinned;
}

void
beckon_conversation_set_pinned (BeckonConversation *self, gboolean pinned)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->pinned, pinned, PROP_PINNED);
}

gboolean
beckon_conversation_get_archived (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->archived;
}

void
beckon_conversation_set_archived (BeckonConversation *self, gboolean archived)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->archived, archived, PROP_ARCHIVED);
}

gboolean
beckon_conversation_get_unread (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->unread;
}

void
beckon_conversation_set_unread (BeckonConversation *self, gboolean unread)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->unread, unread, PROP_UNREAD);
}

gboolean
beckon_conversation_get_temporary (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->temporary;
}

void
beckon_conversation_set_temporary (BeckonConversation *self, gboolean temporary)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->temporary, temporary, PROP_TEMPORARY);
}

const char *
beckon_conversation_get_folder (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->folder;
}

void
beckon_conversation_set_folder (BeckonConversation *self, const char *folder)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (folder == NULL || g_path_is_absolute (folder));

  if (g_strcmp0 (self->folder, folder) == 0)
    return;

  old = g_steal_pointer (&self->folder);
  self->folder = g_strdup (folder);
  conversation_notify (self, PROP_FOLDER);
}

BeckonMode
beckon_conversation_get_mode (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_MODE_ASK_EVERYTHING);

  return self->mode;
}

void
beckon_conversation_set_mode (BeckonConversation *self, BeckonMode mode)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) mode < BECKON_MODE_N_MODES);

  if (self->mode == mode)
    return;

  self->mode = mode;
  conversation_notify (self, PROP_MODE);
}

BeckonEffort
beckon_conversation_get_effort (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_EFFORT_DEFAULT);

  return self->effort;
}

void
beckon_conversation_set_effort (BeckonConversation *self, BeckonEffort effort)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) effort < BECKON_EFFORT_N_EFFORTS);

  if (self->effort == effort)
    return;

  self->effort = effort;
  conversation_notify (self, PROP_EFFORT);
}

gint64
beckon_conversation_get_seen_at (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->seen_at;
}

void
beckon_conversation_set_seen_at (BeckonConversation *self, gint64 seen_at)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->seen_at = MAX (self->seen_at, seen_at);
}

BeckonTitleSource
beckon_conversation_get_title_source (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_TITLE_PERSON);

  return self->title_source;
}

void
beckon_conversation_set_title_source (BeckonConversation *self, BeckonTitleSource source)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) source < BECKON_TITLE_N_SOURCES);

  self->title_source = source;
}

const char *
beckon_conversation_get_origin_id (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->origin_id;
}

const char *
beckon_conversation_get_origin_message_id (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->origin_message_id;
}

void
beckon_conversation_set_origin (BeckonConversation *self, const char *conversation_id, const char *message_id)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  g_free (self->origin_id);
  self->origin_id = g_strdup (conversation_id);
  g_free (self->origin_message_id);
  self->origin_message_id = g_strdup (message_id);
}

gint64
beckon_conversation_get_sequence (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->sequence;
}

void
beckon_conversation_set_sequence (BeckonConversation *self, gint64 sequence)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->sequence = sequence;
}

gint64
beckon_conversation_get_path (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->path;
}

void
beckon_conversation_set_path (BeckonConversation *self, gint64 path)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->path = path;
}

BECKON_WORDS_TO (BeckonTitleSource, beckon_title_source_to_string, source_words)
BECKON_WORDS_FROM (BeckonTitleSource, beckon_title_source_from_string, source_words)
