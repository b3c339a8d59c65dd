/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-redirect.h"

#include "base/beckon-base64url.h"
#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth.h"
#include "net/beckon-loopback-listener.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PATH "/callback"

#define VALUE_MAX 4096

struct _BeckonOauthRedirect
{
  GObject parent_instance;

  BeckonLoopbackListener *listener; /* (owned) (nullable): while it listens */
  char *uri;          /* (owned) */
  char *state;        /* (owned) */
  BeckonClock *clock; /* (owned) (nullable) */
  GTask *task;        /* (owned) (nullable): while the browser is waited for */
  GHashTable *brought; /* (owned) (nullable): from the request on */
  GSource *cancelled; /* (owned) (nullable) */
  guint timeout;
};

G_DEFINE_FINAL_TYPE (BeckonOauthRedirect, beckon_oauth_redirect, G_TYPE_OBJECT)

static void
stop_listening (BeckonOauthRedirect *self)
{
  if (self->listener != NULL)
    beckon_loopback_listener_stop (self->listener);
  g_clear_object (&self->listener);
}

static void
beckon_oauth_redirect_dispose (GObject *object)
{
  stop_listening (BECKON_OAUTH_REDIRECT (object));

  G_OBJECT_CLASS (beckon_oauth_redirect_parent_class)->dispose (object);
}

static void
beckon_oauth_redirect_finalize (GObject *object)
{
  BeckonOauthRedirect *self = BECKON_OAUTH_REDIRECT (object);

  g_assert (self->task == NULL && self->timeout == 0);
  g_clear_object (&self->clock);
  g_clear_pointer (&self->brought, g_hash_table_unref);
  g_free (self->uri);
  beckon_wipe (self->state);

  G_OBJECT_CLASS (beckon_oauth_redirect_parent_class)->finalize (object);
}

static void
beckon_oauth_redirect_class_init (BeckonOauthRedirectClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_oauth_redirect_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_oauth_redirect_finalize;
}

static void
beckon_oauth_redirect_init (BeckonOauthRedirect *self)
{
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

/* @error: (transfer full) (nullable) */
static void
redirect_end (BeckonOauthRedirect *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  if (self->timeout != 0)
    beckon_clock_remove (self->clock, self->timeout);
  self->timeout = 0;
  if (self->cancelled != NULL)
    g_source_destroy (self->cancelled);
  g_clear_pointer (&self->cancelled, g_source_unref);
  stop_listening (self);
  if (task == NULL)
    g_clear_error (&error);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&self->brought), (GDestroyNotify) g_hash_table_unref);
}

static gboolean
on_time_over (gpointer user_data)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_ref (user_data);
  g_autofree char *words = NULL;

  self->timeout = 0;
  /* Translators: a number of minutes, more than one */
  words = g_strdup_printf (_("The sign-in timed out after %d minutes. Try again."), BECKON_OAUTH_REDIRECT_SECONDS / 60);
  redirect_end (self, g_error_new_literal (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED, words));
  return G_SOURCE_REMOVE;
}

static gboolean
redirect_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_ref (user_data);

  redirect_end (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The sign-in was stopped.")));
  return G_SOURCE_REMOVE;
}

/* --- What the browser brings -------------------------------------------------------------------------------------- */

static gboolean
expects (const char *path, GHashTable *query, gpointer data)
{
  BeckonOauthRedirect *self = data;

  return self->task != NULL && strcmp (path, PATH) == 0
         && beckon_loopback_is_same (g_hash_table_lookup (query, "state"), self->state);
}

static const char *
redirect_take (GHashTable *query, gpointer data)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_wipe);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, query);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (strlen (value) <= VALUE_MAX)
      g_hash_table_insert (copy, g_strdup (name), g_strdup (value));
  BECKON_OAUTH_REDIRECT (data)->brought = copy;
  return g_hash_table_contains (query, "error") ? _("The sign-in didn’t work. Return to Beckon to see why.")
                                                : _("You can close this window.");
}

/* Behind the page nothing listens any more. */
static void
shown (gpointer data)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_ref (data);

  redirect_end (self, NULL);
}

static const BeckonLoopbackHandler handler = { .expects = expects, .take = redirect_take, .shown = shown };

/* --- Listening ---------------------------------------------------------------------------------------------------- */

BeckonOauthRedirect *
beckon_oauth_redirect_new (const char *uri, GError **error)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_new (BECKON_TYPE_OAUTH_REDIRECT, NULL);
  g_autoptr (GError) cause = NULL;
  g_autoptr (GUri) parsed = uri != NULL ? g_uri_parse (uri, G_URI_FLAGS_NONE, NULL) : NULL;

  self->listener
      = beckon_loopback_listener_new (parsed != NULL && g_uri_get_port (parsed) > 0 ? (guint16) g_uri_get_port (parsed) : 0,
                                      FALSE, &handler, self, &cause);
  if (self->listener == NULL)
    {
      beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED,
                             /* Translators: why, in the system's words */
                             _("The browser’s answer cannot be waited for on this computer (%s)."), cause->message);
      return NULL;
    }
  self->uri = g_strdup_printf ("http://127.0.0.1:%u" PATH, beckon_loopback_listener_get_port (self->listener));
  self->state = beckon_base64url_random ();
  return g_steal_pointer (&self);
}

const char *
beckon_oauth_redirect_get_uri (BeckonOauthRedirect *self)
{
  return self->uri;
}

const char *
beckon_oauth_redirect_get_state (BeckonOauthRedirect *self)
{
  return self->state;
}

void
beckon_oauth_redirect_wait_async (BeckonOauthRedirect *self, BeckonClock *clock, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, beckon_oauth_redirect_wait_async);
  self->clock = g_object_ref (clock);
  self->timeout = beckon_clock_add_timeout (clock, BECKON_OAUTH_REDIRECT_SECONDS * 1000, on_time_over, self);
  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (self->cancelled, G_SOURCE_FUNC (redirect_on_cancelled), self, NULL);
      g_source_attach (self->cancelled, g_main_context_get_thread_default ());
    }
}

BECKON_FINISH_POINTER (GHashTable *, beckon_oauth_redirect_wait, BeckonOauthRedirect)
