/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_DICTIONARY (beckon_dictionary_get_type ())
G_DECLARE_FINAL_TYPE (BeckonDictionary, beckon_dictionary, BECKON, DICTIONARY, GObject)

/**
 * BeckonDictionary:
 *
 * The words of the languages that the person uses, by Enchant, which is loaded where it is installed and by nobody who does not
 * check. After it was loaded: main thread.
 */

/** Loads on another thread: some take a moment. */
void beckon_dictionary_load_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (nullable): %NULL where there is no library, or no dictionary for any of the languages. */
BeckonDictionary *beckon_dictionary_load_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @word is one in any of the languages. */
gboolean beckon_dictionary_has (BeckonDictionary *dictionary, const char *word);

/** A few words that may be meant; may be empty. (transfer full) */
char **beckon_dictionary_suggest (BeckonDictionary *dictionary, const char *word) G_GNUC_WARN_UNUSED_RESULT;

/** The person says that @word is one, from now on and in other programs too. */
void beckon_dictionary_learn (BeckonDictionary *dictionary, const char *word);

G_END_DECLS
