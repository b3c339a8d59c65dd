/* SPDX-License-Identifier: GPL-3.0-or-later */

/* More tools than a model can choose from: those of servers are found by words, and offered from then on. */

#include "beckon-agent-fixture.h"

#include "tools/beckon-builtin-tool.h"
#include "tools/beckon-find-tool.h"

#include <string.h>

/* --- A tool of a server -------------------------------------------------------------------------------------------- */

#define TYPE_SERVER_TOOL (server_tool_get_type ())
G_DECLARE_FINAL_TYPE (ServerTool, server_tool, SERVER, TOOL, BeckonBuiltinTool)

struct _ServerTool
{
  BeckonBuiltinTool parent_instance;
};

static const char *
get_server (BeckonTool *tool)
{
  return "Test";
}

/* Names with this are of another folder's server. */
static const char *hidden;

static char *
get_absence (BeckonTool *tool, const char *folder)
{
  return hidden != NULL && strstr (beckon_tool_get_name (tool), hidden) != NULL ? g_strdup ("It is elsewhere.") : NULL;
}

static void
server_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_server = get_server;
  iface->get_absence = get_absence;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (ServerTool, server_tool, BECKON_TYPE_BUILTIN_TOOL,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, server_tool_tool_init))

static char *
run (BeckonBuiltinTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GError **error)
{
  return g_strdup ("Done.");
}

static void
server_tool_class_init (ServerToolClass *klass)
{
  BECKON_BUILTIN_TOOL_CLASS (klass)->run = run;
}

static void
server_tool_init (ServerTool *self)
{
}

#define SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\",\"description\":\"Which one.\"}," \
  "\"fields\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"What is wanted of it.\"}}," \
  "\"required\":[\"id\"],\"additionalProperties\":false}"

static const char *const servers[]
  = { "github", "calendar", "mail", "database", "browser", "music", "files", "chat", "shop", "maps" };
static const char *const nouns[]
  = { "issue", "event", "message", "table", "page", "playlist", "document", "channel", "order", "route" };
static const char *const verbs[]
  = { "create", "delete", "list", "search", "update", "export", "share", "archive", "compare", "move" };
static const char *const things[] = { "", "comment", "label" };

static void
add_tools (BeckonToolRegistry *registry, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const char *noun = nouns[i % 10], *verb = verbs[i / 10 % 10], *thing = things[i / 100 % 3];
      g_autofree char *name
        = g_strdup_printf ("%s__%s_%s%s%s", servers[i % 10], verb, noun, *thing != '\0' ? "_" : "", thing);
      g_autofree char *words = g_strdup_printf ("Use this to %s %s%s of a %s on the server, and get it back as JSON.", verb,
                                                *thing != '\0' ? "a " : "the whole", thing, noun);
      g_autoptr (BeckonTool) tool = g_object_new (TYPE_SERVER_TOOL, NULL);

      beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (tool), beckon_tool_definition_new (name, words, SCHEMA, TRUE));
      beckon_tool_registry_add (registry, tool);
    }
}

static BeckonAgentFixture *
fixture_new (guint n)
{
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonTool) finder = beckon_find_tool_new (fixture->tools);

  beckon_tool_registry_add (fixture->tools, finder);
  add_tools (fixture->tools, n);
  return fixture;
}

static gboolean
is_offered (BeckonAgentFixture *fixture, guint index, const char *name)
{
  g_autofree char *member = g_strdup_printf ("\"name\":\"%s\"", name);

  return strstr (beckon_fixture_server_get_request (fixture->server, index)->body, member) != NULL;
}

/* Few tools are all there, and there is nothing to find. */
static void
test_few (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (30);

  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done."));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_true (is_offered (fixture, 0, "github__create_issue"));
  g_assert_false (is_offered (fixture, 0, BECKON_FIND_TOOL_NAME));
}

/* A tool that was found is offered from the next round on, and in later turns. */
static void
test_many (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (300);
  g_autoptr (BeckonAgentFixture) all = beckon_agent_fixture_new ();
  gsize with, without;

  beckon_agent_fixture_script (fixture, beckon_script_call ("c1", BECKON_FIND_TOOL_NAME, "{\"query\":\"move playlist\"}"));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done."));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Done."));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_true (is_offered (fixture, 0, BECKON_FIND_TOOL_NAME));
  g_assert_true (is_offered (fixture, 0, "ask_user"));
  g_assert_false (is_offered (fixture, 0, "music__move_playlist"));
  g_assert_true (is_offered (fixture, 1, "music__move_playlist"));
  g_assert_false (is_offered (fixture, 1, "github__create_issue"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Again");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_true (is_offered (fixture, 2, "music__move_playlist"));

  add_tools (all->tools, 300);
  beckon_agent_fixture_script (all, beckon_fixture_reply_new_chat ("Done."));
  beckon_agent_fixture_send (all, all->conversation, "Hello");
  beckon_agent_fixture_wait_end (all, BECKON_RUN_COMPLETE);
  with = beckon_fixture_server_get_request (all->server, 0)->length;
  without = beckon_fixture_server_get_request (fixture->server, 0)->length;
  g_test_message ("300 tools: %" G_GSIZE_FORMAT " bytes with all, %" G_GSIZE_FORMAT " with find_tool", with, without);
  g_assert_cmpuint (without * 5, <, with);
}

static char *
find (BeckonTool *finder, const char *conversation_id, const char *query)
{
  BeckonToolContext context = { .conversation_id = conversation_id };
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  json_object_set_string_member (arguments, "query", query);
  BECKON_BUILTIN_TOOL_GET_CLASS (finder)->start (BECKON_BUILTIN_TOOL (finder), &context, arguments, task);
  return g_task_propagate_pointer (task, NULL);
}

/* Tools of another folder's server are not told of. */
static void
test_elsewhere (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (300);
  BeckonTool *finder = beckon_tool_registry_lookup (fixture->tools, BECKON_FIND_TOOL_NAME);
  g_autofree char *all = find (finder, "one", "move playlist");
  g_autofree char *some = NULL;

  hidden = "music__";
  some = find (finder, "two", "move playlist");
  hidden = NULL;
  g_assert_nonnull (strstr (all, "music__move_playlist"));
  g_assert_null (strstr (some, "music__"));
  g_assert_true (beckon_find_tool_has_found (BECKON_FIND_TOOL (finder), "one", "music__move_playlist"));
  g_assert_false (beckon_find_tool_has_found (BECKON_FIND_TOOL (finder), "two", "music__move_playlist"));
}

/* Conversations that searched last are remembered, and not all that ever were. */
static void
test_bound (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new (100);
  BeckonTool *finder = beckon_tool_registry_lookup (fixture->tools, BECKON_FIND_TOOL_NAME);

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      g_autofree char *found = find (finder, id, "move playlist");
      g_autofree char *again = find (finder, "0", "move playlist");

      g_assert_nonnull (strstr (found, "music__move_playlist"));
    }
  g_assert_true (beckon_find_tool_has_found (BECKON_FIND_TOOL (finder), "0", "music__move_playlist"));
  g_assert_true (beckon_find_tool_has_found (BECKON_FIND_TOOL (finder), "99", "music__move_playlist"));
  g_assert_false (beckon_find_tool_has_found (BECKON_FIND_TOOL (finder), "1", "music__move_playlist"));
}

static const struct
{
  const char *query;
  const char *tool;
} queries[] = {
  { "create an issue", "github__create_issue" },
  { "open a new GitHub issue", "github__create_issue" },
  { "list issues", "github__list_issue" },
  { "add label to issue", "github__create_issue_label" },
  { "comment on an issue", "github__create_issue_comment" },
  { "delete calendar event", "calendar__delete_event" },
  { "events in my calendar", "calendar__list_event" },
  { "move an event", "calendar__move_event" },
  { "search mail", "mail__search_message" },
  { "searching messages", "mail__search_message" },
  { "archive a message", "mail__archive_message" },
  { "labels of messages", "mail__list_message_label" },
  { "update table", "database__update_table" },
  { "export database table", "database__export_table" },
  { "compare two tables", "database__compare_table" },
  { "browser page search", "browser__search_page" },
  { "share page", "browser__share_page" },
  { "create playlist", "music__create_playlist" },
  { "playlists list", "music__list_playlist" },
  { "share my playlist", "music__share_playlist" },
  { "move document", "files__move_document" },
  { "export documents", "files__export_document" },
  { "document comments search", "files__search_document_comment" },
  { "archive channel", "chat__archive_channel" },
  { "create a chat channel", "chat__create_channel" },
  { "update order", "shop__update_order" },
  { "delete the order", "shop__delete_order" },
  { "compare routes", "maps__compare_route" },
  { "share route", "maps__share_route" },
  { "list route labels", "maps__list_route_label" },
};

/* Whether the tool that is meant is among the six that the model sees, over 30 queries. */
static void
test_ranking (void)
{
  g_autoptr (BeckonToolRegistry) registry = beckon_tool_registry_new ();
  guint n_first = 0, n_found = 0;

  add_tools (registry, 300);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      g_autoptr (GPtrArray) best = beckon_find_tool_rank (beckon_tool_registry_list_all (registry), queries[i].query, 6);
      gboolean is_found = FALSE;

      for (guint place = 0; place < best->len; place++)
        if (g_str_equal (beckon_tool_get_name (g_ptr_array_index (best, place)), queries[i].tool))
          {
            is_found = TRUE;
            n_first += place == 0;
          }
      if (!is_found)
        g_test_message ("not found: %s", queries[i].query);
      n_found += is_found;
    }
  g_test_message ("%u of %u queries found their tool, %u of them in the first place", n_found,
                  (guint) G_N_ELEMENTS (queries), n_first);
  g_assert_cmpuint (n_found, >=, 28);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/find-tool/few", test_few);
  g_test_add_func ("/agent/find-tool/many", test_many);
  g_test_add_func ("/agent/find-tool/elsewhere", test_elsewhere);
  g_test_add_func ("/agent/find-tool/bound", test_bound);
  g_test_add_func ("/agent/find-tool/ranking", test_ranking);
  return g_test_run ();
}
