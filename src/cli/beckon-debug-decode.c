/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-debug-decode.h"

#include "base/beckon-json-writer.h"
#include "beckon-command.h"
#include "beckon-debug-mcp.h"
#include "llm/beckon-codec.h"
#include "net/beckon-llm-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Text is printed as it comes: the line of a text stays open until something else is to be printed, and every piece is
 * added to it, so that pieces do not show and no long text has to be held. */

#define READ_SIZE 65536

/* The same bound that a decoder has for an event. */
#define MAX_LINE (8 * 1024 * 1024)

#define MOST_OF_A_PIECE 64

typedef struct
{
  FILE *input;
  FILE *output;
  BeckonDecoder *decoder;
  GString *buffer;
  gsize piece;  /* how much is decoded at once; 0 for all there is */
  GRand *pieces; /* (nullable): likewise, as chance has it */
  int open; /* the type of event whose line is open, -1 if none */
  GString *line;
} Decode;

static void
close_line (Decode *self)
{
  if (self->open >= 0)
    fputs ("\"}\n", self->output);
  self->open = -1;
}

static void
write_count (BeckonJsonWriter *writer, const char *name, gint64 count)
{
  beckon_json_writer_name (writer, name);
  if (count < 0)
    beckon_json_writer_null (writer);
  else
    beckon_json_writer_int (writer, count);
}

static void
debug_decode_write_call (BeckonJsonWriter *writer, const BeckonLlmEvent *event)
{
  beckon_json_writer_member_string (writer, "id", event->id);
  beckon_json_writer_member_string (writer, "name", event->name);
  beckon_json_writer_member_string (writer, "arguments", event->arguments);
}

static void
debug_decode_write_message (BeckonJsonWriter *writer, const BeckonLlmEvent *event)
{
  beckon_json_writer_name (writer, "message");
  beckon_json_writer_string (writer, event->text, (gssize) event->length);
}

static void
write_members (BeckonJsonWriter *writer, const BeckonLlmEvent *event)
{
  switch (event->type)
    {
    case BECKON_LLM_EVENT_OPAQUE:
      beckon_json_writer_member_string (writer, "type", "opaque");
      beckon_json_writer_name (writer, "block");
      beckon_json_writer_raw (writer, event->text, (gssize) event->length);
      break;
    case BECKON_LLM_EVENT_CALL:
      beckon_json_writer_member_string (writer, "type", "tool_call");
      debug_decode_write_call (writer, event);
      break;
    case BECKON_LLM_EVENT_BAD_CALL:
      beckon_json_writer_member_string (writer, "type", "error");
      debug_decode_write_message (writer, event);
      debug_decode_write_call (writer, event);
      break;
    case BECKON_LLM_EVENT_ERROR:
      beckon_json_writer_member_string (writer, "type", "error");
      debug_decode_write_message (writer, event);
      break;
    case BECKON_LLM_EVENT_USAGE:
      beckon_json_writer_member_string (writer, "type", "usage");
      write_count (writer, "input", event->usage.input);
      write_count (writer, "output", event->usage.output);
      write_count (writer, "cached", event->usage.cached);
      break;
    case BECKON_LLM_EVENT_END:
      beckon_json_writer_member_string (writer, "type", "end");
      beckon_json_writer_member_string (writer, "state", beckon_llm_end_to_string (event->end));
      if (event->text != NULL)
        debug_decode_write_message (writer, event);
      break;
    case BECKON_LLM_EVENT_TEXT:
    case BECKON_LLM_EVENT_REASONING:
    case BECKON_LLM_EVENT_CALL_STARTED:
    default:
      g_assert_not_reached ();
    }
}

static void
debug_decode_on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Decode *self = user_data;
  BeckonJsonWriter writer;

  /* That a call began is for showing it early; here it would only split the text around it by accident. */
  if (event->type == BECKON_LLM_EVENT_CALL_STARTED)
    return;
  if (event->type == BECKON_LLM_EVENT_TEXT || event->type == BECKON_LLM_EVENT_REASONING)
    {
      if (self->open != (int) event->type)
        {
          close_line (self);
          fprintf (self->output, "{\"type\":\"%s\",\"text\":\"",
                   event->type == BECKON_LLM_EVENT_TEXT ? "text" : "reasoning");
          self->open = (int) event->type;
        }
      beckon_json_writer_init (&writer, self->buffer);
      beckon_json_writer_string (&writer, event->text, (gssize) event->length);
      fwrite (self->buffer->str + 1, 1, self->buffer->len - 2, self->output);
      g_string_truncate (self->buffer, 0);

      return;
    }
  close_line (self);
  beckon_json_writer_init (&writer, self->buffer);
  beckon_json_writer_begin_object (&writer);
  write_members (&writer, event);
  beckon_json_writer_end_object (&writer);
  g_string_append_c (self->buffer, '\n');
  fwrite (self->buffer->str, 1, self->buffer->len, self->output);
  g_string_truncate (self->buffer, 0);
}

static void
put_failure (Decode *self, const char *message)
{
  BeckonLlmEvent error = { .type = BECKON_LLM_EVENT_ERROR, .text = message, .length = strlen (message) };
  BeckonLlmEvent end = { .type = BECKON_LLM_EVENT_END, .end = BECKON_LLM_END_FAILED };

  debug_decode_on_event (&error, self);
  debug_decode_on_event (&end, self);
}

static gboolean
push_lines (Decode *self, const char *data, gsize length, GError **error)
{
  const char *end = data + length;
  const char *line_end;

  while ((line_end = memchr (data, '\n', (gsize) (end - data))) != NULL)
    {
      g_string_append_len (self->line, data, line_end - data);
      beckon_decoder_push_payload (self->decoder, self->line->str, self->line->len);
      g_string_truncate (self->line, 0);
      data = line_end + 1;
    }
  g_string_append_len (self->line, data, end - data);
  if (self->line->len <= MAX_LINE)
    return TRUE;
  g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE, _("A line is longer than 8 MB."));
  return FALSE;
}

static gsize
choose_piece (Decode *self, gsize length)
{
  gsize piece = self->pieces != NULL ? (gsize) g_rand_int_range (self->pieces, 1, MOST_OF_A_PIECE + 1) : self->piece;

  return piece > 0 ? MIN (length, piece) : length;
}

static gboolean
push_in_pieces (Decode *self, gboolean by_lines, const char *data, gsize length, GError **error)
{
  while (length > 0)
    {
      gsize piece = choose_piece (self, length);
      /* In memory of its own, so that reading behind it is caught. */
      g_autofree char *copy = g_memdup2 (data, piece);

      if (!(by_lines ? push_lines (self, copy, piece, error) : beckon_decoder_push (self->decoder, copy, piece, error)))
        return FALSE;
      data += piece;
      length -= piece;
    }
  return TRUE;
}

/* FALSE when the input could not be read. */
static gboolean
debug_decode_text (Decode *self, gboolean by_lines)
{
  g_autofree char *data = g_malloc (READ_SIZE);
  g_autoptr (GError) error = NULL;
  gboolean pushed = TRUE;
  gsize length;

  while (pushed && (length = fread (data, 1, READ_SIZE, self->input)) > 0)
    pushed = push_in_pieces (self, by_lines, data, length, &error);
  if (!pushed)
    put_failure (self, error->message);
  else if (!ferror (self->input))
    {
      if (self->line->len > 0)
        beckon_decoder_push_payload (self->decoder, self->line->str, self->line->len);
      beckon_decoder_finish (self->decoder);
    }
  return !ferror (self->input);
}

static int
complain (const char *file, int error_number)
{
  g_printerr (_("beckonctl: Couldn't read “%s”: %s"), file, g_strerror (error_number));
  g_printerr ("\n");
  return 1;
}

/* "N" or "random:SEED"; nothing for all at once. */
static gboolean
read_pieces (Decode *self, const char *text)
{
  guint64 number;

  if (text == NULL)
    return TRUE;
  if (g_str_has_prefix (text, "random:") && g_ascii_string_to_unsigned (text + 7, 10, 0, G_MAXUINT32, &number, NULL))
    {
      self->pieces = g_rand_new_with_seed ((guint32) number);
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT32, &number, NULL))
    return FALSE;
  self->piece = (gsize) number;
  return TRUE;
}

static int
decode_file (Decode *options, const BeckonCodec *codec, const char *file)
{
  gboolean is_stdin = strcmp (file, "-") == 0;
  Decode self = { .input = is_stdin ? stdin : fopen (file, "rbe"), .output = stdout, .open = -1,
                  .piece = options->piece, .pieces = options->pieces };
  int status = 0;

  if (self.input == NULL)
    return complain (file, errno);
  self.decoder = codec->decoder_new (debug_decode_on_event, &self);
  self.buffer = g_string_new (NULL);
  self.line = g_string_new (NULL);
  if (!debug_decode_text (&self, g_str_has_suffix (file, ".chunks.txt")))
    status = complain (file, errno);
  if (fflush (self.output) != 0)
    status = 1;
  beckon_decoder_free (self.decoder);
  g_string_free (self.buffer, TRUE);
  g_string_free (self.line, TRUE);
  if (!is_stdin)
    fclose (self.input);
  return status;
}

/* Prints the events of a recorded reply as JSON Lines: `text`, `reasoning`, `tool_call`, `usage`, `error` and, last, `end`.
 * However the recording was cut into pieces, the output is the same. A file whose name ends in `.chunks.txt` has one payload
 * a line. Needs the memory of one event and of the calls, not of the file. Returns the exit status: 0 once everything was
 * decoded, whatever it says; 1 when it cannot be read, 2 when misused */
static int
debug_decode_run (int argc, char **argv)
{
  const char *option = argc > 1 && g_str_has_prefix (argv[1], "--pieces=") ? argv[1] + strlen ("--pieces=") : NULL;
  char **operands = argv + (option != NULL ? 2 : 1);
  Decode options = { .piece = 0 };
  const BeckonCodec *codec;
  int status;

  if (argc != (option != NULL ? 4 : 3) || !read_pieces (&options, option))
    {
      g_printerr (_("Usage: beckonctl debug decode [--pieces=N|random:SEED] PROTOCOL FILE"));
      g_printerr ("\n");
      return BECKON_COMMAND_MISUSED;
    }
  codec = beckon_codec_lookup (operands[0]);
  if (codec == NULL)
    {
      g_autofree char *known = g_strjoinv (", ", (char **) beckon_codec_get_names ());

      g_clear_pointer (&options.pieces, g_rand_free);
      g_printerr (_("beckonctl: “%s” is not a protocol. Choose one of: %s"), operands[0], known);
      g_printerr ("\n");
      return BECKON_COMMAND_MISUSED;
    }
  status = decode_file (&options, codec, operands[1]);
  g_clear_pointer (&options.pieces, g_rand_free);
  return status;
}

int
beckon_debug_run (int argc, char **argv)
{
  static const BeckonCommand commands[] = {
    { "decode", N_("Print the events of a recorded reply"), debug_decode_run },
    { "mcp-conformance", N_("Use all tools of an MCP server"), beckon_debug_mcp_run },
    { NULL, NULL, NULL },
  };

  return beckon_command_dispatch ("beckonctl debug", commands, argc, argv);
}
