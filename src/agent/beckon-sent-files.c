/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-sent-files.h"

#include "beckon-tokens.h"
#include "domain/beckon-attachment.h"

/* Of a request, with a quarter of it left for all else: Anthropic takes 32 MB, Google 20 MB in line, OpenAI 50 MB, and gateways
 * what the model's server takes. In base64 a file is a third larger. */
#define MB (1024 * 1024)
#define MOST_BYTES (12 * MB)
#define MOST_BYTES_ANTHROPIC (18 * MB)
#define MOST_BYTES_OPENAI (24 * MB)

/* Anthropic: 600 pages, and 100 for models with a window of 200,000 tokens; Google: 1000. */
#define MOST_PAGES 100
#define MOST_PAGES_LARGE_WINDOW 600
#define LARGE_WINDOW 500000

typedef struct
{
  gsize bytes;
  guint pages;
  gint64 tokens;
} Room;

static gsize
get_most_bytes (BeckonProfileKind kind)
{
  switch (kind)
    {
    case BECKON_PROFILE_ANTHROPIC:
      return MOST_BYTES_ANTHROPIC;
    case BECKON_PROFILE_RESPONSES:
      return MOST_BYTES_OPENAI;
    case BECKON_PROFILE_CHAT:
    case BECKON_PROFILE_GEMINI:
    case BECKON_PROFILE_OLLAMA:
    case BECKON_PROFILE_TOUR:
    default:
      return MOST_BYTES;
    }
}

static Room
get_room (BeckonProfile *profile)
{
  guint window = beckon_profile_get_effective_window (profile);

  return (Room){ get_most_bytes (beckon_profile_get_kind (profile)),
                 window >= LARGE_WINDOW ? MOST_PAGES_LARGE_WINDOW : MOST_PAGES, window / 2 };
}

static gboolean
take_room (Room *room, BeckonPart *part)
{
  guint pages;
  gsize bytes = g_bytes_get_size (beckon_attachment_get_pdf (part, &pages));
  gint64 tokens = beckon_tokens_of_part (part);

  if (bytes > room->bytes || pages > room->pages || tokens > room->tokens)
    return FALSE;
  room->bytes -= bytes;
  room->pages -= pages;
  room->tokens -= tokens;
  return TRUE;
}

gboolean
beckon_sent_files_fits (BeckonPart *pdf, BeckonProfile *profile)
{
  Room room;

  g_return_val_if_fail (beckon_attachment_get_pdf (pdf, NULL) != NULL, FALSE);
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), FALSE);

  room = get_room (profile);
  return beckon_profile_reads_pdfs (profile) && take_room (&room, pdf);
}

static gboolean
has_pdf (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_attachment_get_pdf (beckon_message_get_part (message, i), NULL) != NULL)
      return TRUE;
  return FALSE;
}

static BeckonMessage *
bound_message (BeckonMessage *message, Room *room)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      gboolean is_pdf = beckon_attachment_get_pdf (part, NULL) != NULL;
      g_autoptr (BeckonPart) kept
          = is_pdf && !take_room (room, part) ? beckon_attachment_copy_text (part) : g_object_ref (part);

      beckon_message_add_part (copy, kept);
    }
  return copy;
}

void
beckon_sent_files_bound (GPtrArray *messages, BeckonProfile *profile, gboolean as_text)
{
  Room room = { 0 };

  g_return_if_fail (messages != NULL);
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  if (!as_text && beckon_profile_reads_pdfs (profile))
    room = get_room (profile);
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);

      if (!has_pdf (message))
        continue;
      g_ptr_array_index (messages, i) = bound_message (message, &room);
      g_object_unref (message);
    }
}

gboolean
beckon_sent_files_has_any (GPtrArray *messages, guint first)
{
  g_return_val_if_fail (messages != NULL, FALSE);

  for (guint i = first; i < messages->len; i++)
    if (has_pdf (g_ptr_array_index (messages, i)))
      return TRUE;
  return FALSE;
}
