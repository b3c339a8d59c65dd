/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-keys.h"

#include "beckon-message-menu.h"
#include "beckon-transcript-scroll.h"
#include "beckon-transcript.h"

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

static void
delete_message (GtkWidget *row)
{
  const char *ids[] = { beckon_message_get_id (beckon_message_row_get_message (BECKON_MESSAGE_ROW (row))), NULL };

  gtk_widget_activate_action (row, "win.message-delete", "^as", ids);
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
      delete_message (row);
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
    beckon_transcript_look_up (BECKON_TRANSCRIPT (gtk_widget_get_ancestor (rows, BECKON_TYPE_TRANSCRIPT)));
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

/* A row that is on screen: to come back must not lose the place that is read. */
static GtkWidget *
find_entrance (GtkScrolledWindow *scroller, GtkWidget *rows, GtkWidget *last_row)
{
  GtkWidget *row = gtk_widget_get_last_child (rows);

  if (last_row != NULL && gtk_widget_get_parent (last_row) == rows && beckon_transcript_is_on_screen (scroller, last_row))
    return last_row;
  while (row != NULL && !beckon_transcript_is_on_screen (scroller, row))
    row = gtk_widget_get_prev_sibling (row);
  return row;
}

static gboolean
enter_rows (GtkScrolledWindow *scroller, GtkWidget *rows, GtkWidget *last_row, GtkDirectionType direction)
{
  GtkWidget *row = find_entrance (scroller, rows, last_row);

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

gboolean
beckon_transcript_move_focus (GtkScrolledWindow *scroller, GtkWidget *rows, GtkWidget *state_line, GtkWidget *last_row,
                              GtkDirectionType direction)
{
  GtkWidget *row = gtk_widget_get_focus_child (rows);
  gboolean is_below = (gtk_widget_get_state_flags (state_line) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;

  if (row != NULL && move_in_row (rows, row, direction))
    return TRUE;
  if (row != NULL)
    return direction == GTK_DIR_TAB_FORWARD && gtk_widget_child_focus (state_line, direction);
  if (!is_below && direction == GTK_DIR_TAB_FORWARD)
    return enter_rows (scroller, rows, last_row, direction) || gtk_widget_child_focus (state_line, direction);
  return gtk_widget_child_focus (state_line, direction)
         || (direction == GTK_DIR_TAB_BACKWARD && enter_rows (scroller, rows, last_row, direction));
}

void
beckon_transcript_add_keys (GtkWidget *transcript, GtkWidget *rows)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (transcript_keys_on_key_pressed), rows);
  gtk_widget_add_controller (transcript, keys);
}
