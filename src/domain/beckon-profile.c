/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-profile.h"

#include "base/beckon-id.h"
#include "base/beckon-words.h"
#include "beckon-config.h"

struct _BeckonProfile
{
  GObject parent_instance;

  char *id; /* (owned) */
  BeckonProfileKind kind;
  char *name;     /* (owned) */
  char *base_url; /* (owned) */
  char *model;    /* (owned) */
  guint rounds;
  guint context_window;
  double temperature;
  guint output_limit;
  char **headers;      /* (owned) */
  char *extra_body;    /* (owned) */
  char *system_prompt; /* (owned) */
  char **fallbacks;    /* (owned) */
  double prices[BECKON_N_PRICES];
  char *currency; /* (owned) */
  char *facts;    /* (owned) */
  gboolean web_search;
  char *key_command; /* (owned) */
  char *key_origin;  /* (owned) */
};

typedef enum
{
  PROP_NAME = 1,
  PROP_BASE_URL,
  PROP_MODEL,
  PROP_ROUNDS,
  PROP_KIND,
  PROP_CONTEXT_WINDOW,
  PROP_TEMPERATURE,
  PROP_OUTPUT_LIMIT,
  PROP_HEADERS,
  PROP_EXTRA_BODY,
  PROP_SYSTEM_PROMPT,
  PROP_FALLBACKS,
  PROP_PRICE_INPUT,
  PROP_PRICE_CACHED,
  PROP_PRICE_OUTPUT,
  PROP_CURRENCY,
  PROP_FACTS,
  PROP_KEY_COMMAND,
  PROP_KEY_ORIGIN,
  PROP_WEB_SEARCH,
} BeckonProfileProperty;

static GParamSpec *properties[PROP_WEB_SEARCH + 1];

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

    case PROP_CONTEXT_WINDOW:
      g_value_set_uint (value, self->context_window);
      break;

    case PROP_TEMPERATURE:
      g_value_set_double (value, self->temperature);
      break;

    case PROP_OUTPUT_LIMIT:
      g_value_set_uint (value, self->output_limit);
      break;

    case PROP_HEADERS:
      g_value_set_boxed (value, self->headers);
      break;

    case PROP_EXTRA_BODY:
      g_value_set_string (value, self->extra_body);
      break;

    case PROP_SYSTEM_PROMPT:
      g_value_set_string (value, self->system_prompt);
      break;

    case PROP_FALLBACKS:
      g_value_set_boxed (value, self->fallbacks);
      break;

    case PROP_PRICE_INPUT:
    case PROP_PRICE_CACHED:
    case PROP_PRICE_OUTPUT:
      g_value_set_double (value, self->prices[property_id - PROP_PRICE_INPUT]);
      break;

    case PROP_CURRENCY:
      g_value_set_string (value, self->currency);
      break;

    case PROP_FACTS:
      g_value_set_string (value, self->facts);
      break;

    case PROP_KEY_COMMAND:
      g_value_set_string (value, self->key_command);
      break;

    case PROP_KEY_ORIGIN:
      g_value_set_string (value, self->key_origin);
      break;

    case PROP_WEB_SEARCH:
      g_value_set_boolean (value, self->web_search);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void set_text (BeckonProfile *self, char **field, const char *text, BeckonProfileProperty property);

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

    case PROP_CONTEXT_WINDOW:
      beckon_profile_set_context_window (self, g_value_get_uint (value));
      break;

    case PROP_TEMPERATURE:
      beckon_profile_set_temperature (self, g_value_get_double (value));
      break;

    case PROP_OUTPUT_LIMIT:
      beckon_profile_set_output_limit (self, g_value_get_uint (value));
      break;

    case PROP_HEADERS:
      beckon_profile_set_headers (self, g_value_get_boxed (value));
      break;

    case PROP_EXTRA_BODY:
      beckon_profile_set_extra_body (self, g_value_get_string (value));
      break;

    case PROP_SYSTEM_PROMPT:
      beckon_profile_set_system_prompt (self, g_value_get_string (value));
      break;

    case PROP_FALLBACKS:
      beckon_profile_set_fallbacks (self, g_value_get_boxed (value));
      break;

    case PROP_PRICE_INPUT:
    case PROP_PRICE_CACHED:
    case PROP_PRICE_OUTPUT:
      beckon_profile_set_price (self, (BeckonPrice) (property_id - PROP_PRICE_INPUT), g_value_get_double (value));
      break;

    case PROP_CURRENCY:
      beckon_profile_set_currency (self, g_value_get_string (value));
      break;

    case PROP_FACTS:
      set_text (self, &self->facts, g_value_get_string (value), PROP_FACTS);
      break;

    case PROP_KEY_COMMAND:
      set_text (self, &self->key_command, g_value_get_string (value), PROP_KEY_COMMAND);
      break;

    case PROP_KEY_ORIGIN:
      set_text (self, &self->key_origin, g_value_get_string (value), PROP_KEY_ORIGIN);
      break;

    case PROP_WEB_SEARCH:
      beckon_profile_set_web_search (self, g_value_get_boolean (value));
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
  g_strfreev (self->headers);
  g_free (self->extra_body);
  g_free (self->system_prompt);
  g_strfreev (self->fallbacks);
  g_free (self->currency);
  g_free (self->facts);
  g_free (self->key_command);
  g_free (self->key_origin);

  G_OBJECT_CLASS (beckon_profile_parent_class)->finalize (object);
}

static void
beckon_profile_class_init (BeckonProfileClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  double price_max;

  object_class->get_property = beckon_profile_get_property;
  object_class->set_property = beckon_profile_set_property;
  object_class->finalize = beckon_profile_finalize;

  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, "", flags);
  properties[PROP_BASE_URL] = g_param_spec_string ("base-url", NULL, NULL, "", flags);
  properties[PROP_MODEL] = g_param_spec_string ("model", NULL, NULL, "", flags);
  properties[PROP_ROUNDS] = g_param_spec_uint ("rounds", NULL, NULL, 0, BECKON_PROFILE_ROUNDS_MAX, 0, flags);
  properties[PROP_KIND] = g_param_spec_int ("kind", NULL, NULL, 0, BECKON_PROFILE_N_KINDS - 1, 0, flags);

  price_max = BECKON_PROFILE_PRICE_MAX;
  properties[PROP_CONTEXT_WINDOW] =
    g_param_spec_uint ("context-window", NULL, NULL, 0, BECKON_PROFILE_WINDOW_MAX, 0, flags);
  properties[PROP_TEMPERATURE] =
    g_param_spec_double ("temperature", NULL, NULL, BECKON_PROFILE_NO_TEMPERATURE, BECKON_PROFILE_TEMPERATURE_MAX,
                         BECKON_PROFILE_NO_TEMPERATURE, flags);
  properties[PROP_OUTPUT_LIMIT] =
    g_param_spec_uint ("output-limit", NULL, NULL, 0, BECKON_PROFILE_OUTPUT_LIMIT_MAX, 0, flags);
  properties[PROP_HEADERS] = g_param_spec_boxed ("headers", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_EXTRA_BODY] = g_param_spec_string ("extra-body", NULL, NULL, "", flags);
  properties[PROP_SYSTEM_PROMPT] = g_param_spec_string ("system-prompt", NULL, NULL, "", flags);
  properties[PROP_FALLBACKS] = g_param_spec_boxed ("fallbacks", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_PRICE_INPUT] = g_param_spec_double ("price-input", NULL, NULL, 0, price_max, 0, flags);
  properties[PROP_PRICE_CACHED] = g_param_spec_double ("price-cached", NULL, NULL, 0, price_max, 0, flags);
  properties[PROP_PRICE_OUTPUT] = g_param_spec_double ("price-output", NULL, NULL, 0, price_max, 0, flags);
  properties[PROP_CURRENCY] = g_param_spec_string ("currency", NULL, NULL, "", flags);
  properties[PROP_FACTS] = g_param_spec_string ("facts", NULL, NULL, "", flags);
  properties[PROP_WEB_SEARCH] = g_param_spec_boolean ("web-search", NULL, NULL, FALSE, flags);
  properties[PROP_KEY_COMMAND] = g_param_spec_string ("key-command", NULL, NULL, "", flags);
  properties[PROP_KEY_ORIGIN] = g_param_spec_string ("key-origin", NULL, NULL, "", flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
beckon_profile_init (BeckonProfile *self)
{
  self->name = g_strdup ("");
  self->base_url = g_strdup ("");
  self->model = g_strdup ("");
  self->temperature = BECKON_PROFILE_NO_TEMPERATURE;
  self->headers = g_new0 (char *, 1);
  self->extra_body = g_strdup ("");
  self->system_prompt = g_strdup ("");
  self->fallbacks = g_new0 (char *, 1);
  self->currency = g_strdup ("");
  self->facts = g_strdup ("");
  self->key_command = g_strdup ("");
  self->key_origin = g_strdup ("");
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

static void
set_list (BeckonProfile *self, char ***field, const char *const *list, BeckonProfileProperty property)
{
  static const char *const none[] = { NULL };
  g_auto (GStrv) old = NULL;

  if (list == NULL)
    list = none;
  if (g_strv_equal ((const char *const *) *field, list))
    return;

  old = g_steal_pointer (field);
  *field = g_strdupv ((char **) list);
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
set_count (BeckonProfile *self, guint *field, guint count, guint max, BeckonProfileProperty property)
{
  count = MIN (count, max);
  if (*field == count)
    return;

  *field = count;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
set_amount (BeckonProfile *self, double *field, double amount, BeckonProfileProperty property)
{
  if (*field == amount)
    return;

  *field = amount;
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

  set_count (self, &self->rounds, rounds, BECKON_PROFILE_ROUNDS_MAX, PROP_ROUNDS);
}

guint
beckon_profile_get_effective_rounds (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_ROUNDS_DEFAULT);

  return self->rounds != 0 ? self->rounds : BECKON_PROFILE_ROUNDS_DEFAULT;
}

guint
beckon_profile_get_context_window (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);

  return self->context_window;
}

void
beckon_profile_set_context_window (BeckonProfile *self, guint tokens)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_count (self, &self->context_window, tokens, BECKON_PROFILE_WINDOW_MAX, PROP_CONTEXT_WINDOW);
}

double
beckon_profile_get_temperature (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), BECKON_PROFILE_NO_TEMPERATURE);

  return self->temperature;
}

void
beckon_profile_set_temperature (BeckonProfile *self, double temperature)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  /* A comparison with what is no number is false. */
  if (!(temperature >= 0))
    temperature = BECKON_PROFILE_NO_TEMPERATURE;
  set_amount (self, &self->temperature, MIN (temperature, BECKON_PROFILE_TEMPERATURE_MAX), PROP_TEMPERATURE);
}

guint
beckon_profile_get_output_limit (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);

  return self->output_limit;
}

void
beckon_profile_set_output_limit (BeckonProfile *self, guint tokens)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_count (self, &self->output_limit, tokens, BECKON_PROFILE_OUTPUT_LIMIT_MAX, PROP_OUTPUT_LIMIT);
}

const char *const *
beckon_profile_get_headers (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return (const char *const *) self->headers;
}

void
beckon_profile_set_headers (BeckonProfile *self, const char *const *headers)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_list (self, &self->headers, headers, PROP_HEADERS);
}

const char *
beckon_profile_get_extra_body (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->extra_body;
}

void
beckon_profile_set_extra_body (BeckonProfile *self, const char *extra_body)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_text (self, &self->extra_body, extra_body, PROP_EXTRA_BODY);
}

const char *
beckon_profile_get_system_prompt (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->system_prompt;
}

void
beckon_profile_set_system_prompt (BeckonProfile *self, const char *system_prompt)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_text (self, &self->system_prompt, system_prompt, PROP_SYSTEM_PROMPT);
}

const char *const *
beckon_profile_get_fallbacks (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return (const char *const *) self->fallbacks;
}

void
beckon_profile_set_fallbacks (BeckonProfile *self, const char *const *profile_ids)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_list (self, &self->fallbacks, profile_ids, PROP_FALLBACKS);
}

double
beckon_profile_get_price (BeckonProfile *self, BeckonPrice price)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), 0);
  g_return_val_if_fail ((guint) price < BECKON_N_PRICES, 0);

  return self->prices[price];
}

void
beckon_profile_set_price (BeckonProfile *self, BeckonPrice price, double amount)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail ((guint) price < BECKON_N_PRICES);

  if (!(amount >= 0))
    amount = 0;
  set_amount (self, &self->prices[price], MIN (amount, BECKON_PROFILE_PRICE_MAX), PROP_PRICE_INPUT + price);
}

const char *
beckon_profile_get_currency (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->currency;
}

void
beckon_profile_set_currency (BeckonProfile *self, const char *currency)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  set_text (self, &self->currency, currency, PROP_CURRENCY);
}

const char *
beckon_profile_get_key_command (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->key_command;
}

const char *
beckon_profile_get_key_origin (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  return self->key_origin;
}

gboolean
beckon_profile_get_web_search (BeckonProfile *self)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);

  return self->web_search;
}

void
beckon_profile_set_web_search (BeckonProfile *self, gboolean web_search)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));

  if (self->web_search == !!web_search)
    return;

  self->web_search = !!web_search;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WEB_SEARCH]);
}

/* Copying and comparing by properties. */

void
beckon_profile_assign (BeckonProfile *self, BeckonProfile *from)
{
  g_return_if_fail (BECKON_IS_PROFILE (self));
  g_return_if_fail (BECKON_IS_PROFILE (from));

  for (guint i = 1; i < G_N_ELEMENTS (properties); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (from), properties[i]->name, &value);
      g_object_set_property (G_OBJECT (self), properties[i]->name, &value);
    }
}

gboolean
beckon_profile_equal (BeckonProfile *self, BeckonProfile *other)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (BECKON_IS_PROFILE (other), FALSE);

  for (guint i = 1; i < G_N_ELEMENTS (properties); i++)
    {
      g_auto (GValue) mine = G_VALUE_INIT;
      g_auto (GValue) theirs = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (self), properties[i]->name, &mine);
      g_object_get_property (G_OBJECT (other), properties[i]->name, &theirs);
      if (properties[i]->value_type == G_TYPE_STRV
            ? !g_strv_equal (g_value_get_boxed (&mine), g_value_get_boxed (&theirs))
            : g_param_values_cmp (properties[i], &mine, &theirs) != 0)
        return FALSE;
    }

  return TRUE;
}

BeckonProfile *
beckon_profile_copy (BeckonProfile *self)
{
  BeckonProfile *copy;

  g_return_val_if_fail (BECKON_IS_PROFILE (self), NULL);

  copy = beckon_profile_new (beckon_profile_get_id (self), beckon_profile_get_kind (self));
  beckon_profile_assign (copy, self);

  return copy;
}

static const char *const kind_words[] = {
  [BECKON_PROFILE_CHAT] = "chat",           [BECKON_PROFILE_TOUR] = "tour",     [BECKON_PROFILE_RESPONSES] = "responses",
  [BECKON_PROFILE_ANTHROPIC] = "anthropic", [BECKON_PROFILE_GEMINI] = "gemini", [BECKON_PROFILE_OLLAMA] = "ollama",
};

BECKON_WORDS_TO (BeckonProfileKind, beckon_profile_kind_to_string, kind_words)
BECKON_WORDS_FROM (BeckonProfileKind, beckon_profile_kind_from_string, kind_words)
