/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-model-facts.h"

#include "base/beckon-json.h"

#include <string.h>

/* Nearly every server has names of its own for the same three things. What a local server was started with comes before what
 * its model could do. */

/* The first that is there and makes sense. */
static guint
read_count (JsonObject *object, const char *const *names, guint max)
{
  for (; object != NULL && *names != NULL; names++)
    {
      gint64 count = beckon_json_get_int (object, *names, 0);

      if (count > 0)
        return (guint) MIN (count, max);
    }
  return 0;
}

static guint
read_window (JsonObject *model)
{
  static const char *const names[] = {
    "loaded_context_length", "max_model_len", "context_length",   "context_window",
    "max_context_length",    "inputTokenLimit", "max_input_tokens", NULL,
  };
  static const char *const started_with[] = { "n_ctx", NULL };
  guint window = read_count (model, names, BECKON_PROFILE_WINDOW_MAX);

  return window != 0 ? window
                     : read_count (beckon_json_get_object (model, "meta"), started_with, BECKON_PROFILE_WINDOW_MAX);
}

static guint
read_output (JsonObject *model)
{
  static const char *const names[] = { "max_completion_tokens", "outputTokenLimit", "max_output_tokens", NULL };
  guint output = read_count (model, names, BECKON_PROFILE_OUTPUT_LIMIT_MAX);

  return output != 0 ? output
                     : read_count (beckon_json_get_object (model, "top_provider"), names, BECKON_PROFILE_OUTPUT_LIMIT_MAX);
}

static gboolean
has_word (JsonArray *words, const char *word)
{
  for (guint i = 0; i < json_array_get_length (words); i++)
    {
      JsonNode *node = json_array_get_element (words, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING && g_str_equal (json_node_get_string (node), word))
        return TRUE;
    }
  return FALSE;
}

/* A list of what goes in; %NULL where there is none. */
static JsonArray *
find_inputs (JsonObject *model)
{
  JsonObject *architecture = beckon_json_get_object (model, "architecture");
  JsonArray *inputs = beckon_json_get_array (model, "input_modalities");

  return inputs == NULL && architecture != NULL ? beckon_json_get_array (architecture, "input_modalities") : inputs;
}

static int
read_images (JsonObject *model)
{
  JsonArray *inputs = find_inputs (model);
  JsonArray *skills = beckon_json_get_array (model, "capabilities");
  JsonObject *abilities = beckon_json_get_object (model, "capabilities");

  if (inputs != NULL)
    return has_word (inputs, "image");
  if (skills != NULL)
    return has_word (skills, "vision") || has_word (skills, "multimodal");
  if (abilities != NULL && json_object_has_member (abilities, "vision"))
    return beckon_json_get_boolean (abilities, "vision", FALSE);
  if (json_object_has_member (model, "supports_image_in"))
    return beckon_json_get_boolean (model, "supports_image_in", FALSE);
  return -1;
}

void
beckon_model_facts_read (JsonObject *model, BeckonModelFacts *facts)
{
  facts->window = read_window (model);
  facts->output = read_output (model);
  facts->images = read_images (model);
}
