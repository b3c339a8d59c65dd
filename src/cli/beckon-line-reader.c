/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-line-reader.h"

#include "base/beckon-error.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-config.h"
#include "beckon-terminal-modes.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* A person needs that long to see a card. */
#define SEEN_MS 500

/* A line from a pipe, and everything of a line in a terminal. */
#define LINE_MAX_BYTES (256 * 1024)
#define PASTE_MAX_BYTES (4 * 1024 * 1024)

/* A longer paste is shown by how many lines it has. */
#define PASTE_SHOWN_LINES 8

/* Keys that begin with Escape's byte come together, through a network too, or nearly. */
#define ESCAPE_MS 100

#define PASTE_BEGIN "\\e[200~"
#define PASTE_END "\033[201~"

struct _BeckonLineReader
{
  const BeckonLineReaderClient *client;
  gpointer user_data;
  gboolean is_terminal;
  FILE *screen;
  FILE *own_screen; /* (owned) (nullable) */

  gboolean is_wanted;
  guint wanted;
  gboolean is_wanted_hidden;

  /* of a pipe */
  GDataInputStream *input; /* (owned) (nullable) */
  GCancellable *reading;   /* (owned) (nullable) */

  /* of a terminal */
  guint key_source;
  guint resize_source;
  guint seen_source;
  guint room_source;
  guint escape_source;
  gboolean escapes_wanted; /* whether a line was wanted as Escape was pressed */
  guint seen;       /* the card that was in sight for long enough */
  guint card;       /* of the last prompt */
  guint line_card;  /* when the line began */
  gboolean is_shown;
  GString *keys;    /* (owned): read from the terminal, not looked at yet */
  GString *paste;   /* (owned) (nullable): as much as came of it */
  GPtrArray *pastes;  /* (owned) (element-type utf8): for the marks in the line, a mark and its text by turns */
  gboolean is_pasted;
  GString *secret;  /* (owned) (nullable): what is typed unseen */
  gboolean is_secret_early;
};

/* Readline has one state for a program. */
static BeckonLineReader *the_reader;

/* --- A pipe ------------------------------------------------------------------------------------------------------ */

static void
reader_on_piped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  char *raw = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, &length, &error);
  g_autofree char *text = raw != NULL ? g_utf8_make_valid (raw, (gssize) MIN (length, LINE_MAX_BYTES)) : NULL;
  BeckonLineReader *self = user_data;
  BeckonTypedLine line = { .text = text };

  if (raw != NULL)
    explicit_bzero (raw, length);
  g_free (raw);
  /* A reading that was cancelled outlives the reader. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->reading);
  line.card = self->wanted;
  line.is_hidden = self->is_wanted_hidden;
  self->is_wanted = FALSE;
  self->client->take (&line, self->user_data);
  if (text != NULL)
    explicit_bzero (text, strlen (text));
}

static void
reader_read_pipe (BeckonLineReader *self)
{
  if (self->reading != NULL)
    return;
  self->reading = g_cancellable_new ();
  g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, self->reading, reader_on_piped, self);
}

/* --- The prompt of a terminal ------------------------------------------------------------------------------------ */

static void
reader_draw_nothing (void)
{
}

/* Puts up the prompt and what was typed so far. */
static void
reader_show (BeckonLineReader *self)
{
  if (self->is_shown)
    return;
  self->client->clear_screen_line (self->user_data);
  self->is_shown = TRUE;
  if (self->secret != NULL)
    {
      fputs ("> ", rl_outstream);
    }
  else
    {
      rl_redisplay_function = rl_redisplay;
      rl_on_new_line ();
      rl_redisplay ();
    }
  fflush (rl_outstream);
}

/* @stays: in sight, above what is printed next. */
static void
reader_hide (BeckonLineReader *self, gboolean stays)
{
  if (!self->is_shown)
    return;
  if (self->secret != NULL || stays)
    fputc ('\n', rl_outstream);
  else
    rl_clear_visible_line ();
  fflush (rl_outstream);
  rl_redisplay_function = reader_draw_nothing;
  self->is_shown = FALSE;
}

gboolean
beckon_line_reader_is_typing (BeckonLineReader *reader)
{
  return reader->key_source != 0 && reader->secret == NULL && rl_end > 0;
}

/* Shows the begun line, or the last prompt if it still stands for what is asked. */
static void
reader_show_again (BeckonLineReader *self)
{
  if (self->client->can_prompt (self->user_data)
      && (beckon_line_reader_is_typing (self) || (self->is_wanted && self->wanted == self->card)))
    reader_show (self);
}

static gboolean
reader_on_room_left (gpointer user_data)
{
  BeckonLineReader *self = user_data;

  self->room_source = 0;
  reader_show_again (self);
  return G_SOURCE_REMOVE;
}

void
beckon_line_reader_make_room (BeckonLineReader *reader)
{
  if (!reader->is_shown)
    return;
  /* A card keeps its prompt, which tells where it ends. */
  reader_hide (reader, reader->card != 0 && !beckon_line_reader_is_typing (reader));
  if (reader->room_source == 0)
    reader->room_source = g_idle_add (reader_on_room_left, reader);
}

/* --- Keys -------------------------------------------------------------------------------------------------------- */

static int
reader_get_key (FILE *stream)
{
  BeckonLineReader *self = the_reader;
  unsigned char key;
  gssize got;

  if (self->keys->len > 0)
    {
      key = (unsigned char) self->keys->str[0];
      g_string_erase (self->keys, 0, 1);
      return key;
    }
  /* Readline asks in the middle of a key only. */
  do
    got = read (STDIN_FILENO, &key, 1);
  while (got < 0 && errno == EINTR);
  return got == 1 ? key : EOF;
}

/* Keys that came together are put in together: to draw a long line anew for each key takes seconds. Escape is looked at
 * first. */
static int
reader_has_keys (void)
{
  return the_reader->keys->len > 0 && the_reader->keys->str[0] != '\033';
}

static void
reader_begin_line (BeckonLineReader *self)
{
  self->line_card = self->card;
  self->is_pasted = FALSE;
  g_ptr_array_set_size (self->pastes, 0);
}

static void
reader_deliver (BeckonLineReader *self, const BeckonTypedLine *line)
{
  self->is_shown = FALSE;
  rl_redisplay_function = reader_draw_nothing;
  /* The next line is for no card until another prompt is up. */
  self->card = 0;
  self->is_wanted = FALSE;
  self->client->take (line, self->user_data);
}

/* The line with what its marks stand for. */
static char *
reader_expand (BeckonLineReader *self, const char *typed)
{
  g_autoptr (GString) whole = g_string_new (typed);
  gsize from = 0;

  for (guint i = 0; i + 1 < self->pastes->len; i += 2)
    {
      const char *mark = g_ptr_array_index (self->pastes, i);
      const char *text = g_ptr_array_index (self->pastes, i + 1);
      const char *found = strstr (whole->str + from, mark);

      if (found == NULL)
        continue;
      from = (gsize) (found - whole->str);
      g_string_erase (whole, (gssize) from, (gssize) strlen (mark));
      g_string_insert (whole, (gssize) from, text);
      from += strlen (text);
    }
  return g_utf8_make_valid (whole->str, (gssize) whole->len);
}

static void
reader_on_line (char *typed)
{
  BeckonLineReader *self = the_reader;
  g_autofree char *text = typed != NULL ? reader_expand (self, typed) : NULL;
  BeckonTypedLine line = { .text = text, .card = self->line_card, .is_pasted = self->is_pasted };

  free (typed);
  if (text != NULL)
    beckon_line_reader_remember (self, text);
  reader_deliver (self, &line);
}

static guint
reader_count_lines (const char *text)
{
  guint n = 1;

  for (const char *at = strchr (text, '\n'); at != NULL; at = strchr (at + 1, '\n'))
    n++;
  return n;
}

static void
reader_insert_paste (BeckonLineReader *self, const char *text)
{
  guint n = reader_count_lines (text);
  g_autofree char *mark = NULL;

  self->is_pasted = TRUE;
  if (self->secret != NULL)
    {
      g_string_append (self->secret, text);
      return;
    }
  if (n > PASTE_SHOWN_LINES)
    {
      /* Translators: stands in the line that is being typed, for what was pasted; many lines */
      mark = g_strdup_printf (ngettext ("[%u line pasted]", "[%u lines pasted]", n), n);
      g_ptr_array_add (self->pastes, g_strdup (mark));
      g_ptr_array_add (self->pastes, g_strdup (text));
    }
  rl_begin_undo_group ();
  rl_insert_text (mark != NULL ? mark : text);
  rl_end_undo_group ();
  rl_redisplay_function ();
}

static int
reader_on_paste_begin (int count, int key)
{
  the_reader->paste = g_string_new (NULL);
  return 0;
}

/* Waits for the rest of a paste without holding up anything else. */
static void
reader_take_paste (BeckonLineReader *self)
{
  gsize from = self->paste->len > strlen (PASTE_END) ? self->paste->len - strlen (PASTE_END) : 0;
  g_autoptr (GString) paste = NULL;
  g_autofree char *text = NULL;
  const char *end;
  g_autofree char *valid = NULL;
  g_auto (GStrv) lines = NULL;

  for (gsize i = 0; i < self->keys->len; i++)
    g_string_append_c (self->paste, self->keys->str[i] != '\0' ? self->keys->str[i] : ' ');
  g_string_truncate (self->keys, 0);
  end = g_strstr_len (self->paste->str + from, (gssize) (self->paste->len - from), PASTE_END);
  if (end == NULL)
    {
      /* The end of what is too long is still waited for. */
      if (self->paste->len > PASTE_MAX_BYTES + strlen (PASTE_END))
        g_string_erase (self->paste, PASTE_MAX_BYTES, (gssize) (self->paste->len - PASTE_MAX_BYTES - strlen (PASTE_END)));
      return;
    }
  paste = g_steal_pointer (&self->paste);
  g_string_append (self->keys, end + strlen (PASTE_END));

  /* A paste may hold half a key's bytes at its end; its line breaks are part of the text. */
  valid = g_utf8_make_valid (paste->str, (gssize) MIN ((gsize) (end - paste->str), PASTE_MAX_BYTES));
  lines = g_strsplit (valid, "\r\n", -1);
  text = g_strjoinv ("\n", lines);
  g_strdelimit (text, "\r", '\n');
  if (g_str_has_suffix (text, "\n"))
    text[strlen (text) - 1] = '\0';

  reader_insert_paste (self, text);
  explicit_bzero (paste->str, paste->len);
  explicit_bzero (text, strlen (text));
}

/* --- What is not shown ------------------------------------------------------------------------------------------- */

static void
reader_wipe_secret (BeckonLineReader *self)
{
  if (self->secret == NULL)
    return;
  explicit_bzero (self->secret->str, self->secret->allocated_len);
  g_string_free (g_steal_pointer (&self->secret), TRUE);
}

static void
reader_end_secret (BeckonLineReader *self, gboolean is_end)
{
  g_autofree char *text = is_end ? NULL : g_utf8_make_valid (self->secret->str, (gssize) self->secret->len);
  BeckonTypedLine line = { .text = text, .card = self->line_card, .is_hidden = TRUE };

  line.is_early = self->line_card == 0;
  line.is_pasted = self->is_pasted;
  if (self->is_shown)
    {
      fputc ('\n', rl_outstream);
      fflush (rl_outstream);
    }
  reader_wipe_secret (self);
  /* More of it would be shown. */
  explicit_bzero (self->keys->str, self->keys->len);
  g_string_truncate (self->keys, 0);
  reader_deliver (self, &line);
  if (text != NULL)
    explicit_bzero (text, strlen (text));
}

/* Readline would keep a secret in its history of changes. */
static void
reader_take_secret_key (BeckonLineReader *self)
{
  char key = self->keys->str[0];
  gsize length = self->secret->len;

  if (key == '\033' && strncmp (self->keys->str, "\033[200~", MIN (self->keys->len, 6)) == 0)
    {
      if (self->keys->len < 6)
        return;
      g_string_erase (self->keys, 0, 6);
      self->paste = g_string_new (NULL);
      return;
    }
  self->keys->str[0] = '\0';
  g_string_erase (self->keys, 0, 1);
  if (length == 0)
    reader_begin_line (self);
  if (key == '\r' || key == '\n')
    reader_end_secret (self, FALSE);
  else if (key == '\004' && length == 0)
    reader_end_secret (self, TRUE);
  else if ((key == '\b' || key == '\177') && length > 0)
    g_string_truncate (self->secret, (gsize) (g_utf8_prev_char (self->secret->str + length) - self->secret->str));
  else if (key == '\025')
    g_string_truncate (self->secret, 0);
  else if (!g_ascii_iscntrl (key) && length < LINE_MAX_BYTES)
    g_string_append_c (self->secret, key);
}

/* --- Reading a terminal ------------------------------------------------------------------------------------------ */

static gboolean
reader_is_begun (BeckonLineReader *self)
{
  return self->paste != NULL || (self->secret != NULL ? self->secret->len > 0 : rl_end > 0);
}

/* An empty line is for what is asked now. */
static void
reader_follow_want (BeckonLineReader *self)
{
  gboolean is_hidden = self->is_wanted && self->is_wanted_hidden;

  if (reader_is_begun (self) || self->key_source == 0)
    return;
  if (is_hidden != (self->secret != NULL))
    {
      reader_hide (self, FALSE);
      reader_wipe_secret (self);
      self->secret = is_hidden ? g_string_new (NULL) : NULL;
    }
  if (!self->is_wanted || (self->wanted != 0 && self->wanted != self->seen))
    return;
  self->card = self->wanted;
  reader_show (self);
}

/* No more of a longer key came. For what is asked since, or no longer, it means nothing. */
static gboolean
reader_on_escape (gpointer user_data)
{
  BeckonLineReader *self = user_data;

  self->escape_source = 0;
  g_string_truncate (self->keys, 0);
  if (self->is_wanted == self->escapes_wanted && !reader_is_begun (self))
    self->client->escape (self->user_data);
  return G_SOURCE_REMOVE;
}

/* Readline would keep Escape for the key after it, whenever that comes, and take both for one command. %TRUE if Escape is all
 * that is there: what it is shows soon. In vi's mode, and in a search, it is pressed for something else. */
static gboolean
reader_take_escape (BeckonLineReader *self)
{
  const char *keys = self->keys->str;

  if (keys[0] != '\033' || (self->secret == NULL && (rl_editing_mode == 0 || RL_ISSTATE (RL_STATE_ISEARCH | RL_STATE_NSEARCH))))
    return FALSE;
  if (self->keys->len == 1)
    {
      self->escapes_wanted = self->is_wanted;
      self->escape_source = g_timeout_add (ESCAPE_MS, reader_on_escape, self);
      return TRUE;
    }
  /* An empty line has nothing to change: the letter begins it. The arrows come as Escape and O. */
  if (!reader_is_begun (self) && keys[1] != 'O' && (g_ascii_isalnum (keys[1]) || (keys[1] & 0x80) != 0))
    g_string_erase (self->keys, 0, 1);
  return FALSE;
}

static void
reader_take_keys (BeckonLineReader *self)
{
  g_clear_handle_id (&self->escape_source, g_source_remove);
  while (self->keys->len > 0 && self->key_source != 0)
    {
      gsize before = self->keys->len;

      if (self->paste != NULL)
        {
          reader_take_paste (self);
        }
      else if (reader_take_escape (self))
        {
          break;
        }
      else if (self->secret != NULL)
        {
          reader_take_secret_key (self);
          if (self->keys->len == before)
            break;
        }
      else
        {
          if (rl_end == 0)
            reader_begin_line (self);
          reader_show (self);
          rl_callback_read_char ();
        }
    }
  reader_follow_want (self);
}

static gboolean
reader_on_keys (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonLineReader *self = user_data;
  char bytes[16 * 1024];
  gssize got = read (fd, bytes, sizeof bytes);
  const BeckonTypedLine end = { NULL };

  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (got > 0)
    {
      g_string_append_len (self->keys, bytes, got);
      explicit_bzero (bytes, (gsize) got);
      reader_take_keys (self);
      return G_SOURCE_CONTINUE;
    }
  self->key_source = 0;
  g_clear_handle_id (&self->escape_source, g_source_remove);
  reader_deliver (self, &end);
  return G_SOURCE_REMOVE;
}

/* Keys pressed until now were pressed without the card in mind. */
static gboolean
reader_on_seen (gpointer user_data)
{
  BeckonLineReader *self = user_data;
  struct pollfd fd = { STDIN_FILENO, POLLIN, 0 };
  guint card = self->wanted;

  self->seen_source = 0;
  while (self->key_source != 0 && poll (&fd, 1, 0) > 0)
    if (!reader_on_keys (STDIN_FILENO, G_IO_IN, self))
      return G_SOURCE_REMOVE;
  /* Keys may have led to another card. */
  if (self->is_wanted && self->wanted == card && self->seen_source == 0)
    self->seen = card;
  reader_follow_want (self);
  return G_SOURCE_REMOVE;
}

static gboolean
reader_on_resized (gpointer user_data)
{
  BeckonLineReader *self = user_data;

  if (beckon_terminal_modes_take_resumed ())
    {
      rl_reset_screen_size ();
      rl_redisplay_function = reader_draw_nothing;
      self->is_shown = FALSE;
      reader_show_again (self);
    }
  else if (self->is_shown && self->secret == NULL)
    rl_resize_terminal ();
  else
    rl_reset_screen_size ();
  return G_SOURCE_CONTINUE;
}

static int
reader_on_up (int count, int key)
{
  BeckonLineReader *self = the_reader;

  return rl_end == 0 && self->client->up (self->user_data) ? 0 : rl_get_previous_history (count, key);
}

/* Alt+Enter. */
static int
reader_on_line_break (int count, int key)
{
  return rl_insert_text ("\n") == 1 ? 0 : 1;
}

static void
reader_set_up_readline (BeckonLineReader *self)
{
  gboolean pastes = g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;

  the_reader = self;
  rl_readline_name = "beckonctl";
  rl_instream = stdin;
  rl_outstream = self->screen;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_change_environment = 0;
  rl_prep_term_function = NULL;
  rl_deprep_term_function = NULL;
  rl_getc_function = reader_get_key;
  rl_input_available_hook = reader_has_keys;
  /* Readline takes every terminal for one that can't move up if it finds a drawing function of ours as it starts. */
  rl_initialize ();
  rl_redisplay_function = reader_draw_nothing;
  rl_tty_set_echoing (1);
  if (pastes)
    rl_variable_bind ("enable-bracketed-paste", "on");
  rl_bind_key ('\t', rl_insert);
  rl_bind_keyseq_in_map (PASTE_BEGIN, reader_on_paste_begin, rl_get_keymap_by_name ("emacs-standard"));
  rl_bind_keyseq_in_map (PASTE_BEGIN, reader_on_paste_begin, rl_get_keymap_by_name ("vi-insert"));
  rl_bind_keyseq_in_map (PASTE_BEGIN, reader_on_paste_begin, rl_get_keymap_by_name ("vi-command"));
  for (guint i = 0; i < 2; i++)
    {
      Keymap keys = rl_get_keymap_by_name (i == 0 ? "emacs-standard" : "vi-insert");

      rl_bind_keyseq_in_map ("\\e[A", reader_on_up, keys);
      rl_bind_keyseq_in_map ("\\eOA", reader_on_up, keys);
    }
  rl_bind_keyseq_in_map ("\\e\\C-m", reader_on_line_break, rl_get_keymap_by_name ("emacs-standard"));
  rl_bind_keyseq_in_map ("\\e\\C-j", reader_on_line_break, rl_get_keymap_by_name ("emacs-standard"));
  beckon_terminal_modes_enter (pastes);
}

void
beckon_line_reader_listen (BeckonLineReader *reader)
{
  if (reader->key_source != 0)
    return;
  reader_set_up_readline (reader);
  rl_callback_handler_install ("> ", reader_on_line);
  reader->key_source = g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, reader_on_keys, reader);
  reader->resize_source = g_unix_signal_add (SIGWINCH, reader_on_resized, reader);
}

/* --- The two of them --------------------------------------------------------------------------------------------- */

void
beckon_line_reader_want (BeckonLineReader *reader, guint card, gboolean hidden)
{
  if (!reader->is_terminal)
    {
      reader->wanted = card;
      reader->is_wanted_hidden = hidden;
      reader_read_pipe (reader);
      return;
    }
  beckon_line_reader_listen (reader);
  if (reader->wanted != card)
    g_clear_handle_id (&reader->seen_source, g_source_remove);
  reader->is_wanted = TRUE;
  reader->wanted = card;
  reader->is_wanted_hidden = hidden;
  if (card != 0 && card != reader->seen && reader->seen_source == 0)
    reader->seen_source = g_timeout_add (SEEN_MS, reader_on_seen, reader);
  reader_follow_want (reader);
}

void
beckon_line_reader_rest (BeckonLineReader *reader)
{
  reader->is_wanted = FALSE;
}

gboolean
beckon_line_reader_has_card (BeckonLineReader *reader)
{
  return reader->is_wanted && reader->wanted != 0;
}

gboolean
beckon_line_reader_begin (BeckonLineReader *reader, const char *text)
{
  if (reader->key_source == 0 || rl_end > 0 || reader->paste != NULL || reader->secret != NULL)
    return FALSE;
  reader_begin_line (reader);
  reader->line_card = 0;
  reader_show (reader);
  reader_insert_paste (reader, text);
  return TRUE;
}

gboolean
beckon_line_reader_drop_line (BeckonLineReader *reader)
{
  if (reader->key_source == 0 || !reader_is_begun (reader))
    return FALSE;
  if (reader->paste != NULL)
    g_string_free (g_steal_pointer (&reader->paste), TRUE);
  if (reader->secret != NULL)
    g_string_truncate (reader->secret, 0);
  reader_hide (reader, TRUE);
  rl_callback_sigcleanup ();
  rl_replace_line ("", 1);
  reader_follow_want (reader);
  return TRUE;
}

void
beckon_line_reader_remember (BeckonLineReader *reader, const char *line)
{
  HIST_ENTRY *last;

  if (!reader->is_terminal || *line == '\0')
    return;
  using_history ();
  last = history_length > 0 ? history_get (history_base + history_length - 1) : NULL;
  if (last == NULL || strcmp (last->line, line) != 0)
    add_history (line);
}

gboolean
beckon_line_reader_is_terminal (BeckonLineReader *reader)
{
  return reader->is_terminal;
}

BeckonLineReader *
beckon_line_reader_new (FILE *screen, const BeckonLineReaderClient *client, gpointer user_data)
{
  BeckonLineReader *self = g_new0 (BeckonLineReader, 1);
  g_autoptr (GInputStream) input = NULL;

  self->client = client;
  self->user_data = user_data;
  self->is_terminal = isatty (STDIN_FILENO) != 0;
  if (self->is_terminal)
    {
      if (!isatty (fileno (screen)))
        self->own_screen = fopen ("/dev/tty", "we");
      self->screen = self->own_screen != NULL ? self->own_screen : screen;
      self->keys = g_string_new (NULL);
      self->pastes = g_ptr_array_new_with_free_func (g_free);
      return self;
    }
  input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  self->input = g_data_input_stream_new (input);
  return self;
}

void
beckon_line_reader_free (BeckonLineReader *reader)
{
  if (reader->resize_source != 0)
    {
      reader_hide (reader, TRUE);
      rl_callback_handler_remove ();
      beckon_terminal_modes_leave ();
    }
  g_clear_handle_id (&reader->key_source, g_source_remove);
  g_clear_handle_id (&reader->resize_source, g_source_remove);
  g_clear_handle_id (&reader->seen_source, g_source_remove);
  g_clear_handle_id (&reader->room_source, g_source_remove);
  g_clear_handle_id (&reader->escape_source, g_source_remove);
  if (reader->reading != NULL)
    g_cancellable_cancel (reader->reading);
  g_clear_object (&reader->reading);
  g_clear_object (&reader->input);
  reader_wipe_secret (reader);
  if (reader->paste != NULL)
    g_string_free (reader->paste, TRUE);
  if (reader->keys != NULL)
    g_string_free (reader->keys, TRUE);
  g_clear_pointer (&reader->pastes, g_ptr_array_unref);
  if (reader->own_screen != NULL)
    fclose (reader->own_screen);
  g_free (reader);
}

static struct termios before;
static gboolean is_hidden;

static void
echo_show (void)
{
  if (is_hidden)
    tcsetattr (STDIN_FILENO, TCSANOW, &before);
  is_hidden = FALSE;
}

static void
echo_hide (void)
{
  static gboolean registered;
  struct termios quiet;

  if (tcgetattr (STDIN_FILENO, &before) != 0)
    return;
  if (!registered)
    registered = atexit (echo_show) == 0;

  quiet = before;
  quiet.c_lflag &= (tcflag_t) ~ECHO;
  is_hidden = tcsetattr (STDIN_FILENO, TCSANOW, &quiet) == 0;
}

gboolean
beckon_echo_set_hidden (gboolean hidden)
{
  if (hidden && !is_hidden)
    echo_hide ();
  else if (!hidden)
    echo_show ();
  return is_hidden;
}

static void
secret_line_ask (const char *name)
{
  g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);

  if (!isatty (STDIN_FILENO))
    return;
  /* Translators: what is to be typed, by its name, such as API_KEY */
  fprintf (stderr, _("%s (not shown):"), shown);
  fputc (' ', stderr);
  fflush (stderr);
}

char *
beckon_secret_line_read (const char *name, GError **error)
{
  char *line = g_malloc0 (BECKON_SECRET_LINE_MAX + 2);

  secret_line_ask (name);
  if (beckon_echo_set_hidden (TRUE))
    {
      if (fgets (line, BECKON_SECRET_LINE_MAX + 2, stdin) == NULL)
        *line = '\0';
      beckon_echo_set_hidden (FALSE);
      fputc ('\n', stderr);
    }
  else if (fgets (line, BECKON_SECRET_LINE_MAX + 2, stdin) == NULL)
    {
      *line = '\0';
    }
  g_strstrip (line);
  if (*line != '\0' && strlen (line) <= BECKON_SECRET_LINE_MAX)
    return line;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Standard input has no secret in it."));
  beckon_wipe (line);
  return NULL;
}
