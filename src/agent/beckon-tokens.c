/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tokens.h"

#include "domain/beckon-attachment.h"

#include <string.h>

/* In twelfths of a token, so that no piece of a text is rounded by itself. */
#define TWELFTHS 12
#define WIDE 8
#define NARROW 3

#define PER_MESSAGE 4
#define PER_IMAGE 1000

/* A page of a PDF is sent to the model as its text and as a picture: 1,500 to 3,000 tokens together with Anthropic. */
#define PER_PAGE 1500

/* Smaller ones say more of what frames a request than of how texts are counted. */
#define MIN_TO_LEARN 100

/* A server that counts more differently than this speaks of something else. */
#define MAX_RATIO 8.0

/* Without a word of the server, what was refused is taken to be this much too long. */
#define SHRINK 0.7
#define MIN_WINDOW 1000

typedef struct
{
  double ratio;  /* counted by estimated; 0 while it is not known */
  gint64 window; /* 0 while none was refused */
} Known;

struct _BeckonTokenMeter
{
  grefcount references;
  GHashTable *profiles; /* id → Known */
};

static gboolean
is_wide (gunichar c)
{
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) || (c >= 0xf900 && c <= 0xfaff)
         || (c >= 0xff00 && c <= 0xffef) || (c >= 0x20000 && c <= 0x3ffff);
}

/* Eight letters of the narrow kind, which is what most of a request is made of. */
static inline gboolean
is_narrow (const char *text)
{
  guint64 bytes;

  memcpy (&bytes, text, sizeof bytes);
  return (bytes & G_GUINT64_CONSTANT (0x8080808080808080)) == 0;
}

static gint64
count_twelfths (const char *text, gsize length)
{
  const char *end = text + length;
  gint64 twelfths = 0;

  while (text < end)
    {
      gunichar c;

      for (; end - text >= 8 && is_narrow (text); text += 8)
        twelfths += 8 * NARROW;
      if (text == end)
        break;
      c = (guchar) *text < 0x80 ? 0 : g_utf8_get_char_validated (text, end - text);

      twelfths += c < (gunichar) -2 && is_wide (c) ? WIDE : NARROW;
      text += c < (gunichar) -2 && c != 0 ? g_utf8_skip[(guchar) *text] : 1;
    }
  return twelfths;
}

static gint64
round_up (gint64 twelfths)
{
  return (twelfths + TWELFTHS - 1) / TWELFTHS;
}

gint64
beckon_tokens_of_text (const char *text, gsize length)
{
  g_return_val_if_fail (text != NULL || length == 0, 0);

  return round_up (count_twelfths (text, length));
}

static gint64
count_string (const char *text)
{
  return text != NULL ? count_twelfths (text, strlen (text)) : 0;
}

static gint64
count_call (BeckonToolCall *call)
{
  return 2 * PER_MESSAGE * TWELFTHS + count_string (beckon_tool_call_get_name (call))
         + count_string (beckon_tool_call_get_effective_arguments (call))
         + count_string (beckon_tool_call_get_result (call))
         + (gint64) beckon_tool_call_get_n_images (call) * PER_IMAGE * TWELFTHS;
}

static gint64
count_part (BeckonPart *part)
{
  guint n_pages;

  switch (beckon_part_get_kind (part))
    {
    case BECKON_PART_CALL:
      return count_call (beckon_part_get_call (part));
    case BECKON_PART_IMAGE:
      return PER_IMAGE * TWELFTHS;
    case BECKON_PART_TEXT:
    case BECKON_PART_REASONING:
    case BECKON_PART_OPAQUE:
    default:
      beckon_attachment_get_pdf (part, &n_pages);
      return (gint64) n_pages * PER_PAGE * TWELFTHS
             + count_twelfths (beckon_part_get_text (part), beckon_part_get_length (part));
    }
}

gint64
beckon_tokens_of_part (BeckonPart *part)
{
  g_return_val_if_fail (BECKON_IS_PART (part), 0);

  return round_up (count_part (part));
}

gint64
beckon_tokens_of_message (BeckonMessage *message)
{
  gint64 twelfths = PER_MESSAGE * TWELFTHS;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    twelfths += count_part (beckon_message_get_part (message, i));
  return round_up (twelfths);
}

gint64
beckon_tokens_of_messages (GPtrArray *messages)
{
  gint64 tokens = 0;

  for (guint i = 0; i < messages->len; i++)
    tokens += beckon_tokens_of_message (g_ptr_array_index (messages, i));
  return tokens;
}

gint64
beckon_tokens_of_request (const BeckonLlmRequest *request)
{
  gint64 twelfths = PER_MESSAGE * TWELFTHS;

  twelfths += count_string (request->system);
  for (guint i = 0; i < request->tools->len; i++)
    {
      BeckonToolDefinition *tool = g_ptr_array_index (request->tools, i);

      twelfths += PER_MESSAGE * TWELFTHS + count_string (tool->name) + count_string (tool->description)
                  + count_string (tool->schema);
    }
  return beckon_tokens_of_messages (request->messages) + round_up (twelfths);
}

/* --- What was learnt ---------------------------------------------------------------------------------------------- */

BeckonTokenMeter *
beckon_token_meter_new (void)
{
  BeckonTokenMeter *self = g_new0 (BeckonTokenMeter, 1);

  g_ref_count_init (&self->references);
  self->profiles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

BeckonTokenMeter *
beckon_token_meter_ref (BeckonTokenMeter *meter)
{
  g_ref_count_inc (&meter->references);
  return meter;
}

void
beckon_token_meter_unref (BeckonTokenMeter *meter)
{
  if (!g_ref_count_dec (&meter->references))
    return;
  g_hash_table_unref (meter->profiles);
  g_free (meter);
}

static Known *
get_known (BeckonTokenMeter *self, const char *profile_id)
{
  Known *known = g_hash_table_lookup (self->profiles, profile_id);

  if (known == NULL)
    {
      known = g_new0 (Known, 1);
      g_hash_table_insert (self->profiles, g_strdup (profile_id), known);
    }
  return known;
}

void
beckon_token_meter_note (BeckonTokenMeter *meter, const char *profile_id, gint64 estimate, gint64 reported)
{
  double ratio;

  g_return_if_fail (meter != NULL && profile_id != NULL);

  if (estimate < MIN_TO_LEARN || reported <= 0)
    return;
  ratio = (double) reported / (double) estimate;
  if (ratio <= MAX_RATIO && ratio >= 1 / MAX_RATIO)
    get_known (meter, profile_id)->ratio = ratio;
}

static double
get_ratio (const Known *known)
{
  return known->ratio > 0 ? known->ratio : 1;
}

/* Not part of a name, an address or a port. */
static gboolean
stands_alone (const char *words, const char *number, const char *end)
{
  return (number == words || strchr (" (=>", number[-1]) != NULL) && !g_ascii_isalnum (*end) && *end != ':' && *end != '_';
}

typedef struct
{
  gint64 smallest, largest; /* 0 if there is none */
  guint n;
} Figures;

/* "maximum context length is 8192 tokens. However, your messages resulted in 10234 tokens": the window is the smaller one. */
static Figures
read_figures (const char *words)
{
  Figures figures = { 0 };

  for (const char *at = words; at != NULL && *at != '\0';)
    {
      char *end = NULL;
      gint64 number;

      if (!g_ascii_isdigit (*at))
        {
          at++;
          continue;
        }
      number = g_ascii_strtoll (at, &end, 10);
      if (stands_alone (words, at, end) && number >= MIN_WINDOW && number < G_MAXINT32)
        {
          figures.smallest = figures.n == 0 ? number : MIN (number, figures.smallest);
          figures.largest = MAX (number, figures.largest);
          figures.n++;
        }
      at = end;
    }
  return figures;
}

void
beckon_token_meter_note_too_long (BeckonTokenMeter *meter, const char *profile_id, gint64 estimate, const char *words)
{
  Known *known;
  Figures figures = read_figures (words);
  gint64 sent, window;

  g_return_if_fail (meter != NULL && profile_id != NULL);

  /* Two of them are the window and the server's count of what was sent; more have the room for the reply in them. */
  if (figures.n == 2 && figures.largest > figures.smallest)
    beckon_token_meter_note (meter, profile_id, estimate, figures.largest);
  known = get_known (meter, profile_id);
  sent = (gint64) ((double) estimate * get_ratio (known));
  window = figures.smallest;
  if (window == 0 || window >= sent)
    window = (gint64) ((double) sent * SHRINK);
  known->window = MAX (known->window > 0 ? MIN (window, known->window) : window, MIN_WINDOW);
}

gint64
beckon_token_meter_get_budget (BeckonTokenMeter *meter, BeckonProfile *profile)
{
  const Known *known;
  gint64 window;

  g_return_val_if_fail (meter != NULL && BECKON_IS_PROFILE (profile), 0);

  known = get_known (meter, beckon_profile_get_id (profile));
  window = beckon_profile_get_effective_window (profile);
  if (known->window > 0)
    window = MIN (window, known->window);
  return (gint64) ((double) window * 0.9 / get_ratio (known));
}
