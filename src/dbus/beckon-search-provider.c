/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-search-provider.h"

#include "beckon-search-provider-interface.h"
#include "domain/beckon-link.h"
#include "store/queries/beckon-search.h"

#include <string.h>

/* The overview shows five, and searches again in these when another letter is typed. */
#define MAX_RESULTS 20
#define MAX_HITS 100

/* Overview searches are short. */
#define MAX_WORDS_BYTES 1000

struct _BeckonSearchProvider
{
  GObject parent_instance;

  /* input */
  GApplication *application; /* (unowned) (nullable) */
  BeckonRuntime *runtime;    /* (owned) (nullable) */

  /* on the bus */
  GDBusConnection *connection; /* (owned) (nullable) */
  guint object_id;

  /* in progress */
  GQueue calls;          /* (element-type GDBusMethodInvocation): that came before the runtime */
  GCancellable *search;  /* (owned) (nullable): the one under way, which the next one ends */
  GHashTable *known;     /* (element-type utf8 BeckonSearchHit): the last results, by their identifiers */
};

G_DEFINE_FINAL_TYPE (BeckonSearchProvider, beckon_search_provider, G_TYPE_OBJECT)

enum
{
  SIGNAL_WANTED,
  SIGNAL_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* A call, until it is answered. */
typedef struct
{
  BeckonSearchProvider *provider; /* (owned) */
  GDBusMethodInvocation *invocation;
} Call;

static void
search_provider_end_call (BeckonSearchProvider *self)
{
  if (self->application != NULL)
    g_application_release (self->application);
}

static void
search_provider_call_free (Call *call)
{
  search_provider_end_call (call->provider);
  g_object_unref (call->provider);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, search_provider_call_free)

static void
return_results (GDBusMethodInvocation *invocation, const char *const *results)
{
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(^as)", results));
}

static const char *const no_results[] = { NULL };

static char *
join_words (GVariant *terms)
{
  g_autofree const char **words = g_variant_get_strv (terms, NULL);
  char *joined = g_strjoinv (" ", (char **) words);

  if (strlen (joined) > MAX_WORDS_BYTES)
    joined[0] = '\0';

  return joined;
}

static void
search_provider_on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hits = beckon_store_search_finish (BECKON_STORE (source), result, NULL, &error);
  g_auto (GStrv) results = NULL;
  g_autoptr (GHashTable) conversations = NULL;
  g_autoptr (GStrvBuilder) ids = NULL;

  if (hits == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_debug ("A search failed: %s", error->message);
      return_results (call->invocation, no_results);
      return;
    }

  /* Conversations found several times are represented by their best place. */
  conversations = g_hash_table_new (g_str_hash, g_str_equal);
  ids = g_strv_builder_new ();
  g_hash_table_remove_all (call->provider->known);
  for (guint i = 0; i < hits->len && g_hash_table_size (conversations) < MAX_RESULTS; i++)
    {
      BeckonSearchHit *hit = g_ptr_array_index (hits, i);
      char *id;

      if (!g_hash_table_add (conversations, hit->conversation_id))
        continue;

      id = g_strdup_printf ("%s/%s", hit->conversation_id, hit->message_id != NULL ? hit->message_id : "");
      g_strv_builder_add (ids, id);
      g_hash_table_insert (call->provider->known, id, g_ptr_array_steal_index (hits, i--));
    }

  results = g_strv_builder_end (ids);
  return_results (call->invocation, (const char *const *) results);
}

/* A letter more is a new search: it takes milliseconds, and what was cut off of the last one may fit now. */
static void
search (Call *call, GVariant *terms)
{
  BeckonSearchProvider *self = call->provider;
  g_autofree char *words = join_words (terms);

  g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  if (words[0] == '\0')
    {
      return_results (call->invocation, no_results);
      search_provider_call_free (call);
      return;
    }

  self->search = g_cancellable_new ();
  beckon_store_search_async (beckon_runtime_get_store (self->runtime), words, MAX_HITS, self->search,
                             search_provider_on_searched, call);
}

/* A result of an earlier process: what its conversation is called is still known. */
static GVariant *
describe_unknown (BeckonSearchProvider *self, const char *id)
{
  g_autofree char *conversation_id = g_strndup (id, strcspn (id, "/"));
  BeckonConversation *conversation = beckon_library_lookup (beckon_runtime_get_library (self->runtime), conversation_id);
  GVariantDict meta;

  g_variant_dict_init (&meta, NULL);
  g_variant_dict_insert (&meta, "id", "s", id);
  g_variant_dict_insert (&meta, "name", "s", conversation != NULL ? beckon_conversation_get_title (conversation) : "");
  return g_variant_dict_end (&meta);
}

static GVariant *
search_provider_describe (BeckonSearchProvider *self, const char *id)
{
  const BeckonSearchHit *hit = g_hash_table_lookup (self->known, id);
  GVariantDict meta;

  if (hit == NULL)
    return describe_unknown (self, id);

  g_variant_dict_init (&meta, NULL);
  g_variant_dict_insert (&meta, "id", "s", id);
  g_variant_dict_insert (&meta, "name", "s", hit->title);
  g_variant_dict_insert (&meta, "description", "s", hit->message_id != NULL ? hit->snippet : "");
  return g_variant_dict_end (&meta);
}

static void
activate (Call *call, BeckonLinkKind kind, const char *id, GVariant *terms)
{
  g_auto (GStrv) ids = g_strsplit (id, "/", 2);
  g_autofree char *words = join_words (terms);
  gboolean has_message = ids[0] != NULL && ids[1] != NULL && ids[1][0] != '\0';
  g_autoptr (BeckonLink) link = beckon_link_new (kind, ids[0], has_message ? ids[1] : NULL, words);

  g_signal_emit (call->provider, signals[SIGNAL_ACTIVATED], 0, link);
  g_dbus_method_invocation_return_value (call->invocation, NULL);
  search_provider_call_free (call);
}

/* The methods have their arguments checked by GDBus. */
static void
search_provider_answer (BeckonSearchProvider *self, GDBusMethodInvocation *invocation)
{
  GVariant *parameters = g_dbus_method_invocation_get_parameters (invocation);
  const char *method = g_dbus_method_invocation_get_method_name (invocation);
  g_autoptr (GVariant) first = g_variant_get_child_value (parameters, 0);
  g_autoptr (GVariant) second = g_variant_n_children (parameters) > 1 ? g_variant_get_child_value (parameters, 1) : NULL;
  Call *call = g_new0 (Call, 1);

  call->provider = g_object_ref (self);
  call->invocation = invocation;
  if (g_str_equal (method, "GetInitialResultSet"))
    search (call, first);
  else if (g_str_equal (method, "GetSubsearchResultSet"))
    search (call, second);
  else if (g_str_equal (method, "GetResultMetas"))
    {
      g_autofree const char **ids = g_variant_get_strv (first, NULL);
      GVariantBuilder metas;

      g_variant_builder_init (&metas, G_VARIANT_TYPE ("aa{sv}"));
      for (gsize i = 0; ids[i] != NULL; i++)
        g_variant_builder_add_value (&metas, search_provider_describe (call->provider, ids[i]));
      g_dbus_method_invocation_return_value (call->invocation, g_variant_new ("(aa{sv})", &metas));
      search_provider_call_free (call);
    }
  else if (g_str_equal (method, "ActivateResult"))
    activate (call, BECKON_LINK_CONVERSATION, g_variant_get_string (first, NULL), second);
  else
    activate (call, BECKON_LINK_SEARCH, "", first);
}

static void
on_method_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  BeckonSearchProvider *self = user_data;

  if (self->application != NULL)
    g_application_hold (self->application);
  if (self->runtime != NULL)
    {
      search_provider_answer (self, invocation);
      return;
    }

  g_queue_push_tail (&self->calls, invocation);
  g_signal_emit (self, signals[SIGNAL_WANTED], 0);
}

gboolean
beckon_search_provider_export (BeckonSearchProvider *self, GDBusConnection *connection, GError **error)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_method_call };

  g_return_val_if_fail (BECKON_IS_SEARCH_PROVIDER (self), FALSE);
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (connection), FALSE);
  g_return_val_if_fail (self->object_id == 0, FALSE);

  self->object_id = g_dbus_connection_register_object (connection, BECKON_SEARCH_PROVIDER_PATH,
                                                       (GDBusInterfaceInfo *) &org_gnome_shell_search_provider2_interface,
                                                       &vtable, self, NULL, error);
  if (self->object_id == 0)
    return FALSE;

  self->connection = g_object_ref (connection);
  return TRUE;
}

void
beckon_search_provider_withdraw (BeckonSearchProvider *self)
{
  GDBusMethodInvocation *invocation;

  g_return_if_fail (BECKON_IS_SEARCH_PROVIDER (self));

  while ((invocation = g_queue_pop_head (&self->calls)) != NULL)
    {
      g_dbus_method_invocation_return_error_literal (invocation, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY,
                                                     "Beckon is being closed");
      search_provider_end_call (self);
    }
  if (self->object_id != 0)
    g_dbus_connection_unregister_object (self->connection, self->object_id);
  self->object_id = 0;
  g_clear_object (&self->connection);
}

void
beckon_search_provider_set_runtime (BeckonSearchProvider *self, BeckonRuntime *runtime)
{
  GDBusMethodInvocation *invocation;

  g_return_if_fail (BECKON_IS_SEARCH_PROVIDER (self));

  if (!g_set_object (&self->runtime, runtime))
    return;

  g_cancellable_cancel (self->search);
  while (runtime != NULL && (invocation = g_queue_pop_head (&self->calls)) != NULL)
    search_provider_answer (self, invocation);
}

gboolean
beckon_search_provider_is_wanted (BeckonSearchProvider *self)
{
  g_return_val_if_fail (BECKON_IS_SEARCH_PROVIDER (self), FALSE);

  return !g_queue_is_empty (&self->calls);
}

static void
beckon_search_provider_dispose (GObject *object)
{
  BeckonSearchProvider *self = BECKON_SEARCH_PROVIDER (object);

  beckon_search_provider_withdraw (self);
  beckon_search_provider_set_runtime (self, NULL);
  g_clear_object (&self->search);
  g_hash_table_remove_all (self->known);
  G_OBJECT_CLASS (beckon_search_provider_parent_class)->dispose (object);
}

static void
beckon_search_provider_finalize (GObject *object)
{
  g_hash_table_unref (BECKON_SEARCH_PROVIDER (object)->known);
  G_OBJECT_CLASS (beckon_search_provider_parent_class)->finalize (object);
}

static void
beckon_search_provider_class_init (BeckonSearchProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_search_provider_dispose;
  object_class->finalize = beckon_search_provider_finalize;

  signals[SIGNAL_WANTED] = g_signal_new ("wanted", BECKON_TYPE_SEARCH_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated", BECKON_TYPE_SEARCH_PROVIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
beckon_search_provider_init (BeckonSearchProvider *self)
{
  g_queue_init (&self->calls);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_search_hit_free);
}

BeckonSearchProvider *
beckon_search_provider_new (GApplication *application)
{
  BeckonSearchProvider *self = g_object_new (BECKON_TYPE_SEARCH_PROVIDER, NULL);

  self->application = application;
  return self;
}
