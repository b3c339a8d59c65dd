/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-current-time.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

struct _BeckonCurrentTime
{
  GObject parent_instance;

  BeckonToolDefinition *definition;
};

static const char description[]
    = "Tells the current date, time and weekday. Without `timezone`, of the user's computer.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"timezone\":{\"type\":\"string\",\"description\":\"A time zone's name, such as Asia/Shanghai or UTC.\"}}}";

static void beckon_current_time_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonCurrentTime, beckon_current_time, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_current_time_tool_init))

static void
beckon_current_time_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_CURRENT_TIME (object)->definition, beckon_tool_definition_unref);

  G_OBJECT_CLASS (beckon_current_time_parent_class)->finalize (object);
}

static void
beckon_current_time_class_init (BeckonCurrentTimeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_current_time_finalize;
}

static void
beckon_current_time_init (BeckonCurrentTime *self)
{
  self->definition = beckon_tool_definition_new ("get_current_time", description, schema, TRUE);
}

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  return BECKON_CURRENT_TIME (tool)->definition;
}

/* The name becomes a path below the zone files, so it has to be one: no ".." and nothing absolute. */
static gboolean
is_zone_name (const char *name)
{
  if (*name == '/' || *name == '\0' || strlen (name) > 64 || strstr (name, "..") != NULL)
    return FALSE;

  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("/_+-:", *p) == NULL)
      return FALSE;

  return TRUE;
}

static GTimeZone *
find_zone (const char *name, GError **error)
{
  GTimeZone *zone;

  if (name == NULL || *name == '\0')
    return g_time_zone_new_local ();

  zone = is_zone_name (name) ? g_time_zone_new_identifier (name) : NULL;
  if (zone == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         "There is no such time zone. Give a name such as Europe/Berlin, Asia/Shanghai or UTC.");

  return zone;
}

static char *
tell_time (const BeckonToolContext *context, GError **error)
{
  static const char *const days[]
      = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" };
  const char *name = beckon_json_get_string (beckon_tool_arguments_get_object (context->parsed, NULL), "timezone");
  g_autoptr (GTimeZone) zone = find_zone (name, error);
  g_autoptr (GDateTime) utc = NULL;
  g_autoptr (GDateTime) there = NULL;
  g_autofree char *iso = NULL;

  if (zone == NULL)
    return NULL;

  utc = g_date_time_new_from_unix_utc (context->now / G_USEC_PER_SEC);
  there = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;
  if (there == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The clock of this computer is not usable.");
      return NULL;
    }

  iso = g_date_time_format_iso8601 (there);
  return g_strdup_printf ("%s, %s (%s)", iso, days[g_date_time_get_day_of_week (there) - 1],
                          g_time_zone_get_identifier (zone));
}

static void
run_async (BeckonTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GAsyncReadyCallback callback,
           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  GError *error = NULL;
  char *text;

  g_task_set_source_tag (task, run_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  text = tell_time (context, &error);
  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

static char *
run_finish (BeckonTool *tool, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, tool), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, run_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
beckon_current_time_tool_init (BeckonToolInterface *iface)
{
  iface->get_definition = get_definition;
  iface->run_async = run_async;
  iface->run_finish = run_finish;
}

BeckonTool *
beckon_current_time_new (void)
{
  return g_object_new (BECKON_TYPE_CURRENT_TIME, NULL);
}
