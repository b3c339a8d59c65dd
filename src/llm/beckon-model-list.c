/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-list.h"

#include "beckon-llm-error.h"
#include "beckon-model-facts.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NAME_MAX_BYTES 256

/* Google says of each what it can do; others list what embeds and what paints among the rest. */
static gboolean
can_talk (JsonObject *model)
{
  JsonArray *methods = beckon_json_get_array (model, "supportedGenerationMethods");

  if (methods == NULL)
    return TRUE;
  for (guint i = 0; i < json_array_get_length (methods); i++)
    {
      JsonNode *method = json_array_get_element (methods, i);

      if (json_node_get_value_type (method) == G_TYPE_STRING
          && g_str_equal (json_node_get_string (method), "generateContent"))
        return TRUE;
    }
  return FALSE;
}

static const char *
get_name (JsonObject *model)
{
  const char *name = beckon_json_get_string (model, "id");

  if (name == NULL)
    name = beckon_json_get_string (model, "name");
  if (name != NULL && g_str_has_prefix (name, "models/"))
    name += strlen ("models/");
  return name;
}

/* A name goes into requests as it is, so one that would have to be changed to be shown is none. */
static gboolean
is_name (const char *name)
{
  g_autofree char *shown = NULL;

  if (name == NULL || *name == '\0' || strlen (name) > NAME_MAX_BYTES)
    return FALSE;
  shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  return g_str_equal (shown, name);
}

static void
add_models (GHashTable *known, JsonArray *models)
{
  guint n = MIN (json_array_get_length (models), BECKON_MODEL_LIST_MAX);

  for (guint i = 0; i < n; i++)
    {
      JsonNode *node = json_array_get_element (models, i);
      JsonObject *model = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

      if (model != NULL && is_name (get_name (model)) && can_talk (model))
        g_hash_table_replace (known, g_strdup (get_name (model)), beckon_model_facts_read (get_name (model), model));
    }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  BeckonListedModel *one = *(BeckonListedModel *const *) a, *other = *(BeckonListedModel *const *) b;

  return g_ascii_strcasecmp (beckon_listed_model_get_name (one), beckon_listed_model_get_name (other));
}

static GPtrArray *
to_list (GHashTable *known)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer model;

  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, NULL, &model))
    g_ptr_array_add (list, g_object_ref (model));
  g_ptr_array_sort (list, compare);
  return list;
}

GPtrArray *
beckon_model_list_parse (BeckonProfileKind kind, const char *body, gsize length, GError **error)
{
  gboolean says_models = kind == BECKON_PROFILE_GEMINI || kind == BECKON_PROFILE_OLLAMA;
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, (gssize) length, NULL);
  JsonArray *models = object != NULL ? beckon_json_get_array (object, says_models ? "models" : "data") : NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  if (models == NULL)
    {
      g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL,
                           _("The server answered, but not with a list of models. Check the base URL and what the server "
                             "speaks, or enter the model's name by hand."));
      return NULL;
    }
  add_models (known, models);
  return to_list (known);
}
