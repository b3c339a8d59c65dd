/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-printer.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-command.h"
#include "beckon-end-text.h"
#include "domain/beckon-citation.h"
#include "domain/beckon-note.h"
#include "domain/beckon-opaque.h"
#include "domain/beckon-tool-call.h"
#include "policy/beckon-policy.h"
#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-request.h"
#include "text/beckon-away-digest.h"
#include "text/beckon-call-labels.h"
#include "text/beckon-plain-call.h"
#include "text/beckon-plain-landed.h"
#include "text/beckon-plain-text.h"
#include "tools/beckon-command.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Columns for the words of a live line: eighty have room for how to stop it, too. */
#define MOST_LIVE 50

/* Seconds after which a call that still runs is shown with a clock. The model is, as soon as a reply would not come at once. */
#define LONG_SECONDS 3
#define FIRST_CLOCK_MS 400

struct _BeckonPrinter
{
  GObject parent_instance;

  BeckonConversation *conversation; /* (owned) */
  BeckonMessage *reply;             /* (owned) (nullable): the last one that streamed */
  FILE *text;
  FILE *notes;
  gboolean colour;
  gboolean is_quiet;    /* of notes only problems are printed */
  gboolean is_unattended;
  gboolean has_commands; /* the person has /undo */
  gboolean is_terminal; /* @text stands among our own cards there */
  char *waits_for;      /* (owned) (nullable): why the server is asked again later, as it was printed last */
  gboolean in_line;   /* text was printed that does not end a line */
  guint column;       /* where that ends */
  guint n_ticks;      /* with which the line begins, until it has something else */
  gboolean is_fenced; /* lines of code are left as they are, and so are rows of a table */
  gboolean is_row;
  GString *word;      /* (owned): with which it ends, of so many columns */
  guint word_columns;
  GString *held;      /* (owned): text that waits for the end of its line, because the person is typing below it */
  BeckonLineReader *lines; /* (nullable) */
  BeckonPlainLoss losses;
  guint flush_source;
  GPtrArray *running;  /* (owned) (element-type BeckonToolCall): calls that the run waits for */
  gint64 model_since;  /* when the model began with what it does */
  guint clock_source;
  gboolean has_clock;  /* what runs stands in the last line, until something is printed */
};

G_DEFINE_FINAL_TYPE (BeckonPrinter, beckon_printer, G_TYPE_OBJECT)

static gboolean
on_flush (gpointer user_data)
{
  BeckonPrinter *self = user_data;

  self->flush_source = 0;
  fflush (self->text);
  return G_SOURCE_REMOVE;
}

static void
printer_make_room (BeckonPrinter *self)
{
  if (self->lines != NULL)
    beckon_line_reader_make_room (self->lines);
  if (self->has_clock)
    fputs ("\r\033[K", self->notes);
  self->has_clock = FALSE;
}

/* 0 where lines are not broken. */
static guint
printer_get_columns (BeckonPrinter *self)
{
  struct winsize size = { 0 };

  return self->is_terminal && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0 && ioctl (fileno (self->text), TIOCGWINSZ, &size) == 0
           ? size.ws_col : 0;
}

static void
printer_begin_line (BeckonPrinter *self)
{
  self->column = self->word_columns = self->n_ticks = 0;
  self->is_row = FALSE;
  g_string_truncate (self->word, 0);
}

/* A word that reaches the end of the line goes to the next one. It comes in pieces, so its beginning may stand there already,
 * and is taken back. */
static void
printer_write_wrapped (BeckonPrinter *self, const char *text, gsize length)
{
  const guint columns = printer_get_columns (self);

  for (const char *at = text, *next; at < text + length; at = next)
    {
      const gunichar c = g_utf8_get_char (at);
      const guint width = g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
      const gboolean is_full = !self->is_fenced && !self->is_row && self->column + width >= columns;

      next = g_utf8_next_char (at);
      if (self->column == 0)
        self->is_row = c == '|' || c == '\t';
      if (c == '`' && self->n_ticks == self->column && ++self->n_ticks == strlen ("```"))
        self->is_fenced = !self->is_fenced;
      if (columns == 0 || c == '\n' || c == ' ' || width != 1)
        {
          g_string_truncate (self->word, 0);
          self->word_columns = 0;
        }
      else if (is_full && self->word_columns < MIN (self->column, columns / 2))
        {
          if (self->word_columns > 0)
            fprintf (self->text, "\033[%uD\033[K", self->word_columns);
          fprintf (self->text, "\n%s", self->word->str);
          self->column = self->word_columns;
        }
      if (c == '\n' || (c == ' ' && is_full && columns > 0))
        {
          fputc ('\n', self->text);
          printer_begin_line (self);
          continue;
        }
      fwrite (at, 1, (gsize) (next - at), self->text);
      self->column = columns > 0 && self->column + width > columns ? width : self->column + width;
      if (columns > 0 && width == 1 && c != ' ')
        {
          g_string_append_len (self->word, at, next - at);
          self->word_columns++;
        }
    }
}

static void
write_held (BeckonPrinter *self, gsize length)
{
  if (length == 0)
    return;
  printer_make_room (self);
  printer_write_wrapped (self, self->held->str, length);
  self->in_line = self->held->str[length - 1] != '\n';
  g_string_erase (self->held, 0, (gssize) length);
}

/* Everything one read of the network brought is written out together. */
static void
print_text (BeckonPrinter *self, const char *text, gsize length)
{
  g_autofree char *safe = NULL;
  const char *line_end;

  if (length == 0 || self->text == NULL)
    return;
  safe = self->is_terminal ? beckon_plain_text_for_terminal (text, (gssize) length)
                           : beckon_text_for_display (text, (gssize) length, BECKON_TEXT_MARKED);
  g_string_append (self->held, safe);
  line_end = strrchr (self->held->str, '\n');
  if (self->lines == NULL || !beckon_line_reader_is_typing (self->lines))
    write_held (self, self->held->len);
  else if (line_end != NULL)
    write_held (self, (gsize) (line_end + 1 - self->held->str));
  if (self->flush_source == 0)
    self->flush_source = g_idle_add (on_flush, self);
}

void
beckon_printer_break (BeckonPrinter *self)
{
  printer_make_room (self);
  write_held (self, self->held->len);
  if (self->in_line)
    fputc ('\n', self->text);
  self->in_line = FALSE;
  self->is_fenced = FALSE;
  printer_begin_line (self);
  if (self->text != NULL)
    fflush (self->text);
}

gboolean
beckon_printer_is_in_line (BeckonPrinter *self)
{
  return self->in_line || self->has_clock;
}

static void
on_appended (BeckonPart *part, const char *delta, guint length, BeckonPrinter *self)
{
  print_text (self, delta, length);
}

static void
print_losses (BeckonPrinter *self, BeckonToolCall *call)
{
  GObject *request = beckon_tool_call_get_request (call);
  BeckonPlainLoss loss;
  g_auto (GStrv) lines = beckon_plain_landed_describe (beckon_tool_call_get_landing (call),
                                                       request != NULL ? BECKON_REQUEST (request) : NULL, &loss);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *safe = beckon_plain_text_for_terminal (lines[i], -1);

      fprintf (self->notes, "  %s\n", safe);
    }
  self->losses |= loss;
}

/* Caches that a command wrote are undone with the rest, and are no news by themselves. */
static void
print_kept (BeckonPrinter *self, BeckonToolCall *call, const BeckonLanding *landing)
{
  g_autoptr (BeckonChangeSet) kept = beckon_change_set_filter (landing->changes, BECKON_FILE_KEPT, BECKON_FILE_KEPT);
  g_autofree char *sentence = NULL;
  gboolean is_news = FALSE;

  for (guint i = 0; i < beckon_change_set_get_n_changes (kept) && !is_news; i++)
    is_news = !beckon_file_change_is_aside (beckon_change_set_get (kept, i));
  if (!is_news || self->is_quiet)
    return;
  sentence = beckon_change_set_dup_sentence (kept);
  if (self->has_commands)
    fprintf (self->notes, "  %s", sentence);
  else
    /* Translators: what a command changed, such as "Changed 3 files", and how that is undone */
    fprintf (self->notes, _("  %s (undo: beckonctl undo %s)"), sentence, beckon_tool_call_get_id (call));
  fputc ('\n', self->notes);
}

/* The changes of a command are told whether they were asked about or not, and so is what became of those that did not land. */
static void
print_landed (BeckonPrinter *self, BeckonToolCall *call)
{
  print_kept (self, call, beckon_tool_call_get_landing (call));
  print_losses (self, call);
}

static gboolean
printer_has_landed (BeckonToolCall *call)
{
  const BeckonLanding *landing = beckon_tool_call_get_landing (call);

  return landing != NULL && landing->state == BECKON_LANDING_LANDED;
}

static void
on_landed (BeckonToolCall *call, GParamSpec *pspec, BeckonPrinter *self)
{
  if (!printer_has_landed (call))
    return;
  g_signal_handlers_disconnect_by_func (call, on_landed, self);
  beckon_printer_break (self);
  print_landed (self, call);
  fflush (self->notes);
}

static void
print_changes (BeckonPrinter *self, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_tool_call_get_n_early (call); i++)
    print_kept (self, call, beckon_tool_call_get_early (call, i));
  if (beckon_tool_call_get_n_early (call) == 0 && beckon_tool_call_get_landing (call) == NULL
      && beckon_tool_call_get_change (call) == BECKON_CALL_CHANGE_KEPT && !self->is_quiet && !self->has_commands)
    {
      /* Translators: below a file that was edited: how that is undone */
      fprintf (self->notes, _("  (undo: beckonctl undo %s)"), beckon_tool_call_get_id (call));
      fputc ('\n', self->notes);
    }
  if (printer_has_landed (call))
    print_landed (self, call);
  else if (beckon_tool_call_get_landing (call) != NULL)
    g_signal_connect_object (call, "notify::change", G_CALLBACK (on_landed), self, 0);
}

/* The steps of a plan stand below its title, and of other programs' tools only their own words are known. */
static char *
printer_dup_line (BeckonToolCall *call)
{
  const char *tool = beckon_tool_call_get_name (call);
  const gboolean is_known = beckon_call_labels_is_known (tool);
  g_autofree char *name = is_known || strstr (tool, "__") != NULL ? beckon_call_labels_describe_call (call)
                                                                  : beckon_text_for_display (tool, -1, BECKON_TEXT_EXACT);
  g_autofree char *summary = is_known && !g_str_has_suffix (tool, "_plan") ? NULL : beckon_plain_call_dup_summary (call);

  if (summary == NULL)
    return g_steal_pointer (&name);
  return g_str_equal (tool, "propose_plan") ? g_strconcat (_("Plan: "), summary, NULL) : g_strconcat (name, " ", summary, NULL);
}

/* The forms that its server asked while it ran, and what became of them, wherever they were answered. */
static void
print_asked (BeckonPrinter *self, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_tool_call_get_n_asked (call) && !self->is_quiet; i++)
    {
      GObject *asked = beckon_tool_call_get_asked (call, i);
      gboolean is_told = BECKON_IS_FORM_REQUEST (asked)
                         && !(self->is_unattended
                              && beckon_request_get_state (BECKON_REQUEST (asked)) == BECKON_REQUEST_UNAVAILABLE);
      g_autofree char *trace = is_told ? beckon_form_request_dup_trace (BECKON_REQUEST (asked)) : NULL;
      g_autofree char *safe = trace != NULL ? beckon_plain_text_for_terminal (trace, -1) : NULL;

      if (safe != NULL)
        fprintf (self->notes, "  %s\n", safe);
    }
}

static gboolean
was_declined (BeckonToolCall *call)
{
  GObject *request = beckon_tool_call_get_request (call);

  return BECKON_IS_REQUEST (request) && beckon_request_get_state (BECKON_REQUEST (request)) == BECKON_REQUEST_DECLINED;
}

/* The person knows why what they denied did not run. */
static void
print_reason (BeckonPrinter *self, BeckonToolCall *call)
{
  g_autofree char *reason = beckon_plain_call_dup_reason (call);
  g_autofree char *safe = beckon_plain_text_for_terminal (reason, -1);

  if (*safe != '\0')
    fprintf (self->notes, "  %s\n", safe);
}

/* A question is printed where it is asked, not as a note about its tool. */
static void
print_call (BeckonPrinter *self, BeckonToolCall *call)
{
  g_autofree char *words = printer_dup_line (call);
  g_autofree char *extent = beckon_away_digest_dup_extent (call);
  g_autofree char *line = g_strconcat (words, extent != NULL ? "  " : NULL, extent, NULL);
  gboolean failed = beckon_tool_call_get_is_error (call);
  const char *mark = beckon_plain_call_get_mark (call);
  int colour = g_str_equal (mark, "✓") ? 32 : g_str_equal (mark, "✗") ? 31 : 33;

  if (beckon_tool_call_get_request (call) != NULL &&
      BECKON_IS_QUESTION_REQUEST (BECKON_REQUEST (beckon_tool_call_get_request (call))))
    return;
  beckon_printer_break (self);
  if (self->colour && (failed || !self->is_quiet))
    fprintf (self->notes, "\033[%dm%s\033[0m %s\n", colour, mark, line);
  else if (failed || !self->is_quiet)
    fprintf (self->notes, "%s %s\n", mark, line);
  if (failed && beckon_tool_call_get_state (call) == BECKON_CALL_DONE && beckon_tool_call_get_result (call) != NULL
      && !was_declined (call) && !beckon_policy_was_unasked (beckon_tool_call_get_result (call)))
    print_reason (self, call);
  print_asked (self, call);
  if (!self->is_quiet && beckon_command_ended_with_turn (call))
    fprintf (self->notes, "  %s\n", self->has_commands ? _("Ended with the turn.")
                                  : _("Ended with the turn. In a chat, /keep keeps a command running."));

  /* A refusal for want of a person is the one that its person can do something about. */
  if (beckon_policy_was_unasked (beckon_tool_call_get_result (call)))
    {
      fprintf (
          self->notes, "  %s\n",
          _("Not run: it needs your approval, and you can't be asked here. Use a terminal, or “--detach-on-ask”."));
      self->losses |= BECKON_PLAIN_LOSS_UNASKED;
    }

  if (self->is_unattended)
    {
      /* The same without a person. */
      g_auto (GStrv) lines = beckon_unasked_list (call);

      for (guint i = 0; lines[i] != NULL; i++)
        {
          fprintf (self->notes, "%s\n", lines[i]);
          self->losses |= BECKON_PLAIN_LOSS_UNASKED;
        }
    }
  print_changes (self, call);
  for (guint i = 0; i < beckon_tool_call_get_n_steps (call); i++)
    print_changes (self, beckon_tool_call_get_step (call, i));
  fflush (self->notes);
}

/* (nullable): the call that is at work: itself, or the step of a plan that runs. */
static BeckonToolCall *
get_working (BeckonToolCall *call)
{
  BeckonToolCall *working = beckon_tool_call_get_plan (call) != NULL ? beckon_tool_call_get_open_step (call) : call;

  return working != NULL && beckon_tool_call_get_state (working) == BECKON_CALL_STARTED ? working : NULL;
}

/* In a chat there is nothing else to see of it until it says something. */
static gboolean
printer_waits_for_model (BeckonPrinter *self)
{
  return self->has_commands && beckon_conversation_is_busy (self->conversation)
         && beckon_conversation_get_phase (self->conversation) < BECKON_RUN_CALLING;
}

/* (transfer full): what the model does. The detail of a phase is other work. */
static char *
printer_dup_model_line (BeckonPrinter *self)
{
  const BeckonRunPhase phase = beckon_conversation_get_phase (self->conversation);
  const char *detail = beckon_conversation_get_detail (self->conversation);
  const guint n = self->reply != NULL ? beckon_message_get_n_parts (self->reply) : 0;

  if (phase == BECKON_RUN_RECEIVING)
    return g_strdup (n > 0 && beckon_part_get_kind (beckon_message_get_part (self->reply, n - 1)) == BECKON_PART_REASONING
                       ? _("Thinking…") : _("Writing…"));
  return g_strdup (detail != NULL ? detail : phase == BECKON_RUN_QUEUED ? _("Sending…") : _("Thinking…"));
}

/* A terminal shows that there is life. The line neither wraps nor stays, and gives way to what the person types and is
 * asked. Nothing wakes up while nothing runs. */
static gboolean
on_clock (gpointer user_data)
{
  BeckonPrinter *self = user_data;
  const gboolean is_model = printer_waits_for_model (self);
  g_autofree char *line = NULL;
  g_autofree char *brief = NULL;
  BeckonToolCall *working;
  gint64 seconds;

  for (guint i = self->running->len; i > 0; i--)
    {
      BeckonToolCall *call = g_ptr_array_index (self->running, i - 1);

      if (beckon_tool_call_get_state (call) != BECKON_CALL_STARTED || beckon_tool_call_get_background (call) != NULL)
        g_ptr_array_remove_index (self->running, i - 1);
    }
  self->clock_source = 0;
  if (self->lines == NULL || (self->running->len == 0 && !is_model))
    return G_SOURCE_REMOVE;
  self->clock_source = g_timeout_add_seconds (1, on_clock, self);
  working = !is_model ? get_working (g_ptr_array_index (self->running, 0)) : NULL;
  seconds = is_model          ? (g_get_monotonic_time () - self->model_since) / G_USEC_PER_SEC
            : working != NULL ? (g_get_real_time () - beckon_tool_call_get_started_at (working)) / G_USEC_PER_SEC : 0;
  if ((!is_model && seconds < LONG_SECONDS) || self->in_line || beckon_line_reader_is_typing (self->lines)
      || beckon_line_reader_has_card (self->lines)
      || (!is_model && beckon_conversation_get_phase (self->conversation) != BECKON_RUN_CALLING))
    return G_SOURCE_REMOVE;
  printer_make_room (self);
  line = is_model ? printer_dup_model_line (self) : printer_dup_line (working);
  line[strcspn (line, "\n")] = '\0';
  brief = beckon_text_shorten (line, MOST_LIVE);
  fprintf (self->notes, "\033[?7l▸ %s · %d:%02d · %s\033[?7h", brief, (int) (seconds / 60), (int) (seconds % 60),
           /* Translators: behind what runs, in a terminal */
           _("Ctrl+C stops"));
  fflush (self->notes);
  self->has_clock = TRUE;
  return G_SOURCE_REMOVE;
}

/* @call: (nullable): one that has started; %NULL for the model. */
static void
printer_show_life (BeckonPrinter *self, BeckonToolCall *call)
{
  if (self->lines == NULL || !beckon_line_reader_is_terminal (self->lines) || !self->colour || self->is_quiet)
    return;
  if (call != NULL)
    g_ptr_array_add (self->running, g_object_ref (call));
  if (self->clock_source == 0 && (call != NULL || printer_waits_for_model (self)))
    self->clock_source = g_timeout_add (FIRST_CLOCK_MS, on_clock, self);
}

static void
on_call_state (BeckonToolCall *call, GParamSpec *pspec, BeckonPrinter *self)
{
  if (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED)
    printer_show_life (self, call);
  if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
    return;
  g_signal_handlers_disconnect_by_func (call, on_call_state, self);
  print_call (self, call);
}

/* Its end is told like any other's. */
static void
on_call_background (BeckonToolCall *call, GParamSpec *pspec, BeckonPrinter *self)
{
  g_autofree char *line = printer_dup_line (call);

  if (self->is_quiet || beckon_tool_call_get_landing (call) != NULL)
    return;
  beckon_printer_break (self);
  fputs ("▸ ", self->notes);
  /* Translators: %s is what a call does, such as “Running npm start” */
  fprintf (self->notes, _("%s (in the background)"), line);
  fputc ('\n', self->notes);
  /* In a chat, where both go to the same place. */
  if (self->notes == self->text && !beckon_tool_call_get_is_kept (call))
    fprintf (self->notes, "  %s\n", _("It ends with the turn. /keep keeps it running."));
  fflush (self->notes);
}

static void
follow_call (BeckonPrinter *self, BeckonToolCall *call)
{
  g_signal_connect_object (call, "notify::state", G_CALLBACK (on_call_state), self, G_CONNECT_AFTER);
  g_signal_connect_object (call, "notify::background", G_CALLBACK (on_call_background), self, 0);
}

/* A note of ours, or what the provider did by itself. */
static void
print_note (BeckonPrinter *self, BeckonPart *part)
{
  g_autofree char *note = beckon_note_dup_sentence (part);
  g_autofree char *sentence = note != NULL ? g_steal_pointer (&note) : beckon_opaque_dup_sentence (part);
  g_autofree char *safe = sentence != NULL ? beckon_plain_text_for_terminal (sentence, -1) : NULL;

  if (safe == NULL || self->is_quiet)
    return;
  beckon_printer_break (self);
  fprintf (self->notes, "· %s\n", safe);
  fflush (self->notes);
}

/* With their addresses: nothing in a terminal is sure to be a link. */
static void
print_sources (BeckonPrinter *self, BeckonPart *part)
{
  g_autoptr (GPtrArray) sources = beckon_citation_list (part);

  if (sources == NULL || self->is_quiet)
    return;
  beckon_printer_break (self);
  fprintf (self->notes, "· %s\n", _("Sources:"));
  for (guint i = 0; i < sources->len; i++)
    {
      const BeckonCitation *source = g_ptr_array_index (sources, i);
      g_autofree char *title = beckon_plain_text_for_terminal (source->title, -1);

      fprintf (self->notes, "  %u. %s\n     %s\n", i + 1, title, source->url);
    }
  fflush (self->notes);
}

static void
follow_part (BeckonPrinter *self, BeckonPart *part)
{
  BeckonToolCall *call = beckon_part_get_call (part);

  if (call != NULL && beckon_call_state_is_final (beckon_tool_call_get_state (call)))
    print_call (self, call);
  else if (call != NULL)
    {
      /* Its arguments may come for minutes, and the text before it is whole. */
      beckon_printer_break (self);
      follow_call (self, call);
    }
  print_note (self, part);
  print_sources (self, part);
  if (beckon_part_get_kind (part) != BECKON_PART_TEXT)
    return;
  print_text (self, beckon_part_get_text (part), beckon_part_get_length (part));
  g_signal_connect_object (part, "appended", G_CALLBACK (on_appended), self, 0);
}

static void
on_parts_changed (BeckonMessage *message, guint position, guint removed, guint added, BeckonPrinter *self)
{
  for (guint i = position; i < position + added; i++)
    follow_part (self, beckon_message_get_part (message, i));
}

/* Printed words stay. */
static void
print_begins_again (BeckonPrinter *self)
{
  g_autofree char *text = beckon_message_dup_text (self->reply);

  if (*text == '\0' || self->text == NULL)
    return;
  beckon_printer_break (self);
  fprintf (self->notes, "· %s\n", _("The reply begins again:"));
  fflush (self->notes);
}

static void
on_messages_changed (BeckonConversation *conversation, guint position, guint removed, guint added,
                     BeckonPrinter *self)
{
  gboolean begins_again = self->reply != NULL && beckon_conversation_has_dropped (conversation, self->reply);

  if (begins_again)
    {
      print_begins_again (self);
      g_clear_object (&self->reply);
    }
  for (guint i = begins_again ? position : position + removed; i < position + added; i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      if (beckon_message_get_role (message) != BECKON_ROLE_ASSISTANT)
        continue;
      if (beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING)
        g_set_object (&self->reply, message);
      beckon_printer_break (self);
      on_parts_changed (message, 0, 0, beckon_message_get_n_parts (message), self);
      g_signal_connect_object (message, "items-changed", G_CALLBACK (on_parts_changed), self, 0);
    }
}

/* A call that waited for the person is told when it has ended, in whatever process the person was asked. */
static void
follow_open_calls (BeckonPrinter *self, BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call != NULL && !beckon_call_state_is_final (beckon_tool_call_get_state (call)))
        follow_call (self, call);
    }
}

/* A server may be waited for for minutes: once for each reason it is said why. */
static void
printer_on_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonPrinter *self)
{
  const BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  const char *detail = beckon_conversation_get_detail (conversation);

  if (phase != BECKON_RUN_RECEIVING)
    self->model_since = g_get_monotonic_time ();
  printer_show_life (self, NULL);
  if (!beckon_run_phase_is_delayed (phase) || detail == NULL || self->is_quiet || g_strcmp0 (detail, self->waits_for) == 0)
    return;
  g_free (self->waits_for);
  self->waits_for = g_strdup (detail);
  beckon_printer_break (self);
  fprintf (self->notes, "· %s\n", detail);
  fflush (self->notes);
}

BeckonPrinter *
beckon_printer_new (BeckonConversation *conversation, FILE *text, FILE *notes, gboolean colour)
{
  BeckonPrinter *self = g_object_new (BECKON_TYPE_PRINTER, NULL);

  self->conversation = g_object_ref (conversation);
  self->text = text;
  self->is_terminal = text != NULL && isatty (fileno (text)) != 0;
  self->notes = notes;
  self->colour = colour;
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    follow_open_calls (self, beckon_conversation_get_message (conversation, i));
  g_signal_connect_object (conversation, "items-changed", G_CALLBACK (on_messages_changed), self, 0);
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (printer_on_phase), self, 0);
  g_signal_connect_object (conversation, "notify::detail", G_CALLBACK (printer_on_phase), self, 0);
  return self;
}

void
beckon_printer_set_lines (BeckonPrinter *self, BeckonLineReader *lines)
{
  self->lines = lines;
  self->model_since = g_get_monotonic_time ();
  printer_show_life (self, NULL);
}

void
beckon_printer_set_quiet (BeckonPrinter *self, gboolean is_quiet)
{
  self->is_quiet = is_quiet;
}

void
beckon_printer_set_has_commands (BeckonPrinter *self)
{
  self->has_commands = TRUE;
}

void
beckon_printer_set_unattended (BeckonPrinter *self)
{
  self->is_unattended = TRUE;
}

int
beckon_printer_get_status (BeckonPrinter *self)
{
  if ((self->losses & BECKON_PLAIN_LOSS_UNASKED) != 0)
    return BECKON_COMMAND_UNASKED;
  return self->losses != BECKON_PLAIN_LOSS_NONE ? BECKON_COMMAND_LEFT_ALONE : 0;
}

static void
beckon_printer_dispose (GObject *object)
{
  BeckonPrinter *self = BECKON_PRINTER (object);

  g_clear_handle_id (&self->flush_source, g_source_remove);
  g_clear_handle_id (&self->clock_source, g_source_remove);
  g_clear_pointer (&self->running, g_ptr_array_unref);
  g_clear_object (&self->conversation);
  g_clear_object (&self->reply);
  g_clear_pointer (&self->waits_for, g_free);
  if (self->held != NULL)
    g_string_free (g_steal_pointer (&self->held), TRUE);
  if (self->word != NULL)
    g_string_free (g_steal_pointer (&self->word), TRUE);
  G_OBJECT_CLASS (beckon_printer_parent_class)->dispose (object);
}

static void
beckon_printer_class_init (BeckonPrinterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_printer_dispose;
}

static void
beckon_printer_init (BeckonPrinter *self)
{
  self->held = g_string_new (NULL);
  self->word = g_string_new (NULL);
  self->running = g_ptr_array_new_with_free_func (g_object_unref);
}
