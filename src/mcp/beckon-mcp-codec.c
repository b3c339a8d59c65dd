/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-codec.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"
#include "tools/beckon-server-instructions.h"

#define MAX_INSTRUCTIONS BECKON_SERVER_INSTRUCTIONS_MAX
#define MAX_TITLE 200
#define MAX_MESSAGE 500

#define META "io.modelcontextprotocol/"
#define CLIENT "{\"name\":\"beckon\",\"title\":\"Beckon\",\"version\":\"" BECKON_VERSION "\"}"

/* Forms for a person, and the folder that is worked in; no replies of a model. */
#define CAPABILITIES "{\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{}}"

/* Whether @revision is an older one that is spoken. @revision: (nullable) */
static gboolean
mcp_codec_is_legacy_revision (const char *revision)
{
  static const char *const known[] = { BECKON_MCP_REVISION_LEGACY, "2025-06-18", "2025-03-26", "2024-11-05", NULL };

  return revision != NULL && g_strv_contains (known, revision);
}

char *
beckon_mcp_codec_make_params (const BeckonMcpParams *params)
{
  GString *text = g_string_new ("{");
  gboolean has_members = params->members != NULL && *params->members != '\0';

  if (has_members)
    g_string_append (text, params->members);
  if (params->is_modern || params->token > 0)
    {
      g_string_append_printf (text, "%s\"_meta\":{", has_members ? "," : "");
      if (params->is_modern)
        g_string_append (text, "\"" META "protocolVersion\":\"" BECKON_MCP_REVISION_MODERN "\",\"" META
                         "clientInfo\":" CLIENT ",\"" META "clientCapabilities\":" CAPABILITIES);
      if (params->token > 0)
        g_string_append_printf (text, "%s\"progressToken\":%" G_GINT64_FORMAT, params->is_modern ? "," : "", params->token);
      g_string_append_c (text, '}');
    }
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

const char *
beckon_mcp_codec_get_initialize (void)
{
  return "{\"protocolVersion\":\"" BECKON_MCP_REVISION_LEGACY "\",\"capabilities\":" CAPABILITIES ",\"clientInfo\":" CLIENT "}";
}

char *
beckon_mcp_codec_make_roots (const char *folder)
{
  GString *text = g_string_new (NULL);
  g_autofree char *uri = folder != NULL ? g_filename_to_uri (folder, NULL, NULL) : NULL;
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "roots");
  beckon_json_writer_begin_array (&writer);
  if (uri != NULL)
    {
      g_autofree char *name = g_path_get_basename (folder);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "uri", uri);
      beckon_json_writer_member_string (&writer, "name", name);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

void
beckon_mcp_hello_clear (BeckonMcpHello *hello)
{
  g_free (hello->revision);
  g_free (hello->revisions);
  g_free (hello->title);
  g_free (hello->instructions);
  *hello = (BeckonMcpHello) { 0 };
}

static char *
mcp_codec_dup_shown (const BeckonJsonValue *value, guint n_chars)
{
  const char *text = beckon_json_value_get_string (value);
  g_autofree char *marked = NULL;

  if (text == NULL || *text == '\0')
    return NULL;
  marked = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);
  return beckon_text_shorten (marked, n_chars);
}

/* A name stands within a line of ours. */
static char *
dup_name (const BeckonJsonValue *value)
{
  char *name = mcp_codec_dup_shown (value, MAX_TITLE);

  return name != NULL ? g_strdelimit (name, "\r\n\t", ' ') : NULL;
}

static gboolean
is_object (const BeckonJsonValue *value)
{
  return value != NULL && value->kind == BECKON_JSON_VALUE_OBJECT;
}

static void
read_offer (const BeckonJsonValue *capabilities, const char *name, gboolean *has, gboolean *tells)
{
  const BeckonJsonValue *offer = beckon_json_value_get (capabilities, name);
  const BeckonJsonValue *changes = beckon_json_value_get (offer, "listChanged");

  *has = is_object (offer);
  *tells = *has && changes != NULL && changes->kind == BECKON_JSON_VALUE_TRUE;
}

char *
beckon_mcp_codec_make_listen_members (const BeckonMcpHello *hello)
{
  GString *text = g_string_new ("\"notifications\":");
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  if (hello->tells_tools)
    beckon_json_writer_member_boolean (&writer, "toolsListChanged", TRUE);
  if (hello->tells_prompts)
    beckon_json_writer_member_boolean (&writer, "promptsListChanged", TRUE);
  if (hello->tells_resources)
    beckon_json_writer_member_boolean (&writer, "resourcesListChanged", TRUE);
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

static void
read_common (const BeckonJsonValue *value, const BeckonJsonValue *info, BeckonMcpHello *hello)
{
  const BeckonJsonValue *capabilities = beckon_json_value_get (value, "capabilities");

  read_offer (capabilities, "tools", &hello->has_tools, &hello->tells_tools);
  read_offer (capabilities, "prompts", &hello->has_prompts, &hello->tells_prompts);
  read_offer (capabilities, "resources", &hello->has_resources, &hello->tells_resources);
  hello->has_completions = is_object (beckon_json_value_get (capabilities, "completions"));
  hello->title = dup_name (beckon_json_value_get (info, "title"));
  if (hello->title == NULL)
    hello->title = dup_name (beckon_json_value_get (info, "name"));
  hello->instructions = mcp_codec_dup_shown (beckon_json_value_get (value, "instructions"), MAX_INSTRUCTIONS);
}

gboolean
beckon_mcp_codec_read_discover (const char *json, BeckonMcpHello *hello)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (value, "supportedVersions");
  GString *names;

  *hello = (BeckonMcpHello){ 0 };
  if (list == NULL || list->kind != BECKON_JSON_VALUE_ARRAY)
    return FALSE;
  /* The modern revision if it is there, the newest of the older ones otherwise. */
  names = g_string_new (NULL);
  for (guint i = 0; i < beckon_json_value_get_n_children (list) && i < 20; i++)
    {
      const char *name = beckon_json_value_get_string (beckon_json_value_get_child (list, i));
      g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
      g_autofree char *short_name = beckon_text_shorten (shown, 40);

      if (name == NULL)
        continue;
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", short_name);
      if (g_str_equal (name, BECKON_MCP_REVISION_MODERN)
          || (mcp_codec_is_legacy_revision (name) && g_strcmp0 (name, hello->revision) > 0))
        {
          g_free (hello->revision);
          hello->revision = g_strdup (name);
        }
    }
  hello->revisions = g_string_free (names, FALSE);
  read_common (value, beckon_json_value_get (beckon_json_value_get (value, "_meta"), META "serverInfo"), hello);
  return TRUE;
}

gboolean
beckon_mcp_codec_read_initialize (const char *json, BeckonMcpHello *hello)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const char *revision = beckon_json_value_get_string (beckon_json_value_get (value, "protocolVersion"));

  *hello = (BeckonMcpHello) { 0 };
  if (revision == NULL)
    return FALSE;
  if (mcp_codec_is_legacy_revision (revision))
    hello->revision = g_strdup (revision);
  hello->revisions = mcp_codec_dup_shown (beckon_json_value_get (value, "protocolVersion"), 40);
  read_common (value, beckon_json_value_get (value, "serverInfo"), hello);
  return TRUE;
}

static gboolean
is_modern_revision (const char *revision)
{
  return g_strcmp0 (revision, BECKON_MCP_REVISION_MODERN) == 0;
}

static gboolean
offers (const char *json, gboolean (*is_wanted) (const char *revision))
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *list = beckon_json_value_get (value, "supported");

  for (guint i = 0; i < beckon_json_value_get_n_children (list); i++)
    if (is_wanted (beckon_json_value_get_string (beckon_json_value_get_child (list, i))))
      return TRUE;
  return FALSE;
}

gboolean
beckon_mcp_codec_offers_modern (const char *json)
{
  return offers (json, is_modern_revision);
}

gboolean
beckon_mcp_codec_offers_legacy (const char *json)
{
  return offers (json, mcp_codec_is_legacy_revision);
}

static gboolean
mcp_codec_is_number (const BeckonJsonValue *value)
{
  return value != NULL && value->kind == BECKON_JSON_VALUE_NUMBER;
}

gboolean
beckon_mcp_codec_read_progress (const char *json, gint64 *token, char **text)
{
  g_autoptr (BeckonJsonValue) value = json != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;
  const BeckonJsonValue *of = beckon_json_value_get (value, "progressToken");
  const BeckonJsonValue *progress = beckon_json_value_get (value, "progress");
  const BeckonJsonValue *total = beckon_json_value_get (value, "total");
  g_autofree char *message = mcp_codec_dup_shown (beckon_json_value_get (value, "message"), MAX_MESSAGE);
  double done, all;

  if (!mcp_codec_is_number (of) || !mcp_codec_is_number (progress))
    return FALSE;
  *token = (gint64) CLAMP (beckon_json_value_get_number (of), 0.0L, 9e15L);
  done = (double) beckon_json_value_get_number (progress);
  all = mcp_codec_is_number (total) ? (double) beckon_json_value_get_number (total) : 0;
  if (all > 0 && done >= 0 && done <= all)
    *text = g_strdup_printf ("%s%s%d %%", message != NULL ? message : "", message != NULL ? " · " : "",
                             (int) (done * 100 / all));
  else
    *text = message != NULL ? g_steal_pointer (&message) : g_strdup_printf ("%g", done);
  return TRUE;
}
