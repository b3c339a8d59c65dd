/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-table.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-domain-resources.h"
#include "beckon-effort.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RESOURCE "/io/github/beckon/domain/models.json"

typedef struct
{
  GPtrArray *patterns; /* (element-type GPatternSpec) */
  BeckonModelFacts facts;
  int temperature; /* 0 if a request with one is refused */
} Entry;

/* (element-type Entry): replaced at the start only. */
static GPtrArray *table;

static void
model_table_entry_free (gpointer data)
{
  Entry *entry = data;

  g_ptr_array_unref (entry->patterns);
  g_free (entry);
}

static gboolean
read_patterns (JsonObject *object, Entry *entry)
{
  JsonArray *patterns = beckon_json_get_array (object, "patterns");
  guint n = patterns != NULL ? json_array_get_length (patterns) : 0;

  for (guint i = 0; i < n; i++)
    {
      JsonNode *node = json_array_get_element (patterns, i);

      if (json_node_get_value_type (node) != G_TYPE_STRING)
        return FALSE;
      g_ptr_array_add (entry->patterns, g_pattern_spec_new (json_node_get_string (node)));
    }
  return n > 0;
}

static gboolean
read_count (JsonObject *object, const char *name, guint max, guint *count)
{
  gint64 value = beckon_json_get_int (object, name, 0);

  *count = (guint) CLAMP (value, 0, max);
  return !json_object_has_member (object, name) || (value > 0 && value <= max);
}

static gboolean
read_prices (JsonObject *object, double *prices)
{
  JsonArray *array = beckon_json_get_array (object, "prices");

  if (array == NULL)
    return !json_object_has_member (object, "prices");
  if (json_array_get_length (array) != BECKON_N_PRICES)
    return FALSE;
  for (guint i = 0; i < BECKON_N_PRICES; i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_NULL (node))
        continue;
      if (json_node_get_value_type (node) != G_TYPE_DOUBLE && json_node_get_value_type (node) != G_TYPE_INT64)
        return FALSE;
      prices[i] = json_node_get_double (node);
      if (!(prices[i] >= 0 && prices[i] <= BECKON_PROFILE_PRICE_MAX))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_efforts (JsonObject *object, guint *efforts)
{
  JsonArray *array = beckon_json_get_array (object, "effort");

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (json_node_get_value_type (node) != G_TYPE_STRING)
        return FALSE;
      *efforts |= beckon_effort_level_from_word (json_node_get_string (node));
    }
  return array != NULL || !json_object_has_member (object, "effort");
}

static gboolean
read_ability (JsonObject *object, const char *name, int *ability)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return FALSE;
  *ability = node != NULL ? json_node_get_boolean (node) : -1;
  return TRUE;
}

static Entry *
read_entry (JsonObject *object)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;
  Entry *entry = g_new0 (Entry, 1);
  BeckonModelFacts *facts = &entry->facts;

  entry->patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);
  *facts = none;
  if (read_patterns (object, entry) && read_count (object, "context", BECKON_PROFILE_WINDOW_MAX, &facts->window)
      && read_count (object, "output", BECKON_PROFILE_OUTPUT_LIMIT_MAX, &facts->output)
      && read_ability (object, "vision", &facts->images) && read_ability (object, "pdf", &facts->pdfs)
      && read_ability (object, "temperature", &entry->temperature)
      && read_prices (object, facts->prices) && read_efforts (object, &facts->efforts))
    return entry;
  model_table_entry_free (entry);
  return NULL;
}

static GPtrArray *
read_table (const char *json, gsize length, GError **error)
{
  g_autoptr (JsonObject) root =
    length <= BECKON_MODEL_TABLE_MAX_BYTES ? beckon_json_parse_object (json, (gssize) length, NULL) : NULL;
  JsonArray *models = root != NULL ? beckon_json_get_array (root, "models") : NULL;
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (model_table_entry_free);

  if (models == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("It is no JSON object with an array “models”, or larger than 1 MB."));
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (models); i++)
    {
      JsonNode *node = json_array_get_element (models, i);
      Entry *entry = JSON_NODE_HOLDS_OBJECT (node) ? read_entry (json_node_get_object (node)) : NULL;

      if (entry == NULL)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Entry %u of “models” is wrong."), i + 1);
          return NULL;
        }
      g_ptr_array_add (entries, entry);
    }
  return g_steal_pointer (&entries);
}

gboolean
beckon_model_table_replace (const char *json, gsize length, GError **error)
{
  g_autoptr (GBytes) built_in = NULL;
  GPtrArray *entries;

  if (json == NULL)
    {
      built_in = g_resource_lookup_data (beckon_domain_get_resource (), RESOURCE, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      json = g_bytes_get_data (built_in, &length);
    }
  entries = read_table (json, length, error);
  if (entries == NULL)
    return FALSE;
  g_clear_pointer (&table, g_ptr_array_unref);
  table = entries;
  return TRUE;
}

void
beckon_model_table_read_own (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, "models.json", NULL);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (g_file_get_contents (path, &json, &length, NULL) && !beckon_model_table_replace (json, length, &error))
    g_printerr ("%s: %s\n", path, error->message);
}

/* A gateway puts the maker before the name, as in "anthropic/claude-sonnet-5" and "eu.anthropic.claude-sonnet-5". */
static gboolean
model_table_fits (Entry *entry, const char *name)
{
  for (const char *at = name;; at++)
    {
      for (guint i = 0; i < entry->patterns->len; i++)
        if (g_pattern_spec_match_string (g_ptr_array_index (entry->patterns, i), at))
          return TRUE;
      at += strcspn (at, "/.:");
      if (*at == '\0')
        return FALSE;
    }
}

/* The name of a file says nothing of the model in it: only the server knows, which was started with that file. */
static Entry *
model_table_find (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  static gsize read = 0;
  GPtrArray *entries;

  if (g_once_init_enter (&read))
    {
      /* A mistake in the table that is built in is one of ours. */
      if (table == NULL && !beckon_model_table_replace (NULL, 0, NULL))
        g_error ("models.json is not whole");
      g_once_init_leave (&read, 1);
    }

  entries = table;
  if (strcspn (lower, "/.:") == 0)
    return NULL;
  for (guint i = 0; i < entries->len; i++)
    if (model_table_fits (g_ptr_array_index (entries, i), lower))
      return g_ptr_array_index (entries, i);
  return NULL;
}

void
beckon_model_table_complete (const char *name, BeckonModelDetails *details)
{
  Entry *entry = model_table_find (name);
  BeckonModelFacts *facts = &details->facts;
  const BeckonModelFacts *known;

  if (entry == NULL)
    return;
  known = &entry->facts;
  if (facts->window == 0)
    facts->window = known->window;
  if (facts->output == 0)
    facts->output = known->output;
  if (facts->images < 0)
    facts->images = known->images;
  if (facts->pdfs < 0)
    facts->pdfs = known->pdfs;
  if (facts->efforts == 0)
    facts->efforts = known->efforts;

  /* Prices of two sources are none of either: all of them are the server's, or all the table's. */
  for (guint i = 0; i < BECKON_N_PRICES; i++)
    if (facts->prices[i] >= 0)
      return;
  memcpy (facts->prices, known->prices, sizeof facts->prices);
  if (facts->prices_from == BECKON_FACT_UNKNOWN && facts->prices[BECKON_PRICE_INPUT] >= 0
      && facts->prices[BECKON_PRICE_OUTPUT] >= 0)
    facts->prices_from = BECKON_FACT_TABLE;
}

gboolean
beckon_model_table_takes_temperature (const char *name)
{
  Entry *entry = model_table_find (name);

  return entry == NULL || entry->temperature != 0;
}
