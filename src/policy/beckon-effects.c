/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-effects.h"

#include "beckon-host-name.h"

struct _BeckonEffectsKept
{
  GPtrArray *paths; /* (nullable) */
  GPtrArray *aliases; /* (nullable) */
  GPtrArray *hosts; /* (nullable) */
  GPtrArray *reach; /* (nullable) */
  char *command;
  char *runner;
  JsonObject *arguments;
};

static struct _BeckonEffectsKept *
effects_keep (BeckonEffects *effects)
{
  if (effects->kept == NULL)
    effects->kept = g_new0 (struct _BeckonEffectsKept, 1);
  return effects->kept;
}

static const char *const *
effects_take (GPtrArray **array, char *text)
{
  if (*array == NULL)
    *array = g_ptr_array_new_null_terminated (4, g_free, TRUE);
  g_ptr_array_add (*array, text);
  return (const char *const *) (*array)->pdata;
}

void
beckon_effects_add_path (BeckonEffects *effects, const char *path)
{
  g_return_if_fail (effects != NULL && path != NULL);

  effects->paths = effects_take (&effects_keep (effects)->paths, g_strdup (path));
}

void
beckon_effects_add_alias (BeckonEffects *effects, const char *path)
{
  g_return_if_fail (effects != NULL && path != NULL);

  effects->aliases = effects_take (&effects_keep (effects)->aliases, g_strdup (path));
}

void
beckon_effects_add_host (BeckonEffects *effects, const char *host)
{
  g_return_if_fail (effects != NULL && host != NULL);

  effects->hosts = effects_take (&effects_keep (effects)->hosts, beckon_host_name_normalize (host));
}

void
beckon_effects_add_reach (BeckonEffects *effects, const char *name, const char *value)
{
  g_return_if_fail (effects != NULL && name != NULL && value != NULL);

  effects_take (&effects_keep (effects)->reach, g_strdup (name));
  effects->reach = effects_take (&effects->kept->reach, g_strdup (value));
}

const char *
beckon_effects_get_reach (const BeckonEffects *effects, const char *name)
{
  g_return_val_if_fail (effects != NULL && name != NULL, NULL);

  for (guint i = 0; effects->reach != NULL && effects->reach[i] != NULL; i += 2)
    if (g_str_equal (effects->reach[i], name))
      return effects->reach[i + 1];

  return NULL;
}

void
beckon_effects_set_command (BeckonEffects *effects, const char *command)
{
  g_return_if_fail (effects != NULL);

  g_free (effects_keep (effects)->command);
  effects->command = effects->kept->command = g_strdup (command);
}

void
beckon_effects_set_runner (BeckonEffects *effects, const char *runner)
{
  g_return_if_fail (effects != NULL && runner != NULL);

  effects->feeds_others = TRUE;
  g_free (effects_keep (effects)->runner);
  effects->runner = effects->kept->runner = g_strdup (runner);
}

void
beckon_effects_set_arguments (BeckonEffects *effects, JsonObject *arguments)
{
  g_return_if_fail (effects != NULL);

  if (arguments != NULL)
    json_object_ref (arguments);
  g_clear_pointer (&effects_keep (effects)->arguments, json_object_unref);
  effects->arguments = effects->kept->arguments = arguments;
}

void
beckon_effects_clear (BeckonEffects *effects)
{
  struct _BeckonEffectsKept *kept;

  g_return_if_fail (effects != NULL);

  kept = effects->kept;
  *effects = (BeckonEffects){ 0 };
  if (kept == NULL)
    return;
  g_clear_pointer (&kept->paths, g_ptr_array_unref);
  g_clear_pointer (&kept->aliases, g_ptr_array_unref);
  g_clear_pointer (&kept->hosts, g_ptr_array_unref);
  g_clear_pointer (&kept->reach, g_ptr_array_unref);
  g_clear_pointer (&kept->arguments, json_object_unref);
  g_free (kept->command);
  g_free (kept->runner);
  g_free (kept);
}
