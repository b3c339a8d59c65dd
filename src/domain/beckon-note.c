/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-note.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "beckon-prefix.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  BeckonJsonSlice note;
  BeckonJsonSlice from;
  BeckonJsonSlice to;
  BeckonJsonSlice reason;
  gint64 through;
  BeckonJsonSlice summary;
  BeckonJsonSlice kept;
} Members;

static const BeckonJsonMember members[] = {
  BECKON_JSON_STRING_MEMBER ("note", Members, note),
  BECKON_JSON_STRING_MEMBER ("from", Members, from),
  BECKON_JSON_STRING_MEMBER ("to", Members, to),
  BECKON_JSON_STRING_MEMBER ("reason", Members, reason),
  BECKON_JSON_INT_MEMBER ("through", Members, through),
  BECKON_JSON_STRING_MEMBER ("summary", Members, summary),
  BECKON_JSON_STRING_MEMBER ("kept", Members, kept),
  BECKON_JSON_MEMBERS_END,
};

static const char *const words[] = {
  [BECKON_NOTE_FAILOVER] = "failover",
  [BECKON_NOTE_SUMMARY] = "summary",
  [BECKON_NOTE_SIGHT] = "sight",
  [BECKON_NOTE_THINKING] = "thinking",
  [BECKON_NOTE_FILES] = "files",
  [BECKON_NOTE_PREFIX] = "prefix",
  [BECKON_NOTE_SERVER] = "server",
  [BECKON_NOTE_REFUSED] = "refused",
};

static BeckonMessage *
note_make_message (const char *json, gint64 now)
{
  BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, now);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_OPAQUE, json);

  beckon_part_set_origin (part, BECKON_NOTE_ORIGIN);
  beckon_message_add_part (message, part);
  return message;
}

static void
note_begin (BeckonJsonWriter *writer, GString *json, BeckonNoteKind kind)
{
  beckon_json_writer_init (writer, json);
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "note", words[kind]);
}

static BeckonMessage *
make_with_reason (BeckonNoteKind kind, const char *from, const char *to, const char *reason, gint64 now)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  note_begin (&writer, json, kind);
  beckon_json_writer_member_string (&writer, "from", from);
  beckon_json_writer_member_string (&writer, "to", to);
  beckon_json_writer_member_string (&writer, "reason", reason);
  beckon_json_writer_end_object (&writer);
  return note_make_message (json->str, now);
}

BeckonMessage *
beckon_note_new_failover (const char *from, const char *to, const char *reason, gint64 now)
{
  return make_with_reason (BECKON_NOTE_FAILOVER, from, to, reason, now);
}

BeckonMessage *
beckon_note_new_refused (const char *model, const char *tool, const char *reason, gint64 now)
{
  return make_with_reason (BECKON_NOTE_REFUSED, model, tool, reason, now);
}

static BeckonMessage *
make_about_model (BeckonNoteKind kind, const char *model, gint64 now)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  note_begin (&writer, json, kind);
  beckon_json_writer_member_string (&writer, "from", model);
  beckon_json_writer_end_object (&writer);
  return note_make_message (json->str, now);
}

BeckonMessage *
beckon_note_new_sight (const char *model, gint64 now)
{
  g_return_val_if_fail (model != NULL, NULL);

  return make_about_model (BECKON_NOTE_SIGHT, model, now);
}

BeckonMessage *
beckon_note_new_thinking (const char *model, gint64 now)
{
  g_return_val_if_fail (model != NULL, NULL);

  return make_about_model (BECKON_NOTE_THINKING, model, now);
}

BeckonMessage *
beckon_note_new_files (const char *model, gint64 now)
{
  g_return_val_if_fail (model != NULL, NULL);

  return make_about_model (BECKON_NOTE_FILES, model, now);
}

BeckonMessage *
beckon_note_new_prefix (const char *reason, gint64 now)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (reason != NULL, NULL);

  note_begin (&writer, json, BECKON_NOTE_PREFIX);
  beckon_json_writer_member_string (&writer, "reason", reason);
  beckon_json_writer_end_object (&writer);
  return note_make_message (json->str, now);
}

BeckonMessage *
beckon_note_new_server (const char *server, const char *reason, gint64 now)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (server != NULL && reason != NULL, NULL);

  note_begin (&writer, json, BECKON_NOTE_SERVER);
  beckon_json_writer_member_string (&writer, "from", server);
  beckon_json_writer_member_string (&writer, "reason", reason);
  beckon_json_writer_end_object (&writer);
  return note_make_message (json->str, now);
}

BeckonMessage *
beckon_note_new_summary (gint64 through, const char *summary, const char *kept, gint64 now)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (summary != NULL && kept != NULL, NULL);

  note_begin (&writer, json, BECKON_NOTE_SUMMARY);
  beckon_json_writer_member_int (&writer, "through", through);
  beckon_json_writer_member_string (&writer, "summary", summary);
  beckon_json_writer_member_string (&writer, "kept", kept);
  beckon_json_writer_end_object (&writer);
  return note_make_message (json->str, now);
}

static char *
note_dup_slice (const BeckonJsonSlice *slice)
{
  GString *text = g_string_new (NULL);

  if (slice->text != NULL)
    beckon_json_slice_append_to (slice, text);
  return g_string_free (text, FALSE);
}

static BeckonNoteKind
read_members (BeckonPart *part, Members *found)
{
  if (beckon_part_get_kind (part) != BECKON_PART_OPAQUE
      || g_strcmp0 (beckon_part_get_origin (part), BECKON_NOTE_ORIGIN) != 0
      || beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), members, found)
      != BECKON_JSON_FAULT_NONE)
    return BECKON_NOTE_NONE;

  for (guint i = BECKON_NOTE_NONE + 1; i < G_N_ELEMENTS (words); i++)
    if (found->note.text != NULL && beckon_json_slice_equals (&found->note, words[i]))
      return (BeckonNoteKind) i;
  return BECKON_NOTE_NONE;
}

gboolean
beckon_note_read (BeckonPart *part, BeckonNote *note)
{
  Members found = { .through = -1 };

  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);
  g_return_val_if_fail (note != NULL, FALSE);

  *note = (BeckonNote){ .kind = read_members (part, &found) };
  if (note->kind == BECKON_NOTE_NONE)
    return FALSE;
  note->from = note_dup_slice (&found.from);
  note->to = note_dup_slice (&found.to);
  note->reason = note_dup_slice (&found.reason);
  note->through = found.through;
  note->summary = note_dup_slice (&found.summary);
  note->kept = note_dup_slice (&found.kept);
  return TRUE;
}

void
beckon_note_clear (BeckonNote *note)
{
  g_clear_pointer (&note->from, g_free);
  g_clear_pointer (&note->to, g_free);
  g_clear_pointer (&note->reason, g_free);
  g_clear_pointer (&note->summary, g_free);
  g_clear_pointer (&note->kept, g_free);
}

BeckonNoteKind
beckon_note_get_kind (BeckonMessage *message)
{
  Members found = { .through = -1 };

  g_return_val_if_fail (BECKON_IS_MESSAGE (message), BECKON_NOTE_NONE);

  if (beckon_message_get_n_parts (message) != 1)
    return BECKON_NOTE_NONE;
  return read_members (beckon_message_get_part (message, 0), &found);
}

static const char *
find_break (const char *reason)
{
  static const struct
  {
    const char *reason;
    const char *sentence;
  } breaks[] = {
    { BECKON_PREFIX_TOOLS, N_("The tools of this conversation changed, so the model reads all of it again.") },
    { BECKON_PREFIX_PROMPT, N_("The system prompt changed, so the model reads the whole conversation again.") },
    { BECKON_PREFIX_UNTRUSTED,
      N_("The folder brings instructions for the agent. They aren’t used, because you weren’t there to allow them.") },
    { BECKON_PREFIX_RESULTS, N_("The conversation is long: the model now gets earlier results of tools shortened.") },
    { BECKON_PREFIX_FILES, N_("PDFs are now sent in another form, so the model reads the whole conversation again.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (breaks); i++)
    if (g_str_equal (breaks[i].reason, reason))
      return breaks[i].sentence;
  return NULL;
}

gboolean
beckon_note_has_words_for (const char *reason)
{
  g_return_val_if_fail (reason != NULL, FALSE);

  return find_break (reason) != NULL;
}

char *
beckon_note_dup_sentence (BeckonPart *part)
{
  g_auto (BeckonNote) note = { 0 };
  g_autofree char *reason = NULL;
  char *text;
  gsize length;

  if (!beckon_note_read (part, &note))
    return NULL;
  if (note.kind == BECKON_NOTE_SUMMARY)
    return g_strdup (_("The model works with a summary of what is above"));
  if (note.kind == BECKON_NOTE_SIGHT)
    /* Translators: %s is a model */
    return beckon_text_printf (_("%s does not see pictures. It is only told what they are called."), note.from);
  if (note.kind == BECKON_NOTE_THINKING)
    /* Translators: %s is a model */
    return beckon_text_printf (_("%s no longer accepts its earlier thinking, so the conversation continues without it."),
                               note.from);
  if (note.kind == BECKON_NOTE_FILES)
    /* Translators: %s is a model */
    return beckon_text_printf (_("%s gets the text of PDFs, not the files."), note.from);
  if (note.kind == BECKON_NOTE_PREFIX)
    {
      const char *sentence = find_break (note.reason);

      return g_strdup (sentence != NULL ? _(sentence) : _("The model reads the whole conversation again."));
    }

  /* Servers end what they say with a full stop, or do not. */
  text = g_strstrip (g_strdup (note.reason));
  length = strlen (text);
  while (length > 0 && (text[length - 1] == '.' || g_str_has_suffix (text, "。")))
    {
      length -= text[length - 1] == '.' ? 1 : strlen ("。");
      text[length] = '\0';
    }
  reason = text;
  if (note.kind == BECKON_NOTE_SERVER)
    /* Translators: a server of tools that a folder brings, and why (a sentence without its end); the command stays as it is */
    return beckon_text_printf (_("The folder's server “%1$s” is not used: %2$s. More is in Preferences, Servers, or with "
                                 "“beckonctl mcp log”."), note.from, reason);
  if (note.kind == BECKON_NOTE_REFUSED && *note.to == '\0')
    /* Translators: a model, and what its server said (a sentence without its end) */
    return beckon_text_printf (_("%1$s gets the conversation without the last pictures: %2$s."), note.from, reason);
  if (note.kind == BECKON_NOTE_REFUSED)
    /* Translators: a model, a tool, and what the model's server said (a sentence without its end) */
    return beckon_text_printf (_("%1$s no longer gets the tool “%2$s”: %3$s."), note.from, note.to, reason);
  /* Translators: the name of a profile, why it failed (a sentence without its end), the name of another profile */
  return beckon_text_printf (_("“%s” could not be used: %s. Going on with “%s”."), note.from, reason, note.to);
}
