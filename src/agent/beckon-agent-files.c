/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-finish.h"
#include "domain/beckon-attachment.h"

/*
 * An attached file's content is treated like a tool's reading: a secret in it goes to no model, and into no history.
 */

static gboolean
is_text (BeckonPart *part)
{
  return beckon_attachment_get_name (part) != NULL && beckon_part_get_kind (part) == BECKON_PART_TEXT;
}

gboolean
beckon_agent_has_text_files (BeckonAgent *agent, GPtrArray *files)
{
  gboolean has_some = FALSE;

  for (guint i = 0; i < files->len; i++)
    has_some = has_some || is_text (g_ptr_array_index (files, i));
  return has_some && beckon_inbox_get_vault (agent->parts.inbox) != NULL;
}

/* A page breaks its lines where they are full: within a long secret, and between the words of one that has several. */
static gboolean
finds_across_lines (BeckonMask *mask, BeckonPart *part, const char *between)
{
  const char *text = beckon_part_get_text (part);
  g_autoptr (GString) joined = g_string_sized_new (beckon_part_get_length (part));

  for (gsize i = 0; i < beckon_part_get_length (part); i++)
    if (!g_ascii_isspace (text[i]))
      g_string_append_c (joined, text[i]);
    else if (i > 0 && !g_ascii_isspace (text[i - 1]))
      g_string_append (joined, between);
  return beckon_mask_finds (mask, joined->str, joined->len);
}

static gboolean
finds_broken (BeckonMask *mask, BeckonPart *part)
{
  return finds_across_lines (mask, part, "") || finds_across_lines (mask, part, " ");
}

/* The file itself can't be masked, so that its text goes alone. @mask: (nullable) */
static BeckonPart *
mask_pdf (BeckonMask *mask, BeckonPart *part)
{
  gsize length;
  const char *content = beckon_attachment_get_content (part, &length);
  g_autofree char *text = g_strndup (content, length);
  g_autofree char *masked = mask != NULL ? beckon_mask_apply (mask, text) : g_strdup (text);
  g_autoptr (BeckonPart) copy = beckon_attachment_new_masked_pdf (part, masked);

  if (mask != NULL && finds_broken (mask, copy))
    return beckon_attachment_new_masked_pdf (part, NULL);
  return g_steal_pointer (&copy);
}

static gboolean
finds (BeckonMask *mask, BeckonPart *part)
{
  return mask != NULL && beckon_mask_finds (mask, beckon_part_get_text (part), beckon_part_get_length (part));
}

/* @mask: (nullable): nothing is known. @has_hole: what is not found may be a secret all the same */
static BeckonPart *
mask_part (BeckonMask *mask, gboolean has_hole, BeckonPart *part)
{
  g_autofree char *masked = NULL;
  BeckonPart *copy;

  if (!is_text (part))
    return g_object_ref (part);
  if (beckon_part_get_file (part) != NULL)
    return has_hole || finds (mask, part) || (mask != NULL && finds_broken (mask, part)) ? mask_pdf (mask, part)
                                                                                        : g_object_ref (part);
  if (!finds (mask, part))
    return g_object_ref (part);
  masked = beckon_mask_apply (mask, beckon_part_get_text (part));
  copy = beckon_part_new (BECKON_PART_TEXT, masked);
  beckon_part_set_origin (copy, beckon_part_get_origin (part));
  return copy;
}

static void
agent_files_on_mask_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *files = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonMask) mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);
  gboolean has_hole = beckon_known_secrets_has_hole (BECKON_KNOWN_SECRETS (source));
  GPtrArray *masked;

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  masked = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (masked, mask_part (mask, has_hole, g_ptr_array_index (files, i)));
  g_task_return_pointer (task, masked, (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_agent_mask_files_async (BeckonAgent *agent, GPtrArray *files, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GPtrArray) no_handles = g_ptr_array_new ();
  GTask *task = g_task_new (agent, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_agent_mask_files_async);
  g_task_set_task_data (task, g_ptr_array_ref (files), (GDestroyNotify) g_ptr_array_unref);
  beckon_known_secrets_make_mask_async (agent->parts.secrets, no_handles, cancellable, agent_files_on_mask_made, task);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_agent_mask_files, BeckonAgent)
