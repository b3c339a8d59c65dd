/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-profile.h"

#include "base/beckon-error.h"
#include "base/beckon-origin.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The program that prints a profile's key. */

gboolean
beckon_profile_looks_like_key (const char *word)
{
  static const char *const beginnings[] = { "Bearer ", "Basic ", "sk-",  "sk_", "gsk_", "xai-", "AIza", "hf_",
                                            "ghp_",    "AKIA",   "eyJ",  "ya29.", "ABSK", "bedrock-api-key-", NULL };

  for (guint i = 0; beginnings[i] != NULL; i++)
    if (g_str_has_prefix (word, beginnings[i]) && strlen (word) >= 16)
      return TRUE;
  return FALSE;
}

static gboolean
profile_key_is_plain (const char *word)
{
  for (const char *c = word; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("-_.+/=:,@%", *c) == NULL)
      return FALSE;
  return *word != '\0';
}

static gboolean
has_control (const char *text)
{
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      return TRUE;
  return FALSE;
}

static gboolean
profile_key_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, message);

  return FALSE;
}

/* A shell would do what its quoting and its variables say; here they would be taken word for word. */
static gboolean
check_words (char **argv, GError **error)
{
  if (*argv[0] == '\0')
    return profile_key_refuse (error, _("The program that prints the key has no name. Enter one such as “gcloud auth "
                                        "print-access-token”"));
  for (guint i = 0; argv[i] != NULL; i++)
    if (beckon_profile_looks_like_key (argv[i]))
      return profile_key_refuse (error,
                                 _("The program’s arguments would carry a key, and they are kept in a file. Enter the key in "
                                   "its own field"));
  return TRUE;
}

static char **
profile_key_parse (const char *command, GError **error)
{
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) local_error = NULL;

  if (strlen (command) > BECKON_PROFILE_KEY_COMMAND_MAX_BYTES || !g_utf8_validate (command, -1, NULL) || has_control (command))
    {
      profile_key_refuse (error, _("The program that prints the key is one line of at most 4096 characters"));
      return NULL;
    }
  if (!g_shell_parse_argv (command, NULL, &argv, &local_error))
    {
      /* Translators: what is wrong with the quoting of a command line, in words */
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The program that prints the key cannot be read: %s"),
                             local_error->message);
      return NULL;
    }
  return check_words (argv, error) ? g_steal_pointer (&argv) : NULL;
}

gboolean
beckon_profile_set_key_command (BeckonProfile *self, const char *command, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (command != NULL ? command : ""));
  g_autofree char *origin = NULL;
  g_autoptr (GString) joined = NULL;
  g_auto (GStrv) argv = NULL;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);

  if (*stripped == '\0')
    {
      g_object_set (self, "key-command", "", "key-origin", "", NULL);
      return TRUE;
    }
  argv = profile_key_parse (stripped, error);
  if (argv == NULL)
    return FALSE;
  origin = beckon_uri_dup_origin (beckon_profile_get_base_url (self));
  if (origin == NULL)
    return profile_key_refuse (error,
                               _("A key is for one server. Enter the base URL first, such as https://api.example.com/v1"));
  joined = g_string_new (NULL);
  for (guint i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *quoted = profile_key_is_plain (argv[i]) ? g_strdup (argv[i]) : g_shell_quote (argv[i]);

      g_string_append_printf (joined, "%s%s", i > 0 ? " " : "", quoted);
    }
  g_object_set (self, "key-command", joined->str, "key-origin", origin, NULL);
  return TRUE;
}

char **
beckon_profile_dup_key_argv (BeckonProfile *self)
{
  const char *command = beckon_profile_get_key_command (self);

  return command != NULL && *command != '\0' ? profile_key_parse (command, NULL) : NULL;
}
