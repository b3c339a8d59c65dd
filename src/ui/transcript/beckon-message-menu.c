/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-message-menu.h"

#include "beckon-transcript-private.h"
#include "domain/beckon-message.h"
#include "tools/beckon-rewind.h"
#include "ui/blocks/beckon-text-blocks.h"
#include "ui/widgets/beckon-context-menu.h"
#include "ui/widgets/beckon-label-links.h"

#include <glib/gi18n-lib.h>

static void
message_menu_append (GMenu *section, const char *label, const char *action, const char *id)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", id);
  g_menu_append_item (section, item);
}

/* There is something to rewind. */
static gboolean
can_rewind (BeckonConversation *conversation, BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = NULL;

  if (conversation == NULL || beckon_message_get_role (message) != BECKON_ROLE_USER)
    return FALSE;
  calls = beckon_rewind_list_calls (conversation, beckon_message_get_id (message));
  return calls->len > 0;
}

void
beckon_message_menu_popup (GtkWidget *transcript, BeckonMessageRow *row, GtkWidget *inner, const graphene_point_t *at)
{
  BeckonConversation *conversation = BECKON_TRANSCRIPT (transcript)->conversation;
  BeckonMessage *message = beckon_message_row_get_message (row);
  const char *id = beckon_message_get_id (message);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) reading = g_menu_new ();
  g_autoptr (GMenu) writing = g_menu_new ();
  g_autoptr (GMenu) ending = g_menu_new ();
  g_autoptr (GMenuItem) item = g_menu_item_new (_("_Delete Message"), NULL);
  const char *const ids[] = { id, NULL };

  if (beckon_pointed_block_is_one (inner))
    g_menu_append (reading, _("Copy _Block"), "transcript.copy-block");
  message_menu_append (reading, _("_Copy Message"), "transcript.copy", id);
  if (beckon_message_get_role (message) == BECKON_ROLE_ASSISTANT)
    message_menu_append (reading, _("Copy as _Markdown"), "transcript.copy-markdown", id);
  message_menu_append (reading, _("_Quote"), "transcript.quote", id);
  message_menu_append (reading, _("_Select Messages"), "transcript.select", id);
  message_menu_append (reading, _("Jump to _Top"), "transcript.top", id);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (reading));
  /* A reply that still comes is not whole. */
  if (beckon_message_get_status (message) != BECKON_MESSAGE_STREAMING)
    {
      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        {
          if (beckon_late_message_get_request_id (message) == NULL)
            message_menu_append (writing, _("_Edit and Resend"), "transcript.edit", id);
        }
      else
        message_menu_append (writing, _("_Write Again"), "win.message-regenerate", id);
      message_menu_append (writing, _("_Branch from Here"), "win.branch", id);
      if (can_rewind (conversation, message))
        message_menu_append (writing, _("Re_wind Folder to Here…"), "win.rewind", id);
      g_menu_append_section (menu, NULL, G_MENU_MODEL (writing));
      g_menu_item_set_action_and_target_value (item, "win.message-delete", g_variant_new_strv (ids, -1));
      g_menu_append_item (ending, item);
      g_menu_append_section (menu, NULL, G_MENU_MODEL (ending));
    }

  beckon_transcript_point_at (BECKON_TRANSCRIPT (transcript), inner);

  beckon_context_menu_popup (G_MENU_MODEL (menu), _("Message menu"), transcript, GTK_WIDGET (row), at);
}

/* Links, text that can be edited, and text of which some is selected have a menu of their own. */
static gboolean
has_own_menu (GtkWidget *rows, GtkWidget *widget, double x, double y)
{
  graphene_point_t at;

  if (GTK_IS_LABEL (widget))
    return gtk_label_get_selection_bounds (GTK_LABEL (widget), NULL, NULL)
           || (gtk_widget_compute_point (rows, widget, &GRAPHENE_POINT_INIT ((float) x, (float) y), &at)
               && beckon_label_links_find (GTK_LABEL (widget), at.x, at.y) != NULL);
  if (GTK_IS_TEXT_VIEW (widget))
    return gtk_text_view_get_editable (GTK_TEXT_VIEW (widget)) ||
           gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)));
  return GTK_IS_TEXT (widget);
}

static gboolean
popup_at (GtkGesture *gesture, double x, double y, GtkWidget *transcript)
{
  GtkWidget *rows = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  graphene_point_t at;
  GtkWidget *inner;
  GtkWidget *row = beckon_context_menu_find_row (rows, x, y, &at, &inner);

  if (row == NULL || has_own_menu (rows, inner, x, y))
    return FALSE;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  beckon_message_menu_popup (transcript, BECKON_MESSAGE_ROW (row), inner, &at);
  return TRUE;
}

static void
message_menu_on_pressed (GtkGesture *gesture, int n_press, double x, double y, GtkWidget *transcript)
{
  popup_at (gesture, x, y, transcript);
}

static void
on_long_pressed (GtkGesture *gesture, double x, double y, GtkWidget *transcript)
{
  popup_at (gesture, x, y, transcript);
}

static void
message_menu_add (GtkWidget *rows, GtkGesture *gesture)
{
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (rows, GTK_EVENT_CONTROLLER (gesture));
}

void
beckon_message_menu_attach (GtkWidget *transcript, GtkWidget *rows)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (message_menu_on_pressed), transcript);
  message_menu_add (rows, click);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_long_pressed), transcript);
  message_menu_add (rows, press);
}
