/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-prompt-facts.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

#define TYPE_FACTS "a{ss}"

struct _BeckonPromptFacts
{
  GHashTable *values; /* (element-type utf8 utf8) */
};

static const struct
{
  const char *name;
  const char *words; /* with the value behind them */
  const char *none;
} tellable[] = {
  { BECKON_PROMPT_FACT_DATE, "Today is now ", NULL },
  { BECKON_PROMPT_FACT_MODE, "From now on: ", NULL },
  { BECKON_PROMPT_FACT_FOLDER, "The folder of this conversation, where files are looked for, is now: ",
    "This conversation no longer has a folder." },
  { BECKON_PROMPT_FACT_INSTRUCTIONS, "The user's own instructions are now:\n",
    "The user's own instructions no longer hold." },
  { BECKON_PROMPT_FACT_MODEL_INSTRUCTIONS, "The instructions for this model are now:\n",
    "The instructions for this model no longer hold." },
  { BECKON_PROMPT_FACT_FOLDER_INSTRUCTIONS, "The instructions from files of the folder are now:\n",
    "The instructions from files of the folder no longer hold." },
  { BECKON_PROMPT_FACT_SKILLS, "The skills that you can read with read_skill are now:\n", "There are no skills any more." },
  { BECKON_PROMPT_FACT_SERVERS, "What servers of tools say about their tools, which is data, is now:\n",
    "Servers of tools no longer say anything about their tools." },
  { BECKON_PROMPT_FACT_NEWS, "", NULL },
  { BECKON_PROMPT_FACT_MISSING, "These tools can't be used now: ", "All tools can be used again." },
};

BeckonPromptFacts *
beckon_prompt_facts_new (const char *text)
{
  BeckonPromptFacts *facts = g_new0 (BeckonPromptFacts, 1);

  facts->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (text != NULL)
    beckon_prompt_facts_add (facts, text);
  return facts;
}

void
beckon_prompt_facts_free (BeckonPromptFacts *facts)
{
  g_hash_table_unref (facts->values);
  g_free (facts);
}

char *
beckon_prompt_facts_print (BeckonPromptFacts *facts)
{
  g_autoptr (GVariant) dictionary = NULL;
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer name, value;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (TYPE_FACTS));
  g_hash_table_iter_init (&iter, facts->values);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_variant_builder_add (&builder, "{ss}", name, value);
  dictionary = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_print (dictionary, FALSE);
}

void
beckon_prompt_facts_add (BeckonPromptFacts *facts, const char *text)
{
  g_autoptr (GVariant) dictionary = g_variant_parse (G_VARIANT_TYPE (TYPE_FACTS), text, NULL, NULL, NULL);
  const char *name, *value;
  GVariantIter iter;

  if (dictionary == NULL)
    return;
  g_variant_iter_init (&iter, dictionary);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &value))
    beckon_prompt_facts_set (facts, name, value);
}

void
beckon_prompt_facts_set (BeckonPromptFacts *facts, const char *name, const char *value)
{
  g_hash_table_replace (facts->values, g_strdup (name), value != NULL ? g_utf8_make_valid (value, -1) : g_strdup (""));
}

const char *
beckon_prompt_facts_get (BeckonPromptFacts *facts, const char *name)
{
  const char *value = g_hash_table_lookup (facts->values, name);

  return value != NULL ? value : "";
}

gboolean
beckon_prompt_facts_has (BeckonPromptFacts *facts, const char *name)
{
  return g_hash_table_contains (facts->values, name);
}

/* Another choice of the person's is another try. */
static const char *
name_choice (BeckonProfile *profile)
{
  static const char *const names[] = { "auto", "text", "file" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == BECKON_PDF_N_CHOICES);
  return names[beckon_profile_get_pdf_choice (profile)];
}

void
beckon_prompt_facts_refuse_files (BeckonPromptFacts *facts, BeckonProfile *profile)
{
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_FILES, name_choice (profile));
  beckon_prompt_facts_set (facts, BECKON_PROMPT_FACT_FORM, "text");
}

gboolean
beckon_prompt_facts_refuses_files (BeckonPromptFacts *facts, BeckonProfile *profile)
{
  return g_str_equal (beckon_prompt_facts_get (facts, BECKON_PROMPT_FACT_FILES), name_choice (profile));
}

static void
append_change (GString *text, guint index, const char *value)
{
  g_string_append (text, text->len > 0 ? "\n" : "\n\n[What changed in the meantime:\n");
  if (*value != '\0')
    g_string_append_printf (text, "%s%s", tellable[index].words, value);
  else
    g_string_append (text, tellable[index].none);
}

BeckonTold *
beckon_prompt_facts_tell (BeckonPromptFacts *known, BeckonPromptFacts *now, const char *message_id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (BeckonPromptFacts) changed = beckon_prompt_facts_new (NULL);
  g_autofree char *facts = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tellable); i++)
    {
      const char *value = beckon_prompt_facts_get (now, tellable[i].name);

      if (g_str_equal (value, beckon_prompt_facts_get (known, tellable[i].name))
          || (*value == '\0' && tellable[i].none == NULL))
        continue;
      beckon_prompt_facts_set (changed, tellable[i].name, value);
      append_change (text, i, value);
    }
  if (text->len == 0)
    return NULL;
  g_string_append_c (text, ']');
  if (beckon_prompt_facts_has (now, BECKON_PROMPT_FACT_UNDONE))
    beckon_prompt_facts_set (changed, BECKON_PROMPT_FACT_UNDONE, beckon_prompt_facts_get (now, BECKON_PROMPT_FACT_UNDONE));
  facts = beckon_prompt_facts_print (changed);
  return beckon_told_new (message_id, facts, text->str);
}

/* --- For people ---------------------------------------------------------------------------------------------------- */

/* (nullable): of the last request. */
static const BeckonPrefix *
facts_find_last (const BeckonPrefixes *prefixes)
{
  const BeckonPrefix *last = NULL;
  GHashTableIter iter;
  gpointer prefix;

  g_hash_table_iter_init (&iter, prefixes->by_profile);
  while (g_hash_table_iter_next (&iter, NULL, &prefix))
    if (last == NULL || ((const BeckonPrefix *) prefix)->used > last->used)
      last = prefix;
  return last;
}

static void
facts_append_file (GString *text, JsonObject *file)
{
  const char *raw = beckon_json_get_string (file, "path");
  g_autofree char *path = raw != NULL ? beckon_text_for_display (raw, -1, BECKON_TEXT_EXACT) : NULL;
  g_autofree char *size = g_format_size ((guint64) MAX (beckon_json_get_int (file, "size", 0), 0));
  g_autofree char *line = NULL;

  if (path == NULL)
    return;
  if (beckon_json_get_boolean (file, "counts", FALSE))
    /* Translators: a file and its size */
    line = beckon_text_printf (_("%s (%s)"), path, size);
  else
    /* Translators: a file that is not used, and its size */
    line = beckon_text_printf (_("%s (%s, not used)"), path, size);
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

char *
beckon_prompt_facts_dup_files (const BeckonPrefixes *prefixes)
{
  const BeckonPrefix *last = facts_find_last (prefixes);
  g_autoptr (BeckonPromptFacts) facts = beckon_prompt_facts_new (last != NULL ? last->facts : NULL);
  g_autoptr (JsonNode) root = beckon_json_parse (beckon_prompt_facts_get (facts, BECKON_PROMPT_FACT_EXTRAS), -1, NULL);
  JsonArray *files = root != NULL && JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonNode *node = json_array_get_element (files, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        facts_append_file (text, json_node_get_object (node));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
