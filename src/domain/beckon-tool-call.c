/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-call.h"

#include "base/beckon-id.h"
#include "base/beckon-words.h"
#include "domain/beckon-plan.h"
#include "domain/beckon-tool-call.h"

#include <string.h>

/* The link of a call to a plan: it holds one, or is a step of one. */
typedef struct
{
  BeckonPlan *plan;           /* (owned) (nullable) */
  GPtrArray *steps;           /* (owned) (nullable): BeckonToolCall, in the order they were begun */
  BeckonToolCall *planned_by; /* (unowned) (nullable) */
  char *step_id;              /* (owned) (nullable) */
  BeckonStepOutcome outcome;
} BeckonPlanned;

static void planned_free (BeckonPlanned *planned);

struct _BeckonToolCall
{
  GObject parent_instance;

  /* what the model asked for */
  char *id;          /* (owned) */
  char *provider_id; /* (owned) (nullable) */
  char *name;        /* (owned) */
  char *arguments;   /* (owned) */
  char *fault;       /* (owned) (nullable) */
  char *reason;      /* (owned) (nullable) */

  /* what a person made of it */
  char *settled_arguments; /* (owned) (nullable) */
  char *redacted;         /* (owned) (nullable) */
  char *edited_arguments;  /* (owned) (nullable) */
  char *permit_id;         /* (owned) (nullable) */

  /* in progress */
  gboolean read_only;
  BeckonCallState state;
  GObject *request; /* (owned) (nullable) */
  char *output;     /* (owned) (nullable) */
  BeckonPlanned *planned; /* (owned) (nullable): what it has to do with a plan */

  /* results */
  char *result; /* (owned) (nullable) */
  gboolean is_error;
  int exit_status;     /* -1: none */
  gsize output_length; /* of the result; may be more than there is */
  GPtrArray *images; /* (owned) (nullable) (element-type BeckonPart) */
  GPtrArray *asked;  /* (owned) (nullable) (element-type GObject) */
  gint64 waited;     /* microseconds */
  gint64 started_at;
  gint64 finished_at;
  BeckonCallChange change;
  BeckonLanding *landing; /* (owned) (nullable): of its end */
  GPtrArray *early;       /* (owned) (nullable) (element-type BeckonLanding): those before, the oldest first */
  gboolean can_land;
  char *background; /* (owned) (nullable) */
  gboolean is_kept;
};

typedef enum
{
  PROP_STATE = 1,
  PROP_RESULT,
  PROP_IS_ERROR,
  PROP_REQUEST,
  PROP_OUTPUT,
  PROP_CHANGE,
  PROP_CAN_LAND,
  PROP_BACKGROUND,
  PROP_PLAN,
} BeckonToolCallProperty;

static GParamSpec *properties[PROP_PLAN + 1];

G_DEFINE_FINAL_TYPE (BeckonToolCall, beckon_tool_call, G_TYPE_OBJECT)

static void
beckon_tool_call_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonToolCall *self = BECKON_TOOL_CALL (object);

  switch ((BeckonToolCallProperty) property_id)
    {
    case PROP_STATE:
      g_value_set_int (value, (int) self->state);
      break;

    case PROP_RESULT:
      g_value_set_string (value, self->result);
      break;

    case PROP_IS_ERROR:
      g_value_set_boolean (value, self->is_error);
      break;

    case PROP_REQUEST:
      g_value_set_object (value, self->request);
      break;

    case PROP_OUTPUT:
      g_value_set_string (value, self->output);
      break;

    case PROP_CHANGE:
      g_value_set_int (value, (int) self->change);
      break;

    case PROP_CAN_LAND:
      g_value_set_boolean (value, self->can_land);
      break;

    case PROP_BACKGROUND:
      g_value_set_string (value, self->background);
      break;

    case PROP_PLAN:
      g_value_set_pointer (value, (gpointer) beckon_tool_call_get_plan (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_tool_call_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_OUTPUT)
    beckon_tool_call_set_output (BECKON_TOOL_CALL (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
beckon_tool_call_dispose (GObject *object)
{
  g_clear_object (&BECKON_TOOL_CALL (object)->request);
  g_clear_pointer (&BECKON_TOOL_CALL (object)->planned, planned_free);

  G_OBJECT_CLASS (beckon_tool_call_parent_class)->dispose (object);
}

static void
beckon_tool_call_finalize (GObject *object)
{
  BeckonToolCall *self = BECKON_TOOL_CALL (object);

  g_free (self->id);
  g_free (self->provider_id);
  g_free (self->name);
  g_free (self->arguments);
  g_free (self->fault);
  g_free (self->reason);
  g_free (self->settled_arguments);
  g_free (self->redacted);
  g_free (self->edited_arguments);
  g_free (self->permit_id);
  g_free (self->output);
  g_free (self->background);
  g_free (self->result);
  g_clear_pointer (&self->images, g_ptr_array_unref);
  g_clear_pointer (&self->asked, g_ptr_array_unref);
  g_clear_pointer (&self->landing, beckon_landing_free);
  g_clear_pointer (&self->early, g_ptr_array_unref);

  G_OBJECT_CLASS (beckon_tool_call_parent_class)->finalize (object);
}

static void
beckon_tool_call_class_init (BeckonToolCallClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = beckon_tool_call_get_property;
  object_class->set_property = beckon_tool_call_set_property;
  object_class->dispose = beckon_tool_call_dispose;
  object_class->finalize = beckon_tool_call_finalize;

  properties[PROP_STATE] = g_param_spec_int ("state", NULL, NULL, 0, BECKON_CALL_N_STATES - 1, 0, readable);
  properties[PROP_RESULT] = g_param_spec_string ("result", NULL, NULL, NULL, readable);
  properties[PROP_IS_ERROR] = g_param_spec_boolean ("is-error", NULL, NULL, FALSE, readable);
  properties[PROP_REQUEST] = g_param_spec_object ("request", NULL, NULL, G_TYPE_OBJECT, readable);
  properties[PROP_OUTPUT] = g_param_spec_string ("output", NULL, NULL, NULL, readable | G_PARAM_WRITABLE);
  properties[PROP_CHANGE] = g_param_spec_int ("change", NULL, NULL, 0, BECKON_CALL_CHANGE_WITHHELD, 0, readable);
  properties[PROP_CAN_LAND] = g_param_spec_boolean ("can-land", NULL, NULL, FALSE, readable);
  properties[PROP_BACKGROUND] = g_param_spec_string ("background", NULL, NULL, NULL, readable);
  properties[PROP_PLAN] = g_param_spec_pointer ("plan", NULL, NULL, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_tool_call_init (BeckonToolCall *self)
{
  self->exit_status = -1;
  self->output_length = G_MAXSIZE;
}

BeckonToolCall *
beckon_tool_call_new (const char *id, const char *provider_id, const char *name, const char *arguments)
{
  BeckonToolCall *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (arguments != NULL, NULL);

  self = g_object_new (BECKON_TYPE_TOOL_CALL, NULL);
  self->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  self->provider_id = g_strdup (provider_id);
  self->name = g_strdup (name);
  self->arguments = g_strdup (arguments);

  return self;
}

const char *
beckon_tool_call_get_id (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->id;
}

const char *
beckon_tool_call_get_provider_id (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->provider_id != NULL ? self->provider_id : self->id;
}

const char *
beckon_tool_call_get_name (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->name;
}

const char *
beckon_tool_call_get_arguments (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->arguments;
}

const char *
beckon_tool_call_get_settled_arguments (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->settled_arguments;
}

void
beckon_tool_call_set_settled_arguments (BeckonToolCall *self, const char *arguments)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  old = g_steal_pointer (&self->settled_arguments);
  self->settled_arguments = g_strdup (arguments);
}

const char *
beckon_tool_call_get_redacted (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->redacted;
}

void
beckon_tool_call_set_redacted (BeckonToolCall *self, const char *redacted)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  old = g_steal_pointer (&self->redacted);
  self->redacted = g_strdup (redacted);
}

const char *
beckon_tool_call_get_edited_arguments (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->edited_arguments;
}

void
beckon_tool_call_set_edited_arguments (BeckonToolCall *self, const char *arguments)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  old = g_steal_pointer (&self->edited_arguments);
  self->edited_arguments = g_strdup (arguments);
}

const char *
beckon_tool_call_get_effective_arguments (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  if (self->edited_arguments != NULL)
    return self->edited_arguments;
  return self->settled_arguments != NULL ? self->settled_arguments : self->arguments;
}

char *
beckon_tool_call_dup_digest (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, beckon_tool_call_get_effective_arguments (self), -1);
}

const char *
beckon_tool_call_get_permit_id (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->permit_id;
}

void
beckon_tool_call_set_permit_id (BeckonToolCall *self, const char *permit_id)
{
  char *copy;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  copy = g_strdup (permit_id);
  g_free (self->permit_id);
  self->permit_id = copy;
}

const char *
beckon_tool_call_get_fault (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->fault;
}

void
beckon_tool_call_set_fault (BeckonToolCall *self, const char *fault)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  old = g_steal_pointer (&self->fault);
  self->fault = g_strdup (fault);
}

const char *
beckon_tool_call_get_reason (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->reason;
}

void
beckon_tool_call_set_reason (BeckonToolCall *self, const char *reason)
{
  char *copy = g_strdup (reason);

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  g_free (self->reason);
  self->reason = copy;
}

gboolean
beckon_tool_call_get_read_only (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), FALSE);

  return self->read_only;
}

void
beckon_tool_call_set_read_only (BeckonToolCall *self, gboolean read_only)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  self->read_only = read_only;
}

BeckonCallState
beckon_tool_call_get_state (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), BECKON_CALL_PROPOSED);

  return self->state;
}

void
beckon_tool_call_set_state (BeckonToolCall *self, BeckonCallState state)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail ((guint) state < BECKON_CALL_N_STATES);

  if (self->state == state)
    return;

  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

BeckonCallState
beckon_tool_call_apply (BeckonToolCall *self, BeckonCallEvent event)
{
  BeckonCallState next;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), BECKON_CALL_PROPOSED);

  if (!beckon_call_state_next (self->state, event, &next))
    g_error ("call %s: event %d is not possible in state %s", self->id, (int) event,
             beckon_call_state_to_string (self->state));

  beckon_tool_call_set_state (self, next);

  return next;
}

const char *
beckon_tool_call_get_result (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->result;
}

gboolean
beckon_tool_call_get_is_error (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), FALSE);

  return self->is_error;
}

int
beckon_tool_call_get_exit_status (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), -1);

  return self->exit_status;
}

gsize
beckon_tool_call_get_output_length (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->result != NULL ? MIN (self->output_length, strlen (self->result)) : 0;
}

void
beckon_tool_call_set_end (BeckonToolCall *self, int exit_status, gsize output_length)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail (self->result == NULL);

  self->exit_status = exit_status;
  self->output_length = output_length;
}

void
beckon_tool_call_set_result (BeckonToolCall *self, const char *result, gboolean is_error)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail (result != NULL);
  g_return_if_fail (self->result == NULL);

  self->result = g_strdup (result);
  self->is_error = !!is_error;

  g_object_freeze_notify (G_OBJECT (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESULT]);
  if (self->is_error)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_ERROR]);
  g_object_thaw_notify (G_OBJECT (self));
}

void
beckon_tool_call_add_asked (BeckonToolCall *self, GObject *request)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail (G_IS_OBJECT (request));

  if (self->asked == NULL)
    self->asked = g_ptr_array_new_with_free_func (g_object_unref);
  if (self->asked->len < BECKON_TOOL_CALL_MOST_ASKED)
    g_ptr_array_add (self->asked, g_object_ref (request));
}

guint
beckon_tool_call_get_n_asked (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->asked != NULL ? self->asked->len : 0;
}

GObject *
beckon_tool_call_get_asked (BeckonToolCall *self, guint index)
{
  g_return_val_if_fail (index < beckon_tool_call_get_n_asked (self), NULL);

  return g_ptr_array_index (self->asked, index);
}

void
beckon_tool_call_add_waited (BeckonToolCall *self, gint64 duration)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  self->waited += MAX (duration, 0);
}

gint64
beckon_tool_call_get_waited (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->waited;
}

guint
beckon_tool_call_get_n_images (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->images != NULL ? self->images->len : 0;
}

BeckonPart *
beckon_tool_call_get_image (BeckonToolCall *self, guint index)
{
  g_return_val_if_fail (index < beckon_tool_call_get_n_images (self), NULL);

  return g_ptr_array_index (self->images, index);
}

void
beckon_tool_call_add_image (BeckonToolCall *self, BeckonPart *image)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail (image != NULL);
  g_return_if_fail (self->result == NULL);

  if (self->images == NULL)
    self->images = g_ptr_array_new_with_free_func (g_object_unref);
  if (self->images->len < BECKON_TOOL_CALL_MOST_IMAGES)
    g_ptr_array_add (self->images, g_object_ref (image));
}

void
beckon_tool_call_add_images_of (BeckonToolCall *self, BeckonToolCall *from)
{
  for (guint i = 0; i < beckon_tool_call_get_n_images (from); i++)
    beckon_tool_call_add_image (self, beckon_tool_call_get_image (from, i));
}

gint64
beckon_tool_call_get_started_at (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->started_at;
}

gint64
beckon_tool_call_get_finished_at (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->finished_at;
}

void
beckon_tool_call_set_times (BeckonToolCall *self, gint64 started_at, gint64 finished_at)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  self->started_at = started_at;
  self->finished_at = finished_at;
}

GObject *
beckon_tool_call_get_request (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->request;
}

void
beckon_tool_call_set_request (BeckonToolCall *self, GObject *request)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail (request == NULL || G_IS_OBJECT (request));

  if (g_set_object (&self->request, request))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REQUEST]);
}

const char *
beckon_tool_call_get_output (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->output;
}

void
beckon_tool_call_set_output (BeckonToolCall *self, const char *output)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  if (g_strcmp0 (self->output, output) == 0)
    return;

  old = g_steal_pointer (&self->output);
  self->output = g_strdup (output);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTPUT]);
}

BeckonCallChange
beckon_tool_call_get_change (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), BECKON_CALL_CHANGE_NONE);

  return self->change;
}

void
beckon_tool_call_set_change (BeckonToolCall *self, BeckonCallChange change)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  if (self->change == change)
    return;
  self->change = change;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHANGE]);
}

const BeckonLanding *
beckon_tool_call_get_landing (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->landing;
}

static BeckonCallChange
get_change_of (const BeckonLanding *landing)
{
  if (landing != NULL && landing->state == BECKON_LANDING_UNDONE)
    return BECKON_CALL_CHANGE_UNDONE;
  if (landing != NULL && landing->state == BECKON_LANDING_LANDED && !landing->is_gone
      && beckon_change_set_can_undo (landing->changes))
    return BECKON_CALL_CHANGE_KEPT;

  return BECKON_CALL_CHANGE_NONE;
}

static void
take_early (BeckonToolCall *self, BeckonLanding *landing)
{
  if (self->early == NULL)
    self->early = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_landing_free);
  for (guint i = 0; i < self->early->len; i++)
    if (g_str_equal (((BeckonLanding *) self->early->pdata[i])->id, landing->id))
      {
        beckon_landing_free (self->early->pdata[i]);
        self->early->pdata[i] = landing;
        return;
      }
  g_ptr_array_add (self->early, landing);
}

void
beckon_tool_call_take_landing (BeckonToolCall *self, BeckonLanding *landing)
{
  BeckonCallChange all;

  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  if (landing != NULL && beckon_landing_is_early (landing))
    take_early (self, landing);
  else
    {
      g_clear_pointer (&self->landing, beckon_landing_free);
      self->landing = landing;
    }

  /* Anything that can be put back counts for more than what is put back already. */
  all = get_change_of (self->landing);
  for (guint i = 0; i < beckon_tool_call_get_n_early (self) && all != BECKON_CALL_CHANGE_KEPT; i++)
    {
      BeckonCallChange change = get_change_of (beckon_tool_call_get_early (self, i));

      if (change != BECKON_CALL_CHANGE_NONE)
        all = change;
    }
  self->change = all;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHANGE]);
}

guint
beckon_tool_call_get_n_early (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), 0);

  return self->early != NULL ? self->early->len : 0;
}

const BeckonLanding *
beckon_tool_call_get_early (BeckonToolCall *self, guint index)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);
  g_return_val_if_fail (index < beckon_tool_call_get_n_early (self), NULL);

  return g_ptr_array_index (self->early, index);
}

const BeckonLanding *
beckon_tool_call_find_landing (BeckonToolCall *self, const char *id)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);

  if (self->landing != NULL && g_str_equal (self->landing->id, id))
    return self->landing;
  for (guint i = 0; i < beckon_tool_call_get_n_early (self); i++)
    if (g_str_equal (beckon_tool_call_get_early (self, i)->id, id))
      return beckon_tool_call_get_early (self, i);

  return NULL;
}

void
beckon_tool_call_drop_early (BeckonToolCall *self, const char *id)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));
  g_return_if_fail (id != NULL);

  for (guint i = beckon_tool_call_get_n_early (self); i > 0; i--)
    if (g_str_equal (beckon_tool_call_get_early (self, i - 1)->id, id))
      g_ptr_array_remove_index (self->early, i - 1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHANGE]);
}

GPtrArray *
beckon_tool_call_list_landings (BeckonToolCall *self)
{
  GPtrArray *all = g_ptr_array_new ();

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  if (self->landing != NULL)
    g_ptr_array_add (all, self->landing);
  for (guint i = beckon_tool_call_get_n_early (self); i > 0; i--)
    g_ptr_array_add (all, g_ptr_array_index (self->early, i - 1));

  return all;
}

gboolean
beckon_tool_call_is_not_saved (BeckonToolCall *self)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (self);
  gboolean has_lost = FALSE;

  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonChangeSet *changes = ((const BeckonLanding *) g_ptr_array_index (landings, i))->changes;

      for (guint k = 0; k < beckon_change_set_get_n_changes (changes); k++)
        {
          const BeckonFileChange *change = beckon_change_set_get (changes, k);

          if (beckon_file_change_is_aside (change))
            continue;
          if (change->fate == BECKON_FILE_OPEN || change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE)
            return FALSE;
          has_lost = TRUE;
        }
    }
  return has_lost;
}

gboolean
beckon_tool_call_get_can_land (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), FALSE);

  return self->can_land;
}

void
beckon_tool_call_set_can_land (BeckonToolCall *self, gboolean can_land)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  if (self->can_land == can_land)
    return;
  self->can_land = can_land;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAN_LAND]);
}

const char *
beckon_tool_call_get_background (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), NULL);

  return self->background;
}

void
beckon_tool_call_set_background (BeckonToolCall *self, const char *told)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  g_free (self->background);
  self->background = g_strdup (told);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BACKGROUND]);
}

gboolean
beckon_tool_call_get_is_kept (BeckonToolCall *self)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (self), FALSE);

  return self->is_kept;
}

void
beckon_tool_call_keep (BeckonToolCall *self)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (self));

  self->is_kept = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BACKGROUND]);
}

static BeckonPlanned *
tool_call_ensure_planned (BeckonToolCall *self)
{
  if (self->planned == NULL)
    self->planned = g_new0 (BeckonPlanned, 1);
  return self->planned;
}

static const char *const outcome_words[] = { NULL, "skipped", "replaced", "replan" };

static void
planned_free (BeckonPlanned *planned)
{
  if (planned == NULL)
    return;

  g_clear_pointer (&planned->plan, beckon_plan_free);
  g_clear_pointer (&planned->steps, g_ptr_array_unref);
  g_clear_weak_pointer (&planned->planned_by);
  g_free (planned->step_id);
  g_free (planned);
}

BECKON_WORDS_TO (BeckonStepOutcome, beckon_step_outcome_to_string, outcome_words)

BeckonStepOutcome
beckon_step_outcome_from_string (const char *word)
{
  for (guint i = 1; word != NULL && i < G_N_ELEMENTS (outcome_words); i++)
    if (g_str_equal (word, outcome_words[i]))
      return (BeckonStepOutcome) i;
  return BECKON_STEP_OUTCOME_NONE;
}

BeckonToolCall *
beckon_tool_call_new_step (const char *id, BeckonToolCall *planned, const char *step_id, const char *tool,
                           const char *arguments)
{
  BeckonToolCall *step;
  BeckonPlanned *own;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), NULL);
  g_return_val_if_fail (step_id != NULL, NULL);

  step = beckon_tool_call_new (id, NULL, tool, arguments);
  own = tool_call_ensure_planned (step);
  g_set_weak_pointer (&own->planned_by, planned);
  own->step_id = g_strdup (step_id);
  return step;
}

static const BeckonPlanned *
peek (BeckonToolCall *call)
{
  static const BeckonPlanned none = { 0 };
  const BeckonPlanned *planned = call->planned;

  return planned != NULL ? planned : &none;
}

guint
beckon_tool_call_get_n_steps (BeckonToolCall *planned)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), 0);

  return peek (planned)->steps != NULL ? peek (planned)->steps->len : 0;
}

BeckonToolCall *
beckon_tool_call_get_step (BeckonToolCall *planned, guint index)
{
  g_return_val_if_fail (index < beckon_tool_call_get_n_steps (planned), NULL);

  return g_ptr_array_index (peek (planned)->steps, index);
}

BeckonToolCall *
beckon_tool_call_get_open_step (BeckonToolCall *planned)
{
  for (guint i = beckon_tool_call_get_n_steps (planned); i > 0; i--)
    {
      BeckonToolCall *step = beckon_tool_call_get_step (planned, i - 1);

      if (!beckon_call_state_is_final (beckon_tool_call_get_state (step)))
        return step;
    }
  return NULL;
}

BeckonToolCall *
beckon_tool_call_find_step (BeckonToolCall *planned, const char *step_id)
{
  for (guint i = beckon_tool_call_get_n_steps (planned); i > 0; i--)
    {
      BeckonToolCall *step = beckon_tool_call_get_step (planned, i - 1);

      if (g_strcmp0 (peek (step)->step_id, step_id) == 0 && peek (step)->outcome != BECKON_STEP_OUTCOME_REPLACED)
        return step;
    }
  return NULL;
}

/* Steps waiting for a person have not begun: they may be changed. */
static BeckonStepStatus
get_status (BeckonToolCall *step)
{
  switch (beckon_tool_call_get_state (step))
    {
    case BECKON_CALL_DECIDED:
    case BECKON_CALL_STARTED:
    case BECKON_CALL_UNKNOWN:
      return BECKON_STEP_EXECUTING;

    case BECKON_CALL_CANCELLED:
      return beckon_tool_call_get_started_at (step) > 0 ? BECKON_STEP_FAILED : BECKON_STEP_PENDING;

    case BECKON_CALL_DONE:
      if (peek (step)->outcome == BECKON_STEP_OUTCOME_SKIPPED)
        return BECKON_STEP_SKIPPED;
      if (peek (step)->outcome != BECKON_STEP_OUTCOME_NONE)
        return BECKON_STEP_PENDING;
      if (beckon_tool_call_get_is_error (step))
        return BECKON_STEP_FAILED;
      return beckon_tool_call_is_not_saved (step) ? BECKON_STEP_NOT_SAVED : BECKON_STEP_COMPLETED;

    case BECKON_CALL_PROPOSED:
    case BECKON_CALL_AWAITING:
    default:
      return BECKON_STEP_PENDING;
    }
}

static void
follow_step (BeckonPlanStep *step, BeckonToolCall *call)
{
  const char *result;
  gsize length;

  if (call == NULL)
    {
      if (step->status == BECKON_STEP_EXECUTING)
        step->status = BECKON_STEP_PENDING;
      return;
    }
  result = beckon_tool_call_get_result (call);
  length = beckon_tool_call_get_output_length (call);
  step->status = get_status (call);
  g_free (step->result);
  step->result = step->status == BECKON_STEP_PENDING ? NULL : g_strdup (result);
  /* Remarks about it follow the output. */
  g_free (step->output);
  step->output = !beckon_plan_step_is_free (step) && result != NULL && length < strlen (result) ? g_strndup (result, length)
                                                                                                  : NULL;
}

static void
follow_steps (BeckonToolCall *planned)
{
  BeckonPlan *plan = peek (planned)->plan;

  for (guint i = 0; plan != NULL && i < plan->steps->len; i++)
    {
      BeckonPlanStep *step = g_ptr_array_index (plan->steps, i);

      follow_step (step, beckon_tool_call_find_step (planned, step->id));
    }
  g_object_notify_by_pspec (G_OBJECT (planned), properties[PROP_PLAN]);
}

void
beckon_tool_call_add_step (BeckonToolCall *planned, BeckonToolCall *step)
{
  BeckonPlanned *own;

  g_return_if_fail (BECKON_IS_TOOL_CALL (planned));
  g_return_if_fail (beckon_tool_call_get_planned_by (step) == planned);

  own = tool_call_ensure_planned (planned);
  if (own->steps == NULL)
    own->steps = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (own->steps, g_object_ref (step));
  g_signal_connect_object (step, "notify::state", G_CALLBACK (follow_steps), planned, G_CONNECT_SWAPPED);
  g_signal_connect_object (step, "notify::request", G_CALLBACK (follow_steps), planned, G_CONNECT_SWAPPED);
  g_signal_connect_object (step, "notify::change", G_CALLBACK (follow_steps), planned, G_CONNECT_SWAPPED);
  follow_steps (planned);
}

const BeckonPlan *
beckon_tool_call_get_plan (BeckonToolCall *planned)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (planned), NULL);

  return peek (planned)->plan;
}

void
beckon_tool_call_set_plan (BeckonToolCall *planned, const BeckonPlan *plan)
{
  BeckonPlanned *own;
  BeckonPlan *old;

  g_return_if_fail (BECKON_IS_TOOL_CALL (planned));
  g_return_if_fail (plan != NULL);

  own = tool_call_ensure_planned (planned);
  old = own->plan;
  own->plan = beckon_plan_copy (plan);
  beckon_plan_free (old);
  follow_steps (planned);
}

BeckonToolCall *
beckon_tool_call_get_planned_by (BeckonToolCall *step)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (step), NULL);

  return peek (step)->planned_by;
}

const char *
beckon_tool_call_get_step_id (BeckonToolCall *step)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (step), NULL);

  return peek (step)->step_id;
}

BeckonStepOutcome
beckon_tool_call_get_step_outcome (BeckonToolCall *step)
{
  g_return_val_if_fail (BECKON_IS_TOOL_CALL (step), BECKON_STEP_OUTCOME_NONE);

  return peek (step)->outcome;
}

void
beckon_tool_call_set_step_outcome (BeckonToolCall *step, BeckonStepOutcome outcome)
{
  g_return_if_fail (BECKON_IS_TOOL_CALL (step));

  if (peek (step)->outcome == outcome)
    return;

  tool_call_ensure_planned (step)->outcome = outcome;
  if (peek (step)->planned_by != NULL)
    follow_steps (peek (step)->planned_by);
}
