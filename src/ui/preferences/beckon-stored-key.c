/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-stored-key.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonStoredKey
{
  AdwActionRow *row;
  GtkWidget *reveal_button;
  BeckonSecrets *secrets;
  GCancellable *cancellable; /* (owned) */
  char *profile_id;          /* (owned) (nullable) */
  char *bound_url;           /* (owned) (nullable): an address on the server that it is for */
  char *url;                 /* (owned) (nullable): what the address is now */
  gboolean is_there;
};

BeckonStoredKey *
beckon_stored_key_new (AdwActionRow *row, GtkWidget *reveal_button, BeckonSecrets *secrets)
{
  BeckonStoredKey *self = g_new0 (BeckonStoredKey, 1);

  self->row = row;
  self->reveal_button = reveal_button;
  self->secrets = secrets;
  self->cancellable = g_cancellable_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  return self;
}

void
beckon_stored_key_free (BeckonStoredKey *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  g_free (self->profile_id);
  g_free (self->bound_url);
  g_free (self->url);
  g_free (self);
}

/* An address that is not whole yet is no other server. */
gboolean
beckon_stored_key_is_elsewhere (BeckonStoredKey *self)
{
  g_autofree char *origin = beckon_uri_dup_origin (self->url);

  return self->is_there && self->bound_url != NULL && origin != NULL
         && !beckon_uri_same_origin (self->bound_url, self->url);
}

static void
stored_key_show (BeckonStoredKey *self)
{
  g_autofree char *bound = beckon_uri_dup_origin (self->bound_url);
  g_autofree char *words = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->row), self->is_there);
  if (beckon_stored_key_is_elsewhere (self))
    /* Translators: %s is the address of a server */
    words = beckon_text_printf (_("It was entered for %s and is not sent to another server. Type the key for the new one "
                                  "above."),
                                bound);
  adw_action_row_set_subtitle (self->row, words != NULL ? words : _("Enter a new key above to replace it."));
}

void
beckon_stored_key_set_url (BeckonStoredKey *self, const char *base_url)
{
  g_free (self->url);
  self->url = g_strdup (base_url);
  stored_key_show (self);
}

static void
set_there (BeckonStoredKey *self, gboolean is_there)
{
  self->is_there = is_there;
  stored_key_show (self);
}

typedef struct
{
  BeckonStoredKey *key; /* gone when @cancellable is cancelled */
  GCancellable *cancellable;
  GtkEditable *entry;
  void (*fail) (const char *words, gpointer user_data);
  gpointer user_data;
} Pending;

static Pending *
pending_new (BeckonStoredKey *self)
{
  Pending *pending = g_new0 (Pending, 1);

  pending->key = self;
  pending->cancellable = g_object_ref (self->cancellable);
  return pending;
}

static void
pending_free (Pending *pending)
{
  g_object_unref (pending->cancellable);
  g_free (pending);
}

static void
wipe (char *key)
{
  if (key != NULL)
    explicit_bzero (key, strlen (key));
  g_free (key);
}

static void
stored_key_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Pending *pending = user_data;
  BeckonStoredKey *self = pending->key;
  g_autoptr (GError) error = NULL;
  char *key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);

  if (!g_cancellable_is_cancelled (pending->cancellable))
    {
      self->is_there = key != NULL;
      stored_key_show (self);
      /* The address was changed where nobody asked, such as in a terminal. */
      if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
        {
          gtk_widget_set_visible (GTK_WIDGET (self->row), TRUE);
          gtk_widget_set_visible (self->reveal_button, FALSE);
          adw_action_row_set_subtitle (self->row, error->message);
        }
    }
  wipe (key);
  pending_free (pending);
}

void
beckon_stored_key_find (BeckonStoredKey *self, BeckonProfile *profile)
{
  self->profile_id = g_strdup (beckon_profile_get_id (profile));
  self->bound_url = g_strdup (beckon_profile_get_base_url (profile));
  beckon_secrets_lookup_async (self->secrets, self->profile_id, self->bound_url, FALSE, self->cancellable, stored_key_on_found,
                               pending_new (self));
}

static void
stored_key_on_revealed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Pending *pending = user_data;
  g_autoptr (GError) error = NULL;
  char *key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);

  if (!g_cancellable_is_cancelled (pending->cancellable))
    {
      if (error != NULL)
        pending->fail (error->message, pending->user_data);
      if (key != NULL)
        {
          gtk_editable_set_text (pending->entry, key);
          gtk_text_set_visibility (GTK_TEXT (gtk_editable_get_delegate (pending->entry)), TRUE);
          gtk_widget_set_visible (pending->key->reveal_button, FALSE);
        }
    }
  wipe (key);
  pending_free (pending);
}

void
beckon_stored_key_reveal (BeckonStoredKey *self, GtkEditable *entry, void (*fail) (const char *words, gpointer user_data),
                          gpointer user_data)
{
  Pending *pending = pending_new (self);

  pending->entry = entry;
  pending->fail = fail;
  pending->user_data = user_data;
  beckon_secrets_lookup_async (self->secrets, self->profile_id, self->bound_url, FALSE, self->cancellable,
                               stored_key_on_revealed,
                               pending);
}

/* --- Forgetting --------------------------------------------------------------------------------------------------- */

/* Shared by what is under way and the notice. */
typedef struct
{
  BeckonStoredKey *stored;   /* gone when @cancellable is cancelled */
  GCancellable *cancellable; /* (owned) */
  BeckonSecrets *secrets;    /* (owned) */
  char *profile_id;          /* (owned) */
  char *url;                 /* (owned) */
  char *name;                /* (owned) */
  char *key;                 /* (owned) (nullable) */
  AdwToastOverlay *toasts;   /* as @stored */
  void (*fail) (const char *words, gpointer user_data);
  gpointer user_data;
} Forgotten;

static void
forgotten_clear (gpointer data)
{
  Forgotten *forgotten = data;

  g_object_unref (forgotten->cancellable);
  g_object_unref (forgotten->secrets);
  g_free (forgotten->profile_id);
  g_free (forgotten->url);
  g_free (forgotten->name);
  wipe (forgotten->key);
}

static void
forgotten_release (gpointer forgotten)
{
  g_rc_box_release_full (forgotten, forgotten_clear);
}

/* Without a keyring it was for this session, and is so again. */
static void
on_back (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Forgotten *forgotten = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_back = beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error)
                     || (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE)
                         && beckon_secrets_set_for_session (forgotten->secrets, forgotten->profile_id, forgotten->url,
                                                            forgotten->key, NULL));

  if (!g_cancellable_is_cancelled (forgotten->cancellable))
    {
      if (is_back)
        set_there (forgotten->stored, TRUE);
      else
        forgotten->fail (error->message, forgotten->user_data);
    }
  forgotten_release (forgotten);
}

static void
stored_key_on_undo (AdwToast *toast, Forgotten *forgotten)
{
  beckon_secrets_store_async (forgotten->secrets, forgotten->profile_id, forgotten->url, forgotten->name, forgotten->key, NULL,
                              on_back, g_rc_box_acquire (forgotten));
}

/* The session's key is gone, even without a keyring. */
static void
stored_key_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Forgotten *forgotten = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_gone = beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error)
                     || (forgotten->key != NULL && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE));

  if (!g_cancellable_is_cancelled (forgotten->cancellable))
    {
      if (!is_gone)
        forgotten->fail (error->message, forgotten->user_data);
      else
        set_there (forgotten->stored, FALSE);
      if (is_gone && forgotten->key != NULL)
        {
          AdwToast *toast = adw_toast_new (_("The key is forgotten"));

          adw_toast_set_button_label (toast, _("_Undo"));
          g_object_set_data_full (G_OBJECT (toast), "forgotten", g_rc_box_acquire (forgotten), forgotten_release);
          g_signal_connect (toast, "button-clicked", G_CALLBACK (stored_key_on_undo), forgotten);
          adw_toast_overlay_add_toast (forgotten->toasts, toast);
        }
    }
  forgotten_release (forgotten);
}

/* An unreadable key can be forgotten, without an undo. */
static void
on_key_to_forget (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Forgotten *forgotten = user_data;

  forgotten->key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, NULL);
  if (g_cancellable_is_cancelled (forgotten->cancellable))
    forgotten_release (forgotten);
  else
    beckon_secrets_store_async (forgotten->secrets, forgotten->profile_id, NULL, NULL, NULL, NULL, stored_key_on_forgotten,
                                forgotten);
}

void
beckon_stored_key_forget (BeckonStoredKey *self, const char *name, AdwToastOverlay *toasts,
                          void (*fail) (const char *words, gpointer user_data), gpointer user_data)
{
  Forgotten *forgotten = g_rc_box_new0 (Forgotten);

  forgotten->stored = self;
  forgotten->cancellable = g_object_ref (self->cancellable);
  forgotten->secrets = g_object_ref (self->secrets);
  forgotten->profile_id = g_strdup (self->profile_id);
  forgotten->url = g_strdup (self->bound_url);
  forgotten->name = g_strdup (name);
  forgotten->toasts = toasts;
  forgotten->fail = fail;
  forgotten->user_data = user_data;
  beckon_secrets_lookup_async (self->secrets, self->profile_id, self->bound_url, FALSE, self->cancellable, on_key_to_forget,
                               forgotten);
}

/* --- To another server -------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonStoredKeyFunc function;
  gpointer user_data;
} Asked;

static void
stored_key_on_response (GtkWidget *alert, const char *response, Asked *asked)
{
  BeckonStoredKeyAnswer answer = BECKON_STORED_KEY_CANCEL;

  if (g_str_equal (response, "leave"))
    answer = BECKON_STORED_KEY_LEAVE;
  else if (g_str_equal (response, "take"))
    answer = BECKON_STORED_KEY_TAKE;
  asked->function (answer, asked->user_data);
}

static void
free_asked (gpointer asked, GClosure *closure)
{
  g_free (asked);
}

void
beckon_stored_key_ask_between (const char *from_url, const char *to_url, GtkWidget *parent, BeckonStoredKeyFunc function,
                               gpointer user_data)
{
  g_autofree char *from = beckon_uri_dup_origin (from_url);
  g_autofree char *to = beckon_uri_dup_origin (to_url);
  /* Translators: two addresses of servers */
  g_autofree char *body = beckon_text_printf (_("The key was entered for %1$s. The address is now on %2$s. Whoever runs that "
                                                "server can read and use the key."),
                                              from, to);
  GtkWidget *alert = beckon_alert_new (_("Send the Key to Another Server?"), body);
  Asked *asked = g_new0 (Asked, 1);

  asked->function = function;
  asked->user_data = user_data;
  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "leave", _("Save _Without the Key"), "take",
                              _("_Send It There"), NULL);
  beckon_alert_set_appearance (alert, "take", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_data (alert, "response", G_CALLBACK (stored_key_on_response), asked, free_asked, 0);
  beckon_alert_present (alert, parent);
}

void
beckon_stored_key_ask (BeckonStoredKey *self, GtkWidget *parent, BeckonStoredKeyFunc function, gpointer user_data)
{
  beckon_stored_key_ask_between (self->bound_url, self->url, parent, function, user_data);
}

typedef struct
{
  BeckonSecrets *secrets; /* (owned) */
  BeckonProfile *profile; /* (owned) */
  char *key;              /* (owned) (nullable) */
} Move;

static void
move_free (Move *move)
{
  g_object_unref (move->secrets);
  g_object_unref (move->profile);
  wipe (move->key);
  g_free (move);
}

static void
on_moved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Move *move = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  /* Without a keyring it was for this session, and stays so. */
  if (beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error)
      || (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE)
          && beckon_secrets_set_for_session (move->secrets, beckon_profile_get_id (move->profile),
                                             beckon_profile_get_base_url (move->profile), move->key, NULL)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
on_key_to_move (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Move *move = g_task_get_task_data (task);
  GError *error = NULL;

  move->key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (move->key == NULL)
    g_task_return_boolean (task, TRUE);
  else
    beckon_secrets_store_async (move->secrets, beckon_profile_get_id (move->profile),
                                beckon_profile_get_base_url (move->profile), beckon_profile_get_name (move->profile),
                                move->key, g_task_get_cancellable (task), on_moved, g_object_ref (task));
}

void
beckon_stored_key_move_async (BeckonStoredKey *self, BeckonProfile *profile, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Move *move = g_new0 (Move, 1);

  g_task_set_source_tag (task, beckon_stored_key_move_async);
  move->secrets = g_object_ref (self->secrets);
  move->profile = g_object_ref (profile);
  g_task_set_task_data (task, move, (GDestroyNotify) move_free);
  beckon_secrets_lookup_async (self->secrets, self->profile_id, self->bound_url, FALSE, cancellable, on_key_to_move,
                               g_object_ref (task));
}

BECKON_FINISH_LONE_BOOLEAN (beckon_stored_key_move)
