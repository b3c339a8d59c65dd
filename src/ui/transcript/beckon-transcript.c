/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-message-menu.h"
#include "beckon-message-row.h"
#include "beckon-state-line.h"
#include "beckon-transcript-private.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-message.h"
#include "markdown/beckon-markdown-plain.h"
#include "request/beckon-question-request.h"
#include "request/beckon-request.h"
#include "text/beckon-conversation-text.h"
#include "ui/blocks/beckon-match-mark.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/widgets/beckon-clipboard.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>
#include <gtk/gtk.h>
#include <time.h>

static void transcript_look_soon (BeckonTranscript *self);

static void
list_questions (GtkWidget *widget, GPtrArray *questions)
{
  if (BECKON_IS_CALL_VIEW (widget))
    {
      if (beckon_call_view_get_question (BECKON_CALL_VIEW (widget)) != NULL)
        g_ptr_array_add (questions, widget);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    list_questions (child, questions);
}

/* The least distance from an edge, in pixels, to be well on screen. */
#define EDGE 24

/* Whether enough of @widget is on screen to be noticed. */
static gboolean
transcript_is_on_screen (GtkScrolledWindow *scroller, GtkWidget *widget)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (widget, GTK_WIDGET (scroller), &bounds))
    return FALSE;
  return bounds.origin.y + bounds.size.height > EDGE &&
         bounds.origin.y < (float) gtk_widget_get_height (GTK_WIDGET (scroller)) - EDGE;
}

static int
get_font_size (GtkWidget *rows)
{
  PangoContext *context = gtk_widget_get_pango_context (rows);

  return pango_font_description_get_size (pango_context_get_font_description (context));
}

static gboolean
get_place (GtkWidget *row, GtkScrolledWindow *scroller, double *top, double *height)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (row, GTK_WIDGET (scroller), &bounds))
    return FALSE;
  *top = bounds.origin.y;
  *height = bounds.size.height;
  return TRUE;
}

/* The first row of which something is seen. */
static void
transcript_anchor_take (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller, GtkWidget *rows)
{
  GtkWidget *row = gtk_widget_get_first_child (rows);

  while (row != NULL && !(get_place (row, scroller, &anchor->top, &anchor->height) && anchor->top + anchor->height > 0))
    row = gtk_widget_get_next_sibling (row);
  g_set_weak_pointer (&anchor->row, row);
}

/* A row that began above the screen keeps the same part above it. */
static void
transcript_anchor_keep (BeckonTranscriptAnchor *anchor, GtkScrolledWindow *scroller)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  double top, height, wanted;

  if (anchor->row == NULL || !get_place (anchor->row, scroller, &top, &height))
    return;
  wanted = anchor->top >= 0 || anchor->height <= 0 ? anchor->top : anchor->top / anchor->height * height;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + top - wanted);
}

/* The row that has the focus itself, not something in it. */
static GtkWidget *
get_focused_row (GtkWidget *rows)
{
  GtkRoot *root = gtk_widget_get_root (rows);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_get_parent (focus) == rows ? focus : NULL;
}

static void
act (GtkWidget *row, const char *action)
{
  const char *id = beckon_message_get_id (beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)));

  gtk_widget_activate_action (row, action, "s", id);
}

static void
step_version (GtkWidget *row, int step)
{
  BeckonMessage *message = beckon_message_row_get_message (BECKON_MESSAGE_ROW (row));
  int to = (int) beckon_message_get_version (message) + step;

  if (to >= 0 && to < (int) beckon_message_get_n_versions (message))
    gtk_widget_activate_action (row, "win.message-version", "(su)", beckon_message_get_id (message), (guint) to);
}

/* Letters alone: a message takes no text. */
static gboolean
act_on_key (GtkWidget *row, guint keyval)
{
  BeckonMessage *message = beckon_message_row_get_message (BECKON_MESSAGE_ROW (row));

  switch (keyval)
    {
    case GDK_KEY_e:
      act (row, "transcript.edit");
      return TRUE;

    case GDK_KEY_r:
      if (beckon_message_get_role (message) == BECKON_ROLE_ASSISTANT)
        act (row, "win.message-regenerate");
      return TRUE;

    case GDK_KEY_q:
      act (row, "transcript.quote");
      return TRUE;

    case GDK_KEY_t:
      act (row, "transcript.top");
      return TRUE;

    case GDK_KEY_space:
      if (beckon_transcript_get_selecting (BECKON_TRANSCRIPT (gtk_widget_get_ancestor (row, BECKON_TYPE_TRANSCRIPT))))
        beckon_message_row_toggle (BECKON_MESSAGE_ROW (row));
      else
        act (row, "transcript.select");
      return TRUE;

    case GDK_KEY_Left:
    case GDK_KEY_Right:
      step_version (row, (keyval == GDK_KEY_Left) == (gtk_widget_get_direction (row) == GTK_TEXT_DIR_LTR) ? -1 : 1);
      return TRUE;

    case GDK_KEY_Delete:
      gtk_widget_activate_action (row, "win.message-delete", "^as", (const char *[]){ beckon_message_get_id (message), NULL });
      return TRUE;

    default:
      return FALSE;
    }
}

static gboolean
transcript_keys_on_key_pressed (GtkWidget *rows, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  GtkWidget *row = get_focused_row (rows);
  GtkWidget *next = NULL;

  /* Going up from the top asks again for what could not be read before. */
  if (keyval == GDK_KEY_Up || keyval == GDK_KEY_Page_Up || keyval == GDK_KEY_Home || keyval == GDK_KEY_KP_Page_Up)
    {
      /* Scrolls on at the top: unread messages are wanted again. */
      BeckonTranscript *self = BECKON_TRANSCRIPT (gtk_widget_get_ancestor (rows, BECKON_TYPE_TRANSCRIPT));

      if (gtk_adjustment_get_value (beckon_transcript_get_adjustment (self)) <= 0)
        transcript_look_soon (self);
    }
  if (row == NULL)
    return GDK_EVENT_PROPAGATE;
  if ((modifiers == 0 && keyval == GDK_KEY_Menu) || (modifiers == GDK_SHIFT_MASK && keyval == GDK_KEY_F10))
    {
      beckon_message_menu_popup (gtk_widget_get_ancestor (rows, BECKON_TYPE_TRANSCRIPT), BECKON_MESSAGE_ROW (row), NULL,
                                 NULL);
      return GDK_EVENT_STOP;
    }
  if (modifiers == GDK_CONTROL_MASK && keyval == GDK_KEY_c)
    {
      beckon_message_row_copy (BECKON_MESSAGE_ROW (row));
      return GDK_EVENT_STOP;
    }
  if (modifiers == 0 && act_on_key (row, keyval))
    return GDK_EVENT_STOP;
  if (modifiers == 0 && keyval == GDK_KEY_Escape
      && beckon_transcript_get_selecting (BECKON_TRANSCRIPT (gtk_widget_get_ancestor (rows, BECKON_TYPE_TRANSCRIPT))))
    {
      gtk_widget_activate_action (rows, "transcript.end-selection", NULL);
      return GDK_EVENT_STOP;
    }
  if (modifiers != 0 || (keyval != GDK_KEY_Up && keyval != GDK_KEY_Down && keyval != GDK_KEY_Escape))
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Up)
    next = gtk_widget_get_prev_sibling (row);
  else if (keyval == GDK_KEY_Down)
    next = gtk_widget_get_next_sibling (row);
  if (next != NULL)
    gtk_widget_grab_focus (next);
  else if (keyval != GDK_KEY_Up)
    gtk_widget_activate_action (rows, "conversation.focus-composer", NULL);
  return GDK_EVENT_STOP;
}

/* By a row that is on screen: coming back must not lose the reader's place. Backwards into what it holds last. */
static gboolean
enter_rows (BeckonTranscript *self, GtkDirectionType direction)
{
  GtkWidget *row = self->last_row;

  if (row == NULL || gtk_widget_get_parent (row) != self->rows || !transcript_is_on_screen (self->scroller, row))
    row = gtk_widget_get_last_child (self->rows);
  while (row != NULL && !transcript_is_on_screen (self->scroller, row))
    row = gtk_widget_get_prev_sibling (row);
  if (row == NULL)
    return FALSE;
  return (direction == GTK_DIR_TAB_BACKWARD && gtk_widget_child_focus (row, direction)) || gtk_widget_grab_focus (row);
}

/* Within one row: backwards it ends with the row itself. */
static gboolean
move_in_row (GtkWidget *rows, GtkWidget *row, GtkDirectionType direction)
{
  if (get_focused_row (rows) == row && direction == GTK_DIR_TAB_BACKWARD)
    return FALSE;
  if (gtk_widget_child_focus (row, direction))
    return TRUE;
  return direction == GTK_DIR_TAB_BACKWARD && gtk_widget_grab_focus (row);
}

/* A question is only named, in characters. */
#define MOST 120

static BeckonRequest *
transcript_window_find (BeckonConversation *conversation, const char *request_id)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      for (guint k = 0; k < beckon_message_get_n_parts (message); k++)
        {
          BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, k));
          GObject *request = call != NULL ? beckon_tool_call_get_request (call) : NULL;

          if (request != NULL && g_str_equal (beckon_request_get_id (BECKON_REQUEST (request)), request_id))
            return BECKON_REQUEST (request);
        }
    }
  return NULL;
}

/* (nullable): the words for the person of a message that tells the model an answer it did not wait for; %NULL for every
 * other message, and where the question is not loaded. Not made safe for display. Caller frees. */
static char *
late_text_describe (BeckonConversation *conversation, BeckonMessage *message)
{
  const char *request_id = beckon_late_message_get_request_id (message);
  BeckonRequest *request = request_id != NULL ? transcript_window_find (conversation, request_id) : NULL;
  BeckonQuestion *question = request != NULL ? beckon_request_get_question (request) : NULL;
  g_autofree char *name = NULL;
  g_autofree char *answer = NULL;

  if (question == NULL || beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    return NULL;
  name = beckon_text_shorten (beckon_question_get_item (question, 0)->question, MOST);
  answer = beckon_request_dup_summary (request);
  /* Translators: a message that tells the agent the answer to what it asked and did not wait for: question and answer */
  return beckon_text_printf (_("Answer to “%s”: %s"), name, answer);
}

/*
 * Rows stand in a box, because a box of at most BECKON_TRANSCRIPT_MOST rows scrolls far more cheaply than a list view that
 * measures rows of varying height as it goes. The window of messages [first, last) is moved when the edge of what has rows
 * comes near the edge of the screen. Rows that come or go above the screen would move what is read, so the place is kept,
 * as the end is where it is followed. The value that does so is known once the rows have their places: it is set behind the
 * frame clock's layout, which then makes one more before anything is drawn.
 */

/* Enough for two screens of short messages: the first picture waits for them. */
#define AT_FIRST 24

/* How many pages before and behind the screen have rows. */
#define AHEAD 1

/* Rows that are so many pages away go. Each row that comes or goes has the style of its siblings looked at, with all that is in
 * them, so rows that are not seen are not free; and what was near a moment ago may be wanted again. */
#define FAR 2

/* How long a frame may make rows that are about to come on screen, in microseconds: to lay them out takes longer still. */
#define MAKING_US 1000

/* The window of messages that have rows. */
static guint
transcript_get_n_messages (BeckonTranscript *self)
{
  return self->conversation != NULL ? beckon_conversation_get_n_messages (self->conversation) : 0;
}

static void
on_row_toggled (BeckonMessageRow *row, BeckonTranscript *self)
{
  const char *id = beckon_message_get_id (beckon_message_row_get_message (row));

  if (beckon_message_row_get_selected (row))
    g_hash_table_add (self->selected, g_strdup (id));
  else
    g_hash_table_remove (self->selected, id);
  g_object_notify (G_OBJECT (self), "n-selected");
}

/* Behind @previous; with %NULL before all others. */
static GtkWidget *
insert_row (BeckonTranscript *self, guint index, GtkWidget *previous)
{
  BeckonMessage *message = beckon_conversation_get_message (self->conversation, index);
  g_autofree char *text = late_text_describe (self->conversation, message);
  GtkWidget *row = beckon_message_row_new (self->inbox, message, text);

  g_signal_connect_object (row, "toggled", G_CALLBACK (on_row_toggled), self, 0);
  beckon_message_row_set_shows_usage (BECKON_MESSAGE_ROW (row), self->shows_usage);
  if (self->selecting)
    beckon_message_row_set_selecting (BECKON_MESSAGE_ROW (row), TRUE,
                                      g_hash_table_contains (self->selected, beckon_message_get_id (message)));
  gtk_box_insert_child_after (GTK_BOX (self->rows), row, previous);
  g_signal_emit_by_name (self, "row-added", row);
  return row;
}

/* A row without a place is not. */
static gboolean
is_far (BeckonTranscript *self, GtkWidget *row)
{
  float page = (float) gtk_adjustment_get_page_size (beckon_transcript_get_adjustment (self));
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (row, GTK_WIDGET (self->scroller), &bounds) || bounds.size.height <= 0)
    return FALSE;
  return bounds.origin.y > (1 + FAR) * page || bounds.origin.y + bounds.size.height < -FAR * page;
}

/* Takes rows away at one end until few enough are left. Returns the height that went. */
static double
trim (BeckonTranscript *self, gboolean at_start)
{
  double height = 0;

  while (self->last > self->first)
    {
      GtkWidget *row = at_start ? gtk_widget_get_first_child (self->rows) : gtk_widget_get_last_child (self->rows);

      if (self->last - self->first <= BECKON_TRANSCRIPT_MOST && !is_far (self, row))
        break;
      height += gtk_widget_get_height (row) + gtk_box_get_spacing (GTK_BOX (self->rows));
      gtk_box_remove (GTK_BOX (self->rows), row);
      if (at_start)
        self->first++;
      else
        self->last--;
    }
  return height;
}

/* Sets the place to keep in the next layout, in which changes get theirs. */
static void
transcript_keep_place (BeckonTranscript *self, BeckonTranscriptKeep keep, double place)
{
  self->keep = keep;
  self->place = place;
}

/* Counts this thread alone, so that a busy machine does not make rows dear. */
static gint64
get_processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Makes rows of the messages [first, last), and of no others. */
static void
transcript_show_window (BeckonTranscript *self, guint first, guint last)
{
  GtkWidget *row;

  self->keep = BECKON_TRANSCRIPT_KEEP_NOTHING;
  while ((row = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), row);
  self->first = first;
  self->last = last;
  for (guint i = first; i < last; i++)
    insert_row (self, i, gtk_widget_get_last_child (self->rows));
}

/* Makes rows of the last messages and follows the end. */
static void
transcript_show_end (BeckonTranscript *self)
{
  guint n = transcript_get_n_messages (self);

  self->following = TRUE;
  transcript_show_window (self, n > AT_FIRST ? n - AT_FIRST : 0, n);
}

/* Messages that came or went in front of the window leave its rows as they are. */
static gboolean
move_window (BeckonTranscript *self, guint position, guint removed, guint added)
{
  if (position > 0 || self->last == 0 || removed > self->first || (removed > 0 && added > 0))
    return FALSE;

  self->first = self->first - removed + added;
  self->last = self->last - removed + added;
  self->earlier_wanted = FALSE;
  transcript_look_soon (self);
  return TRUE;
}

static GtkWidget *
get_row (BeckonTranscript *self, guint index)
{
  GtkWidget *row = gtk_widget_get_first_child (self->rows);

  for (guint i = self->first; i < index && row != NULL; i++)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

static void
remove_rows (BeckonTranscript *self, guint position, guint n)
{
  GtkWidget *row = get_row (self, position);

  for (; n > 0 && row != NULL; n--)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (row);

      gtk_box_remove (GTK_BOX (self->rows), row);
      self->last--;
      row = next;
    }
}

/* Another branch, or messages that were deleted or put back: what stands before stays where it is on the screen. */
static gboolean
replace_rows (BeckonTranscript *self, guint position, guint removed, guint added)
{
  double value = gtk_adjustment_get_value (beckon_transcript_get_adjustment (self));
  guint n_behind = position + removed < self->last ? self->last - position - removed : 0;
  guint n_shown = MIN (added, BECKON_TRANSCRIPT_STEP);
  GtkWidget *before;

  if (position < self->first || position > self->last || self->last == 0)
    return FALSE;

  remove_rows (self, position, self->last - position - n_behind);
  if (n_shown < added)
    remove_rows (self, position, n_behind);

  before = position > self->first ? get_row (self, position - 1) : NULL;
  for (guint i = position; i < position + n_shown; i++)
    before = insert_row (self, i, before);
  self->last += n_shown;

  if (added > 0)
    self->following = FALSE;
  if (!self->following)
    transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_FROM_START, value);
  trim (self, FALSE);
  transcript_look_soon (self);
  return TRUE;
}

/* Messages came or went. */
static void
transcript_take_messages (BeckonTranscript *self, guint position, guint removed, guint added)
{
  guint n = transcript_get_n_messages (self);

  if (move_window (self, position, removed, added))
    return;
  if ((removed > 0 || position + added < n) && replace_rows (self, position, removed, added))
    return;
  if (removed > 0 || added > BECKON_TRANSCRIPT_STEP || position + added != n || self->last > position)
    {
      transcript_show_end (self);
      return;
    }
  /* Reading further up: the rows come when the person comes. */
  if (self->last < position)
    return;
  for (; self->last < n; self->last++)
    insert_row (self, self->last, gtk_widget_get_last_child (self->rows));
  if (self->following)
    trim (self, TRUE);
}

static BeckonMessage *
transcript_actions_find (BeckonTranscript *self, GVariant *parameter)
{
  return self->conversation != NULL
           ? beckon_conversation_find_message (self->conversation, g_variant_get_string (parameter, NULL))
           : NULL;
}

/* In the order of the conversation. (transfer container) */
static GPtrArray *
list_selected (BeckonTranscript *self)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < transcript_get_n_messages (self); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (self->conversation, i);

      if (g_hash_table_contains (self->selected, beckon_message_get_id (message)))
        g_ptr_array_add (messages, g_object_ref (message));
    }
  return messages;
}

/* @as_read: without marks. */
static char *
join_texts (GPtrArray *messages, gboolean as_read)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < messages->len; i++)
    {
      /* A person's text is no Markdown. */
      BeckonMessage *message = g_ptr_array_index (messages, i);
      g_autofree char *written = beckon_message_dup_text (message);
      g_autofree char *words = as_read && beckon_message_get_role (message) != BECKON_ROLE_USER
                                   ? beckon_markdown_to_plain (written)
                                   : g_steal_pointer (&written);

      if (*g_strstrip (words) != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", words);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);
  g_autofree char *text = message != NULL ? beckon_message_dup_text (message) : NULL;

  /* A person's text is no Markdown. */
  if (text != NULL && beckon_message_get_role (message) == BECKON_ROLE_USER)
    beckon_clipboard_set_text (widget, text);
  else if (text != NULL)
    beckon_clipboard_set_markdown (widget, text);
}

static void
copy_markdown_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);
  g_autofree char *text = message != NULL ? beckon_message_dup_text (message) : NULL;

  if (text != NULL)
    beckon_clipboard_set_source (widget, text);
}

void
beckon_transcript_point_at (BeckonTranscript *self, GtkWidget *widget)
{
  g_set_weak_pointer (&self->pointed, widget);
}

/* The one that the menu was opened on. */
static void
copy_block_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *markdown = beckon_pointed_block_dup_markdown (BECKON_TRANSCRIPT (widget)->pointed);

  if (markdown != NULL)
    beckon_clipboard_set_markdown (widget, markdown);
}

static void
edit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);

  if (message != NULL && beckon_message_get_role (message) == BECKON_ROLE_USER
      && beckon_late_message_get_request_id (message) == NULL)
    g_signal_emit_by_name (widget, "edit", message);
}

static void
actions_quote (BeckonTranscript *self, GPtrArray *messages)
{
  g_autofree char *text = join_texts (messages, FALSE);

  if (*text != '\0')
    g_signal_emit_by_name (self, "quote", text);
}

static void
quote_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);
  g_autoptr (GPtrArray) messages = g_ptr_array_new ();

  if (message == NULL)
    return;
  g_ptr_array_add (messages, message);
  actions_quote (BECKON_TRANSCRIPT (widget), messages);
}

/* %NULL if it is not in the conversation. */
static GtkWidget *
find_or_make_row (BeckonTranscript *self, BeckonMessage *message)
{
  GtkWidget *row = beckon_message_row_find (self->rows, message);
  guint index;

  if (row != NULL || self->conversation == NULL
      || !beckon_conversation_find_position (self->conversation, beckon_message_get_id (message), &index))
    return row;

  transcript_show_window (self, index > BECKON_TRANSCRIPT_STEP ? index - BECKON_TRANSCRIPT_STEP : 0,
                          MIN (index + BECKON_TRANSCRIPT_STEP, transcript_get_n_messages (self)));
  return beckon_message_row_find (self->rows, message);
}

static void
top_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);
  GtkWidget *row = message != NULL ? find_or_make_row (self, message) : NULL;

  if (row == NULL)
    return;
  self->following = FALSE;
  g_set_weak_pointer (&self->mark.widget, row);
  transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_TOP, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* Finds where the button's menu begins; FALSE if there is none. */
static gboolean
find_menu_place (BeckonMessageRow *row, graphene_point_t *at)
{
  GtkWidget *button = beckon_message_row_get_menu_button (row);
  graphene_point_t corner;
  int x;

  if (button == NULL)
    return FALSE;
  x = gtk_widget_get_direction (button) == GTK_TEXT_DIR_RTL ? gtk_widget_get_width (button) : 0;
  graphene_point_init (&corner, (float) x, (float) gtk_widget_get_height (button));
  return gtk_widget_compute_point (button, GTK_WIDGET (row), &corner, at);
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);
  GtkWidget *row = message != NULL ? beckon_message_row_find (self->rows, message) : NULL;
  graphene_point_t at;

  if (row == NULL)
    return;
  if (find_menu_place (BECKON_MESSAGE_ROW (row), &at))
    beckon_message_menu_popup (widget, BECKON_MESSAGE_ROW (row), NULL, &at);
  else
    beckon_message_menu_popup (widget, BECKON_MESSAGE_ROW (row), NULL, NULL);
}

/* Selecting */

void
beckon_transcript_set_shows_usage (BeckonTranscript *self, gboolean shows_usage)
{
  GtkWidget *row;

  self->shows_usage = shows_usage;
  row = gtk_widget_get_first_child (self->rows);
  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    beckon_message_row_set_shows_usage (BECKON_MESSAGE_ROW (row), shows_usage);
}

static void
set_selecting (BeckonTranscript *self, gboolean selecting)
{
  GtkWidget *row = gtk_widget_get_first_child (self->rows);

  self->selecting = selecting;
  if (!selecting)
    g_hash_table_remove_all (self->selected);
  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      const char *id = beckon_message_get_id (beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)));

      beckon_message_row_set_selecting (BECKON_MESSAGE_ROW (row), selecting, g_hash_table_contains (self->selected, id));
    }
  g_object_notify (G_OBJECT (self), "selecting");
  g_object_notify (G_OBJECT (self), "n-selected");
}

static void
transcript_end_selection (BeckonTranscript *self)
{
  if (self->selecting)
    set_selecting (self, FALSE);
}

static void
select_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);

  if (message == NULL)
    return;
  g_hash_table_add (self->selected, g_strdup (beckon_message_get_id (message)));
  set_selecting (self, TRUE);
}

static void
end_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  transcript_end_selection (BECKON_TRANSCRIPT (widget));
}

static void
copy_selected_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);
  g_autofree char *text = beckon_conversation_text_of_messages (messages);

  beckon_clipboard_set_source (widget, text);
  transcript_end_selection (self);
}

static void
copy_selected_plain_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);
  g_autofree char *text = join_texts (messages, TRUE);

  beckon_clipboard_set_text (widget, text);
  transcript_end_selection (self);
}

static void
quote_selected_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);

  transcript_end_selection (self);
  actions_quote (self, messages);
}

static void
delete_selected_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);
  GVariantBuilder ids;

  g_variant_builder_init (&ids, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < messages->len; i++)
    g_variant_builder_add (&ids, "s", beckon_message_get_id (g_ptr_array_index (messages, i)));
  transcript_end_selection (self);
  gtk_widget_activate_action (widget, "win.message-delete", "as", &ids);
}

static void
link_questions_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkWidget *rows = BECKON_TRANSCRIPT (widget)->rows;
  g_autoptr (GPtrArray) before = g_ptr_array_new ();

  for (GtkWidget *row = gtk_widget_get_first_child (rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      g_autoptr (GPtrArray) questions = g_ptr_array_new ();

      list_questions (row, questions);
      if (questions->len == 0)
        continue;

      /* A question of a reply comes again for all that were asked back in the one before it. */
      for (guint i = 0; i < before->len; i++)
        {
          BeckonCallView *view = g_ptr_array_index (before, i);

          if (beckon_request_get_state (beckon_call_view_get_question (view)) == BECKON_REQUEST_ASKED_BACK)
            beckon_call_view_set_asked_again (view);
        }

      g_ptr_array_unref (before);
      before = g_steal_pointer (&questions);
    }
}

/* The height of the end, in pixels. */
#define NEAR_END 8
/* The room above a button whose unfolded part is higher than the view, in pixels. */
#define ABOVE_UNFOLDED 12

/* How long what was unfolded may grow, in microseconds: its text is laid out in frames to come. */
#define UNFOLDING_TIME G_USEC_PER_SEC

G_DEFINE_FINAL_TYPE (BeckonTranscript, beckon_transcript, ADW_TYPE_BIN)

typedef enum
{
  PROP_AT_END = 1,
  PROP_N_NEW,
  PROP_SELECTING,
  PROP_N_SELECTED,
} BeckonTranscriptProperty;

static GParamSpec *properties[PROP_N_SELECTED + 1];

typedef enum
{
  SIGNAL_ROW_ADDED,
  SIGNAL_EARLIER_WANTED,
  SIGNAL_EDIT,
  SIGNAL_QUOTE,
} BeckonTranscriptSignal;

static guint signals[SIGNAL_QUOTE + 1];

GtkAdjustment *
beckon_transcript_get_adjustment (BeckonTranscript *self)
{
  return gtk_scrolled_window_get_vadjustment (self->scroller);
}

static void
set_flag (BeckonTranscript *self, gboolean *flag, gboolean value, BeckonTranscriptProperty property)
{
  if (*flag == value)
    return;

  *flag = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* Makes rows of what comes near the screen, as many as a frame has time for, and says that what was not read yet is wanted. */
static gboolean
transcript_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double value = gtk_adjustment_get_value (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);
  double from_end = gtk_adjustment_get_upper (adjustment) - value;
  gint64 end = get_processor_time () + MAKING_US;

  if (self->keep == BECKON_TRANSCRIPT_KEEP_NOTHING && page > 0)
    {
      if (value < AHEAD * page && self->first > 0)
        {
          do
            insert_row (self, --self->first, NULL);
          while (self->first > 0 && get_processor_time () < end);
          transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_FROM_END, from_end - trim (self, FALSE));
        }
      else if (value + (1 + AHEAD) * page > gtk_adjustment_get_upper (adjustment)
               && self->last < transcript_get_n_messages (self))
        {
          do
            insert_row (self, self->last++, gtk_widget_get_last_child (self->rows));
          while (self->last < transcript_get_n_messages (self) && get_processor_time () < end);
          transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_FROM_START, value - trim (self, TRUE));
        }
    }

  /* Before the last of them has its row, so that who scrolls on finds no end. */
  if (!self->earlier_wanted && self->conversation != NULL && self->first <= BECKON_TRANSCRIPT_STEP
      && beckon_conversation_get_has_earlier (self->conversation))
    {
      self->earlier_wanted = TRUE;
      g_signal_emit_by_name (self, "earlier-wanted");
    }

  if (--self->looks > 0)
    return G_SOURCE_CONTINUE;

  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

/* Looks at what is on screen in the next frames. */
static void
transcript_look_soon (BeckonTranscript *self)
{
  /* A tick comes before its frame's layout: where things are after a change is known at the second one. */
  self->looks = 2;
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), transcript_on_tick, NULL, NULL);
}

static gboolean
is_at_end (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  return self->last == transcript_get_n_messages (self) && gtk_adjustment_get_value (adjustment) >= end - NEAR_END;
}

/* Whether the rows have, or are about to get, another width or font than at the last layout. */
static gboolean
is_resized (BeckonTranscript *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self)) != self->anchor.width || get_font_size (self->rows) != self->anchor.font_size;
}

static void
set_n_new (BeckonTranscript *self, guint n_new)
{
  if (self->n_new == n_new)
    return;

  self->n_new = n_new;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_NEW]);
}

/* A value that the viewport clamps while rows come, go or are resized is not where the person went. */
static void
on_value_changed (BeckonTranscript *self)
{
  if (self->keep == BECKON_TRANSCRIPT_KEEP_NOTHING && !is_resized (self))
    self->following = is_at_end (self);
  set_flag (self, &self->at_end, self->following, PROP_AT_END);
  if (self->at_end)
    set_n_new (self, 0);
  transcript_look_soon (self);
}

static void
on_bounds_changed (BeckonTranscript *self)
{
  set_flag (self, &self->at_end, self->following || is_at_end (self), PROP_AT_END);
  transcript_look_soon (self);
}

static void
scroll_to_unfolded (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  graphene_point_t at;

  if (gtk_widget_compute_point (self->mark.widget, gtk_widget_get_parent (self->rows), &GRAPHENE_POINT_INIT (0, 0), &at))
    gtk_adjustment_set_value (adjustment, CLAMP (at.y - ABOVE_UNFOLDED, 0, end));
  /* The value may be what it was, and the end further down. */
  on_value_changed (self);
}

static void
scroll_to_kept_widget (BeckonTranscript *self, BeckonTranscriptKeep keep)
{
  if (self->mark.widget == NULL)
    return;
  if (keep == BECKON_TRANSCRIPT_KEEP_TOP)
    {
      graphene_point_t at;

      if (gtk_widget_compute_point (self->mark.widget, gtk_widget_get_parent (self->rows), &GRAPHENE_POINT_INIT (0, 0),
                                    &at))
        gtk_adjustment_set_value (beckon_transcript_get_adjustment (self), MAX (at.y, 0));
    }
  else if (keep == BECKON_TRANSCRIPT_KEEP_UNFOLDED)
    scroll_to_unfolded (self);
  else
    {
      /* Only if it is not well on screen; then it is seen with what is before and after it. */
      GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
      double page = gtk_adjustment_get_page_size (adjustment);
      graphene_rect_t area;
      graphene_point_t at;

      beckon_match_get_area (&self->mark, &area);
      if (!gtk_widget_compute_point (self->mark.widget, GTK_WIDGET (self->scroller), &area.origin, &at))
        return;
      if (at.y < EDGE || at.y + MIN (area.size.height, 2 * EDGE) > page - EDGE)
        gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + at.y - page / 3);
    }
}

/* A value that was clamped within the layout already changes no more. */
static void
scroll_to_value (BeckonTranscript *self, double value)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);

  gtk_adjustment_set_value (adjustment, value);
  if (gtk_adjustment_get_value (adjustment) != value)
    on_value_changed (self);
}

/* The rows have their places: a value that is set now leads to one more layout before anything is drawn. */
static void
on_layout_done (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);
  BeckonTranscriptKeep keep = self->keep;
  gboolean was_resized = is_resized (self);
  double value = gtk_adjustment_get_value (adjustment);

  self->keep = BECKON_TRANSCRIPT_KEEP_NOTHING;
  self->anchor.width = gtk_widget_get_width (GTK_WIDGET (self));
  self->anchor.font_size = get_font_size (self->rows);
  if (keep > BECKON_TRANSCRIPT_KEEP_FROM_END)
    scroll_to_kept_widget (self, keep);
  else if (self->following && self->unfolded != NULL && self->clock != NULL
           && gdk_frame_clock_get_frame_time (self->clock) < self->unfolded_until)
    {
      g_set_weak_pointer (&self->mark.widget, self->unfolded);
      scroll_to_unfolded (self);
    }
  else if (self->following)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  else if (keep == BECKON_TRANSCRIPT_KEEP_FROM_END)
    scroll_to_value (self, gtk_adjustment_get_upper (adjustment) - self->place);
  else if (keep == BECKON_TRANSCRIPT_KEEP_FROM_START)
    scroll_to_value (self, self->place);
  else if (was_resized)
    transcript_anchor_keep (&self->anchor, self->scroller);
  if (gtk_adjustment_get_value (adjustment) == value)
    transcript_anchor_take (&self->anchor, self->scroller, self->rows);
}

/* Replaced messages are not new: the person did that. */
static void
on_messages_changed (BeckonTranscript *self, guint position, guint removed, guint added)
{
  gboolean is_news = removed == 0 && added > 0 && position + added == transcript_get_n_messages (self);
  guint n;
  BeckonMessage *last;
  GHashTableIter iter;
  gpointer id;

  transcript_take_messages (self, position, removed, added);
  /* Messages went: what is not there any more is not selected. */
  if (self->selecting)
    {
      g_hash_table_iter_init (&iter, self->selected);
      while (g_hash_table_iter_next (&iter, &id, NULL))
        if (self->conversation == NULL || beckon_conversation_find_message (self->conversation, id) == NULL)
          g_hash_table_iter_remove (&iter);
      g_object_notify (G_OBJECT (self), "n-selected");
    }

  /* A person who writes the next message has seen what was done. */
  n = transcript_get_n_messages (self);
  last = n > 0 ? beckon_conversation_get_message (self->conversation, n - 1) : NULL;
  if (last != NULL && beckon_message_get_role (last) == BECKON_ROLE_USER)
    beckon_away_line_take_digest (self->away_line, NULL);

  if (is_news && !self->at_end && position > 0)
    set_n_new (self, self->n_new + added);
  else if (added == 0 && position == transcript_get_n_messages (self))
    set_n_new (self, self->n_new - MIN (self->n_new, removed));
}

guint
beckon_transcript_get_n_new (BeckonTranscript *self)
{
  return self->n_new;
}

gboolean
beckon_transcript_get_selecting (BeckonTranscript *self)
{
  return self->selecting;
}

guint
beckon_transcript_get_n_selected (BeckonTranscript *self)
{
  return g_hash_table_size (self->selected);
}

void
beckon_transcript_jump_to_end (BeckonTranscript *self)
{
  GtkAdjustment *adjustment = beckon_transcript_get_adjustment (self);

  if (self->last < transcript_get_n_messages (self))
    transcript_show_end (self);
  self->following = TRUE;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

GtkWidget *
beckon_transcript_show_message (BeckonTranscript *self, BeckonMessage *message)
{
  BeckonMark mark = { NULL, { 0, 0 } };

  mark.widget = find_or_make_row (self, message);
  if (mark.widget != NULL)
    beckon_transcript_show_mark (self, &mark);
  return mark.widget;
}

void
beckon_transcript_show_mark (BeckonTranscript *self, const BeckonMark *mark)
{
  self->following = FALSE;
  self->mark.at = mark->at;
  g_set_weak_pointer (&self->mark.widget, mark->widget);
  transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_MARK, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* The end would push away what was pressed, if what it unfolded is higher than the view. */
static void
beckon_transcript_unfolding (BeckonTranscript *self, GtkWidget *toggle)
{
  if (!self->following || self->keep != BECKON_TRANSCRIPT_KEEP_NOTHING)
    return;
  g_set_weak_pointer (&self->mark.widget, toggle);
  g_set_weak_pointer (&self->unfolded, toggle);
  self->unfolded_until = self->clock != NULL ? gdk_frame_clock_get_frame_time (self->clock) + UNFOLDING_TIME : 0;
  transcript_keep_place (self, BECKON_TRANSCRIPT_KEEP_UNFOLDED, 0);
}

void
beckon_transcript_set_unsent (BeckonTranscript *self, BeckonRequest *request, const char *text)
{
  g_autoptr (GPtrArray) views = g_ptr_array_new ();

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    beckon_message_row_list_calls (BECKON_MESSAGE_ROW (row), views);
  for (guint i = 0; i < views->len; i++)
    if (beckon_call_view_get_request (g_ptr_array_index (views, i)) == request)
      beckon_call_view_set_unsent (g_ptr_array_index (views, i), text);
}

void
beckon_transcript_show_absence (BeckonTranscript *self, BeckonAwayDigest *digest)
{
  beckon_away_line_take_digest (self->away_line, digest);
}

BeckonMessage *
beckon_transcript_get_top_message (BeckonTranscript *self)
{
  GtkWidget *row;

  row = gtk_widget_get_first_child (self->rows);
  while (row != NULL && !transcript_is_on_screen (self->scroller, row))
    row = gtk_widget_get_next_sibling (row);
  return row != NULL ? beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)) : NULL;
}

void
beckon_transcript_earlier_failed (BeckonTranscript *self)
{
  self->earlier_wanted = FALSE;
}

GtkWidget *
beckon_transcript_get_rows (BeckonTranscript *self)
{
  return self->rows;
}

gboolean
beckon_transcript_get_at_end (BeckonTranscript *self)
{
  return self->at_end;
}

guint
beckon_transcript_get_n_rows (BeckonTranscript *self)
{
  return self->last - self->first;
}

void
beckon_transcript_focus_last (BeckonTranscript *self)
{
  GtkWidget *last = gtk_widget_get_last_child (self->rows);

  if (last != NULL)
    gtk_widget_grab_focus (last);
}

static void
forget_conversation (BeckonTranscript *self)
{
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  g_clear_object (&self->inbox);
  self->earlier_wanted = FALSE;
  beckon_away_line_take_digest (self->away_line, NULL);
  transcript_end_selection (self);
}

void
beckon_transcript_set_conversation (BeckonTranscript *self, BeckonInbox *inbox, BeckonConversation *conversation)
{
  forget_conversation (self);
  if (conversation != NULL)
    {
      self->inbox = g_object_ref (inbox);
      self->conversation = g_object_ref (conversation);
      g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (on_messages_changed), self);
    }
  beckon_state_line_set_conversation (self->state_line, conversation);
  transcript_show_end (self);
  set_n_new (self, 0);
  transcript_look_soon (self);
}

/* The row that the arrows came to is where Tab comes back. */
/* Moves the focus with Tab: into one row that is on screen, through what it holds, and on out of the rows; from row to row
 * the arrows go. %FALSE when there is nothing left in that direction. */
static gboolean
beckon_transcript_focus (GtkWidget *widget, GtkDirectionType direction)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  GtkWidget *row = gtk_widget_get_focus_child (self->rows);
  gboolean is_below = beckon_focus_is_within (self->below);

  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    return GTK_WIDGET_CLASS (beckon_transcript_parent_class)->focus (widget, direction);
  if (row != NULL)
    g_set_weak_pointer (&self->last_row, row);
  if (row != NULL && move_in_row (self->rows, row, direction))
    return TRUE;
  if (row != NULL)
    return direction == GTK_DIR_TAB_FORWARD && gtk_widget_child_focus (self->below, direction);
  if (!is_below && direction == GTK_DIR_TAB_FORWARD)
    return enter_rows (self, direction) || gtk_widget_child_focus (self->below, direction);
  return gtk_widget_child_focus (self->below, direction) || (direction == GTK_DIR_TAB_BACKWARD && enter_rows (self, direction));
}

static void
beckon_transcript_realize (GtkWidget *widget)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);

  GTK_WIDGET_CLASS (beckon_transcript_parent_class)->realize (widget);
  g_set_object (&self->clock, gtk_widget_get_frame_clock (widget));
  self->layout_id = g_signal_connect_data (self->clock, "layout", G_CALLBACK (on_layout_done), self, NULL,
                                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
beckon_transcript_unrealize (GtkWidget *widget)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);

  g_clear_signal_handler (&self->layout_id, self->clock);
  g_clear_object (&self->clock);
  GTK_WIDGET_CLASS (beckon_transcript_parent_class)->unrealize (widget);
}

static void
beckon_transcript_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (object);

  switch ((BeckonTranscriptProperty) property_id)
    {
    case PROP_AT_END:
      g_value_set_boolean (value, self->at_end);
      break;

    case PROP_N_NEW:
      g_value_set_uint (value, self->n_new);
      break;

    case PROP_SELECTING:
      g_value_set_boolean (value, self->selecting);
      break;

    case PROP_N_SELECTED:
      g_value_set_uint (value, g_hash_table_size (self->selected));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
beckon_transcript_dispose (GObject *object)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (object);

  forget_conversation (self);
  g_hash_table_remove_all (self->selected);
  g_clear_weak_pointer (&self->mark.widget);
  g_clear_weak_pointer (&self->unfolded);
  g_clear_weak_pointer (&self->anchor.row);
  g_clear_weak_pointer (&self->pointed);
  g_clear_weak_pointer (&self->last_row);
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (beckon_transcript_get_adjustment (self), self);
  G_OBJECT_CLASS (beckon_transcript_parent_class)->dispose (object);
}

static void
beckon_transcript_finalize (GObject *object)
{
  g_hash_table_unref (BECKON_TRANSCRIPT (object)->selected);
  G_OBJECT_CLASS (beckon_transcript_parent_class)->finalize (object);
}

static void
beckon_transcript_class_init (BeckonTranscriptClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  g_type_ensure (BECKON_TYPE_AWAY_LINE);
  g_type_ensure (BECKON_TYPE_STATE_LINE);
  object_class->dispose = beckon_transcript_dispose;
  object_class->finalize = beckon_transcript_finalize;
  object_class->get_property = beckon_transcript_get_property;
  widget_class->focus = beckon_transcript_focus;
  widget_class->realize = beckon_transcript_realize;
  widget_class->unrealize = beckon_transcript_unrealize;
  signals[SIGNAL_EARLIER_WANTED] = g_signal_new ("earlier-wanted", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ROW_ADDED] = g_signal_new ("row-added", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, GTK_TYPE_WIDGET);
  signals[SIGNAL_EDIT] = g_signal_new ("edit", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                       1, BECKON_TYPE_MESSAGE);
  signals[SIGNAL_QUOTE] = g_signal_new ("quote", BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new_class_handler (BECKON_UNFOLDING_SIGNAL, BECKON_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST,
                              G_CALLBACK (beckon_transcript_unfolding), NULL, NULL, NULL, G_TYPE_NONE, 1, GTK_TYPE_WIDGET);
  properties[PROP_AT_END] = g_param_spec_boolean ("at-end", NULL, NULL, TRUE, flags);
  properties[PROP_N_NEW] = g_param_spec_uint ("n-new", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_SELECTING] = g_param_spec_boolean ("selecting", NULL, NULL, FALSE, flags);
  properties[PROP_N_SELECTED] = g_param_spec_uint ("n-selected", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
  /* "s" is a message's id; a block is the one that is pointed at, and call views activate the last one. */
  gtk_widget_class_install_action (widget_class, "transcript.copy", "s", copy_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-markdown", "s", copy_markdown_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-block", NULL, copy_block_action);
  gtk_widget_class_install_action (widget_class, "transcript.edit", "s", edit_action);
  gtk_widget_class_install_action (widget_class, "transcript.quote", "s", quote_action);
  gtk_widget_class_install_action (widget_class, "transcript.top", "s", top_action);
  gtk_widget_class_install_action (widget_class, "transcript.menu", "s", menu_action);
  gtk_widget_class_install_action (widget_class, "transcript.select", "s", select_action);
  gtk_widget_class_install_action (widget_class, "transcript.end-selection", NULL, end_selection_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-selected", NULL, copy_selected_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-selected-plain", NULL, copy_selected_plain_action);
  gtk_widget_class_install_action (widget_class, "transcript.quote-selected", NULL, quote_selected_action);
  gtk_widget_class_install_action (widget_class, "transcript.delete-selected", NULL, delete_selected_action);
  gtk_widget_class_install_action (widget_class, "transcript.link-questions", NULL, link_questions_action);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/transcript.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, rows);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, below);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, away_line);
  gtk_widget_class_bind_template_child (widget_class, BeckonTranscript, state_line);
}

static void
beckon_transcript_init (BeckonTranscript *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->at_end = TRUE;
  self->following = TRUE;
  self->selected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (beckon_transcript_get_adjustment (self), "value-changed", G_CALLBACK (on_value_changed), self);
  g_signal_connect_swapped (beckon_transcript_get_adjustment (self), "changed", G_CALLBACK (on_bounds_changed), self);
  /* Scrolling on at the first row asks again for what could not be read. */
  g_signal_connect_swapped (self->scroller, "edge-overshot", G_CALLBACK (transcript_look_soon), self);
  /* The keys of a message that has the focus. */
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (transcript_keys_on_key_pressed), self->rows);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  beckon_message_menu_attach (GTK_WIDGET (self), self->rows);
}
