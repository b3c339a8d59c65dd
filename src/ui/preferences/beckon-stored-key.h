/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * BeckonStoredKey:
 *
 * The row of the profile editor that stands for a key that is kept already: whether there is one and for which server, and what
 * becomes of it when the address is changed. A part of the editor. Main thread.
 */
typedef struct _BeckonStoredKey BeckonStoredKey;

/** The person's choice for a key whose profile changes servers. */
typedef enum
{
  BECKON_STORED_KEY_CANCEL,
  BECKON_STORED_KEY_LEAVE, /* the profile is saved and has no key */
  BECKON_STORED_KEY_TAKE,  /* the key goes along */
} BeckonStoredKeyAnswer;

typedef void (*BeckonStoredKeyFunc) (BeckonStoredKeyAnswer answer, gpointer user_data);

/** @row is hidden until a key is found. It, @reveal_button and @secrets are borrowed, and outlive this. */
BeckonStoredKey *beckon_stored_key_new (AdwActionRow *row, GtkWidget *reveal_button,
                                        BeckonSecrets *secrets) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_stored_key_free (BeckonStoredKey *key);

/** Looks whether @profile, as it is saved, has a key. */
void beckon_stored_key_find (BeckonStoredKey *key, BeckonProfile *profile);

/** Says what would become of the key with this address. */
void beckon_stored_key_set_url (BeckonStoredKey *key, const char *base_url);

/** %TRUE if there is a key, and it is for another server than the address that was set last. */
gboolean beckon_stored_key_is_elsewhere (BeckonStoredKey *key);

/** Asks whether the key goes along. */
void beckon_stored_key_ask (BeckonStoredKey *key, GtkWidget *parent, BeckonStoredKeyFunc function, gpointer user_data);

/** Asks the same of any key, by an address on the server that it was entered for and one on the other. */
void beckon_stored_key_ask_between (const char *from_url, const char *to_url, GtkWidget *parent, BeckonStoredKeyFunc function,
                                    gpointer user_data);

/** Binds the key to the server of @profile, which was saved. As beckon_secrets_store_async(). */
void     beckon_stored_key_move_async (BeckonStoredKey *key, BeckonProfile *profile, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_stored_key_move_finish (GAsyncResult *result, GError **error);

/** Shows it in @entry. @fail is called with words if that does not work. */
void beckon_stored_key_reveal (BeckonStoredKey *key, GtkEditable *entry, void (*fail) (const char *words, gpointer user_data),
                               gpointer user_data);

/**
 * beckon_stored_key_forget:
 * @key: the key
 * @name: of the profile, for the keyring if the key comes back
 * @toasts: where it is said, with a way back
 * @fail: called with words if that does not work
 * @user_data: for @fail
 *
 * Takes the key out of the keyring. It is kept in memory for as long as it can be taken back.
 */
void beckon_stored_key_forget (BeckonStoredKey *key, const char *name, AdwToastOverlay *toasts,
                               void (*fail) (const char *words, gpointer user_data), gpointer user_data);

G_END_DECLS
