/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-login.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonServerLogin
{
  AdwPreferencesGroup parent_instance;

  BeckonLogin *before; /* (owned) (nullable): as it is saved */
  AdwExpanderRow *expander;
  GtkEditable *client_row;
  GtkEditable *secret_row;
  GtkEditable *issuer_row;
  GtkEditable *scope_row;
};

G_DEFINE_FINAL_TYPE (BeckonServerLogin, beckon_server_login, ADW_TYPE_PREFERENCES_GROUP)

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static void
server_login_take_text (GtkEditable *row, char **text)
{
  char *entered = g_strstrip (g_strdup (gtk_editable_get_text (row)));

  g_free (*text);
  *text = *entered != '\0' ? entered : NULL;
  if (*text == NULL)
    g_free (entered);
}

BeckonLogin *
beckon_server_login_make (BeckonServerLogin *self)
{
  g_autoptr (BeckonLogin) none = beckon_login_new ();
  g_autoptr (BeckonLogin) login = NULL;
  char *secret = NULL;

  login = self->before != NULL ? beckon_login_copy (self->before) : beckon_login_new ();
  server_login_take_text (self->client_row, &login->client_id);
  server_login_take_text (self->issuer_row, &login->issuer);
  server_login_take_text (self->scope_row, &login->scope);
  server_login_take_text (self->secret_row, &secret);
  if (secret != NULL)
    beckon_login_set_secret (login, secret);
  else
    login->has_secret = login->has_secret && login->client_id != NULL;
  return beckon_login_equal (login, none) ? NULL : g_steal_pointer (&login);
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
server_login_show_text (GtkEditable *row, const char *text)
{
  gtk_editable_set_text (row, text != NULL ? text : "");
}

void
beckon_server_login_set (BeckonServerLogin *self, const BeckonLogin *login)
{
  g_autofree char *words = NULL;
  gboolean is_kept;
  const char *title;

  beckon_login_free (self->before);
  self->before = beckon_login_copy (login);
  words = login != NULL ? beckon_login_words_describe (login) : g_strdup (_("You, in the browser, where the server wants it"));
  adw_expander_row_set_subtitle (self->expander, words);
  adw_expander_row_set_expanded (self->expander, FALSE);
  server_login_show_text (self->client_row, login != NULL ? login->client_id : NULL);
  server_login_show_text (self->issuer_row, login != NULL ? login->issuer : NULL);
  server_login_show_text (self->scope_row, login != NULL ? login->scope : NULL);

  is_kept = self->before != NULL && self->before->has_secret;
  title = is_kept ? _("Client Secret: kept in the keyring") : _("Client Secret");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->secret_row), title);
  gtk_editable_set_text (self->secret_row, "");
  beckon_entry_row_name (self->secret_row);
}

/* --- The group ---------------------------------------------------------------------------------------------------- */

static void
beckon_server_login_finalize (GObject *object)
{
  beckon_login_free (BECKON_SERVER_LOGIN (object)->before);

  G_OBJECT_CLASS (beckon_server_login_parent_class)->finalize (object);
}

static void
beckon_server_login_class_init (BeckonServerLoginClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_server_login_finalize;
}

static GtkEditable *
add_entry (BeckonServerLogin *self, GtkWidget *row, const char *title)
{
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  beckon_entry_row_name (GTK_EDITABLE (row));
  adw_expander_row_add_row (self->expander, row);
  return GTK_EDITABLE (row);
}

static void
beckon_server_login_init (BeckonServerLogin *self)
{
  self->expander = ADW_EXPANDER_ROW (adw_expander_row_new ());
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->expander), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->expander), _("Sign-In"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->expander));
  self->client_row = add_entry (self, adw_entry_row_new (), _("Client ID"));
  self->secret_row = add_entry (self, adw_password_entry_row_new (), _("Client Secret"));
  self->issuer_row = add_entry (self, adw_entry_row_new (), _("Authorization Server (address)"));
  self->scope_row = add_entry (self, adw_entry_row_new (), _("Permissions to Ask For"));
  beckon_server_login_set (self, NULL);
}

/* @words: a sentence with one %s */
static char *
login_words_fill_in (const char *words, const char *value)
{
  g_autofree char *shown = beckon_text_for_display (value, -1, BECKON_TEXT_EXACT);

  return beckon_text_fill_in (words, shown);
}

static void
login_words_append (GString *lines, char *line)
{
  g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
  g_free (line);
}

char *
beckon_login_words_describe (const BeckonLogin *login)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  login_words_append (lines, login->client_id != NULL
                      /* Translators: %s is the ID of a client, as Beckon is called there */
                      ? login_words_fill_in (_("You, in the browser, as the client “%s”"), login->client_id)
                      : g_strdup (_("You, in the browser")));
  if (login->issuer != NULL)
    /* Translators: %s is an address */
    login_words_append (lines, login_words_fill_in (_("At %s only"), login->issuer));
  if (login->scope != NULL)
    /* Translators: %s is a list of names that a server has for permissions */
    login_words_append (lines, login_words_fill_in (_("With the permissions %s"), login->scope));
  return g_string_free (g_steal_pointer (&lines), FALSE);
}
