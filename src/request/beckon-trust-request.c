/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-trust-request.h"

#include "base/beckon-english.h"
#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-settlement.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

/* The most values of one server that are listed, and the characters of each. */
#define MISSING_MAX 20
#define MISSING_CHARS 80

struct _BeckonTrustRequest
{
  BeckonRequest parent_instance;

  char *folder;
  char *hash;
  BeckonFolderExtras *extras; /* (owned) */
  BeckonFolderExtras *before; /* (owned) (nullable) */
  GHashTable *missing;        /* (owned) (element-type utf8 GPtrArray): values that servers lack, by their names */
  GHashTable *reaches;        /* (owned) (element-type utf8 BeckonServerReach): what servers may do, by their names */
};

G_DEFINE_FINAL_TYPE (BeckonTrustRequest, beckon_trust_request, BECKON_TYPE_REQUEST)

BeckonRequest *
beckon_trust_request_new (const char *conversation_id, const char *message_id, const char *folder, BeckonFolderExtras *extras,
                          BeckonFolderExtras *before, gint64 asked_at)
{
  BeckonTrustRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (folder != NULL && extras != NULL, NULL);

  self = g_object_new (BECKON_TYPE_TRUST_REQUEST, NULL);
  beckon_request_set_place (BECKON_REQUEST (self), NULL, conversation_id, message_id, NULL, asked_at);
  self->folder = g_utf8_make_valid (folder, -1);
  self->extras = beckon_folder_extras_ref (extras);
  self->before = before != NULL ? beckon_folder_extras_ref (before) : NULL;
  self->hash = beckon_folder_extras_dup_hash (extras);
  return BECKON_REQUEST (self);
}

const char *
beckon_trust_request_get_folder (BeckonTrustRequest *self)
{
  return self->folder;
}

BeckonFolderExtras *
beckon_trust_request_get_extras (BeckonTrustRequest *self)
{
  return self->extras;
}

BeckonFolderExtras *
beckon_trust_request_get_before (BeckonTrustRequest *self)
{
  return self->before;
}

const char *
beckon_trust_request_get_hash (BeckonTrustRequest *self)
{
  return self->hash;
}

char *
beckon_trust_request_dup_sentence (BeckonTrustRequest *self)
{
  g_autofree char *base = g_path_get_basename (self->folder);
  g_autofree char *name = beckon_text_for_display (base, -1, BECKON_TEXT_EXACT);

  if (self->before != NULL)
    /* Translators: %s is the name of a folder; its instructions for the agent are other ones than before */
    return beckon_text_printf (_("Use what changed in “%s”?"), name);
  /* Translators: %s is the name of a folder, in which there are instructions, skills or commands for the agent */
  return beckon_text_printf (_("Use what “%s” brings for the agent?"), name);
}

/* Words of the line. */
static const char *
describe_kind (BeckonFolderExtraKind kind)
{
  switch (kind)
    {
    case BECKON_FOLDER_EXTRA_SKILL:
      return C_("in a folder", "skill");
    case BECKON_FOLDER_EXTRA_COMMAND:
      return C_("in a folder", "command");
    case BECKON_FOLDER_EXTRA_SERVER:
      return C_("in a folder", "server of tools");
    case BECKON_FOLDER_EXTRA_INSTRUCTIONS:
    default:
      return C_("in a folder", "instructions");
    }
}

/* (nullable): what is to be known of it beside its size. */
static const char *
trust_request_describe_state (BeckonTrustRequest *self, const BeckonFolderExtra *extra)
{
  g_autofree char *difference = beckon_folder_extras_dup_difference (self->before, extra);

  if (extra->fault != NULL)
    return C_("in a folder", "can't be used");
  if (self->before != NULL && difference == NULL)
    return C_("in a folder", "new");
  if (difference != NULL && *difference != '\0')
    return C_("in a folder", "changed");
  return extra->is_cut ? C_("in a folder", "only its beginning is used") : NULL;
}

/* A server is known by what is started or reached. */
static char *
describe_size (const BeckonFolderExtra *extra)
{
  if (extra->kind == BECKON_FOLDER_EXTRA_SERVER)
    return beckon_text_for_display (extra->description != NULL ? extra->description : extra->path, -1, BECKON_TEXT_EXACT);
  return g_format_size (extra->size);
}

char *
beckon_trust_request_dup_line (BeckonTrustRequest *self, const BeckonFolderExtra *extra)
{
  g_autofree char *size = describe_size (extra);
  const char *state = trust_request_describe_state (self, extra);
  g_autofree char *subject = beckon_text_for_display (extra->name != NULL ? extra->name : extra->path, -1, BECKON_TEXT_EXACT);

  if (state == NULL)
    /* Translators: a file that a folder brings: its name, what it is ("skill"), its size; or of a server its command line */
    return beckon_text_printf (_("%s: %s, %s"), subject, describe_kind (extra->kind), size);
  /* Translators: a file that a folder brings: its name, what it is ("skill"), its size, what is special of it ("changed") */
  return beckon_text_printf (_("%s: %s, %s, %s"), subject, describe_kind (extra->kind), size, state);
}

/* Faults are kept in English: the language may change before they are read. */
static char *
dup_fault (const char *fault)
{
  guint line = 0;
  int n = 0;

  if (sscanf (fault, "Line %u of the front matter: %n", &line, &n) == 1 && n > 0)
    /* Translators: of the lines at the beginning of a Markdown file, between two of three dashes; %s says what is wrong */
    return beckon_text_printf (_("Line %u of the front matter: %s"), line, beckon_english_translate (fault + n));
  return g_strdup (beckon_english_translate (fault));
}

char *
beckon_trust_request_dup_text (BeckonTrustRequest *self, const BeckonFolderExtra *extra)
{
  g_autofree char *difference = beckon_folder_extras_dup_difference (self->before, extra);
  g_autofree char *fault = extra->fault != NULL ? dup_fault (extra->fault) : NULL;
  const char *text = fault != NULL ? fault : difference != NULL ? difference : extra->text;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      g_autofree char *line = beckon_text_for_display (lines[i], -1, BECKON_TEXT_EXACT);

      g_string_append_printf (shown, "%s%s", i > 0 ? "\n" : "", line);
    }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

/* --- Missing values ------------------------------------------------------------------------------------------------ */

void
beckon_trust_request_add_missing (BeckonTrustRequest *self, const char *name, const char *value)
{
  GPtrArray *values;

  g_return_if_fail (BECKON_IS_TRUST_REQUEST (self));
  g_return_if_fail (name != NULL && value != NULL);

  values = g_hash_table_lookup (self->missing, name);
  if (values == NULL)
    {
      values = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->missing, g_strdup (name), values);
    }
  if (values->len < MISSING_MAX)
    g_ptr_array_add (values, g_strdup (value));
}

char *
beckon_trust_request_dup_missing (BeckonTrustRequest *self, const BeckonFolderExtra *extra)
{
  GPtrArray *values = extra->kind == BECKON_FOLDER_EXTRA_SERVER && extra->name != NULL
                        ? g_hash_table_lookup (self->missing, extra->name) : NULL;
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; values != NULL && i < values->len; i++)
    {
      g_autofree char *shown = beckon_text_for_display (g_ptr_array_index (values, i), -1, BECKON_TEXT_EXACT);
      g_autofree char *value = beckon_text_shorten (shown, MISSING_CHARS);

      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", value);
    }
  if (list->len == 0)
    return NULL;
  /* Translators: a file of a folder has a server of tools in it; %s are placeholders for values, such as YOUR_API_KEY */
  return beckon_text_printf (_("Values are missing: %s. This server is not used until they are in the file. Or add it yourself "
                               "on the page Servers of the preferences, where you can enter them."), list->str);
}

/* --- What servers may do ------------------------------------------------------------------------------------------- */

void
beckon_trust_request_add_reach (BeckonTrustRequest *self, const BeckonServerReach *reach)
{
  BeckonServerReach *copy;

  g_return_if_fail (BECKON_IS_TRUST_REQUEST (self));
  g_return_if_fail (reach != NULL);

  copy = beckon_server_reach_copy (reach);
  g_hash_table_replace (self->reaches, copy->name, copy);
}

gboolean
beckon_trust_request_says (BeckonTrustRequest *self, GPtrArray *reaches)
{
  g_return_val_if_fail (BECKON_IS_TRUST_REQUEST (self), FALSE);
  g_return_val_if_fail (reaches != NULL, FALSE);

  if (g_hash_table_size (self->reaches) != reaches->len)
    return FALSE;
  for (guint i = 0; i < reaches->len; i++)
    {
      const BeckonServerReach *reach = g_ptr_array_index (reaches, i);
      const BeckonServerReach *said = g_hash_table_lookup (self->reaches, reach->name);

      if (said == NULL || !beckon_server_reach_equal (said, reach))
        return FALSE;
    }
  return TRUE;
}

const BeckonServerReach *
beckon_trust_request_get_reach (BeckonTrustRequest *self, const BeckonFolderExtra *extra)
{
  g_return_val_if_fail (BECKON_IS_TRUST_REQUEST (self), NULL);
  g_return_val_if_fail (extra != NULL, NULL);

  return extra->kind == BECKON_FOLDER_EXTRA_SERVER && extra->name != NULL && extra->fault == NULL
           ? g_hash_table_lookup (self->reaches, extra->name) : NULL;
}

char *
beckon_trust_request_dup_reach (BeckonTrustRequest *self, const BeckonFolderExtra *extra)
{
  const BeckonServerReach *reach = beckon_trust_request_get_reach (self, extra);

  return reach != NULL ? beckon_server_reach_describe (reach) : NULL;
}

static gboolean
beckon_trust_request_read_body (BeckonRequest *request, const char *body, GError **error)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (request);
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, error);
  const char *extras = object != NULL ? beckon_json_get_string (object, "extras") : NULL;
  const char *before = object != NULL ? beckon_json_get_string (object, "before") : NULL;
  JsonObject *missing;
  g_autoptr (GList) names = NULL;
  JsonObject *reaches;
  g_autoptr (GList) known = NULL;

  if (object == NULL)
    return FALSE;
  self->folder = g_strdup (beckon_json_get_string (object, "folder"));
  if (self->folder == NULL || extras == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored request about a folder");
      return FALSE;
    }
  self->extras = beckon_folder_extras_from_json (extras, error);
  if (self->extras == NULL)
    return FALSE;
  self->hash = beckon_folder_extras_dup_hash (self->extras);

  missing = beckon_json_get_object (object, "missing");
  names = missing != NULL ? json_object_get_members (missing) : NULL;
  for (const GList *name = names; name != NULL; name = name->next)
    {
      JsonArray *values = beckon_json_get_array (missing, name->data);

      for (guint i = 0; values != NULL && i < json_array_get_length (values); i++)
        if (JSON_NODE_HOLDS_VALUE (json_array_get_element (values, i)))
          beckon_trust_request_add_missing (self, name->data, json_array_get_string_element (values, i));
    }

  reaches = beckon_json_get_object (object, "reaches");
  known = reaches != NULL ? json_object_get_members (reaches) : NULL;
  for (const GList *name = known; name != NULL; name = name->next)
    {
      JsonObject *row = beckon_json_get_object (reaches, name->data);
      BeckonServerReach *reach;

      if (row == NULL)
        continue;
      reach = beckon_server_reach_new (name->data, beckon_json_get_string (row, "directory"));
      reach->has_network = beckon_json_get_boolean (row, "network", FALSE);
      reach->can_write = beckon_json_get_boolean (row, "write", FALSE);
      reach->loses_permissions = beckon_json_get_boolean (row, "loses", FALSE);
      g_hash_table_replace (self->reaches, reach->name, reach);
    }
  self->before = before != NULL ? beckon_folder_extras_from_json (before, error) : NULL;
  return before == NULL || self->before != NULL;
}

static char *
beckon_trust_request_dup_body (BeckonRequest *request)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (request);
  g_autofree char *extras = beckon_folder_extras_to_json (self->extras);
  g_autofree char *before = self->before != NULL ? beckon_folder_extras_to_json (self->before) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "folder", self->folder);
  beckon_json_writer_member_string (&writer, "extras", extras);
  if (before != NULL)
    beckon_json_writer_member_string (&writer, "before", before);
  if (g_hash_table_size (self->missing) > 0)
    {
      g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->missing), (GCompareFunc) strcmp);

      beckon_json_writer_name (&writer, "missing");
      beckon_json_writer_begin_object (&writer);
      for (const GList *name = names; name != NULL; name = name->next)
        {
          GPtrArray *values = g_hash_table_lookup (self->missing, name->data);

          beckon_json_writer_name (&writer, name->data);
          beckon_json_writer_begin_array (&writer);
          for (guint i = 0; i < values->len; i++)
            beckon_json_writer_string (&writer, g_ptr_array_index (values, i), -1);
          beckon_json_writer_end_array (&writer);
        }
      beckon_json_writer_end_object (&writer);
    }
  if (g_hash_table_size (self->reaches) > 0)
    {
      g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->reaches), (GCompareFunc) strcmp);

      beckon_json_writer_name (&writer, "reaches");
      beckon_json_writer_begin_object (&writer);
      for (const GList *name = names; name != NULL; name = name->next)
        {
          const BeckonServerReach *reach = g_hash_table_lookup (self->reaches, name->data);

          beckon_json_writer_name (&writer, reach->name);
          beckon_json_writer_begin_object (&writer);
          if (reach->directory != NULL)
            beckon_json_writer_member_string (&writer, "directory", reach->directory);
          beckon_json_writer_member_boolean (&writer, "network", reach->has_network);
          beckon_json_writer_member_boolean (&writer, "write", reach->can_write);
          beckon_json_writer_member_boolean (&writer, "loses", reach->loses_permissions);
          beckon_json_writer_end_object (&writer);
        }
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The texts are in the request; the log names the files. */
static char *
beckon_trust_request_dup_logged (BeckonRequest *request)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (request);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "folder", self->folder);
  beckon_json_writer_member_string (&writer, "hash", self->hash);
  beckon_json_writer_name (&writer, "files");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < beckon_folder_extras_get_n (self->extras); i++)
    beckon_json_writer_string (&writer, beckon_folder_extras_get (self->extras, i)->path, -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The decision holds for the folder with exactly these contents. There is no call. */
static void
beckon_trust_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (request);
  g_autofree char *extras = NULL;

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  if (answer->kind != BECKON_ANSWER_APPROVED && answer->kind != BECKON_ANSWER_DECLINED)
    return;
  extras = beckon_folder_extras_to_json (self->extras);
  settlement->trust = beckon_folder_trust_new (self->folder, self->hash, extras, answer->kind == BECKON_ANSWER_APPROVED,
                                               settlement->at);
}

static char *
beckon_trust_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  if (answer->kind == BECKON_ANSWER_APPROVED)
    return g_strdup (C_("in a folder", "Used"));
  if (answer->kind == BECKON_ANSWER_DECLINED)
    return g_strdup (C_("in a folder", "Not used"));
  return beckon_answer_to_summary (answer, NULL);
}

static void
beckon_trust_request_finalize (GObject *object)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (object);

  g_free (self->folder);
  g_free (self->hash);
  g_clear_pointer (&self->extras, beckon_folder_extras_unref);
  g_clear_pointer (&self->before, beckon_folder_extras_unref);
  g_hash_table_unref (self->missing);
  g_hash_table_unref (self->reaches);
  G_OBJECT_CLASS (beckon_trust_request_parent_class)->finalize (object);
}

static void
beckon_trust_request_class_init (BeckonTrustRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_trust_request_finalize;
  request_class->kind = "trust";
  request_class->answers = 1 << BECKON_ANSWER_APPROVED | 1 << BECKON_ANSWER_DECLINED;
  request_class->refusal = N_("This is about the files of a folder. Use them or don't.");
  request_class->read_body = beckon_trust_request_read_body;
  request_class->dup_body = beckon_trust_request_dup_body;
  request_class->dup_logged = beckon_trust_request_dup_logged;
  request_class->settle_call = beckon_trust_request_settle_call;
  request_class->dup_summary = beckon_trust_request_dup_summary;
}

static void
beckon_trust_request_init (BeckonTrustRequest *self)
{
  self->missing = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  self->reaches = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_server_reach_free);
}
