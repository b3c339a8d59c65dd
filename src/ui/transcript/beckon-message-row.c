/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-message-row.h"

#include "base/beckon-text.h"
#include "beckon-message-footer.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-citation.h"
#include "domain/beckon-opaque.h"
#include "ui/blocks/beckon-attached-view.h"
#include "ui/blocks/beckon-block-view.h"
#include "ui/blocks/beckon-foldings.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/widgets/beckon-clipboard.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

#define BECKON_TYPE_BUBBLE_LAYOUT (beckon_bubble_layout_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBubbleLayout, beckon_bubble_layout, BECKON, BUBBLE_LAYOUT, GtkLayoutManager)

/*
 * Puts the one child of its widget at the end of the line, as wide as it would like to be, or as there is room for.
 *
 * A child that is aligned at the end is given, by GTK, the least width at which its text needs no more lines, and that is
 * searched for: ten layouts of a text instead of one, for every message on the screen.
 */
struct _BeckonBubbleLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonBubbleLayout, beckon_bubble_layout, GTK_TYPE_LAYOUT_MANAGER)

static int
choose_width (GtkWidget *child, int room)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return MAX (minimum, MIN (natural, room));
}

static void
beckon_bubble_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                              int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child == NULL)
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    gtk_widget_measure (child, orientation, -1, minimum, natural, NULL, NULL);
  else
    gtk_widget_measure (child, orientation, for_size >= 0 ? choose_width (child, for_size) : -1, minimum, natural, NULL,
                        NULL);
}

static void
beckon_bubble_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  GtkAllocation allocation = { 0, 0, 0, height };

  if (child == NULL)
    return;
  allocation.width = choose_width (child, width);
  if (gtk_widget_get_direction (widget) != GTK_TEXT_DIR_RTL)
    allocation.x = width - allocation.width;
  gtk_widget_size_allocate (child, &allocation, -1);
}

static GtkSizeRequestMode
beckon_bubble_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
beckon_bubble_layout_class_init (BeckonBubbleLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = beckon_bubble_layout_measure;
  layout_class->allocate = beckon_bubble_layout_allocate;
  layout_class->get_request_mode = beckon_bubble_layout_get_request_mode;
}

static void
beckon_bubble_layout_init (BeckonBubbleLayout *self)
{
}

/**
 * BeckonBubbleLayout:
 *
 * Puts the one child of its widget at the end of the line, as wide as it would like to be, or as there is room for.
 */
struct _BeckonMessageRow
{
  AdwBin parent_instance;

  BeckonInbox *inbox;     /* (owned) */
  BeckonMessage *message; /* (owned) */
  char *text;             /* (owned) (nullable): what is shown for the person's own */
  guint n_shown;          /* parts that have a widget, or need none */
  GtkWidget *last;        /* (nullable): the widget of the last of them */
  GtkWidget *foot;        /* (nullable) */
  GtkWidget *check;       /* (nullable): while messages are being selected */
  gboolean shows_usage;

  GtkGrid *line; /* a box would ask for widths by height, and each text would be laid out again and again */
  GtkBox *parts;
  GtkLabel *mark;
};

G_DEFINE_FINAL_TYPE (BeckonMessageRow, beckon_message_row, ADW_TYPE_BIN)

static guint toggled_signal;

/* A person's text is shown as written, unless the application wrote it for them. */
static GtkWidget *
make_bubble (BeckonMessageRow *self, BeckonPart *part)
{
  g_autofree char *safe
      = self->text != NULL ? beckon_text_for_display (self->text, -1, BECKON_TEXT_PROSE)
                           : beckon_text_for_display (beckon_part_get_text (part), (gssize) beckon_part_get_length (part),
                                                      BECKON_TEXT_PROSE);
  GtkWidget *bubble = beckon_block_view_new (0);
  GtkWidget *line = adw_bin_new ();

  beckon_block_view_set_plain (BECKON_BLOCK_VIEW (bubble), safe);
  gtk_widget_add_css_class (bubble, "bubble");
  gtk_widget_set_margin_start (bubble, 36);
  if (!beckon_block_view_is_long (BECKON_BLOCK_VIEW (bubble)))
    gtk_widget_set_layout_manager (line, g_object_new (BECKON_TYPE_BUBBLE_LAYOUT, NULL));
  adw_bin_set_child (ADW_BIN (line), bubble);
  return line;
}

static void fold_looks (BeckonMessageRow *self);

/* All that wait in a message are one deck: the first has the mark. */
static void
show_marks (BeckonMessageRow *self)
{
  gboolean is_marked = FALSE;

  for (GtkWidget *part = gtk_widget_get_first_child (GTK_WIDGET (self->parts)); part != NULL;
       part = gtk_widget_get_next_sibling (part))
    {
      gboolean waits = BECKON_IS_CALL_VIEW (part) && beckon_call_view_get_pending_request (BECKON_CALL_VIEW (part)) != NULL;

      if (BECKON_IS_CALL_VIEW (part))
        gtk_widget_set_visible (part, !waits || !is_marked);
      is_marked = is_marked || waits;
    }
  fold_looks (self);
}

static gboolean
is_look (GtkWidget *part)
{
  return part != NULL && BECKON_IS_CALL_VIEW (part)
         && beckon_look_fold_takes (beckon_call_view_get_call (BECKON_CALL_VIEW (part)));
}

/* Calls that only looked, one after another, are one line. Returns the first part behind them. */
static GtkWidget *
fold_run (BeckonMessageRow *self, GtkWidget *first)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new ();
  GtkWidget *end = first;
  GtkWidget *before = gtk_widget_get_prev_sibling (first);
  GtkWidget *fold = before != NULL && BECKON_IS_LOOK_FOLD (before) ? before : NULL;

  while (is_look (end) || (end != NULL && BECKON_IS_LOOK_FOLD (end)))
    {
      GtkWidget *part = end;

      end = gtk_widget_get_next_sibling (part);
      if (BECKON_IS_LOOK_FOLD (part))
        {
          /* Calls end in any order: the fold of those behind @first is for it as well. */
          if (fold != NULL)
            gtk_box_remove (self->parts, part);
          else
            {
              gtk_box_reorder_child_after (self->parts, part, gtk_widget_get_prev_sibling (first));
              fold = part;
            }
        }
      else
        g_ptr_array_add (calls, beckon_call_view_get_call (BECKON_CALL_VIEW (part)));
    }
  if (calls->len < 2)
    return end;
  if (fold == NULL)
    {
      fold = beckon_look_fold_new ();
      g_signal_connect_object (fold, "toggled", G_CALLBACK (fold_looks), self, G_CONNECT_SWAPPED);
      gtk_box_insert_child_after (self->parts, fold, gtk_widget_get_prev_sibling (first));
    }
  beckon_look_fold_set_calls (BECKON_LOOK_FOLD (fold), calls);
  for (GtkWidget *part = first; part != end; part = gtk_widget_get_next_sibling (part))
    gtk_widget_set_visible (part, beckon_look_fold_is_open (BECKON_LOOK_FOLD (fold)));
  return end;
}

static void
fold_looks (BeckonMessageRow *self)
{
  GtkWidget *part = gtk_widget_get_first_child (GTK_WIDGET (self->parts));

  while (part != NULL)
    part = is_look (part) ? fold_run (self, part) : gtk_widget_get_next_sibling (part);
}

/* A search that a provider made by itself is shown; blocks that only seal its reasoning are not. */
static GtkWidget *
make_unsupported (BeckonPart *part)
{
  g_autofree char *text = beckon_opaque_dup_sentence (part);
  GtkWidget *label;

  if (text == NULL)
    return NULL;
  label = beckon_line_new (text, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* On the side of who sent it. */
static GtkWidget *
make_attached (BeckonMessageRow *self, BeckonPart *part)
{
  GtkWidget *view = beckon_attached_view_new (part);

  gtk_widget_set_halign (
    view, beckon_message_get_role (self->message) == BECKON_ROLE_USER ? GTK_ALIGN_END : GTK_ALIGN_START);
  return view;
}

static const char *
describe_author (BeckonMessage *message)
{
  if (beckon_note_get_kind (message) != BECKON_NOTE_NONE)
    return _("Note");
  return beckon_message_get_role (message) == BECKON_ROLE_USER ? _("You") : _("Agent");
}

static GtkWidget *
make_part (BeckonMessageRow *self, BeckonPart *part)
{
  g_autofree char *note = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  GtkWidget *view;

  if (beckon_attachment_get_name (part) != NULL)
    return make_attached (self, part);
  switch (beckon_part_get_kind (part))
    {
    case BECKON_PART_TEXT:
      if (beckon_message_get_role (self->message) == BECKON_ROLE_USER)
        return make_bubble (self, part);
      view = beckon_text_blocks_new ();
      beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (view), part);
      return view;

    case BECKON_PART_REASONING:
      return beckon_reasoning_new (part);

    case BECKON_PART_CALL:
      view = beckon_call_view_new (self->inbox, beckon_part_get_call (part));
      g_signal_connect_object (view, "waiting-changed", G_CALLBACK (show_marks), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (beckon_part_get_call (part), "notify::state", G_CALLBACK (fold_looks), self, G_CONNECT_SWAPPED);
      return view;

    case BECKON_PART_OPAQUE:
      sources = beckon_citation_list (part);
      if (sources != NULL)
        return beckon_sources_view_new (sources);
      note = beckon_note_dup_sentence (part);
      return note != NULL ? beckon_note_view_new (part) : make_unsupported (part);

    case BECKON_PART_IMAGE:
    default:
      return make_attached (self, part);
    }
}

/* A part gets no more text once another one follows it, or the message is over. */
static void
finish_last (BeckonMessageRow *self)
{
  if (self->last != NULL && BECKON_IS_TEXT_BLOCKS (self->last))
    beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (self->last));
}

static void
on_parts_changed (BeckonMessageRow *self)
{
  guint n = beckon_message_get_n_parts (self->message);

  for (; self->n_shown < n; self->n_shown++)
    {
      GtkWidget *widget = make_part (self, beckon_message_get_part (self->message, self->n_shown));

      if (widget == NULL)
        continue;
      finish_last (self);
      gtk_box_insert_child_after (self->parts, widget, self->last);
      self->last = widget;
    }
  show_marks (self);
}

/* Below all else, as soon as there is something to say or to do. */
static void
update_foot (BeckonMessageRow *self)
{
  gboolean is_needed = beckon_message_footer_is_needed (self->message, self->shows_usage);

  if (is_needed == (self->foot != NULL))
    return;
  if (is_needed)
    {
      self->foot = beckon_message_footer_new (self->message);
      beckon_message_footer_set_shows_usage (BECKON_MESSAGE_FOOTER (self->foot), self->shows_usage);
      gtk_box_append (self->parts, self->foot);
      return;
    }
  gtk_box_remove (self->parts, self->foot);
  self->foot = NULL;
}

static void
on_status_changed (BeckonMessageRow *self)
{
  BeckonMessageStatus status = beckon_message_get_status (self->message);
  static const char *const marks[] = {
    [BECKON_MESSAGE_CUT_OFF] = N_("The reply was cut off here"),
    [BECKON_MESSAGE_STOPPED] = N_("Stopped here"),
    [BECKON_MESSAGE_FAILED] = N_("The reply failed here"),
  };
  const char *mark = status < G_N_ELEMENTS (marks) ? marks[status] : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->mark), mark != NULL);
  gtk_label_set_text (self->mark, mark != NULL ? _(mark) : "");
  if (status != BECKON_MESSAGE_STREAMING)
    finish_last (self);
  update_foot (self);
}

void
beckon_message_row_set_shows_usage (BeckonMessageRow *self, gboolean shows_usage)
{
  if (self->shows_usage == shows_usage)
    return;
  self->shows_usage = shows_usage;
  if (self->foot != NULL)
    beckon_message_footer_set_shows_usage (BECKON_MESSAGE_FOOTER (self->foot), shows_usage);
  update_foot (self);
}

BeckonMessage *
beckon_message_row_get_message (BeckonMessageRow *self)
{
  return self->message;
}

GtkWidget *
beckon_message_row_find (GtkWidget *rows, BeckonMessage *message)
{
  GtkWidget *row = gtk_widget_get_first_child (rows);

  while (row != NULL && BECKON_MESSAGE_ROW (row)->message != message)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

void
beckon_message_row_list_calls (BeckonMessageRow *self, GPtrArray *views)
{
  GtkWidget *part = gtk_widget_get_first_child (GTK_WIDGET (self->parts));

  for (; part != NULL; part = gtk_widget_get_next_sibling (part))
    if (BECKON_IS_CALL_VIEW (part))
      g_ptr_array_add (views, part);
}

void
beckon_message_row_copy (BeckonMessageRow *self)
{
  g_autofree char *text = NULL;

  text = beckon_message_dup_text (self->message);
  /* A person's text is no Markdown. */
  if (beckon_message_get_role (self->message) == BECKON_ROLE_USER)
    beckon_clipboard_set_text (GTK_WIDGET (self), text);
  else
    beckon_clipboard_set_markdown (GTK_WIDGET (self), text);
}

gboolean
beckon_message_row_get_selected (BeckonMessageRow *self)
{
  return self->check != NULL && gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check));
}

void
beckon_message_row_toggle (BeckonMessageRow *self)
{
  if (self->check != NULL)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), !beckon_message_row_get_selected (self));
}

static void
message_row_on_toggled (BeckonMessageRow *self)
{
  beckon_css_class_set (GTK_WIDGET (self), "selected", beckon_message_row_get_selected (self));
  g_signal_emit (self, toggled_signal, 0);
}

static void
on_released (GtkGesture *gesture, int n_press, double x, double y, BeckonMessageRow *self)
{
  if (self->check == NULL)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  beckon_message_row_toggle (self);
}

void
beckon_message_row_set_selecting (BeckonMessageRow *self, gboolean selecting, gboolean selected)
{
  if (!selecting && self->check != NULL)
    gtk_grid_remove (self->line, g_steal_pointer (&self->check));
  /* A click means the message as a whole. */
  gtk_widget_set_can_target (GTK_WIDGET (self->parts), !selecting);
  gtk_widget_remove_css_class (GTK_WIDGET (self), "selected");
  if (!selecting)
    return;
  if (self->check == NULL)
    {
      self->check = gtk_check_button_new ();
      gtk_widget_set_valign (self->check, GTK_ALIGN_START);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Select Message"), -1);
      gtk_grid_attach (self->line, self->check, -1, 0, 1, 1);
      gtk_widget_insert_after (self->check, GTK_WIDGET (self->line), NULL);
      g_signal_connect_swapped (self->check, "toggled", G_CALLBACK (message_row_on_toggled), self);
    }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), selected);
  if (selected)
    gtk_widget_add_css_class (GTK_WIDGET (self), "selected");
}

static void
message_row_show_buttons (BeckonMessageRow *self)
{
  if (self->foot != NULL)
    beckon_message_footer_show_buttons (BECKON_MESSAGE_FOOTER (self->foot));
}

/* The screen reader's text is made only when it is to be said. */
static void
on_focus_enter (BeckonMessageRow *self)
{
  g_autofree char *text = beckon_message_dup_text (self->message);

  message_row_show_buttons (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* Itself, not the first thing in it. */
static gboolean
beckon_message_row_grab_focus (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  if (root == NULL)
    return FALSE;

  gtk_root_set_focus (root, widget);
  return TRUE;
}

static gboolean
beckon_message_row_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (GTK_WIDGET (BECKON_MESSAGE_ROW (widget)->line), direction);
}

GtkWidget *
beckon_message_row_get_menu_button (BeckonMessageRow *self)
{
  return self->foot != NULL ? beckon_message_footer_get_menu_button (BECKON_MESSAGE_FOOTER (self->foot)) : NULL;
}

static void
beckon_message_row_dispose (GObject *object)
{
  BeckonMessageRow *self = BECKON_MESSAGE_ROW (object);

  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  self->last = NULL;
  self->foot = NULL;
  self->check = NULL;
  g_clear_object (&self->message);
  g_clear_object (&self->inbox);
  g_clear_pointer (&self->text, g_free);
  G_OBJECT_CLASS (beckon_message_row_parent_class)->dispose (object);
}

static void
beckon_message_row_class_init (BeckonMessageRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_message_row_dispose;
  widget_class->focus = beckon_message_row_focus;
  widget_class->grab_focus = beckon_message_row_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/message-row.ui");
  toggled_signal = g_signal_new ("toggled", BECKON_TYPE_MESSAGE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_bind_template_child (widget_class, BeckonMessageRow, line);
  gtk_widget_class_bind_template_child (widget_class, BeckonMessageRow, parts);
  gtk_widget_class_bind_template_child (widget_class, BeckonMessageRow, mark);
}

static void
beckon_message_row_init (BeckonMessageRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (on_focus_enter), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (message_row_show_buttons), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
beckon_message_row_new (BeckonInbox *inbox, BeckonMessage *message, const char *text)
{
  BeckonMessageRow *self = g_object_new (BECKON_TYPE_MESSAGE_ROW, NULL);

  self->text = g_strdup (text);
  self->inbox = g_object_ref (inbox);
  self->message = g_object_ref (message);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, describe_author (message), -1);
  g_signal_connect_swapped (message, "items-changed", G_CALLBACK (on_parts_changed), self);
  g_signal_connect_swapped (message, "notify::status", G_CALLBACK (on_status_changed), self);
  g_signal_connect_swapped (message, "notify::versions", G_CALLBACK (update_foot), self);
  on_parts_changed (self);
  on_status_changed (self);
  return GTK_WIDGET (self);
}
