/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ENDPOINT_SOURCE (beckon_endpoint_source_get_type ())
G_DECLARE_INTERFACE (BeckonEndpointSource, beckon_endpoint_source, BECKON, ENDPOINT_SOURCE, GObject)

/**
 * BeckonEndpointSource:
 * @resolve_async: see beckon_endpoint_source_resolve_async()
 * @resolve_finish: see beckon_endpoint_source_resolve_finish()
 * @refuse: (nullable): see beckon_endpoint_source_refuse()
 * @dup_failure: (nullable): see beckon_endpoint_source_dup_failure()
 *
 * Where a request is to go, and with which key. It is the only way by which a key reaches the room that sends requests.
 */
struct _BeckonEndpointSourceInterface
{
  GTypeInterface parent_iface;

  void (*resolve_async) (BeckonEndpointSource *self, BeckonProfile *profile, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*resolve_finish) (BeckonEndpointSource *self, GAsyncResult *result, char **base_url, char **key,
                              GError **error);
  gboolean (*refuse) (BeckonEndpointSource *self, BeckonProfile *profile, const char *key);
  char *(*dup_failure) (BeckonEndpointSource *self, BeckonProfile *profile);
};

/**
 * beckon_endpoint_source_resolve_async:
 * @self: the source
 * @profile: which model
 * @cancellable: (nullable): ends the look-up with %G_IO_ERROR_CANCELLED
 * @callback: called on the main context of the caller, always later
 * @user_data: for @callback
 *
 * Starts the tour's server if @profile is the tour, looks the key up in the keyring otherwise.
 */
void beckon_endpoint_source_resolve_async (BeckonEndpointSource *self, BeckonProfile *profile,
                                           GCancellable *cancellable, GAsyncReadyCallback callback,
                                           gpointer user_data);

/**
 * beckon_endpoint_source_resolve_finish:
 * @self: the source
 * @result: the result
 * @base_url: (out) (transfer full): the base URL
 * @key: (out) (transfer full) (nullable): the key; %NULL where the server needs none
 * @error: return location for an error; its message says what to do
 *
 * Returns: %FALSE if the profile cannot be used now
 */
gboolean beckon_endpoint_source_resolve_finish (BeckonEndpointSource *self, GAsyncResult *result, char **base_url,
                                                char **key, GError **error);

/**
 * beckon_endpoint_source_refuse:
 * @self: the source
 * @profile: which model
 * @key: the key that its server refused
 *
 * Says so to the source.
 *
 * Returns: %TRUE if the source may have another key now, so that it is worth asking once more
 */
gboolean beckon_endpoint_source_refuse (BeckonEndpointSource *self, BeckonProfile *profile, const char *key);

/**
 * beckon_endpoint_source_dup_failure:
 * @self: the source
 * @profile: which model
 *
 * More than the error of the last look-up says, for the person who tests the profile: it may have the words of another program,
 * which are not to be stored.
 *
 * Returns: (transfer full) (nullable): in the place of the error's message; %NULL if there is no more to say
 */
char *beckon_endpoint_source_dup_failure (BeckonEndpointSource *self, BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
