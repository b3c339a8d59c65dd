/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sse-parser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A line ends at CR, LF or CR LF. A CR at the end of a push ends its line at once, and a LF that begins the next push
 * belongs to it. */

typedef struct
{
  const char *at;
  const char *end;
  const char *next_lf; /* the first one from `at` on, `end` if there is none, NULL while unknown */
  const char *next_cr;
} Input;

struct _BeckonSseParser
{
  BeckonSseEventFunc event_function;
  BeckonSseFieldFunc field_function;
  gpointer user_data;

  guint bom_seen; /* bytes of a byte order mark at the start, 3 once it is settled whether there was one */
  gboolean skip_lf;
  gboolean failed;
  GString *partial; /* what there is of a line whose end has not come */

  /* The event being put together. */
  gboolean has_data;
  GString *data;
  GString *type;

  GString *id;
  gint64 retry;
};

BeckonSseParser *
beckon_sse_parser_new (BeckonSseEventFunc event_function, BeckonSseFieldFunc field_function, gpointer user_data)
{
  BeckonSseParser *self;

  g_return_val_if_fail (event_function != NULL, NULL);

  self = g_new0 (BeckonSseParser, 1);
  self->event_function = event_function;
  self->field_function = field_function;
  self->user_data = user_data;
  self->partial = g_string_new (NULL);
  self->data = g_string_new (NULL);
  self->type = g_string_new (NULL);
  self->id = g_string_new (NULL);
  self->retry = -1;
  return self;
}

void
beckon_sse_parser_free (BeckonSseParser *parser)
{
  if (parser == NULL)
    return;
  g_string_free (parser->partial, TRUE);
  g_string_free (parser->data, TRUE);
  g_string_free (parser->type, TRUE);
  g_string_free (parser->id, TRUE);
  g_free (parser);
}

gint64
beckon_sse_parser_get_retry (BeckonSseParser *parser)
{
  g_return_val_if_fail (parser != NULL, -1);

  return parser->retry;
}

static void
set_string (GString *string, const char *value, gsize length)
{
  g_string_truncate (string, 0);
  g_string_append_len (string, value, (gssize) length);
}

static gboolean
is_field (const char *name, gsize length, const char *known)
{
  return length == strlen (known) && memcmp (name, known, length) == 0;
}

static void
process_field (BeckonSseParser *self, const char *name, gsize name_length, const char *value, gsize length)
{
  if (is_field (name, name_length, "data"))
    {
      if (self->has_data)
        g_string_append_c (self->data, '\n');
      self->has_data = TRUE;
      g_string_append_len (self->data, value, (gssize) length);
    }
  else if (is_field (name, name_length, "event"))
    set_string (self->type, value, length);
  else if (is_field (name, name_length, "retry"))
    {
      gint64 retry = 0;

      for (gsize i = 0; i < length; i++)
        {
          if (!g_ascii_isdigit (value[i]))
            return;
          retry = MIN (retry * 10 + (value[i] - '0'), G_MAXINT32);
        }
      if (length > 0)
        self->retry = retry;
    }
  else if (is_field (name, name_length, "id"))
    {
      if (memchr (value, '\0', length) == NULL)
        set_string (self->id, value, length);
    }
  else if (self->field_function != NULL)
    self->field_function (name, name_length, value, length, self->user_data);
}

static void
process_line (BeckonSseParser *self, const char *line, gsize length)
{
  const char *colon;
  const char *value;

  if (length == 0)
    {
      if (self->has_data)
        {
          BeckonSseEvent event = {
            .type = self->type->len > 0 ? self->type->str : "message",
            .data = self->data->str,
            .length = self->data->len,
            .id = self->id->str,
          };

          self->event_function (&event, self->user_data);
        }
      self->has_data = FALSE;
      g_string_truncate (self->data, 0);
      g_string_truncate (self->type, 0);
      return;
    }
  if (line[0] == ':')
    return;
  colon = memchr (line, ':', length);
  if (colon == NULL)
    {
      process_field (self, line, length, line + length, 0);
      return;
    }
  value = colon + 1;
  if (value < line + length && *value == ' ')
    value++;
  process_field (self, line, (gsize) (colon - line), value, (gsize) (line + length - value));
}

static const char *
find_end_of_line (Input *input)
{
  /* Each is looked for once only, however many lines end in the other one. */
  if (input->next_lf == NULL || input->next_lf < input->at)
    input->next_lf = memchr (input->at, '\n', (gsize) (input->end - input->at));
  if (input->next_lf == NULL)
    input->next_lf = input->end;
  if (input->next_cr == NULL || input->next_cr < input->at)
    input->next_cr = memchr (input->at, '\r', (gsize) (input->end - input->at));
  if (input->next_cr == NULL)
    input->next_cr = input->end;
  return MIN (input->next_lf, input->next_cr);
}

static gboolean
exceeds (BeckonSseParser *self, gsize added)
{
  gsize held = self->partial->len + self->data->len;

  return added > BECKON_SSE_MAX_EVENT - MIN (held, BECKON_SSE_MAX_EVENT);
}

static void
sse_parser_take_line (BeckonSseParser *self, Input *input, const char *end_of_line)
{
  gsize length = (gsize) (end_of_line - input->at);

  if (self->partial->len > 0)
    {
      g_string_append_len (self->partial, input->at, (gssize) length);
      process_line (self, self->partial->str, self->partial->len);
      g_string_truncate (self->partial, 0);
    }
  else
    {
      process_line (self, input->at, length);
    }
  self->skip_lf = *end_of_line == '\r';
  input->at = end_of_line + 1;
}

static void
skip_bom (BeckonSseParser *self, Input *input)
{
  static const char bom[] = "\xef\xbb\xbf";

  while (self->bom_seen < 3 && input->at < input->end)
    {
      if (*input->at != bom[self->bom_seen])
        {
          /* The partial mark was the beginning of the first line. */
          g_string_append_len (self->partial, bom, (gssize) self->bom_seen);
          self->bom_seen = 3;
          return;
        }
      input->at++;
      self->bom_seen++;
    }
}

gboolean
beckon_sse_parser_push (BeckonSseParser *parser, const char *data, gsize length, GError **error)
{
  BeckonSseParser *self = parser;
  Input input = { data, data + length, NULL, NULL };

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);
  g_return_val_if_fail (!self->failed, FALSE);

  skip_bom (self, &input);
  while (input.at < input.end)
    {
      const char *end_of_line;

      if (self->skip_lf && *input.at == '\n')
        input.at++;
      self->skip_lf = FALSE;
      if (input.at == input.end)
        break;
      end_of_line = find_end_of_line (&input);
      if (exceeds (self, (gsize) (end_of_line - input.at)))
        {
          self->failed = TRUE;
          g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE,
                               _("The server sent a single piece of more than 8 MB, which is not accepted."));
          return FALSE;
        }
      if (end_of_line == input.end)
        {
          g_string_append_len (self->partial, input.at, input.end - input.at);
          break;
        }
      sse_parser_take_line (self, &input, end_of_line);
    }
  return TRUE;
}
