/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preset-private.h"

#include "base/beckon-origin.h"
#include "beckon-settings-resources.h"

#define RESOURCE "/io/github/beckon/settings/providers.ini"

struct _BeckonPreset
{
  GObject parent_instance;

  char *id;
  char *name;
  BeckonProfileKind kind;
  char *base_url;
  char *model;
  char **prefer;
  char **variables;
  char *command;
  char *sign_in_url;
  char *sign_in_keys_url;
  gboolean is_local;
};

G_DEFINE_FINAL_TYPE (BeckonPreset, beckon_preset, G_TYPE_OBJECT)

static void
beckon_preset_finalize (GObject *object)
{
  BeckonPreset *self = BECKON_PRESET (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->base_url);
  g_free (self->model);
  g_strfreev (self->prefer);
  g_strfreev (self->variables);
  g_free (self->command);
  g_free (self->sign_in_url);
  g_free (self->sign_in_keys_url);
  G_OBJECT_CLASS (beckon_preset_parent_class)->finalize (object);
}

static void
beckon_preset_class_init (BeckonPresetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_preset_finalize;
}

static void
beckon_preset_init (BeckonPreset *self)
{
}

static BeckonPreset *
read_preset (GKeyFile *file, const char *id)
{
  BeckonPreset *self = g_object_new (BECKON_TYPE_PRESET, NULL);
  g_autofree char *kind = g_key_file_get_string (file, id, "Kind", NULL);

  self->id = g_strdup (id);
  self->name = g_key_file_get_string (file, id, "Name", NULL);
  self->base_url = g_key_file_get_string (file, id, "URL", NULL);
  self->model = g_key_file_get_string (file, id, "Model", NULL);
  self->prefer = g_key_file_get_string_list (file, id, "Prefer", NULL, NULL);
  self->variables = g_key_file_get_string_list (file, id, "Variable", NULL, NULL);
  self->command = g_key_file_get_string (file, id, "Command", NULL);
  self->sign_in_url = g_key_file_get_string (file, id, "SignIn", NULL);
  self->sign_in_keys_url = g_key_file_get_string (file, id, "SignInKeys", NULL);
  self->is_local = g_key_file_get_boolean (file, id, "Local", NULL);
  /* The file is built in: its mistakes are ours. */
  if (self->name == NULL || self->base_url == NULL || (self->sign_in_url == NULL) != (self->sign_in_keys_url == NULL)
      || !beckon_profile_kind_from_string (kind, &self->kind))
    g_error ("providers.ini: [%s] is not whole", id);
  return self;
}

static GPtrArray *
preset_read_all (void)
{
  g_autoptr (GBytes) data =
    g_resource_lookup_data (beckon_settings_get_resource (), RESOURCE, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  GPtrArray *presets = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (GStrv) ids = NULL;

  if (!g_key_file_load_from_bytes (file, data, G_KEY_FILE_NONE, NULL))
    g_error ("providers.ini cannot be read");
  ids = g_key_file_get_groups (file, NULL);
  for (guint i = 0; ids[i] != NULL; i++)
    g_ptr_array_add (presets, read_preset (file, ids[i]));
  return presets;
}

GPtrArray *
beckon_preset_get_all (void)
{
  static gsize presets = 0;

  if (g_once_init_enter (&presets))
    g_once_init_leave (&presets, (gsize) preset_read_all ());
  return (GPtrArray *) presets;
}

BeckonPreset *
beckon_preset_lookup (const char *id)
{
  GPtrArray *all = beckon_preset_get_all ();

  for (guint i = 0; i < all->len; i++)
    if (g_strcmp0 (beckon_preset_get_id (g_ptr_array_index (all, i)), id) == 0)
      return g_ptr_array_index (all, i);
  return NULL;
}

/* Some providers speak several protocols at one place, so the one that also speaks this is preferred. */
BeckonPreset *
beckon_preset_for_url (const char *base_url, BeckonProfileKind kind)
{
  GPtrArray *all = beckon_preset_get_all ();
  BeckonPreset *found = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      BeckonPreset *preset = g_ptr_array_index (all, i);

      if (!beckon_uri_same_origin (preset->base_url, base_url))
        continue;
      if (preset->kind == kind)
        return preset;
      if (found == NULL)
        found = preset;
    }
  return found;
}

const char *
beckon_preset_get_id (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->id;
}

const char *
beckon_preset_get_name (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->name;
}

BeckonProfileKind
beckon_preset_get_kind (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), BECKON_PROFILE_CHAT);

  return self->kind;
}

const char *
beckon_preset_get_base_url (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->base_url;
}

const char *
beckon_preset_get_model (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->model != NULL ? self->model : "";
}

const char *const *
beckon_preset_get_preferred (BeckonPreset *self)
{
  static const char *const none[] = { NULL };

  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->prefer != NULL ? (const char *const *) self->prefer : none;
}

const char *
beckon_preset_get_key_command (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->command != NULL ? self->command : "";
}

const char *
beckon_preset_get_sign_in_url (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->sign_in_url != NULL ? self->sign_in_url : "";
}

const char *
beckon_preset_get_sign_in_keys_url (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  return self->sign_in_keys_url != NULL ? self->sign_in_keys_url : "";
}

void
beckon_preset_set_sign_in (BeckonPreset *self, const char *sign_in_url, const char *keys_url)
{
  g_free (self->sign_in_url);
  g_free (self->sign_in_keys_url);
  self->sign_in_url = g_strdup (sign_in_url);
  self->sign_in_keys_url = g_strdup (keys_url);
}

gboolean
beckon_preset_is_local (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), FALSE);

  return self->is_local;
}

const char *
beckon_preset_find_variable (BeckonPreset *self)
{
  g_return_val_if_fail (BECKON_IS_PRESET (self), NULL);

  for (guint i = 0; self->variables != NULL && self->variables[i] != NULL; i++)
    {
      const char *value = g_getenv (self->variables[i]);

      if (value != NULL && *value != '\0')
        return self->variables[i];
    }
  return NULL;
}

void
beckon_preset_apply (BeckonPreset *self, BeckonProfile *profile)
{
  g_return_if_fail (BECKON_IS_PRESET (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  beckon_profile_set_kind (profile, self->kind);
  beckon_profile_set_base_url (profile, self->base_url);
  beckon_profile_set_model (profile, self->model);
  if (*beckon_profile_get_name (profile) == '\0')
    beckon_profile_set_name (profile, self->name);
}
