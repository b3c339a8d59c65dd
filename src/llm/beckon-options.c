/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-options.h"

#include "beckon-encoding.h"

#include "base/beckon-json.h"
#include "domain/beckon-model-table.h"

void
beckon_options_init (BeckonOptions *options, BeckonJsonWriter *writer, BeckonProfile *profile)
{
  const char *extra = beckon_profile_get_extra_body (profile);

  *options = (BeckonOptions){ .writer = writer, .profile = profile };
  /* The body was checked when entered, but a file may hold anything. */
  if (*extra != '\0' && beckon_profile_check_extra_body (extra, NULL))
    options->extra = beckon_json_parse_object (extra, -1, NULL);
}

gboolean
beckon_options_replaces (const BeckonOptions *options, const char *name)
{
  return options->extra != NULL && json_object_has_member (options->extra, name);
}

gboolean
beckon_options_replaces_object (const BeckonOptions *options, const char *name)
{
  return beckon_options_replaces (options, name) && beckon_json_get_object (options->extra, name) == NULL;
}

void
beckon_options_write_cache_key (BeckonOptions *options, const char *key)
{
  if (key != NULL && !beckon_options_replaces (options, "prompt_cache_key")
      && beckon_encoding_is_at (options->profile, "api.openai.com"))
    beckon_json_writer_member_string (options->writer, "prompt_cache_key", key);
}

void
beckon_options_write_temperature (BeckonOptions *options, const char *name, double max)
{
  double temperature = beckon_profile_get_temperature (options->profile);

  if (temperature < 0 || beckon_options_replaces (options, name)
      || !beckon_model_table_takes_temperature (beckon_profile_get_model (options->profile)))
    return;
  beckon_json_writer_name (options->writer, name);
  beckon_json_writer_double (options->writer, MIN (temperature, max));
}

void
beckon_options_write_limit (BeckonOptions *options, const char *name, gint64 otherwise)
{
  guint limit = beckon_profile_get_output_limit (options->profile);

  if ((limit == 0 && otherwise == 0) || beckon_options_replaces (options, name))
    return;
  beckon_json_writer_member_int (options->writer, name, limit != 0 ? limit : otherwise);
}

static void
write_members (BeckonOptions *options)
{
  g_autoptr (GList) names = options->extra != NULL ? json_object_get_members (options->extra) : NULL;

  for (GList *name = names; name != NULL; name = name->next)
    {
      beckon_json_writer_name (options->writer, name->data);
      beckon_json_writer_node (options->writer, json_object_get_member (options->extra, name->data));
    }
}

void
beckon_options_begin_object (BeckonOptions *options, const char *name)
{
  JsonObject *inner = options->extra != NULL ? beckon_json_get_object (options->extra, name) : NULL;

  beckon_json_writer_name (options->writer, name);
  beckon_json_writer_begin_object (options->writer);
  options->inner_name = name;
  options->whole = options->extra;
  options->extra = inner != NULL ? json_object_ref (inner) : NULL;
}

void
beckon_options_end_object (BeckonOptions *options)
{
  write_members (options);
  beckon_json_writer_end_object (options->writer);
  g_clear_pointer (&options->extra, json_object_unref);
  options->extra = g_steal_pointer (&options->whole);
  if (options->extra != NULL)
    json_object_remove_member (options->extra, options->inner_name);
  options->inner_name = NULL;
}

void
beckon_options_finish (BeckonOptions *options)
{
  write_members (options);
  g_clear_pointer (&options->extra, json_object_unref);
}
