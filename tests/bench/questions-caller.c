/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Another program on the bus, which knows the published interface and nothing of ours. Reads commands:
 *
 *   list    asks for what is pending; `listed COUNT MICROSECONDS`
 *   reply   answers all of the last list at once; `replied BEGIN` on CLOCK_MONOTONIC in µs when the last is acknowledged
 */

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#define NAME "io.github.beckon.Beckon.Questions"
#define PATH "/io/github/beckon/Beckon/Questions"
#define INTERFACE "io.github.beckon.Beckon.Questions1"
#define ANSWER "{\"kind\":\"question\",\"items\":[{\"selected\":[\"Second\"]}]}"
#define PATIENCE_MS (60 * 1000)

static GDBusConnection *connection;
static GPtrArray *ids;
static guint under_way;

static void
read_id (const char *document)
{
  g_autoptr (JsonNode) node = json_from_string (document, NULL);

  g_ptr_array_add (ids, g_strdup (json_object_get_string_member (json_node_get_object (node), "id")));
}

static void
list (void)
{
  g_autoptr (GError) error = NULL;
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (connection, NAME, PATH, INTERFACE, "List", NULL,
                                                            G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, PATIENCE_MS,
                                                            NULL, &error);
  gint64 took = g_get_monotonic_time () - begin;
  g_autofree const char **documents = NULL;

  if (reply == NULL)
    g_error ("%s", error->message);
  g_ptr_array_set_size (ids, 0);
  g_variant_get (reply, "(^a&s)", &documents);
  for (guint i = 0; documents[i] != NULL; i++)
    read_id (documents[i]);
  printf ("listed %u %" G_GINT64_FORMAT "\n", ids->len, took);
}

static void
on_replied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (connection, result, &error);

  if (reply == NULL)
    g_error ("%s", error->message);
  under_way--;
}

static void
reply_to_all (void)
{
  gint64 begin = g_get_monotonic_time ();

  under_way = ids->len;
  for (guint i = 0; i < ids->len; i++)
    g_dbus_connection_call (connection, NAME, PATH, INTERFACE, "Reply",
                            g_variant_new ("(ss)", g_ptr_array_index (ids, i), ANSWER), NULL, G_DBUS_CALL_FLAGS_NONE,
                            PATIENCE_MS, NULL, on_replied, NULL);
  while (under_way > 0)
    g_main_context_iteration (NULL, TRUE);
  printf ("replied %" G_GINT64_FORMAT "\n", begin);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  char line[64];

  setvbuf (stdout, NULL, _IOLBF, 0);
  ids = g_ptr_array_new_with_free_func (g_free);
  connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (connection == NULL)
    g_error ("%s", error->message);

  while (fgets (line, sizeof line, stdin) != NULL)
    if (strcmp (line, "list\n") == 0)
      list ();
    else
      reply_to_all ();

  g_ptr_array_unref (ids);
  g_object_unref (connection);
  return 0;
}
