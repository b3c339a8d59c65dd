/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-approval-reason.h"

#include "beckon-answer.h"
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
