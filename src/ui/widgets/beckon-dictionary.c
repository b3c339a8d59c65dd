/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-dictionary.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "beckon-compat.h"

#include <string.h>

#define MOST_DICTIONARIES 3
#define MOST_SUGGESTIONS 5

/* Enchant 2, without its headers: it is not there to build with. */
typedef struct
{
  gpointer (*broker_init) (void);
  void (*broker_free) (gpointer broker);
  gpointer (*request_dict) (gpointer broker, const char *tag);
  void (*free_dict) (gpointer broker, gpointer dict);
  int (*dict_exists) (gpointer broker, const char *tag);
  int (*check) (gpointer dict, const char *word, gssize length);
  char **(*suggest) (gpointer dict, const char *word, gssize length, gsize *n);
  void (*free_strings) (gpointer dict, char **strings);
  void (*add) (gpointer dict, const char *word, gssize length);
} Library;

struct _BeckonDictionary
{
  GObject parent_instance;

  const Library *library;
  gpointer broker;
  gpointer dicts[MOST_DICTIONARIES];
  guint n_dicts;
};

G_DEFINE_FINAL_TYPE (BeckonDictionary, beckon_dictionary, G_TYPE_OBJECT)

static const Library *
get_library (void)
{
  static Library library;
  static const BeckonSymbol symbols[] = {
    { "enchant_broker_init", &library.broker_init },
    { "enchant_broker_free", &library.broker_free },
    { "enchant_broker_request_dict", &library.request_dict },
    { "enchant_broker_free_dict", &library.free_dict },
    { "enchant_broker_dict_exists", &library.dict_exists },
    { "enchant_dict_check", &library.check },
    { "enchant_dict_suggest", &library.suggest },
    { "enchant_dict_free_string_list", &library.free_strings },
    { "enchant_dict_add", &library.add },
  };
  static gsize state;

  return beckon_symbols_find_once (&state, "libenchant-2.so.2", symbols, G_N_ELEMENTS (symbols)) ? &library : NULL;
}

/* Languages without dictionaries; English among them is checked. */
static gboolean
needs_english (const char *language)
{
  static const char *const others[] = { "zh", "ja", "ko" };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_has_prefix (language, others[i]))
      return TRUE;
  return FALSE;
}

/* Adds one per language, however many names it has. */
static void
dictionary_add (BeckonDictionary *self, GHashTable *known, const char *language)
{
  g_autofree char *base = g_strndup (language, strcspn (language, "_.@"));
  g_autofree char *upper = g_ascii_strup (language, -1);
  g_autofree char *at_home = g_strconcat (language, "_", upper, NULL);
  /* Dictionaries are of a country; a language alone means the one it has its name from. */
  const char *const names[] = { language, g_str_equal (language, "en") ? "en_US" : at_home };
  gpointer dict = NULL;

  if (self->n_dicts == MOST_DICTIONARIES || strpbrk (language, ".@") != NULL || g_str_equal (language, "C")
      || g_hash_table_contains (known, base))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (names) && dict == NULL; i++)
    if (self->library->dict_exists (self->broker, names[i]) != 0)
      dict = self->library->request_dict (self->broker, names[i]);
  if (dict == NULL)
    return;
  self->dicts[self->n_dicts++] = dict;
  g_hash_table_add (known, g_steal_pointer (&base));
}

static void
load_in_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  const char *const *languages = data;
  const Library *library = get_library ();
  g_autoptr (BeckonDictionary) self = NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (library != NULL)
    {
      self = g_object_new (BECKON_TYPE_DICTIONARY, NULL);
      self->library = library;
      self->broker = library->broker_init ();
      for (guint i = 0; languages[i] != NULL; i++)
        {
          dictionary_add (self, known, languages[i]);
          if (needs_english (languages[i]))
            dictionary_add (self, known, "en_US");
        }
    }
  if (self != NULL && self->n_dicts > 0)
    g_task_return_pointer (task, g_steal_pointer (&self), g_object_unref);
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "there is no dictionary");
}

void
beckon_dictionary_load_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_dictionary_load_async);
  /* Asked for here: the environment is not read on other threads. */
  g_task_set_task_data (task, g_strdupv ((char **) g_get_language_names ()), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, load_in_thread);
}

BECKON_FINISH_LONE_POINTER (BeckonDictionary *, beckon_dictionary_load)

gboolean
beckon_dictionary_has (BeckonDictionary *self, const char *word)
{
  for (guint i = 0; i < self->n_dicts; i++)
    if (self->library->check (self->dicts[i], word, -1) == 0)
      return TRUE;
  return FALSE;
}

char **
beckon_dictionary_suggest (BeckonDictionary *self, const char *word)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  guint n_all = 0;

  for (guint i = 0; i < self->n_dicts; i++)
    {
      gsize n = 0;
      char **words = self->library->suggest (self->dicts[i], word, -1, &n);

      for (gsize k = 0; k < n && n_all < MOST_SUGGESTIONS; k++, n_all++)
        g_strv_builder_add (all, words[k]);
      if (words != NULL)
        self->library->free_strings (self->dicts[i], words);
    }
  return g_strv_builder_end (all);
}

void
beckon_dictionary_learn (BeckonDictionary *self, const char *word)
{
  self->library->add (self->dicts[0], word, -1);
}

static void
beckon_dictionary_finalize (GObject *object)
{
  BeckonDictionary *self = BECKON_DICTIONARY (object);

  for (guint i = 0; i < self->n_dicts; i++)
    self->library->free_dict (self->broker, self->dicts[i]);
  if (self->broker != NULL)
    self->library->broker_free (self->broker);
  G_OBJECT_CLASS (beckon_dictionary_parent_class)->finalize (object);
}

static void
beckon_dictionary_class_init (BeckonDictionaryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_dictionary_finalize;
}

static void
beckon_dictionary_init (BeckonDictionary *self)
{
}
