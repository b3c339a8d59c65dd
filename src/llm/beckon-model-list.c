/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-list.h"

#include "beckon-model-facts.h"
#include "net/beckon-llm-error.h"

#include "base/beckon-json-reader.h"
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
model_list_get_name (JsonObject *model)
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
model_list_is_name (const char *name)
{
  g_autofree char *shown = NULL;

  if (name == NULL || *name == '\0' || strlen (name) > NAME_MAX_BYTES)
    return FALSE;
  shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  return g_str_equal (shown, name);
}

/* An entry that can't be read, because of a number that is too large for instance, is left out alone. */
static void
add_models (GHashTable *known, const BeckonJsonSlice *models)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, models->text, models->length, BECKON_JSON_REPLACE);
  beckon_json_reader_next (&reader);
  for (guint i = 0; i < BECKON_MODEL_LIST_MAX; i++)
    {
      BeckonJsonSlice raw;
      g_autoptr (JsonObject) model = NULL;

      token = beckon_json_reader_next (&reader);
      if (token == BECKON_JSON_ARRAY_END || !beckon_json_reader_finish_value (&reader, token, &raw))
        return;
      model = beckon_json_parse_object (raw.text, (gssize) raw.length, NULL);
      if (model != NULL && model_list_is_name (model_list_get_name (model)) && can_talk (model))
        g_hash_table_replace (known, g_strdup (model_list_get_name (model)),
                              beckon_model_facts_read (model_list_get_name (model), model));
    }
}

static int
model_list_compare (gconstpointer a, gconstpointer b)
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
  g_ptr_array_sort (list, model_list_compare);
  return list;
}

typedef struct
{
  BeckonJsonSlice models; /* raw */
} Answer;

GPtrArray *
beckon_model_list_parse (BeckonProfileKind kind, const char *body, gsize length, GError **error)
{
  gboolean says_models = kind == BECKON_PROFILE_GEMINI || kind == BECKON_PROFILE_OLLAMA;
  const BeckonJsonMember members[] = {
    says_models ? (BeckonJsonMember) BECKON_JSON_RAW_MEMBER ("models", Answer, models)
                : (BeckonJsonMember) BECKON_JSON_RAW_MEMBER ("data", Answer, models),
    BECKON_JSON_MEMBERS_END,
  };
  gsize blank = 0;
  gboolean is_bare;
  Answer answer = { 0 };
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  while (blank < length && g_ascii_isspace (body[blank]))
    blank++;
  /* Some give the list alone. */
  is_bare = length - blank > strlen ("[]") && body[blank] == '[' && beckon_json_check (body, (gssize) length, NULL);
  if (is_bare)
    answer.models = (BeckonJsonSlice){ body + blank, length - blank, FALSE };
  if ((!is_bare && beckon_json_members_read_text (body, length, members, &answer) != BECKON_JSON_FAULT_NONE)
      || answer.models.length == 0 || answer.models.text[0] != '[')
    {
      g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL,
                           _("The server answered, but not with a list of models. Check the base URL and the protocol, or "
                             "enter the model's name by hand."));
      return NULL;
    }
  add_models (known, &answer.models);
  return to_list (known);
}
