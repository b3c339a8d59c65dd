/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-known-requests.h"

struct _BeckonKnownRequests
{
  GHashTable *requests; /* (owned) (element-type utf8 BeckonRequest): by id; not owned */
};

BeckonKnownRequests *
beckon_known_requests_new (void)
{
  BeckonKnownRequests *self = g_new0 (BeckonKnownRequests, 1);

  self->requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

static void
on_gone (gpointer user_data, GObject *request)
{
  BeckonKnownRequests *self = user_data;
  GHashTableIter iter;
  gpointer known;

  g_hash_table_iter_init (&iter, self->requests);
  while (g_hash_table_iter_next (&iter, NULL, &known))
    if (known == request)
      {
        g_hash_table_iter_remove (&iter);
        return;
      }
}

void
beckon_known_requests_free (BeckonKnownRequests *self)
{
  GHashTableIter iter;
  gpointer request;

  g_hash_table_iter_init (&iter, self->requests);
  while (g_hash_table_iter_next (&iter, NULL, &request))
    g_object_weak_unref (request, on_gone, self);
  g_hash_table_unref (self->requests);
  g_free (self);
}

BeckonRequest *
beckon_known_requests_unify (BeckonKnownRequests *self, BeckonRequest *request)
{
  BeckonRequest *known;

  known = g_hash_table_lookup (self->requests, beckon_request_get_id (request));
  if (known != NULL)
    {
      /* The row may know of an end that the shared object has not heard of yet. */
      if (beckon_request_get_state (known) == BECKON_REQUEST_PENDING
          && beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
        beckon_request_settle (known, beckon_request_get_state (request), beckon_request_get_answer (request),
                               beckon_request_get_front_end (request), beckon_request_get_actor (request),
                               beckon_request_get_settled_at (request));

      return g_object_ref (known);
    }

  if (beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    {
      g_hash_table_insert (self->requests, g_strdup (beckon_request_get_id (request)), request);
      g_object_weak_ref (G_OBJECT (request), on_gone, self);
    }

  return g_object_ref (request);
}
