/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-approval-request.h"
#include "beckon-changes-request.h"
#include "beckon-form-request.h"
#include "beckon-outcome-request.h"
#include "beckon-plan-request.h"
#include "beckon-question-request.h"
#include "beckon-trust-request.h"

typedef GType (*GetType) (void);

static const GetType classes[] = {
  beckon_question_request_get_type, beckon_approval_request_get_type, beckon_plan_request_get_type,
  beckon_outcome_request_get_type,  beckon_changes_request_get_type,  beckon_form_request_get_type,
  beckon_trust_request_get_type,
};

/* %G_TYPE_INVALID if none is stored under that name. A body that is of no class is refused by the first of its name. */
static GType
find_class (const char *kind, const char *body)
{
  GType found = G_TYPE_INVALID;
  g_autofree char *form = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      g_autoptr (GTypeClass) klass = g_type_class_ref (classes[i] ());

      if (g_strcmp0 (BECKON_REQUEST_CLASS (klass)->kind, kind) != 0)
        continue;
      if (BECKON_REQUEST_CLASS (klass)->form != NULL && form == NULL)
        {
          g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, NULL);

          form = object != NULL ? g_strdup (beckon_json_get_string (object, "form")) : NULL;
        }
      if (g_strcmp0 (BECKON_REQUEST_CLASS (klass)->form, form) == 0)
        return classes[i] ();
      found = found == G_TYPE_INVALID ? classes[i] () : found;
    }
  return found;
}

BeckonRequest *
beckon_request_new_from_body (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                              const char *kind, const char *body, gint64 asked_at, GError **error)
{
  GType type;
  g_autoptr (BeckonRequest) self = NULL;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (body != NULL, NULL);

  type = find_class (kind, body);
  if (type == G_TYPE_INVALID)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Unknown kind of request: %s", kind);
      return NULL;
    }
  self = g_object_new (type, NULL);
  beckon_request_set_place (self, id, conversation_id, message_id, call_id, asked_at);
  return BECKON_REQUEST_GET_CLASS (self)->read_body (self, body, error) ? g_steal_pointer (&self) : NULL;
}
