/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-offers.h"

BeckonMcpOffers *
beckon_mcp_offers_new (void)
{
  BeckonMcpOffers *offers = g_new0 (BeckonMcpOffers, 1);

  offers->prompts = beckon_mcp_prompts_new ();
  offers->resources = beckon_mcp_resources_new ();
  return offers;
}

void
beckon_mcp_offers_free (BeckonMcpOffers *offers)
{
  if (offers == NULL)
    return;
  g_clear_pointer (&offers->prompts, g_ptr_array_unref);
  g_clear_pointer (&offers->resources, g_ptr_array_unref);
  g_free (offers);
}

/* They are as they would be stored. */
static gboolean
offers_take (GPtrArray **to, GPtrArray **from, char *(*print) (GPtrArray *))
{
  g_autofree char *before = print (*to);
  g_autofree char *now = *from != NULL ? print (*from) : NULL;

  if (now == NULL || g_str_equal (before, now))
    return FALSE;
  g_ptr_array_unref (*to);
  *to = g_steal_pointer (from);
  return TRUE;
}

gboolean
beckon_mcp_offers_take (BeckonMcpOffers *offers, BeckonMcpOffers *newer)
{
  gboolean has_prompts = offers_take (&offers->prompts, &newer->prompts, beckon_mcp_prompts_print);
  gboolean has_resources = offers_take (&offers->resources, &newer->resources, beckon_mcp_resources_print);

  return has_prompts || has_resources;
}

/* --- Listing ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  char *name;
  BeckonMcpOffers *offers;
  GPtrArray *templates; /* (nullable) */
  guint n_open;
} Listing;

static void
offers_listing_free (gpointer data)
{
  Listing *listing = data;

  g_free (listing->name);
  beckon_mcp_offers_free (listing->offers);
  g_clear_pointer (&listing->templates, g_ptr_array_unref);
  g_free (listing);
}

/* @list: (transfer full) (nullable), @error: (nullable) */
static void
take_list (GTask *task, GPtrArray **place, GPtrArray *list, const GError *error)
{
  Listing *listing = g_task_get_task_data (task);

  *place = list;
  if (list == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("a list of %s was not read: %s", listing->name, error->message);
  if (--listing->n_open > 0)
    return;
  if (listing->offers->resources != NULL && listing->templates != NULL)
    g_ptr_array_extend_and_steal (listing->offers->resources, g_steal_pointer (&listing->templates));
  g_task_return_pointer (task, g_steal_pointer (&listing->offers), (GDestroyNotify) beckon_mcp_offers_free);
}

static void
on_prompts (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *list = beckon_mcp_client_list_prompts_finish (BECKON_MCP_CLIENT (source), result, &error);

  take_list (task, &((Listing *) g_task_get_task_data (task))->offers->prompts, list, error);
}

static void
on_resources (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *list = beckon_mcp_client_list_resources_finish (BECKON_MCP_CLIENT (source), result, &error);

  take_list (task, &((Listing *) g_task_get_task_data (task))->offers->resources, list, error);
}

static void
on_templates (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *list = beckon_mcp_client_list_resources_finish (BECKON_MCP_CLIENT (source), result, &error);

  take_list (task, &((Listing *) g_task_get_task_data (task))->templates, list, error);
}

void
beckon_mcp_offers_list_async (BeckonMcpClient *client, const char *name, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (client, NULL, callback, user_data);
  Listing *listing = g_new0 (Listing, 1);

  g_task_set_source_tag (task, beckon_mcp_offers_list_async);
  listing->name = g_strdup (name);
  listing->offers = g_new0 (BeckonMcpOffers, 1);
  listing->n_open = 3;
  g_task_set_task_data (task, listing, offers_listing_free);
  beckon_mcp_client_list_prompts_async (client, cancellable, on_prompts, g_object_ref (task));
  beckon_mcp_client_list_resources_async (client, FALSE, cancellable, on_resources, g_object_ref (task));
  beckon_mcp_client_list_resources_async (client, TRUE, cancellable, on_templates, g_object_ref (task));
}

BeckonMcpOffers *
beckon_mcp_offers_list_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
