/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-model-facts.h"

#include "base/beckon-json.h"
#include "domain/beckon-effort.h"

#include <string.h>

/* Nearly every server has names of its own for the same things. What a local server was started with comes before what
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
  static const char *const names[] = { "max_completion_tokens", "outputTokenLimit", "max_output_tokens", "max_tokens", NULL };
  guint output = read_count (model, names, BECKON_PROFILE_OUTPUT_LIMIT_MAX);

  return output != 0 ? output
                     : read_count (beckon_json_get_object (model, "top_provider"), names, BECKON_PROFILE_OUTPUT_LIMIT_MAX);
}

static gboolean
model_facts_has_word (JsonArray *words, const char *word)
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

/* As Anthropic says it. */
static gboolean
is_supported (JsonObject *abilities, const char *name)
{
  JsonObject *ability = beckon_json_get_object (abilities, name);

  return ability != NULL && beckon_json_get_boolean (ability, "supported", FALSE);
}

static int
read_images (JsonObject *model)
{
  JsonArray *inputs = find_inputs (model);
  JsonArray *skills = beckon_json_get_array (model, "capabilities");
  JsonObject *abilities = beckon_json_get_object (model, "capabilities");

  if (inputs != NULL)
    return model_facts_has_word (inputs, "image");
  if (skills != NULL)
    return model_facts_has_word (skills, "vision") || model_facts_has_word (skills, "multimodal");
  if (abilities != NULL && beckon_json_get_object (abilities, "image_input") != NULL)
    return is_supported (abilities, "image_input");
  if (abilities != NULL && json_object_has_member (abilities, "vision"))
    return beckon_json_get_boolean (abilities, "vision", FALSE);
  if (json_object_has_member (model, "supports_image_in"))
    return beckon_json_get_boolean (model, "supports_image_in", FALSE);
  return -1;
}

/* Gateways list "file" among what goes in. */
static int
read_pdfs (JsonObject *model)
{
  JsonArray *inputs = find_inputs (model);
  JsonObject *abilities = beckon_json_get_object (model, "capabilities");

  if (inputs != NULL)
    return model_facts_has_word (inputs, "file") || model_facts_has_word (inputs, "pdf");
  if (abilities != NULL && beckon_json_get_object (abilities, "pdf_input") != NULL)
    return is_supported (abilities, "pdf_input");
  return -1;
}

/* A model that can only complete a text, or is switched off, calls no tools either. */
static int
read_tools (JsonObject *model)
{
  JsonArray *parameters = beckon_json_get_array (model, "supported_parameters");
  JsonArray *skills = beckon_json_get_array (model, "capabilities");
  JsonObject *abilities = beckon_json_get_object (model, "capabilities");
  const char *type = beckon_json_get_string (model, "type");

  if (!beckon_json_get_boolean (model, "active", TRUE) || g_strcmp0 (type, "embeddings") == 0)
    return 0;
  if (abilities != NULL && !beckon_json_get_boolean (abilities, "completion_chat", TRUE))
    return 0;
  if (abilities != NULL && json_object_has_member (abilities, "function_calling"))
    return beckon_json_get_boolean (abilities, "function_calling", FALSE);
  if (parameters != NULL)
    return model_facts_has_word (parameters, "tools");
  return skills != NULL && (model_facts_has_word (skills, "tool_use") || model_facts_has_word (skills, "tools")) ? 1 : -1;
}

/* A time as a number or as text; the first that is there. Some servers write a day alone. */
static gint64
read_time (JsonObject *model, const char *const *names)
{
  for (; *names != NULL; names++)
    {
      const char *text = beckon_json_get_string (model, *names);
      g_autofree char *whole = text != NULL && strlen (text) == strlen ("2026-01-01") ? g_strconcat (text, "T00:00:00Z", NULL)
                                                                                     : g_strdup (text);
      g_autoptr (GDateTime) time = whole != NULL ? g_date_time_new_from_iso8601 (whole, NULL) : NULL;
      gint64 seconds = time != NULL ? g_date_time_to_unix (time) : beckon_json_get_int (model, *names, 0);

      if (seconds > 0)
        return seconds;
    }
  return 0;
}

/* For a token, as text, so that no digit is lost. */
static double
read_price (JsonObject *pricing, const char *name)
{
  const char *text = pricing != NULL ? beckon_json_get_string (pricing, name) : NULL;
  double price = text != NULL ? g_ascii_strtod (text, NULL) * 1e6 : -1;

  return price >= 0 && price <= BECKON_PROFILE_PRICE_MAX ? price : -1;
}

static void
read_prices (JsonObject *model, BeckonModelFacts *facts)
{
  JsonObject *pricing = beckon_json_get_object (model, "pricing");

  facts->prices[BECKON_PRICE_INPUT] = read_price (pricing, "prompt");
  facts->prices[BECKON_PRICE_CACHED] = read_price (pricing, "input_cache_read");
  facts->prices[BECKON_PRICE_OUTPUT] = read_price (pricing, "completion");
  if (facts->prices[BECKON_PRICE_INPUT] >= 0 && facts->prices[BECKON_PRICE_OUTPUT] >= 0)
    facts->prices_from = BECKON_FACT_SERVER;
}

/* As OpenRouter says it: a list, or nothing where all levels are taken; "none" is one of them unless the model always reasons.
 * https://openrouter.ai/docs/client-sdks/typescript/models/modelreasoning.md */
static guint
read_listed_efforts (JsonObject *reasoning)
{
  JsonArray *words = beckon_json_get_array (reasoning, "supported_efforts");
  gboolean is_mandatory = beckon_json_get_boolean (reasoning, "mandatory", FALSE);
  guint levels = is_mandatory ? 0 : BECKON_EFFORT_LEVEL_NONE;

  if (words == NULL)
    return is_mandatory ? BECKON_EFFORT_LEVELS_ALL & ~(guint) BECKON_EFFORT_LEVEL_NONE : BECKON_EFFORT_LEVELS_ALL;
  for (guint i = 0; i < json_array_get_length (words); i++)
    {
      JsonNode *word = json_array_get_element (words, i);

      if (json_node_get_value_type (word) == G_TYPE_STRING)
        levels |= beckon_effort_level_from_word (json_node_get_string (word));
    }
  return levels;
}

/* As Anthropic says it, each level for itself. */
static guint
read_effort_abilities (JsonObject *effort)
{
  static const char *const words[] = { "minimal", "low", "medium", "high", "xhigh", "max" };
  guint levels = 0;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (is_supported (effort, words[i]))
      levels |= beckon_effort_level_from_word (words[i]);
  return levels;
}

static guint
read_efforts (JsonObject *model)
{
  JsonObject *abilities = beckon_json_get_object (model, "capabilities");
  JsonObject *effort = abilities != NULL ? beckon_json_get_object (abilities, "effort") : NULL;
  JsonObject *reasoning = beckon_json_get_object (model, "reasoning");

  if (reasoning != NULL)
    return read_listed_efforts (reasoning);
  return effort != NULL ? read_effort_abilities (effort) : 0;
}

BeckonListedModel *
beckon_model_facts_read (const char *name, JsonObject *model)
{
  static const char *const born[] = { "created", "created_at", "modified_at", NULL };
  static const char *const gone[] = { "deprecation", "deprecation_date", "expiration_date", "shutdown_date", NULL };
  BeckonModelDetails details = {
    .facts = { read_window (model), read_output (model), read_images (model), read_pdfs (model), read_efforts (model),
               { -1, -1, -1 }, BECKON_FACT_UNKNOWN },
    .created = read_time (model, born),
    .retires = read_time (model, gone),
    .tools = read_tools (model),
  };

  read_prices (model, &details.facts);
  return beckon_listed_model_new (name, &details);
}
