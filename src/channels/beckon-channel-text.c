/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-text.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "channels/beckon-channel-class.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* More than this is not said in one go; the rest is on the desktop. */
#define MOST_PIECES 20

/* The end of what fits into one message. */
static const char *
channel_text_find_end (const char *text, const BeckonChannelLimits *limits)
{
  const char *at = text;
  guint n_units = 0;

  for (guint n = 1; *at != '\0'; n++)
    {
      const char *next = g_utf8_next_char (at);

      n_units += g_utf8_get_char (at) > 0xffff ? 2 : 1;
      if ((limits->max_characters > 0 && n > limits->max_characters) || (limits->max_units > 0 && n_units > limits->max_units)
          || (limits->max_bytes > 0 && (gsize) (next - text) > limits->max_bytes))
        break;
      at = next;
    }
  return at;
}

gboolean
beckon_channel_text_fits (const char *text, const BeckonChannelLimits *limits)
{
  return *channel_text_find_end (text, limits) == '\0';
}

/* --- What is offered ---------------------------------------------------------------------------------------------- */

BeckonChannelOffer
beckon_channel_text_get_offer (BeckonRequest *request, const BeckonChannelAccount *account,
                               const BeckonChannelLimits *limits)
{
  const BeckonChannelClass *class = beckon_channel_class_get (request);

  return limits->has_text && limits->can_receive && class->is_whole != NULL && class->is_whole (request, account, limits)
           ? BECKON_CHANNEL_OFFER_WHOLE
           : BECKON_CHANNEL_OFFER_NOTICE;
}

const char *
beckon_channel_text_get_title (BeckonRequest *request)
{
  return _(beckon_channel_class_get (request)->title);
}

gboolean
beckon_channel_text_is_named (BeckonRequest *request)
{
  return beckon_channel_class_get (request)->is_named;
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

char *
beckon_channel_text_format (BeckonRequest *request, guint item, BeckonChannelOffer offer)
{
  const BeckonChannelClass *class;

  class = beckon_channel_class_get (request);
  if (offer == BECKON_CHANNEL_OFFER_NOTICE)
    return beckon_text_printf (_("%s. Answer it on the desktop."), _(class->title));
  return class->format != NULL ? class->format (request, item) : beckon_plain_text_format_with_code (request, item);
}

char *
beckon_channel_text_format_choices (BeckonRequest *request, guint item, const BeckonChannelLimits *limits)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = NULL;
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;

  if (beckon_channel_class_get (request)->add_labels != NULL)
    beckon_channel_class_get (request)->add_labels (request, item, labels);
  /* Labels that no two of are cut to the same words. */
  seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  json = g_string_new (NULL);
  if (labels->len == 0 || labels->len > limits->max_choices)
    return NULL;
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < labels->len; i++)
    {
      g_autofree char *shown = beckon_text_for_display (g_ptr_array_index (labels, i), -1, BECKON_TEXT_EXACT);
      char *label = beckon_text_shorten (shown, limits->max_label > 0 ? limits->max_label : 40);

      beckon_json_writer_string (&writer, label, -1);
      if (!g_hash_table_add (seen, label))
        return NULL;
    }
  beckon_json_writer_end_array (&writer);
  return g_string_free (g_steal_pointer (&json), FALSE);
}

char *
beckon_channel_text_format_end (BeckonRequest *request, BeckonChannelOffer offer)
{
  g_autofree char *summary = NULL;
  g_autofree char *shown = NULL;
  g_autoptr (GError) error = NULL;

  if (beckon_request_check_pending (request, &error))
    return g_strdup ("");
  summary = offer == BECKON_CHANNEL_OFFER_WHOLE ? beckon_request_dup_summary (request) : NULL;
  shown = beckon_text_for_display (summary, -1, BECKON_TEXT_MARKED);
  return *shown != '\0' ? g_strconcat ("✓ ", shown, "\n", error->message, NULL) : g_strconcat ("✓ ", error->message, NULL);
}

gboolean
beckon_channel_text_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  const BeckonChannelClass *class;

  class = beckon_channel_class_get (request);
  return class->check_answer == NULL || class->check_answer (answer, error);
}

/* --- Pieces ------------------------------------------------------------------------------------------------------- */

/* A good place to cut before @end, in the second half. */
static const char *
find_cut (const char *text, const char *end)
{
  static const char *const seams[] = { "\n\n", "\n", " " };
  const char *half = text + (end - text) / 2;

  for (guint i = 0; i < G_N_ELEMENTS (seams); i++)
    {
      const char *found = g_strrstr_len (text, end - text, seams[i]);

      if (found != NULL && found > half)
        return found;
    }
  return end;
}

char **
beckon_channel_text_split (const char *text, const BeckonChannelLimits *limits)
{
  g_autofree char *shown = NULL;
  g_autoptr (GStrvBuilder) pieces = g_strv_builder_new ();
  guint n = 0;

  shown = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);
  for (const char *at = shown; *at != '\0' || n == 0;)
    {
      const char *end = channel_text_find_end (at, limits);
      const char *cut = *end == '\0' ? end : find_cut (at, end);
      g_autofree char *piece = g_strstrip (g_strndup (at, (gsize) (cut - at)));

      if (++n == MOST_PIECES && *end != '\0')
        {
          g_strv_builder_add (pieces, _("… The rest is on the desktop."));
          break;
        }
      g_strv_builder_add (pieces, piece);
      at = cut;
      while (g_ascii_isspace (*at))
        at++;
      if (cut == at && *end == '\0')
        break;
    }
  return g_strv_builder_end (pieces);
}
