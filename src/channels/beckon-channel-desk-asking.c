/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-desk-private.h"

#include "channels/beckon-channel-text.h"
#include "request/beckon-approval-request.h"
#include "text/beckon-plain-approval.h"

#include <glib/gi18n-lib.h>

/* --- What waits is sent ------------------------------------------------------------------------------------------- */

static BeckonChannelPost *
make_asking (BeckonChannelDesk *self, BeckonRequest *request, guint item, BeckonChannelOffer offer, const char *text)
{
  BeckonChannelPost *post = beckon_channel_desk_make_post (self, beckon_channel_text_get_title (request), text);

  post->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  post->request_id = g_strdup (beckon_request_get_id (request));
  post->item = item;
  /* Only what was shown can be answered. */
  if (offer == BECKON_CHANNEL_OFFER_WHOLE)
    {
      post->code = beckon_channel_post_make_code ();
      post->choices = beckon_channel_text_format_choices (request, item, beckon_channel_desk_get_limits (self));
    }
  return post;
}

/* The last piece has the buttons. */
void
beckon_channel_desk_add_question (BeckonChannelDesk *self,
                                  BeckonChannelStoring *storing,
                                  BeckonBatch *batch,
                                  BeckonRequest *request,
                                  guint item,
                                  gboolean is_asked_for)
{
  BeckonChannelOffer offer = beckon_channel_desk_get_offer (self, request);
  g_autofree char *text = beckon_channel_text_format (request, item, offer);
  g_auto (GStrv) pieces = beckon_channel_text_split (text, beckon_channel_desk_get_limits (self));

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      BeckonChannelPost *post
          = pieces[i + 1] == NULL
                ? make_asking (self, request, item, offer, pieces[i])
                : beckon_channel_desk_make_post (self, beckon_channel_text_get_title (request), pieces[i]);

      post->is_asked_for = is_asked_for;
      if (pieces[i + 1] != NULL)
        {
          /* A leading piece goes with its question, but the end is not shown in it. */
          post->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
          post->request_id = g_strdup (beckon_request_get_id (request));
          post->is_closed = TRUE;
        }
      beckon_channel_storing_add (storing, batch, post);
    }
}

/* @offer: at least so much of it. */
static gboolean
was_asked (BeckonChannelDesk *self, const char *request_id, BeckonChannelOffer offer)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->asked, request_id)) > (guint)offer;
}

/* TRUE if it is new. */
static gboolean
note_asked (BeckonChannelDesk *self, const char *request_id, BeckonChannelOffer offer)
{
  gboolean is_new = !was_asked (self, request_id, BECKON_CHANNEL_OFFER_NOTICE);

  if (!was_asked (self, request_id, offer))
    g_hash_table_insert (self->asked, g_strdup (request_id), GUINT_TO_POINTER ((guint)offer + 1));
  return is_new;
}

/* An approval that is asked about once its preview is there. */
typedef struct
{
  BeckonChannelDesk *desk; /* (owned) */
  BeckonRequest *request;  /* (owned) */
} Previewing;

static void
channel_desk_asking_on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Previewing *previewing = user_data;
  g_autoptr (BeckonCallPreview) preview
    = beckon_call_previewer_preview_finish (BECKON_CALL_PREVIEWER (source), result, NULL);

  if (preview != NULL)
    beckon_request_set_preview (previewing->request, preview);
  g_hash_table_insert (previewing->desk->previewed, g_strdup (beckon_request_get_id (previewing->request)),
                       GINT_TO_POINTER (TRUE));
  beckon_channel_desk_send_waiting (previewing->desk);
  g_object_unref (previewing->request);
  g_object_unref (previewing->desk);
  g_free (previewing);
}

/* Whether @request can be sent as it is shown elsewhere; if not, it is sent once it can. */
static gboolean
is_prepared (BeckonChannelDesk *self, BeckonRequest *request)
{
  BeckonCallPreviewer *previewer = beckon_inbox_get_previewer (self->parts.inbox);
  const char *id = beckon_request_get_id (request);
  gpointer is_tried = NULL;
  Previewing *previewing;

  if (!beckon_channel_desk_get_account (self)->approves || !beckon_plain_approval_has_preview (request, previewer)
      || beckon_request_get_preview (request) != NULL)
    return TRUE;
  if (g_hash_table_lookup_extended (self->previewed, id, NULL, &is_tried))
    return is_tried != NULL;
  g_hash_table_insert (self->previewed, g_strdup (id), NULL);
  previewing = g_new (Previewing, 1);
  previewing->desk = g_object_ref (self);
  previewing->request = g_object_ref (request);
  beckon_call_previewer_preview_async (previewer, request, beckon_request_get_arguments (request), NULL,
                                       channel_desk_asking_on_previewed,
                                       previewing);
  return FALSE;
}

void
beckon_channel_desk_send_waiting (BeckonChannelDesk *self)
{
  GListModel *inbox = G_LIST_MODEL (self->parts.inbox);

  for (guint i = 0; self->is_open && i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);
      /* Temporary conversations leave no trace, and a phone's chat is one. */
      const char *id = beckon_request_get_conversation_id (request);
      BeckonConversation *conversation = id != NULL ? beckon_library_lookup (self->parts.library, id) : NULL;

      if (beckon_channel_desk_get_account (self)->address != NULL
          && !was_asked (self, beckon_request_get_id (request), beckon_channel_desk_get_offer (self, request))
          && (conversation == NULL || !beckon_conversation_get_temporary (conversation))
          && (self->watched == NULL || g_strcmp0 (id, self->watched) != 0) && is_prepared (self, request))
        {
          BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
          BeckonChannelStoring *storing = beckon_channel_storing_new (self);

          note_asked (self, beckon_request_get_id (request), beckon_channel_desk_get_offer (self, request));
          storing->request_id = g_strdup (beckon_request_get_id (request));
          beckon_channel_desk_add_question (self, storing, batch, request, 0, FALSE);
          beckon_channel_storing_commit (self, batch, storing);
        }
    }
}

/* --- What ended says so ------------------------------------------------------------------------------------------- */

/* The question itself says it, where messages can be edited; else a line does. */
static void
add_end (BeckonChannelDesk *self,
         BeckonChannelStoring *storing,
         BeckonBatch *batch,
         const BeckonChannelPost *asked,
         BeckonRequest *request,
         gboolean is_last)
{
  gboolean edits
      = beckon_channel_desk_get_limits (self)->can_edit && asked->remote_id != NULL && *asked->remote_id != '\0';
  BeckonChannelOffer offer
      = asked->code != NULL ? beckon_channel_desk_get_offer (self, request) : BECKON_CHANNEL_OFFER_NOTICE;
  g_autofree char *end = beckon_channel_text_format_end (request, offer);
  g_autofree char *whole = g_strconcat (asked->text, "\n\n", end, NULL);
  g_auto (GStrv) pieces = beckon_channel_text_split (edits ? whole : end, beckon_channel_desk_get_limits (self));
  BeckonChannelPost *post;
  g_autofree char *here = NULL;

  if ((!edits && !is_last) || !beckon_channel_desk_is_to_peer (self, asked))
    return;
  if (pieces[1] != NULL)
    {
      g_strfreev (pieces);
      pieces = beckon_channel_text_split (end, beckon_channel_desk_get_limits (self));
    }
  post = beckon_channel_desk_make_post (self, _("That is settled"), pieces[0]);
  post->conversation_id = g_strdup (asked->conversation_id);
  post->edits = edits ? g_strdup (asked->remote_id) : NULL;
  here = beckon_channel_account_dup_front_end (beckon_channel_desk_get_account (self));
  post->is_asked_for = g_strcmp0 (beckon_request_get_front_end (request), here) == 0;
  beckon_channel_storing_add (storing, batch, post);
}

/* That is stored with the pairing. */
void
beckon_channel_desk_forget_asked (BeckonChannelDesk *self)
{
  BeckonChannelOutbox *outbox = beckon_channel_desk_get_outbox (self);
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (outbox, NULL);

  for (guint i = 0; i < asking->len; i++)
    if (!beckon_channel_desk_is_to_peer (self, g_ptr_array_index (asking, i)))
      beckon_channel_outbox_close (outbox, g_ptr_array_index (asking, i));
  g_hash_table_remove_all (self->asked);
  g_hash_table_remove_all (self->dialogues);
}

/* Those that were not sent yet are not sent at all. */
void
beckon_channel_desk_close_asking (BeckonChannelDesk *self, BeckonRequest *request)
{
  g_autoptr (GPtrArray) asking
      = beckon_channel_outbox_list_asking (beckon_channel_desk_get_outbox (self), beckon_request_get_id (request));
  BeckonBatch *batch;
  BeckonChannelStoring *storing;

  g_hash_table_remove (self->dialogues, beckon_request_get_id (request));
  if (asking->len == 0)
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  storing = beckon_channel_storing_new (self);
  for (guint i = 0; i < asking->len; i++)
    {
      g_autoptr (BeckonChannelPost) post = beckon_channel_post_copy (g_ptr_array_index (asking, i));
      BeckonChannelPostState state = post->state;

      post->is_closed = TRUE;
      if (state == BECKON_CHANNEL_POST_QUEUED)
        post->state = BECKON_CHANNEL_POST_FAILED;
      beckon_batch_put_channel_post (batch, post);
      if (state == BECKON_CHANNEL_POST_SENT)
        add_end (self, storing, batch, post, request, i + 1 == asking->len);
      beckon_channel_outbox_close (beckon_channel_desk_get_outbox (self), g_ptr_array_index (asking, i));
    }
  beckon_channel_storing_commit (self, batch, storing);
}

/* A request may have been settled while its message was being stored. */
static void
on_settled_meanwhile (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelDesk) self = user_data;
  g_autoptr (BeckonRequest) request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, NULL);

  if (request != NULL && self->is_open && beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    beckon_channel_desk_close_asking (self, request);
}

void
beckon_channel_desk_look_whether_settled (BeckonChannelDesk *self, const char *request_id)
{
  if (beckon_inbox_lookup (self->parts.inbox, request_id) == NULL)
    beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), request_id, NULL, on_settled_meanwhile,
                                       g_object_ref (self));
}

void
beckon_channel_desk_note_settled (BeckonInbox *inbox,
                                  BeckonRequest *request,
                                  const BeckonSettlement *settlement,
                                  BeckonChannelDesk *self)
{
  if (self->is_open)
    beckon_channel_desk_close_asking (self, request);
}

static void
on_late_end (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelStoring) storing = user_data;
  BeckonChannelDesk *self = storing->desk;
  g_autoptr (BeckonRequest) request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, NULL);
  g_autoptr (GPtrArray) asked = g_steal_pointer (&storing->posts);
  BeckonBatch *batch;

  storing->posts = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_post_free);
  if (request == NULL || !self->is_open || beckon_channel_desk_get_account (self)->address == NULL
      || beckon_request_get_state (request) == BECKON_REQUEST_PENDING
      || !beckon_channel_desk_is_to_peer (self, g_ptr_array_index (asked, 0)))
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  add_end (self, storing, batch, g_ptr_array_index (asked, 0), request, TRUE);
  beckon_channel_storing_commit (self, batch, g_steal_pointer (&storing));
}

/* A question that ended while it was on its way. */
void
beckon_channel_desk_note_sent (BeckonChannelOutbox *outbox, const BeckonChannelPost *post, BeckonChannelDesk *self)
{
  BeckonChannelStoring *storing;

  if (!self->is_open || post->request_id == NULL || !post->is_closed)
    return;
  storing = beckon_channel_storing_new (self);
  g_ptr_array_add (storing->posts, beckon_channel_post_copy (post));
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), post->request_id, NULL, on_late_end,
                                     storing);
}

/* Answers that were given while no process served the account. */
void
beckon_channel_desk_look_at_asked (BeckonChannelDesk *self)
{
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (beckon_channel_desk_get_outbox (self), NULL);

  for (guint i = 0; i < asking->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (asking, i);

      if (beckon_channel_desk_is_to_peer (self, post)
          && note_asked (self, post->request_id,
                         post->code != NULL ? BECKON_CHANNEL_OFFER_WHOLE : BECKON_CHANNEL_OFFER_NOTICE))
        beckon_channel_desk_look_whether_settled (self, post->request_id);
    }
}
