/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-approval-details.h"

#include "base/beckon-json-schema.h"
#include "base/beckon-text-printf.h"
#include "beckon-answer.h"
#include "beckon-config.h"
#include "domain/beckon-request-error.h"
#include "domain/beckon-rule-json.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>

#define MAX_PROPOSALS 8

BeckonApprovalReason *
beckon_approval_reason_new (void)
{
  BeckonApprovalReason *ground = g_new0 (BeckonApprovalReason, 1);

  ground->proposals = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_proposal_free);
  return ground;
}

void
beckon_approval_reason_free (BeckonApprovalReason *ground)
{
  if (ground == NULL)
    return;

  g_free (ground->rule_id);
  g_free (ground->files);
  g_free (ground->folder);
  g_free (ground->definition);
  g_ptr_array_unref (ground->proposals);
  g_free (ground);
}

char *
beckon_approval_reason_to_json (const BeckonApprovalReason *ground)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_request_json_member (&writer, "rule", ground->rule_id);
  beckon_request_json_member (&writer, "files", ground->files);
  beckon_request_json_member (&writer, "folder", ground->folder);
  beckon_request_json_member (&writer, "definition", ground->definition);
  beckon_json_writer_name (&writer, "proposals");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < ground->proposals->len; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (ground->proposals, i);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "label", proposal->label);
      beckon_json_writer_name (&writer, "rules");
      beckon_rules_write (&writer, proposal->rules);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

BeckonApprovalReason *
beckon_approval_reason_read (JsonObject *object)
{
  BeckonApprovalReason *ground = beckon_approval_reason_new ();
  JsonArray *proposals = object != NULL ? beckon_json_get_array (object, "proposals") : NULL;

  if (object == NULL)
    return ground;

  ground->rule_id = g_strdup (beckon_json_get_string (object, "rule"));
  ground->files = g_strdup (beckon_json_get_string (object, "files"));
  ground->folder = g_strdup (beckon_json_get_string (object, "folder"));
  ground->definition = g_strdup (beckon_json_get_string (object, "definition"));
  for (guint i = 0; proposals != NULL && i < MIN (json_array_get_length (proposals), MAX_PROPOSALS); i++)
    {
      JsonObject *proposal = beckon_request_json_get_element (proposals, i);
      const char *label = proposal != NULL ? beckon_json_get_string (proposal, "label") : NULL;
      g_autoptr (GPtrArray) rules = NULL;

      if (label != NULL)
        {
          rules = beckon_rules_read (beckon_json_get_array (proposal, "rules"), BECKON_ANSWER_MAX_RULES, NULL);
          if (rules != NULL && rules->len > 0)
            g_ptr_array_add (ground->proposals, beckon_rule_proposal_new (label, g_steal_pointer (&rules)));
        }
    }

  return ground;
}

gboolean
beckon_approval_reason_is_plain (const char *reason)
{
  const char *const plain[] = {
    _("It reaches services of this computer and its network."), _("It uses the network, and could carry data out."),
    _("It reaches outside the folder."), _("It can change something."), _("You chose to be asked for everything."),
    _("It is a tool of a server, which does with it what it likes."), NULL,
  };

  return reason != NULL && g_strv_contains (plain, reason);
}

#define MAX_LIST 200

BeckonApprovalDetails *
beckon_approval_details_new (void)
{
  return g_new0 (BeckonApprovalDetails, 1);
}

void
beckon_approval_details_free (BeckonApprovalDetails *details)
{
  if (details == NULL)
    return;
  g_free (details->schema);
  g_free (details->server);
  g_free (details->folder);
  g_free (details->command);
  g_strfreev (details->paths);
  g_strfreev (details->hosts);
  g_clear_pointer (&details->parameters, beckon_parameters_unref);
  g_free (details);
}

static void
write_list (BeckonJsonWriter *writer, const char *name, char **list)
{
  if (list == NULL || list[0] == NULL)
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; list[i] != NULL && i < MAX_LIST; i++)
    beckon_json_writer_string (writer, list[i], -1);
  beckon_json_writer_end_array (writer);
}

void
beckon_approval_details_write (const BeckonApprovalDetails *details, BeckonJsonWriter *writer)
{
  beckon_json_writer_begin_object (writer);
  beckon_request_json_member (writer, "schema", details->schema);
  beckon_request_json_member (writer, "server", details->server);
  beckon_request_json_member (writer, "folder", details->folder);
  beckon_request_json_member (writer, "command", details->command);
  write_list (writer, "paths", details->paths);
  write_list (writer, "hosts", details->hosts);
  beckon_json_writer_member_boolean (writer, "changes", details->changes);
  beckon_json_writer_member_boolean (writer, "leaves_folder", details->leaves_folder);
  beckon_json_writer_member_boolean (writer, "uses_network", details->uses_network);
  beckon_json_writer_member_boolean (writer, "local_network", details->local_network);
  if (beckon_parameters_get_n (details->parameters) > 0)
    {
      g_autofree char *json = beckon_parameters_to_json (details->parameters);

      beckon_request_json_member (writer, "parameters", json);
    }
  beckon_json_writer_end_object (writer);
}

static char **
approval_details_read_list (JsonObject *object, const char *name)
{
  JsonArray *array = beckon_json_get_array (object, name);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  guint n = array != NULL ? json_array_get_length (array) : 0;

  for (guint i = 0; i < n && i < MAX_LIST; i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_strv_builder_add (list, json_node_get_string (node));
    }
  return n > 0 ? g_strv_builder_end (list) : NULL;
}

BeckonApprovalDetails *
beckon_approval_details_read (JsonObject *object)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  const char *parameters = beckon_json_get_string (object, "parameters");

  details->schema = g_strdup (beckon_json_get_string (object, "schema"));
  details->server = g_strdup (beckon_json_get_string (object, "server"));
  details->folder = g_strdup (beckon_json_get_string (object, "folder"));
  details->command = g_strdup (beckon_json_get_string (object, "command"));
  details->paths = object != NULL ? approval_details_read_list (object, "paths") : NULL;
  details->hosts = object != NULL ? approval_details_read_list (object, "hosts") : NULL;
  details->changes = beckon_json_get_boolean (object, "changes", TRUE);
  details->leaves_folder = beckon_json_get_boolean (object, "leaves_folder", FALSE);
  details->uses_network = beckon_json_get_boolean (object, "uses_network", FALSE);
  details->local_network = beckon_json_get_boolean (object, "local_network", FALSE);
  details->parameters = parameters != NULL ? beckon_parameters_from_json (parameters, NULL) : NULL;
  if (parameters != NULL && details->parameters == NULL)
    details->parameters = beckon_parameters_new_closed ();
  return details;
}

static gboolean
check_schema (const BeckonApprovalDetails *details, const char *edited, GError **error)
{
  g_autoptr (BeckonJsonSchema) schema = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *words = NULL;

  if (details->schema == NULL)
    return TRUE;
  schema = beckon_json_schema_new (details->schema, -1, BECKON_JSON_SCHEMA_2020_12, NULL);
  problems = schema != NULL ? beckon_json_schema_validate_text (schema, edited, -1) : NULL;
  if (problems == NULL)
    return TRUE;
  words = beckon_json_problems_to_shown (problems);
  /* Translators: %s are one or several lines that say what is wrong where */
  beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                         _("The tool does not take these arguments: %s"),
                         words);
  return FALSE;
}

gboolean
beckon_approval_details_check_edit (const BeckonApprovalDetails *details, const char *proposed, const char *edited,
                                    GError **error)
{
  return details == NULL
         || (beckon_parameters_check_edit (details->parameters, proposed, edited, error)
             && check_schema (details, edited, error));
}
