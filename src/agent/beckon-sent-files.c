/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sent-files.h"

#include "base/beckon-text.h"
#include "beckon-tokens.h"
#include "domain/beckon-attachment.h"

#include <glib/gi18n-lib.h>

/* Limits of a request, with a quarter of it left for all else: Anthropic takes 32 MB, Google 20 MB in line, OpenAI 50 MB, and
 * gateways what the model's server takes. In base64 a file is a third larger. */
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
sent_files_get_room (BeckonProfile *profile)
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

  room = sent_files_get_room (profile);
  return beckon_profile_reads_pdfs (profile) && take_room (&room, pdf);
}

static guint
count_pdfs (BeckonMessage *message)
{
  guint n = 0;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    n += beckon_attachment_get_pdf (beckon_message_get_part (message, i), NULL) != NULL;
  return n;
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
    room = sent_files_get_room (profile);
  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);

      if (count_pdfs (message) == 0)
        continue;
      g_ptr_array_index (messages, i) = bound_message (message, &room);
      g_object_unref (message);
    }
}

guint
beckon_sent_files_count (GPtrArray *messages, guint first)
{
  guint n = 0;

  g_return_val_if_fail (messages != NULL, 0);

  for (guint i = first; i < messages->len; i++)
    n += count_pdfs (g_ptr_array_index (messages, i));
  return n;
}

/* --- What the person is told ---------------------------------------------------------------------------------------- */

typedef gboolean (*IsIt) (BeckonPart *part, BeckonProfile *profile);

/* A PDF whose file does not go. */
static gboolean
is_bare (BeckonPart *part, BeckonProfile *profile)
{
  return beckon_attachment_get_pages (part) > 0
         && (beckon_attachment_get_pdf (part, NULL) == NULL || !beckon_sent_files_fits (part, profile));
}

static gboolean
is_scan (BeckonPart *part, BeckonProfile *profile)
{
  return is_bare (part, profile) && beckon_attachment_is_scan (part);
}

static gboolean
is_partly_read (BeckonPart *part, BeckonProfile *profile)
{
  return is_bare (part, profile) && beckon_attachment_is_partly_read (part);
}

static gboolean
is_text (BeckonPart *part, BeckonProfile *profile)
{
  return is_bare (part, profile) && !beckon_attachment_is_scan (part);
}

static gboolean
is_large (BeckonPart *part, BeckonProfile *profile)
{
  return is_text (part, profile) && !beckon_attachment_is_partly_read (part);
}

static gboolean
has_one (GPtrArray *files, BeckonProfile *profile, IsIt is_it)
{
  for (guint i = 0; i < files->len; i++)
    if (is_it (g_ptr_array_index (files, i), profile))
      return TRUE;
  return FALSE;
}

char *
beckon_sent_files_describe (GPtrArray *files, BeckonProfile *profile)
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *model = NULL;
  gboolean reads;

  g_return_val_if_fail (files != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), NULL);

  reads = beckon_profile_reads_pdfs (profile);
  model = beckon_text_for_display (beckon_profile_get_model (profile), -1, BECKON_TEXT_EXACT);
  const struct
  {
    gboolean is_said;
    const char *format;
  } sentences[] = {
    /* Translators: %s is a model, here and in the next three */
    { !reads && has_one (files, profile, is_text), _("%s gets the text of PDFs, without their pictures and layout.") },
    { reads && has_one (files, profile, is_large), _("%s gets the text of this PDF, which is too large as a file.") },
    { reads && has_one (files, profile, is_partly_read), _("%s gets the text of this PDF, of which a part can’t be read.") },
    { has_one (files, profile, is_scan),
      _("%s gets nothing of a PDF whose pages are pictures. Attach pictures of its pages instead.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      g_autofree char *sentence = sentences[i].is_said ? beckon_text_fill_in (sentences[i].format, model) : NULL;

      if (sentence != NULL)
        g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", sentence);
    }
  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}
