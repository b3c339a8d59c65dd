/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-login.h"

#include "beckon-login-words.h"
#include "ui/widgets/beckon-entry-row.h"

#include <glib/gi18n-lib.h>

/* Ways that can be chosen; another one is shown behind them while the server has it. */
#define N_WAYS 2

struct _BeckonServerLogin
{
  AdwPreferencesGroup parent_instance;

  BeckonLogin *before; /* (owned) (nullable): as it is saved */
  AdwExpanderRow *expander;
  AdwComboRow *way_row;
  GtkEditable *client_row;
  GtkEditable *secret_row;
  GtkEditable *issuer_row;
  GtkEditable *scope_row;
  GtkSwitch *bound_switch;
};

G_DEFINE_FINAL_TYPE (BeckonServerLogin, beckon_server_login, ADW_TYPE_PREFERENCES_GROUP)

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static BeckonLoginFlow
get_flow (BeckonServerLogin *self)
{
  guint selected = adw_combo_row_get_selected (self->way_row);

  if (selected >= N_WAYS && self->before != NULL)
    return self->before->flow;
  return selected == 1 ? BECKON_LOGIN_CLIENT : BECKON_LOGIN_PERSON;
}

/* Settings of a way that isn't chosen any more go with it. */
static BeckonLogin *
begin_login (BeckonServerLogin *self)
{
  BeckonLoginFlow flow = get_flow (self);
  gboolean is_chosen = adw_combo_row_get_selected (self->way_row) < N_WAYS;
  BeckonLogin *login;

  if (self->before == NULL || (is_chosen && self->before->flow >= BECKON_LOGIN_ENTERPRISE))
    return beckon_login_new (flow);
  login = beckon_login_copy (self->before);
  login->flow = flow;
  return login;
}

static void
take_text (GtkEditable *row, char **text)
{
  char *entered = g_strstrip (g_strdup (gtk_editable_get_text (row)));

  g_free (*text);
  *text = *entered != '\0' ? entered : NULL;
  if (*text == NULL)
    g_free (entered);
}

/* Either proves who this program is; without a name it can't. */
static void
take_secret (BeckonServerLogin *self, BeckonLogin *login)
{
  char *entered = NULL;

  take_text (self->secret_row, &entered);
  if (entered != NULL)
    {
      login->has_secret[BECKON_LOGIN_SECRET_KEY] = FALSE;
      beckon_login_set_secret (login, BECKON_LOGIN_SECRET_CLIENT, entered);
    }
  else if (login->client_id == NULL)
    login->has_secret[BECKON_LOGIN_SECRET_KEY] = login->has_secret[BECKON_LOGIN_SECRET_CLIENT] = FALSE;
}

BeckonLogin *
beckon_server_login_make (BeckonServerLogin *self)
{
  g_autoptr (BeckonLogin) none = beckon_login_new (BECKON_LOGIN_PERSON);
  g_autoptr (BeckonLogin) login = NULL;

  g_return_val_if_fail (BECKON_IS_SERVER_LOGIN (self), NULL);

  login = begin_login (self);
  take_text (self->client_row, &login->client_id);
  take_text (self->issuer_row, &login->issuer);
  take_text (self->scope_row, &login->scope);
  take_secret (self, login);
  login->is_bound = gtk_switch_get_active (self->bound_switch);
  return beckon_login_equal (login, none) ? NULL : g_steal_pointer (&login);
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static void
show_ways (BeckonServerLogin *self)
{
  g_autoptr (GtkStringList) ways = gtk_string_list_new (NULL);
  BeckonLoginFlow flow = self->before != NULL ? self->before->flow : BECKON_LOGIN_PERSON;

  /* Translators: who signs in to a server */
  gtk_string_list_append (ways, _("You, in the Browser"));
  /* Translators: who signs in to a server: this program, as one that was registered there */
  gtk_string_list_append (ways, _("Beckon, as a Client"));
  if (flow == BECKON_LOGIN_ENTERPRISE)
    /* Translators: who signs in to a server: this program, because a company's identity provider vouches for the person */
    gtk_string_list_append (ways, _("Beckon, Through an Identity Provider"));
  if (flow == BECKON_LOGIN_WORKLOAD)
    /* Translators: who signs in to a server: this program, with a token that says which computer it runs on */
    gtk_string_list_append (ways, _("Beckon, with the Platform’s Token"));
  adw_combo_row_set_model (self->way_row, G_LIST_MODEL (ways));
  adw_combo_row_set_selected (self->way_row, MIN ((guint) flow, N_WAYS));
}

static void
show_text (GtkEditable *row, const char *text)
{
  gtk_editable_set_text (row, text != NULL ? text : "");
}

static void
show_secret (BeckonServerLogin *self)
{
  const char *title = _("Client Secret");

  if (self->before != NULL && self->before->has_secret[BECKON_LOGIN_SECRET_CLIENT])
    title = _("Client Secret: kept in the keyring");
  if (self->before != NULL && self->before->has_secret[BECKON_LOGIN_SECRET_KEY])
    title = _("Client Secret, in place of the private key in the keyring");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->secret_row), title);
  gtk_editable_set_text (self->secret_row, "");
  beckon_entry_row_name (self->secret_row);
}

void
beckon_server_login_set (BeckonServerLogin *self, const BeckonLogin *login)
{
  g_autofree char *words = NULL;

  g_return_if_fail (BECKON_IS_SERVER_LOGIN (self));

  beckon_login_free (self->before);
  self->before = beckon_login_copy (login);
  words = login != NULL ? beckon_login_words_describe (login) : g_strdup (_("You, in the browser, where the server wants it"));
  adw_expander_row_set_subtitle (self->expander, words);
  adw_expander_row_set_expanded (self->expander, FALSE);
  show_ways (self);
  show_text (self->client_row, login != NULL ? login->client_id : NULL);
  show_text (self->issuer_row, login != NULL ? login->issuer : NULL);
  show_text (self->scope_row, login != NULL ? login->scope : NULL);
  show_secret (self);
  gtk_switch_set_active (self->bound_switch, login != NULL && login->is_bound);
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

static GtkSwitch *
add_switch (BeckonServerLogin *self)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "title", _("Accept Only Bound Tokens"), "subtitle",
                                 _("Without a key that stays here nobody can use them (DPoP)."), "subtitle-lines", 3, NULL);
  GtkWidget *control = gtk_switch_new ();

  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  adw_expander_row_add_row (self->expander, row);
  return GTK_SWITCH (control);
}

static void
beckon_server_login_init (BeckonServerLogin *self)
{
  self->expander = ADW_EXPANDER_ROW (adw_expander_row_new ());
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->expander), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->expander), _("Sign-In"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->expander));
  self->way_row = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->way_row), _("Who Signs In"));
  adw_combo_row_set_use_subtitle (self->way_row, TRUE);
  adw_expander_row_add_row (self->expander, GTK_WIDGET (self->way_row));
  self->client_row = add_entry (self, adw_entry_row_new (), _("Client ID"));
  self->secret_row = add_entry (self, adw_password_entry_row_new (), _("Client Secret"));
  self->issuer_row = add_entry (self, adw_entry_row_new (), _("Authorization Server (address)"));
  self->scope_row = add_entry (self, adw_entry_row_new (), _("Permissions to Ask For"));
  self->bound_switch = add_switch (self);
  beckon_server_login_set (self, NULL);
}

GtkWidget *
beckon_server_login_new (void)
{
  return g_object_new (BECKON_TYPE_SERVER_LOGIN, NULL);
}
