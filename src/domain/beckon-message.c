/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-message.h"

#include "base/beckon-id.h"
#include "base/beckon-list-model.h"
#include "base/beckon-words.h"
#include "beckon-attachment.h"
#include "beckon-tool-call.h"

#include <string.h>

struct _BeckonMessage
{
  GObject parent_instance;

  char *id; /* (owned) */
  BeckonRole role;
  gint64 created_at;
  gint64 seq; /* -1 until it is in a conversation */
  char *parent_id; /* (owned) (nullable) */
  guint version;
  guint n_versions;
  guint n_left;

  BeckonMessageStatus status;
  BeckonUsage usage;
  GPtrArray *parts; /* (owned) (element-type BeckonPart) */
};

typedef enum
{
  PROP_STATUS = 1,
  PROP_VERSIONS,
} BeckonMessageProperty;

static GParamSpec *properties[PROP_VERSIONS + 1];

static const char *const status_words[BECKON_MESSAGE_N_STATUSES] = {
  [BECKON_MESSAGE_COMPLETE] = "complete", [BECKON_MESSAGE_STREAMING] = "streaming",
  [BECKON_MESSAGE_CUT_OFF] = "cut-off",   [BECKON_MESSAGE_STOPPED] = "stopped",
  [BECKON_MESSAGE_FAILED] = "failed",
};

BECKON_LIST_MODEL (BeckonMessage, beckon_message, BECKON_TYPE_PART, parts)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMessage, beckon_message, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_message_model_init))

static void
beckon_message_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonMessage *self = BECKON_MESSAGE (object);

  switch ((BeckonMessageProperty) property_id)
    {
    case PROP_STATUS:
      g_value_set_int (value, (int) self->status);
      break;

    case PROP_VERSIONS:
      g_value_set_uint (value, self->n_versions);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_message_finalize (GObject *object)
{
  BeckonMessage *self = BECKON_MESSAGE (object);

  g_free (self->id);
  g_free (self->parent_id);
  g_ptr_array_unref (self->parts);

  G_OBJECT_CLASS (beckon_message_parent_class)->finalize (object);
}

static void
beckon_message_class_init (BeckonMessageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_message_get_property;
  object_class->finalize = beckon_message_finalize;

  properties[PROP_STATUS] = g_param_spec_int ("status", NULL, NULL, 0, BECKON_MESSAGE_N_STATUSES - 1, 0,
                                              G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_VERSIONS] = g_param_spec_uint ("versions", NULL, NULL, 0, G_MAXUINT, 1,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_message_init (BeckonMessage *self)
{
  self->seq = -1;
  self->n_versions = 1;
  self->usage = (BeckonUsage) BECKON_USAGE_INIT;
  self->parts = g_ptr_array_new_with_free_func (g_object_unref);
}

BeckonMessage *
beckon_message_new (const char *id, BeckonRole role, gint64 created_at)
{
  BeckonMessage *self = g_object_new (BECKON_TYPE_MESSAGE, NULL);

  self->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  self->role = role;
  self->created_at = created_at;

  return self;
}

const char *
beckon_message_get_id (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), NULL);

  return self->id;
}

BeckonRole
beckon_message_get_role (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), BECKON_ROLE_USER);

  return self->role;
}

gint64
beckon_message_get_created_at (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), 0);

  return self->created_at;
}

BeckonMessageStatus
beckon_message_get_status (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), BECKON_MESSAGE_COMPLETE);

  return self->status;
}

void
beckon_message_set_status (BeckonMessage *self, BeckonMessageStatus status)
{
  g_return_if_fail (BECKON_IS_MESSAGE (self));
  g_return_if_fail ((guint) status < BECKON_MESSAGE_N_STATUSES);

  if (self->status == status)
    return;

  self->status = status;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

const BeckonUsage *
beckon_message_get_usage (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), NULL);

  return &self->usage;
}

void
beckon_message_set_usage (BeckonMessage *self, const BeckonUsage *usage)
{
  g_return_if_fail (BECKON_IS_MESSAGE (self));
  g_return_if_fail (usage != NULL);

  self->usage = *usage;
}

gint64
beckon_message_get_seq (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), -1);

  return self->seq;
}

void
beckon_message_set_seq (BeckonMessage *self, gint64 seq)
{
  g_return_if_fail (BECKON_IS_MESSAGE (self));

  self->seq = seq;
}

const char *
beckon_message_get_parent_id (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), NULL);

  return self->parent_id;
}

void
beckon_message_set_parent_id (BeckonMessage *self, const char *parent_id)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_MESSAGE (self));

  old = g_steal_pointer (&self->parent_id);
  self->parent_id = parent_id != NULL && *parent_id != '\0' ? g_strdup (parent_id) : NULL;
}

guint
beckon_message_get_n_versions (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), 1);

  return self->n_versions;
}

guint
beckon_message_get_version (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), 0);

  return self->version;
}

void
beckon_message_set_version (BeckonMessage *self, guint version, guint n_versions)
{
  g_return_if_fail (BECKON_IS_MESSAGE (self));
  g_return_if_fail (version < n_versions);

  if (self->version == version && self->n_versions == n_versions)
    return;

  self->version = version;
  self->n_versions = n_versions;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VERSIONS]);
}

guint
beckon_message_get_n_left (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), 0);

  return self->n_left;
}

void
beckon_message_set_n_left (BeckonMessage *self, guint n_left)
{
  g_return_if_fail (BECKON_IS_MESSAGE (self));

  if (self->n_left == n_left)
    return;

  self->n_left = n_left;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VERSIONS]);
}

guint
beckon_message_get_n_parts (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), 0);

  return self->parts->len;
}

BeckonPart *
beckon_message_get_part (BeckonMessage *self, guint index)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), NULL);
  g_return_val_if_fail (index < self->parts->len, NULL);

  return g_ptr_array_index (self->parts, index);
}

GPtrArray *
beckon_message_list_calls (BeckonMessage *self)
{
  GPtrArray *calls = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (BECKON_IS_MESSAGE (self), calls);

  for (guint i = 0; i < beckon_message_get_n_parts (self); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (self, i));

      if (call == NULL)
        continue;
      g_ptr_array_add (calls, g_object_ref (call));
      for (guint k = 0; k < beckon_tool_call_get_n_steps (call); k++)
        g_ptr_array_add (calls, g_object_ref (beckon_tool_call_get_step (call, k)));
    }
  return calls;
}

void
beckon_message_add_part (BeckonMessage *self, BeckonPart *part)
{
  g_return_if_fail (BECKON_IS_MESSAGE (self));
  g_return_if_fail (BECKON_IS_PART (part));

  g_ptr_array_add (self->parts, g_object_ref (part));
  g_list_model_items_changed (G_LIST_MODEL (self), self->parts->len - 1, 0, 1);
}

static char *
join_text (BeckonMessage *self, gboolean with_files)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      BeckonPart *part = g_ptr_array_index (self->parts, i);

      if (beckon_part_get_kind (part) == BECKON_PART_TEXT && (with_files || beckon_attachment_get_name (part) == NULL))
        g_string_append_len (text, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
    }

  return g_string_free (text, FALSE);
}

char *
beckon_message_dup_text (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), NULL);

  return join_text (self, FALSE);
}

char *
beckon_message_dup_whole_text (BeckonMessage *self)
{
  g_return_val_if_fail (BECKON_IS_MESSAGE (self), NULL);

  return join_text (self, TRUE);
}

BECKON_WORDS_TO (BeckonMessageStatus, beckon_message_status_to_string, status_words)
BECKON_WORDS_FROM (BeckonMessageStatus, beckon_message_status_from_string, status_words)

#define ORIGIN "answer:"

BeckonMessage *
beckon_late_message_new (const char *request_id, const char *text, gint64 at)
{
  BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_USER, at);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);
  g_autofree char *origin = g_strconcat (ORIGIN, request_id, NULL);

  beckon_part_set_origin (part, origin);
  beckon_message_add_part (message, part);
  return message;
}

const char *
beckon_late_message_get_request_id (BeckonMessage *message)
{
  const char *origin = NULL;

  g_return_val_if_fail (BECKON_IS_MESSAGE (message), NULL);

  if (beckon_message_get_role (message) == BECKON_ROLE_USER && beckon_message_get_n_parts (message) == 1)
    origin = beckon_part_get_origin (beckon_message_get_part (message, 0));
  return origin != NULL && g_str_has_prefix (origin, ORIGIN) ? origin + strlen (ORIGIN) : NULL;
}
