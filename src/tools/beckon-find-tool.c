/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-find-tool.h"

#include "base/beckon-json.h"

#include <math.h>
#include <string.h>

/* Conversations whose findings are remembered, the last ones; what an older one found it has to search for again, unless it was
 * sent already. */
#define MOST_CONVERSATIONS 64

/* Tools that a conversation can find in all. */
#define MOST_NAMES 512

/* Words of a query that count. */
#define MOST_WORDS 12
#define MOST_FOUND 6
#define NAME_WEIGHT 3.0
#define STEM 4

struct _BeckonFindTool
{
  BeckonBuiltinTool parent_instance;

  BeckonToolRegistry *registry; /* its owner */
  GHashTable *found;            /* (element-type utf8 GHashTable): names by conversation */
  GQueue order;                 /* (element-type utf8): its keys, the one that searched last at the end; borrowed */
};

static const char description[]
  = "Finds tools by what they do. There are more than are listed here: search with a few words before you say that something "
    "can't be done. The tools found can be called from your next reply on.";

static const char schema[]
  = "{\"type\":\"object\",\"properties\":{"
    "\"query\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":200,\"description\":\"Words for what the tool should do, "
    "such as: create issue.\"}},"
    "\"required\":[\"query\"],\"additionalProperties\":false}";

G_DEFINE_FINAL_TYPE (BeckonFindTool, beckon_find_tool, BECKON_TYPE_BUILTIN_TOOL)

/* --- Ranking ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonTool *tool;
  GPtrArray *name;        /* (element-type utf8): its words */
  GPtrArray *description; /* likewise */
  double score;
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *candidate = data;

  g_ptr_array_unref (candidate->name);
  g_ptr_array_unref (candidate->description);
  g_free (candidate);
}

/* Lower case; "createIssue", "create_issue" and "create issue" have the same words. */
static GPtrArray *
split (const char *text)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) word = g_string_new (NULL);
  gunichar before = 0;

  for (const char *at = text;; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);
      gboolean ends = !g_unichar_isalnum (c) || (g_unichar_isupper (c) && g_unichar_islower (before));

      if (ends && word->len > 0)
        {
          g_ptr_array_add (words, g_utf8_strdown (word->str, -1));
          g_string_truncate (word, 0);
        }
      if (c == 0)
        return words;
      if (g_unichar_isalnum (c))
        g_string_append_unichar (word, c);
      before = c;
    }
}

/* "issues" is "issue", and "creating" nearly "create". */
static double
compare_words (const char *wanted, const char *word)
{
  gsize common = 0;
  gsize longest = MAX (strlen (wanted), strlen (word));

  while (wanted[common] != '\0' && wanted[common] == word[common])
    common++;
  if (common == longest)
    return 1;
  return common >= STEM && longest - common <= 3 ? 0.7 : 0;
}

static double
find_best (GPtrArray *words, const char *wanted)
{
  double best = 0;

  for (guint i = 0; i < words->len; i++)
    best = MAX (best, compare_words (wanted, g_ptr_array_index (words, i)));
  return best;
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *first = *(const Candidate *const *) a;
  const Candidate *second = *(const Candidate *const *) b;

  if (first->score > second->score)
    return -1;
  if (first->score < second->score)
    return 1;
  return strcmp (beckon_tool_get_name (first->tool), beckon_tool_get_name (second->tool));
}

GPtrArray *
beckon_find_tool_rank (GPtrArray *tools, const char *query, guint most)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_autoptr (GPtrArray) words = split (query);
  GPtrArray *best = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < tools->len; i++)
    {
      Candidate *candidate = g_new0 (Candidate, 1);

      candidate->tool = g_ptr_array_index (tools, i);
      candidate->name = split (beckon_tool_get_name (candidate->tool));
      candidate->description = split (beckon_tool_get_definition (candidate->tool)->description);
      g_ptr_array_add (candidates, candidate);
    }
  for (guint i = 0; i < MIN (words->len, MOST_WORDS); i++)
    {
      const char *wanted = g_ptr_array_index (words, i);
      g_autofree double *scores = g_new0 (double, candidates->len + 1);
      guint n = 0;
      double weight;

      for (guint j = 0; j < candidates->len; j++)
        {
          Candidate *candidate = g_ptr_array_index (candidates, j);

          scores[j] = NAME_WEIGHT * find_best (candidate->name, wanted) + find_best (candidate->description, wanted);
          n += scores[j] > 0;
        }
      weight = log (1.0 + (double) candidates->len / (1.0 + n));
      for (guint j = 0; j < candidates->len; j++)
        ((Candidate *) g_ptr_array_index (candidates, j))->score += weight * scores[j];
    }
  g_ptr_array_sort (candidates, compare_candidates);
  for (guint i = 0; i < candidates->len && best->len < most; i++)
    {
      const Candidate *candidate = g_ptr_array_index (candidates, i);

      if (candidate->score > 0)
        g_ptr_array_add (best, g_object_ref (candidate->tool));
    }
  return best;
}

/* --- The tool ------------------------------------------------------------------------------------------------------ */

/* Those that the conversation can call. */
static GPtrArray *
list_of_servers (BeckonFindTool *self, const char *folder)
{
  GPtrArray *all = beckon_tool_registry_list_all (self->registry);
  GPtrArray *tools = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    {
      BeckonTool *tool = g_ptr_array_index (all, i);
      g_autofree char *absence = beckon_tool_get_absence (tool, folder);

      if (absence == NULL && beckon_tool_get_server (tool) != NULL
          && !beckon_tool_registry_is_disabled (self->registry, beckon_tool_get_name (tool)))
        g_ptr_array_add (tools, tool);
    }
  return tools;
}

static void
find_tool_start (BeckonBuiltinTool *tool, const BeckonToolContext *context, JsonObject *arguments, GTask *task)
{
  BeckonFindTool *self = BECKON_FIND_TOOL (tool);
  g_autoptr (GPtrArray) tools = list_of_servers (self, context->folder);
  g_autoptr (GPtrArray) best = beckon_find_tool_rank (tools, beckon_json_get_string (arguments, "query"), MOST_FOUND);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < best->len; i++)
    {
      const BeckonToolDefinition *definition = beckon_tool_get_definition (g_ptr_array_index (best, i));
      GHashTable *names;

      g_string_append_printf (text, "%s: %s\n", definition->name, definition->description);
      names = g_hash_table_lookup (self->found, context->conversation_id);
      if (names == NULL)
        {
          char *key;

          names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
          key = g_strdup (context->conversation_id);
          g_hash_table_insert (self->found, key, names);
          g_queue_push_tail (&self->order, key);
          if (g_queue_get_length (&self->order) > MOST_CONVERSATIONS)
            {
              const char *oldest = g_queue_pop_head (&self->order);

              g_hash_table_remove (self->found, oldest);
            }
        }
      else
        {
          GList *link = g_queue_find_custom (&self->order, context->conversation_id, (GCompareFunc) strcmp);

          g_queue_unlink (&self->order, link);
          g_queue_push_tail_link (&self->order, link);
        }
      if (g_hash_table_size (names) < MOST_NAMES)
        g_hash_table_add (names, g_strdup (definition->name));
    }
  if (best->len == 0)
    g_string_append (text, "[There is no such tool. Try other words.]");
  g_task_return_pointer (task, g_string_free (g_steal_pointer (&text), FALSE), g_free);
}

gboolean
beckon_find_tool_has_found (BeckonFindTool *self, const char *conversation_id, const char *name)
{
  GHashTable *names = g_hash_table_lookup (self->found, conversation_id);

  return names != NULL && g_hash_table_contains (names, name);
}

static void
beckon_find_tool_finalize (GObject *object)
{
  g_queue_clear (&BECKON_FIND_TOOL (object)->order);
  g_hash_table_unref (BECKON_FIND_TOOL (object)->found);
  G_OBJECT_CLASS (beckon_find_tool_parent_class)->finalize (object);
}

static void
beckon_find_tool_class_init (BeckonFindToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_find_tool_finalize;
  BECKON_BUILTIN_TOOL_CLASS (klass)->start = find_tool_start;
}

static void
beckon_find_tool_init (BeckonFindTool *self)
{
  self->found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_hash_table_unref);
}

BeckonTool *
beckon_find_tool_new (BeckonToolRegistry *registry)
{
  BeckonFindTool *self = g_object_new (BECKON_TYPE_FIND_TOOL, NULL);

  self->registry = registry;
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new (BECKON_FIND_TOOL_NAME, description, schema, TRUE));
  return BECKON_TOOL (self);
}
