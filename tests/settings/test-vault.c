/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Masked answers with a real keyring, on a bus without one, and without a bus; see BECKON_TEST_KEYRING. */

#include "settings/beckon-secret-vault.h"

#define HANDLE "secret:token-abcdefghjkmn"
#define VALUE "canary with spaces, “quotes” and ü"

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
keep (BeckonVault *vault)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_vault_keep_async (vault, HANDLE, VALUE, NULL, on_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (beckon_vault_keep_finish (vault, result, &error));
  g_assert_no_error (error);
}

static char *
look_up (BeckonVault *vault)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_vault_look_up_async (vault, HANDLE, NULL, on_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return beckon_vault_look_up_finish (vault, result, NULL);
}

static void
flush (BeckonVault *vault)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_vault_flush_async (vault, NULL, on_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (beckon_vault_flush_finish (vault, result, &error));
  g_assert_no_error (error);
}

static gboolean
has_keyring (void)
{
  return g_strcmp0 (g_getenv ("BECKON_TEST_KEYRING"), "real") == 0;
}

/* Without a keyring a value lives as long as the process, and the vault says so. */
static void
test_kept (void)
{
  g_autoptr (BeckonVault) vault = beckon_secret_vault_new ();
  g_autoptr (BeckonVault) next = beckon_secret_vault_new ();
  g_autofree char *nothing = look_up (next);
  g_autofree char *here = NULL;
  g_autofree char *later = NULL;

  g_assert_null (nothing);
  keep (vault);
  here = look_up (vault);
  g_assert_cmpstr (here, ==, VALUE);
  g_assert_true (beckon_vault_is_for_session (vault, HANDLE) != has_keyring ());
  later = look_up (next);
  g_assert_cmpstr (later, ==, has_keyring () ? VALUE : NULL);
  g_assert_false (beckon_vault_is_for_session (next, HANDLE));
}

static void
test_forgotten (void)
{
  g_autoptr (BeckonVault) vault = beckon_secret_vault_new ();
  g_autoptr (BeckonVault) next = beckon_secret_vault_new ();
  g_autofree char *gone = NULL;
  g_autofree char *still = NULL;

  keep (vault);
  beckon_vault_forget (vault, HANDLE);
  g_assert_false (beckon_vault_is_for_session (vault, HANDLE));
  flush (vault);
  gone = look_up (vault);
  g_assert_null (gone);
  still = look_up (next);
  g_assert_null (still);
}

static void
test_cancelled (void)
{
  g_autoptr (BeckonVault) vault = beckon_secret_vault_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  beckon_vault_keep_async (vault, HANDLE, VALUE, cancellable, on_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (beckon_vault_keep_finish (vault, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/vault/kept", test_kept);
  g_test_add_func ("/settings/vault/forgotten", test_forgotten);
  g_test_add_func ("/settings/vault/cancelled", test_cancelled);
  return g_test_run ();
}
