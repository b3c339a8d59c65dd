/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"

#include <glib/gi18n-lib.h>

struct _BeckonProfile
{
  GObject parent_instance;

  char *id; /* (owned) */
  BeckonProfileKind kind;
  char *name;     /* (owned) */
  char *base_url; /* (owned) */
  char *model;    /* (owned) */
  guint rounds;
};

typedef enum
{
  PROP_NAME = 1,
  PROP_BASE_URL,
  PROP_MODEL,
  PROP_ROUNDS,
  PROP_KIND,
} BeckonProfileProperty;

static GParamSpec *properties[PROP_KIND + 1];

G_DEFINE_FINAL_TYPE (BeckonProfile, beckon_profile, G_TYPE_OBJECT)

static void
beckon_profile_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonProfile *self = BECKON_PROFILE (object);

  switch ((BeckonProfileProperty) property_id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;

    case PROP_BASE_URL:
      g_value_set_string (value, self->base_url);
      break;

    case PROP_MODEL:
      g_value_set_string (value, self->model);
      break;

    case PROP_ROUNDS:
      g_value_set_uint (value, self->rounds);
      break;

    case PROP_KIND:
      g_value_set_int (value, (int) self->kind);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_profile_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  BeckonProfile *self = BECKON_PROFILE (object);

  switch ((BeckonProfileProperty) property_id)
    {
    case PROP_NAME:
      beckon_profile_set_name (self, g_value_get_string (value));
      break;

    case PROP_BASE_URL:
      beckon_profile_set_base_url (self, g_value_get_string (value));
      break;

    case PROP_MODEL:
      beckon_profile_set_model (self, g_value_get_string (value));
      break;

    case PROP_ROUNDS:
      beckon_profile_set_rounds (self, g_value_get_uint (value));
      break;

    case PROP_KIND:
      beckon_profile_set_kind (self, (BeckonProfileKind) g_value_get_int (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_profile_finalize (GObject *object)
{
  BeckonProfile *self = BECKON_PROFILE (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->base_url);
  g_free (self->model);

  G_OBJECT_CLASS (beckon_profile_parent_class)->finalize (object);
}

static void
beckon_profile_class_init (BeckonProfileClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = beckon_profile_get_property;
  object_class->set_property = beckon_profile_set_property;
  object_class->finalize = beckon_profile_finalize;

  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, "", flags);
  properties[PROP_BASE_URL] = g_param_spec_string ("base-url", NULL, NULL, "", flags);
  properties[PROP_MODEL] = g_param_spec_string ("model", NULL, NULL, "", flags);
  properties[PROP_ROUNDS] = g_param_spec_uint ("rounds", NULL, NULL, 0, BECKON_PROFILE_ROUNDS_MAX, 0, flags);
  properties[PROP_KIND] = g_param_spec_int ("kind", NULL, NULL, 0, BECKON_PROFILE_N_KINDS - 1, 0, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_profile_init (BeckonProfile *self)
{
  self->name = g_strdup ("");
  self->base_url = g_strdup ("");
  self->model = g_strdup ("");
}

BeckonProfile *
beckon_profile_new (const char *id, BeckonProfileKind kind)
{
  BeckonProfile *self;

  self = g_object_new (BECKON_TYPE_PROFILE, NULL);
  self->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  self->kind = kind;

  return self;
}

/* Sets an owned string, never %NULL, and notifies if it changed. */
static void
set_text (BeckonProfile *self, char **field, const char *text, BeckonProfileProperty property)
{
  g_autofree char *old = NULL;

  if (text == NULL)
    text = "";
  if (g_str_equal (*field, text))
    return;

  old = g_steal_pointer (field);
  *field = g_strdup (text);
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

const char *
beckon_profile_get_id (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->id;
}

BeckonProfileKind
beckon_profile_get_kind (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_CHAT);

  return self->kind;
}

void
beckon_profile_set_kind (BeckonProfile *self, BeckonProfileKind kind)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail ((guint) kind < BECKON_PROFILE_N_KINDS);

  if (self->kind == kind)
    return;

  self->kind = kind;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_KIND]);
}

static const char *const kind_words[] = {
  [BECKON_PROFILE_CHAT] = "chat",           [BECKON_PROFILE_TOUR] = "tour",     [BECKON_PROFILE_RESPONSES] = "responses",
  [BECKON_PROFILE_ANTHROPIC] = "anthropic", [BECKON_PROFILE_GEMINI] = "gemini", [BECKON_PROFILE_OLLAMA] = "ollama",
};

const char *
beckon_profile_kind_to_string (BeckonProfileKind kind)
{
  g_return_val_if_fail ((guint) kind < BECKON_PROFILE_N_KINDS, NULL);

  return kind_words[kind];
}

gboolean
beckon_profile_kind_from_string (const char *word, BeckonProfileKind *kind)
{
  g_return_val_if_fail (kind != NULL, FALSE);

  for (guint i = 0; i < BECKON_PROFILE_N_KINDS; i++)
    if (g_strcmp0 (word, kind_words[i]) == 0)
      {
        *kind = (BeckonProfileKind) i;
        return TRUE;
      }

  return FALSE;
}

const char *
beckon_profile_get_name (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->name;
}

void
beckon_profile_set_name (BeckonProfile *self, const char *name)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_text (self, &self->name, name, PROP_NAME);
}

const char *
beckon_profile_get_base_url (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->base_url;
}

void
beckon_profile_set_base_url (BeckonProfile *self, const char *base_url)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_text (self, &self->base_url, base_url, PROP_BASE_URL);
}

const char *
beckon_profile_get_model (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->model;
}

void
beckon_profile_set_model (BeckonProfile *self, const char *model)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_text (self, &self->model, model, PROP_MODEL);
}

guint
beckon_profile_get_rounds (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);

  return self->rounds;
}

void
beckon_profile_set_rounds (BeckonProfile *self, guint rounds)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  rounds = MIN (rounds, BECKON_PROFILE_ROUNDS_MAX);
  if (self->rounds == rounds)
    return;

  self->rounds = rounds;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ROUNDS]);
}

guint
beckon_profile_get_effective_rounds (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_ROUNDS_DEFAULT);

  return self->rounds != 0 ? self->rounds : BECKON_PROFILE_ROUNDS_DEFAULT;
}

BeckonProfile *
beckon_profile_copy (BeckonProfile *self)
{
  BeckonProfile *copy;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  copy = beckon_profile_new (self->id, self->kind);
  beckon_profile_set_name (copy, self->name);
  beckon_profile_set_base_url (copy, self->base_url);
  beckon_profile_set_model (copy, self->model);
  beckon_profile_set_rounds (copy, self->rounds);

  return copy;
}

static gboolean
is_blank (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isspace (g_utf8_get_char (p)))
      return FALSE;

  return TRUE;
}

static gboolean
is_http (GUri *uri)
{
  return g_strcmp0 (g_uri_get_scheme (uri), "http") == 0 || g_strcmp0 (g_uri_get_scheme (uri), "https") == 0;
}

static gboolean
check_base_url (const char *base_url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (base_url, G_URI_FLAGS_HAS_PASSWORD, NULL);

  if (uri == NULL || !is_http (uri) || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The address is not a web address. Enter one such as https://api.example.com/v1"));
      return FALSE;
    }

  if (g_uri_get_userinfo (uri) != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The address contains a user name or password. Remove it and enter the key in its own "
                              "field"));
      return FALSE;
    }

  if (g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The address contains “?” or “#”. Enter it only up to the version, such as "
                              "https://api.example.com/v1"));
      return FALSE;
    }

  return TRUE;
}

gboolean
beckon_profile_check (BeckonProfile *self, GError **error)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (is_blank (self->name))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The name is empty. Enter one to tell this model from others"));
      return FALSE;
    }

  if (self->kind == BECKON_PROFILE_TOUR)
    return TRUE;

  if (!check_base_url (self->base_url, error))
    return FALSE;

  if (is_blank (self->model))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("The model is empty. Enter its name as the provider writes it"));
      return FALSE;
    }

  return TRUE;
}
