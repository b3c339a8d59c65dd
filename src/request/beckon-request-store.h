/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-settlement.h"

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonRequestContext:
 * @request_id: which request
 * @title: (nullable): the conversation's
 * @profile_id: (nullable): the profile of the run that asks
 * @asker: (nullable): that profile's name, for people
 * @tool: (nullable): the tool of the call that waits
 * @arguments: (nullable): the call's arguments as the model wrote them; not checked
 * @text: (nullable): the end of what the model had written before the call, valid UTF-8
 *
 * What led to a request, for a front end that shows it far from its conversation.
 */
typedef struct
{
  char *request_id;
  char *title;
  char *profile_id;
  char *asker;
  char *tool;
  char *arguments;
  char *text;
} BeckonRequestContext;

/** The most characters of @text. */
#define BECKON_REQUEST_CONTEXT_MAX_TEXT 4000

/** Caller owns. */
BeckonRequestContext *beckon_request_context_new (const char *request_id) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_request_context_free (BeckonRequestContext *context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRequestContext, beckon_request_context_free)

#define BECKON_TYPE_REQUEST_STORE (beckon_request_store_get_type ())
G_DECLARE_INTERFACE (BeckonRequestStore, beckon_request_store, BECKON, REQUEST_STORE, GObject)

/**
 * BeckonRequestStore:
 *
 * Where requests are kept so that nothing is ever lost and each is settled once. The store implements it. All calls are
 * asynchronous, on the main thread, and call back later. Signal `changed-elsewhere`: another process committed something;
 * whoever shows rows should read them again.
 */
struct _BeckonRequestStoreInterface
{
  GTypeInterface parent_iface;

  void (*list_pending_async) (BeckonRequestStore *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data);
  GPtrArray *(*list_pending_finish) (BeckonRequestStore *self, GAsyncResult *result, GError **error);

  void (*lookup_async) (BeckonRequestStore *self, const char *request_id, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data);
  BeckonRequest *(*lookup_finish) (BeckonRequestStore *self, GAsyncResult *result, GError **error);

  void (*settle_async) (BeckonRequestStore *self, const BeckonSettlement *settlement, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*settle_finish) (BeckonRequestStore *self, GAsyncResult *result, GError **error);

  void (*save_draft_async) (BeckonRequestStore *self, const char *request_id, const char *draft, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*save_draft_finish) (BeckonRequestStore *self, GAsyncResult *result, GError **error);

  void (*list_earlier_async) (BeckonRequestStore *self, const char *tool, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
  GHashTable *(*list_earlier_finish) (BeckonRequestStore *self, GAsyncResult *result, GError **error);
};

/** Pending requests, oldest first: (element-type BeckonRequest) (transfer full). */
void       beckon_request_store_list_pending_async (BeckonRequestStore *self, GCancellable *cancellable,
                                                    GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_request_store_list_pending_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error);

/**
 * Looks up any request, or the newest settled one whose id ends with @request_id, its code; %BECKON_REQUEST_ERROR_UNKNOWN if
 * there is none. (transfer full).
 */
void           beckon_request_store_lookup_async (BeckonRequestStore *self, const char *request_id, GCancellable *cancellable,
                                                  GAsyncReadyCallback callback, gpointer user_data);
BeckonRequest *beckon_request_store_lookup_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error);

/**
 * beckon_request_store_settle_async:
 *
 * Commits the settlement, the call's new state, its result and the provenance in one durable transaction, if and only if
 * the request is pending. %BECKON_REQUEST_ERROR_ALREADY_SETTLED says who was first; %BECKON_REQUEST_ERROR_UNKNOWN.
 * Cancelling before the commit settles nothing; after it the settlement stands.
 */
void     beckon_request_store_settle_async (BeckonRequestStore *self, const BeckonSettlement *settlement,
                                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_request_store_settle_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error);

/**
 * beckon_request_store_list_earlier_async:
 *
 * Values with which a tool ran before, by the name of the argument, the latest first, some of each at most: (element-type utf8
 * GPtrArray(utf8)) (transfer full), JSON. No secret is among them, and nothing that was masked or hidden. A journal that keeps
 * no calls gives none.
 */
void        beckon_request_store_list_earlier_async (BeckonRequestStore *self, const char *tool, GCancellable *cancellable,
                                                     GAsyncReadyCallback callback, gpointer user_data);
GHashTable *beckon_request_store_list_earlier_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error);

/** Keeps a draft; a settled request keeps its last one. */
void     beckon_request_store_save_draft_async (BeckonRequestStore *self, const char *request_id, const char *draft,
                                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_request_store_save_draft_finish (BeckonRequestStore *self, GAsyncResult *result, GError **error);

G_END_DECLS
