/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-current-time.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

struct _BeckonCurrentTime
{
  BeckonBuiltinTool parent_instance;
};

static const char description[]
    = "Tells the current date, time and weekday. Without `timezone`, of the user's computer.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"timezone\":{\"type\":\"string\",\"description\":\"A time zone's name, such as Asia/Shanghai or UTC.\"}}}";

G_DEFINE_FINAL_TYPE (BeckonCurrentTime, beckon_current_time, BECKON_TYPE_BUILTIN_TOOL)

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
current_time_run (BeckonBuiltinTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GError **error)
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
beckon_current_time_class_init (BeckonCurrentTimeClass *klass)
{
  BECKON_BUILTIN_TOOL_CLASS (klass)->run = current_time_run;
}

static void
beckon_current_time_init (BeckonCurrentTime *self)
{
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new ("get_current_time", description, schema, TRUE));
}

BeckonTool *
beckon_current_time_new (void)
{
  return g_object_new (BECKON_TYPE_CURRENT_TIME, NULL);
}
