/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-view.h"

#include "base/beckon-text-printf.h"
#include "beckon-beginning.h"
#include "beckon-dock-layout.h"
#include "domain/beckon-attachment.h"
#include "request/beckon-question-request.h"
#include "ui/cards/beckon-question-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/composer/beckon-composer.h"
#include "ui/transcript/beckon-find-bar.h"
#include "ui/transcript/beckon-finder.h"
#include "ui/transcript/beckon-selection-bar.h"
#include "ui/transcript/beckon-transcript.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonConversationView
{
  AdwBin parent_instance;

  BeckonInbox *inbox;               /* (owned) */
  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonFinder *finder;             /* (owned): what is marked in the transcript */
  GtkWidget *focus_before_find;     /* (nullable): a weak pointer */

  BeckonFindBar *find_bar;
  BeckonTranscript *transcript;
  BeckonBeginning *beginning; /* shown where no message is */
  GtkRevealer *jump_revealer;
  BeckonDock *dock;
  BeckonComposer *composer;
  GtkLabel *error_label;
  GtkLabel *jump_label;
  GtkWidget *jump_button;
  BeckonSelectionBar *selection_bar;
  guint held_key; /* the Enter that was pressed last */
  GtkWidget *held_focus; /* (nullable): a weak pointer: where that was */
  gboolean is_held;
  guint secret_source; /* what was typed goes to a masked entry */
  char *edited_id; /* (owned) (nullable): the message that is being written anew */
  GHashTable *sending; /* (owned) (element-type BeckonConversation BeckonSending): until beckon_conversation_view_sent() */
};

/** A message that left the composer and is not stored yet. */
typedef struct
{
  gboolean is_edit; /* of an earlier message, beside the draft */
  char *ahead;      /* (owned) (nullable): typed since, while the conversation is not shown */
} BeckonSending;

static void conversation_view_show_error (BeckonConversationView *self, const char *message);
static void conversation_view_update_hint (BeckonConversationView *self);

/* Actions on messages that are there: one is edited, some are quoted, and those that came are counted. */

static void
on_n_new_changed (BeckonConversationView *self)
{
  guint n = beckon_transcript_get_n_new (self->transcript);
  g_autofree char *count = g_strdup_printf ("%u", n);
  g_autofree char *text
    = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u new message", "%u new messages", n), n);

  gtk_label_set_text (self->jump_label, count);
  gtk_widget_set_visible (GTK_WIDGET (self->jump_label), n > 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->jump_button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  n > 0 ? text : "", -1);
}

GPtrArray *
beckon_conversation_view_list_files (BeckonConversationView *self)
{
  return beckon_composer_list_files (self->composer);
}

void
beckon_conversation_view_show_absence (BeckonConversationView *self, BeckonAwayDigest *digest)
{
  beckon_transcript_show_absence (self->transcript, digest);
}

void
beckon_conversation_view_edit_message (BeckonConversationView *self, BeckonMessage *message)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *text = NULL;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_attachment_get_name (part) != NULL || beckon_part_get_kind (part) == BECKON_PART_IMAGE)
        g_ptr_array_add (files, g_object_ref (part));
    }
  text = beckon_message_dup_text (message);

  /* The message being sent may come back. */
  if (!beckon_composer_begin_edit (self->composer, text, files))
    return;
  g_free (self->edited_id);
  self->edited_id = g_strdup (beckon_message_get_id (message));
  beckon_composer_focus (self->composer);
}

static void
on_quote (BeckonConversationView *self, const char *markdown)
{
  beckon_composer_quote (self->composer, markdown);
  beckon_composer_focus (self->composer);
}

/*
 * From Enter until the message is stored its text stays in the composer, which is locked. The person may turn to another
 * conversation meanwhile and come back: the composer is locked again then, and what was typed ahead is still for this one.
 */

static void
conversation_view_sending_free (gpointer data)
{
  BeckonSending *sending = data;

  g_free (sending->ahead);
  g_free (sending);
}

/* (nullable) */
static BeckonSending *
conversation_view_sending_find (BeckonConversationView *self, BeckonConversation *conversation)
{
  return self->sending != NULL && conversation != NULL
           ? g_hash_table_lookup (self->sending, conversation) : NULL;
}

/* The composer is locked until the message of the conversation that is shown is stored. */
static void
conversation_view_begin_sending (BeckonConversationView *self, gboolean is_edit)
{
  BeckonSending *sending = g_new0 (BeckonSending, 1);

  sending->is_edit = is_edit;
  if (self->sending == NULL)
    self->sending = g_hash_table_new_full (NULL, NULL, g_object_unref, conversation_view_sending_free);
  g_hash_table_insert (self->sending, g_object_ref (self->conversation), sending);
  beckon_composer_set_locked (self->composer, TRUE);
}

char *
beckon_conversation_view_sent (BeckonConversationView *self, BeckonConversation *conversation, const GError *error)
{
  BeckonSending *sending = conversation_view_sending_find (self, conversation);
  gboolean is_edit = sending != NULL && sending->is_edit;
  char *ahead = sending != NULL ? g_steal_pointer (&sending->ahead) : NULL;

  if (sending != NULL)
    g_hash_table_remove (self->sending, conversation);
  if (self->conversation == conversation)
    {
      beckon_composer_set_locked (self->composer, FALSE);
      if (error != NULL)
        conversation_view_show_error (self, error->message);
      else if (beckon_composer_is_editing (self->composer))
        beckon_composer_end_edit (self->composer);
      else if (!is_edit)
        {
          beckon_composer_set_text (self->composer, NULL);
          g_signal_emit_by_name (self, "draft", "");
        }
      beckon_composer_write_typed_ahead (self->composer);
      conversation_view_update_hint (self);
    }
  return ahead;
}

/* The keys of a decision, and the way from region to region. A key that approves is seen before anything else sees it: held,
 * it answers once, however many cards come behind the one it was pressed for. A held Enter stays with the widget that it was
 * pressed in: the focus leaves a card for the composer, where it would send. All others are seen last: an entry keeps the keys
 * that it uses. Letters that nothing uses are written in the composer. */

static GdkModifierType
get_modifiers (GdkModifierType state)
{
  return state & gtk_accelerator_get_default_mod_mask ();
}

static gboolean
on_key_captured (BeckonConversationView *self, guint keyval, guint keycode, GdkModifierType state)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean decides = get_modifiers (state) == GDK_CONTROL_MASK;

  if (!beckon_key_is_enter (keyval))
    return GDK_EVENT_PROPAGATE;
  if (self->is_held && self->held_key == keycode)
    return decides || focus != self->held_focus;
  self->held_key = keycode;
  self->is_held = TRUE;
  g_set_weak_pointer (&self->held_focus, focus);
  if (!decides || !beckon_dock_has_focus (self->dock))
    return GDK_EVENT_PROPAGATE;
  beckon_dock_submit (self->dock);
  return GDK_EVENT_STOP;
}

static void
on_key_released (BeckonConversationView *self, guint keyval, guint keycode)
{
  if (keycode == self->held_key)
    self->is_held = FALSE;
}

/* A release elsewhere is not seen here. */
static void
on_focus_left (BeckonConversationView *self)
{
  self->is_held = FALSE;
}

/* Whether a key that nothing else used begins a message. A card has digits of its own, and so has what is open in front. */
static gboolean
is_writing (BeckonConversationView *self, guint keyval, GdkModifierType modifiers)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = gtk_root_get_focus (root);

  return (modifiers & ~GDK_SHIFT_MASK) == 0 && g_unichar_isgraph (gdk_keyval_to_unicode (keyval))
         && self->conversation != NULL && focus != NULL && gtk_widget_get_native (focus) == GTK_NATIVE (root)
         && !beckon_focus_is_within (GTK_WIDGET (self->dock)) && !beckon_focus_is_within (GTK_WIDGET (self->find_bar));
}

static gboolean
on_key_left_over (BeckonConversationView *self, guint keyval, guint keycode, GdkModifierType state,
                  GtkEventControllerKey *controller)
{
  GdkModifierType modifiers = get_modifiers (state);

  if (modifiers == GDK_CONTROL_MASK && beckon_key_is_enter (keyval))
    return !beckon_composer_has_something (self->composer) && beckon_dock_submit (self->dock);
  if (modifiers == GDK_CONTROL_MASK && keyval == GDK_KEY_e)
    return beckon_dock_edit (self->dock);
  if (modifiers == GDK_CONTROL_MASK && keyval == GDK_KEY_d)
    return beckon_dock_deny (self->dock);
  if (modifiers == GDK_ALT_MASK && (keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up))
    return beckon_dock_move (self->dock, -1);
  if (modifiers == GDK_ALT_MASK && (keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down))
    return beckon_dock_move (self->dock, 1);
  if (modifiers == 0 && keyval == GDK_KEY_Escape && beckon_dock_get_request (self->dock) != NULL
      && !beckon_dock_get_folded (self->dock))
    {
      beckon_dock_set_folded (self->dock, TRUE);
      return GDK_EVENT_STOP;
    }
  if (is_writing (self, keyval, modifiers))
    return beckon_composer_take_key (self->composer, controller);
  return GDK_EVENT_PROPAGATE;
}

typedef enum
{
  REGION_TRANSCRIPT,
  REGION_DOCK,
  REGION_COMPOSER,
  N_REGIONS,
} Region;

static GtkWidget *
get_region (BeckonConversationView *self, Region region)
{
  switch (region)
    {
    case REGION_TRANSCRIPT:
      return GTK_WIDGET (self->transcript);

    case REGION_DOCK:
      return GTK_WIDGET (self->dock);

    case REGION_COMPOSER:
    case N_REGIONS:
    default:
      return GTK_WIDGET (self->composer);
    }
}

/* A card that was set aside stays so: its line gets the focus. */
static gboolean
enter_region (BeckonConversationView *self, Region region)
{
  if (region == REGION_COMPOSER)
    beckon_composer_focus (self->composer);
  else if (region == REGION_DOCK && !beckon_dock_get_folded (self->dock))
    return beckon_dock_focus (self->dock);
  else
    return gtk_widget_child_focus (get_region (self, region), GTK_DIR_TAB_FORWARD);
  return TRUE;
}

gboolean
beckon_conversation_view_step_region (BeckonConversationView *self, int step)
{
  int at = step > 0 ? -1 : N_REGIONS;

  for (int i = 0; i < N_REGIONS; i++)
    if (beckon_focus_is_within (get_region (self, (Region) i)))
      at = i;
  for (at += step; at >= 0 && at < N_REGIONS; at += step)
    if (gtk_widget_get_mapped (get_region (self, (Region) at)) && enter_region (self, (Region) at))
      return TRUE;
  return FALSE;
}

/* Enter in the composer: it answers the question that is asked, sends a message, or queues it while the agent works; with
 * nothing written it sends what is queued with the agent's next step. The line below says which. */

/* (nullable): the question that text would answer. An answer has no files. */
static BeckonQuestionCard *
find_question (BeckonConversationView *self)
{
  GtkWidget *card = beckon_dock_get_card (self->dock);

  if (beckon_dock_get_folded (self->dock))
    return NULL;
  if (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_files (self->conversation))) > 0)
    return NULL;
  return card != NULL && BECKON_IS_QUESTION_CARD (card) ? BECKON_QUESTION_CARD (card) : NULL;
}

/* (nullable): the first that waits for the end of the turn. */
static BeckonQueueItem *
find_queued (BeckonConversationView *self)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (self->conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      if (!beckon_queue_item_get_sends_now (item))
        return item;
    }
  return NULL;
}

/* --- The line below the composer ---------------------------------------------------------------------------------- */

/* (transfer full) (nullable): what Enter does. @more: (nullable): what another key does. */
static char *
compose_describe (BeckonConversationView *self, const char **more)
{
  BeckonQuestionCard *card = find_question (self);
  gboolean is_busy = beckon_conversation_is_busy (self->conversation);
  const char *enter = beckon_composer_get_needs_control (self->composer) ? _("Ctrl+⏎") : "⏎";
  g_autofree char *text = beckon_composer_dup_text (self->composer);
  g_autofree char *meaning = NULL;

  if (beckon_composer_is_editing (self->composer))
    return NULL;
  if (text != NULL && card != NULL)
    meaning = beckon_question_card_read_line (card, text, enter);
  if (meaning != NULL)
    {
      /* Translators: keys of the keyboard, and what they do */
      *more = _("Ctrl+Shift+⏎ as a message");
      return g_steal_pointer (&meaning);
    }
  if (beckon_composer_has_something (self->composer))
    /* Translators: %s is a key of the keyboard */
    return is_busy ? beckon_text_printf (_("%s queues it for after this turn"), enter) : NULL;
  if (card != NULL && beckon_question_card_is_reviewing (card))
    /* Translators: keys of the keyboard, and what they do: answers to several questions were given, and are reviewed */
    return g_strdup (_("Ctrl+⏎ sends the answers"));
  /* Translators: ⏎ is a key of the keyboard */
  return find_queued (self) != NULL ? g_strdup (_("⏎ sends the queued message now")) : NULL;
}

/* Says what Enter will do now. */
static void
conversation_view_update_hint (BeckonConversationView *self)
{
  const char *more = NULL;
  g_autofree char *hint = self->conversation != NULL ? compose_describe (self, &more) : NULL;

  beckon_composer_set_hint (self->composer, hint, more);
}

/* --- Enter -------------------------------------------------------------------------------------------------------- */

/* An earlier message that was edited has its place in the history, so there is no other time for it. */
static void
send_edited (BeckonConversationView *self, const char *text)
{
  if (beckon_conversation_is_busy (self->conversation))
    {
      conversation_view_show_error (self, _("The agent is at work. Wait until it is done, or stop it, then send the "
                                            "edited message."));
      return;
    }
  conversation_view_show_error (self, NULL);
  conversation_view_begin_sending (self, TRUE);
  beckon_transcript_jump_to_end (self->transcript);
  g_signal_emit_by_name (self, "edit", self->conversation, self->edited_id, text != NULL ? text : "");
}

/* FALSE: the line is no answer. */
static gboolean
compose_answer (BeckonConversationView *self, const char *text)
{
  BeckonQuestionCard *card = find_question (self);
  g_autofree char *message = NULL;

  if (card == NULL || text == NULL)
    return FALSE;
  /* A card that has just come takes nothing, and the text stays where it is. */
  if (!beckon_dock_is_ready (self->dock))
    return TRUE;
  switch (beckon_question_card_take_line (card, text, &message))
    {
    case BECKON_QUESTION_LINE_TAKEN:
      beckon_composer_set_text (self->composer, NULL);
      g_signal_emit_by_name (self, "draft", "");
      break;
    case BECKON_QUESTION_LINE_REFUSED:
      if (message != NULL)
        conversation_view_show_error (self, message);
      break;
    case BECKON_QUESTION_LINE_OTHER:
    default:
      return FALSE;
    }
  conversation_view_update_hint (self);
  return TRUE;
}

static void
on_composer_send (BeckonConversationView *self, gboolean as_message)
{
  g_autofree char *text = beckon_composer_dup_text (self->composer);

  if (self->conversation == NULL || !beckon_composer_has_something (self->composer))
    return;
  if (beckon_composer_is_editing (self->composer) && self->edited_id != NULL)
    send_edited (self, text);
  else if (as_message || !compose_answer (self, text))
    {
      conversation_view_show_error (self, NULL);
      conversation_view_begin_sending (self, FALSE);
      beckon_transcript_jump_to_end (self->transcript);
      g_signal_emit_by_name (self, beckon_conversation_is_busy (self->conversation) ? "queue" : "send",
                             self->conversation, text != NULL ? text : "");
    }
}

static void
on_composer_advance (BeckonConversationView *self)
{
  BeckonQueueItem *item = self->conversation != NULL ? find_queued (self) : NULL;

  if (item != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.queued-send", "s", beckon_queue_item_get_id (item));
}

/* --- What is typed ------------------------------------------------------------------------------------------------ */

/* (nullable): the question whose masked answer is begun here. Text that was there before it came is a message. */
static BeckonQuestionCard *
find_secret (BeckonConversationView *self)
{
  BeckonQuestionCard *card = self->conversation != NULL ? find_question (self) : NULL;

  return card != NULL && *beckon_conversation_get_draft (self->conversation) == '\0'
         && beckon_question_card_takes_secret (card) ? card : NULL;
}

static void
take_draft (BeckonConversationView *self, const char *draft)
{
  conversation_view_update_hint (self);
  g_signal_emit_by_name (self, "draft", draft);
}

static gboolean
on_secret_typed (gpointer data)
{
  BeckonConversationView *self = data;
  BeckonQuestionCard *card = find_secret (self);
  g_autofree char *text = beckon_composer_dup_draft (self->composer);

  self->secret_source = 0;
  if (card == NULL)
    take_draft (self, text);
  else if (*text != '\0')
    {
      beckon_composer_set_text (self->composer, NULL);
      beckon_question_card_type_secret (card, text);
    }
  return G_SOURCE_REMOVE;
}

/* A masked answer goes on in its own entry: here it would be seen, and stored. The text can't be taken away while it comes. */
static void
on_composer_changed (BeckonConversationView *self)
{
  g_autofree char *draft = beckon_composer_dup_draft (self->composer);

  conversation_view_show_error (self, NULL);
  if (self->secret_source != 0)
    return;
  if (*draft != '\0' && find_secret (self) != NULL)
    self->secret_source = g_idle_add_full (G_PRIORITY_DEFAULT, on_secret_typed, self, NULL);
  else
    take_draft (self, draft);
}

void
beckon_conversation_view_set_locked (BeckonConversationView *self, gboolean locked)
{
  beckon_composer_set_locked (self->composer, locked);
  if (!locked)
    beckon_composer_write_typed_ahead (self->composer);
}

G_DEFINE_FINAL_TYPE (BeckonConversationView, beckon_conversation_view, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_SEND,
  SIGNAL_DRAFT,
  SIGNAL_CONTINUE,
  SIGNAL_STOP,
  SIGNAL_EARLIER_WANTED,
  SIGNAL_EDIT,
  SIGNAL_QUEUE,
} BeckonConversationViewSignal;

static guint signals[SIGNAL_QUEUE + 1];

/* Shows what went wrong above the composer. @message: (nullable) */
static void
conversation_view_show_error (BeckonConversationView *self, const char *message)
{
  beckon_label_say (self->error_label, message);
}

static void
on_at_end_changed (BeckonConversationView *self)
{
  gtk_revealer_set_reveal_child (self->jump_revealer, !beckon_transcript_get_at_end (self->transcript));
}

static void
on_jump_clicked (BeckonConversationView *self)
{
  beckon_transcript_jump_to_end (self->transcript);
  beckon_composer_focus (self->composer);
}

void
beckon_conversation_view_show_card (BeckonConversationView *self, const char *request_id)
{
  if (request_id != NULL)
    beckon_dock_show_request (self->dock, request_id);
  if (!beckon_dock_focus (self->dock))
    {
      beckon_composer_focus (self->composer);
      return;
    }
  beckon_request_card_flash (beckon_dock_get_card (self->dock));
}

BeckonDock *
beckon_conversation_view_get_dock (BeckonConversationView *self)
{
  return self->dock;
}

void
beckon_conversation_view_toggle_dock (BeckonConversationView *self)
{
  if (beckon_dock_has_focus (self->dock) || !beckon_dock_focus (self->dock))
    beckon_composer_focus (self->composer);
}

static void
on_request_changed (BeckonConversationView *self)
{
  BeckonRequest *request = beckon_dock_get_request (self->dock);

  beckon_composer_set_placeholder (self->composer, request != NULL && BECKON_IS_QUESTION_REQUEST (request)
                                   ? _("Message, or answer the question above") : _("Message"));
  conversation_view_update_hint (self);
}

static void
on_unsent (BeckonConversationView *self, BeckonRequest *request, const char *text)
{
  beckon_transcript_set_unsent (self->transcript, request, text);
}

static void
on_composer_submit (BeckonConversationView *self)
{
  beckon_dock_submit (self->dock);
}

static void
on_earlier_wanted (BeckonConversationView *self)
{
  g_signal_emit (self, signals[SIGNAL_EARLIER_WANTED], 0, self->conversation);
}

void
beckon_conversation_view_earlier_failed (BeckonConversationView *self)
{
  beckon_transcript_earlier_failed (self->transcript);
}

static void
on_composer_up (BeckonConversationView *self)
{
  beckon_transcript_focus_last (self->transcript);
}

BeckonConversation *
beckon_conversation_view_get_conversation (BeckonConversationView *self)
{
  return self->conversation;
}

void
beckon_conversation_view_follow_draft (BeckonConversationView *self)
{
  g_autofree char *shown = beckon_composer_dup_draft (self->composer);

  if (self->conversation != NULL && g_strcmp0 (shown, beckon_conversation_get_draft (self->conversation)) != 0)
    beckon_composer_set_text (self->composer, beckon_conversation_get_draft (self->conversation));
}

static void
update_beginning (BeckonConversationView *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->beginning),
                          self->conversation != NULL && beckon_conversation_get_loaded (self->conversation)
                          && beckon_conversation_get_n_messages (self->conversation) == 0);
}

/* The line below the composer says what Enter does with a queued message. */
static void
follow_queue (BeckonConversationView *self)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (self->conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      g_signal_handlers_disconnect_by_func (item, conversation_view_update_hint, self);
      g_signal_connect_object (item, "notify::sends-now", G_CALLBACK (conversation_view_update_hint), self,
                               G_CONNECT_SWAPPED);
    }
  conversation_view_update_hint (self);
}

void
beckon_conversation_view_set_conversation (BeckonConversationView *self, BeckonConversation *conversation)
{
  BeckonSending *sending;

  if (self->conversation == conversation)
    return;

  if (self->conversation != NULL)
    {
      /* The conversation that is shown is left, or came. */
      BeckonSending *left = conversation_view_sending_find (self, self->conversation);

      if (left != NULL)
        {
          g_free (left->ahead);
          left->ahead = beckon_composer_take_typed_ahead (self->composer);
        }
      g_signal_handlers_disconnect_by_data (self->conversation, self);
      g_signal_handlers_disconnect_by_data (beckon_conversation_get_queue (self->conversation), self);
    }
  g_clear_handle_id (&self->secret_source, g_source_remove);
  g_set_object (&self->conversation, conversation);
  g_clear_pointer (&self->edited_id, g_free);
  conversation_view_show_error (self, NULL);
  beckon_composer_set_locked (self->composer, FALSE);
  beckon_composer_end_edit (self->composer);
  beckon_composer_set_conversation (self->composer, conversation);
  beckon_beginning_set_conversation (self->beginning, conversation);
  beckon_composer_set_text (self->composer, conversation != NULL ? beckon_conversation_get_draft (conversation) : NULL);
  beckon_composer_set_files (self->composer, conversation != NULL ? beckon_conversation_get_files (conversation) : NULL);
  /* An edited message is no longer in the composer: the draft is. */
  sending = conversation_view_sending_find (self, self->conversation);
  if (sending != NULL)
    {
      beckon_composer_give_typed_ahead (self->composer, sending->ahead);
      if (sending->is_edit)
        beckon_composer_write_typed_ahead (self->composer);
      else
        beckon_composer_set_locked (self->composer, TRUE);
      g_clear_pointer (&sending->ahead, g_free);
    }
  g_clear_weak_pointer (&self->focus_before_find);
  beckon_find_bar_close (self->find_bar);
  beckon_finder_set_conversation (self->finder, conversation);
  beckon_transcript_set_conversation (self->transcript, self->inbox, conversation);
  beckon_dock_set_conversation (self->dock, self->inbox, conversation);
  update_beginning (self);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (conversation_view_update_hint), self);
  g_signal_connect_swapped (beckon_conversation_get_queue (conversation), "items-changed",
                            G_CALLBACK (follow_queue), self);
  g_signal_connect_swapped (conversation, "notify::loaded", G_CALLBACK (update_beginning), self);
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (update_beginning), self);
  follow_queue (self);
}

void
beckon_conversation_view_set_options (BeckonConversationView *self, gboolean needs_control, gboolean checks_spelling,
                                      gboolean shows_usage)
{
  beckon_composer_set_needs_control (self->composer, needs_control);
  beckon_composer_set_checks_spelling (self->composer, checks_spelling);
  beckon_transcript_set_shows_usage (self->transcript, shows_usage);
}

void
beckon_conversation_view_set_sources (BeckonConversationView *self, BeckonAgent *agent, GListModel *profiles,
                                      GListModel *servers, GListModel *conversations)
{
  beckon_composer_set_sources (self->composer, agent, profiles, servers, conversations);
  beckon_beginning_set_conversations (self->beginning, conversations);
}

void
beckon_conversation_view_set_profile (BeckonConversationView *self, BeckonProfile *profile)
{
  beckon_composer_set_profile (self->composer, profile);
}

int
beckon_conversation_view_measure_composer (BeckonConversationView *self)
{
  int height;
  GtkWidget *column = gtk_widget_get_parent (GTK_WIDGET (self->composer));

  gtk_widget_measure (column, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (column), NULL, &height, NULL, NULL);
  return height;
}

void
beckon_conversation_view_focus_composer (BeckonConversationView *self)
{
  beckon_composer_focus (self->composer);
}

void
beckon_conversation_view_show_message (BeckonConversationView *self, const char *message_id, const char *words)
{
  BeckonMessage *message;

  message = self->conversation != NULL ? beckon_conversation_find_message (self->conversation, message_id) : NULL;
  if (message != NULL)
    beckon_finder_show_hit (self->finder, message, words);
  else
    beckon_composer_focus (self->composer);
}

/* Returns to the former focus, if it is there. */
static void
on_find_closed (BeckonConversationView *self)
{
  GtkWidget *before = self->focus_before_find;

  if (before == NULL)
    return;
  if (gtk_widget_get_mapped (before) && gtk_widget_is_sensitive (before))
    gtk_widget_grab_focus (before);
  g_clear_weak_pointer (&self->focus_before_find);
}

void
beckon_conversation_view_find (BeckonConversationView *self, int step)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->find_bar)))
    g_set_weak_pointer (&self->focus_before_find, focus != NULL ? focus : GTK_WIDGET (self->composer));
  if (step == 0)
    beckon_find_bar_open (self->find_bar);
  else
    beckon_find_bar_step (self->find_bar, step);
}

/* Wherever it is dropped, it is for the message that is being written. */
static gboolean
on_drop (BeckonConversationView *self, const GValue *value)
{
  return beckon_composer_take_drop (self->composer, value);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[g_str_equal (name, "conversation.stop") ? SIGNAL_STOP : SIGNAL_CONTINUE], 0);
}

static void
focus_composer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_conversation_view_focus_composer (BECKON_CONVERSATION_VIEW (widget));
}

static void
show_card_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_conversation_view_show_card (BECKON_CONVERSATION_VIEW (widget), g_variant_get_string (parameter, NULL));
}

static void
beckon_conversation_view_dispose (GObject *object)
{
  BeckonConversationView *self = BECKON_CONVERSATION_VIEW (object);

  if (self->conversation != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->conversation, self);
      g_signal_handlers_disconnect_by_data (beckon_conversation_get_queue (self->conversation), self);
    }
  g_clear_handle_id (&self->secret_source, g_source_remove);
  g_clear_object (&self->conversation);
  g_clear_object (&self->finder);
  g_clear_weak_pointer (&self->focus_before_find);
  g_clear_weak_pointer (&self->held_focus);
  g_clear_pointer (&self->edited_id, g_free);
  g_clear_pointer (&self->sending, g_hash_table_unref);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_conversation_view_parent_class)->dispose (object);
}

static void
beckon_conversation_view_class_init (BeckonConversationViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_BEGINNING);
  g_type_ensure (BECKON_TYPE_COMPOSER);
  g_type_ensure (BECKON_TYPE_DOCK);
  g_type_ensure (BECKON_TYPE_DOCK_LAYOUT);
  g_type_ensure (BECKON_TYPE_FIND_BAR);
  g_type_ensure (BECKON_TYPE_SELECTION_BAR);
  g_type_ensure (BECKON_TYPE_TRANSCRIPT);
  G_OBJECT_CLASS (klass)->dispose = beckon_conversation_view_dispose;
  signals[SIGNAL_SEND] = g_signal_new ("send", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, BECKON_TYPE_CONVERSATION, G_TYPE_STRING);
  signals[SIGNAL_DRAFT] = g_signal_new ("draft", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_CONTINUE] = g_signal_new ("continue", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STOP] = g_signal_new ("stop", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  signals[SIGNAL_EARLIER_WANTED] = g_signal_new ("earlier-wanted", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0,
                                                 NULL, NULL, NULL, G_TYPE_NONE, 1, BECKON_TYPE_CONVERSATION);
  signals[SIGNAL_EDIT] = g_signal_new ("edit", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 3, BECKON_TYPE_CONVERSATION, G_TYPE_STRING, G_TYPE_STRING);
  signals[SIGNAL_QUEUE] = g_signal_new ("queue", BECKON_TYPE_CONVERSATION_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 2, BECKON_TYPE_CONVERSATION, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/conversation-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, find_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, transcript);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, beginning);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, jump_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, dock);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, composer);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_n_new_changed);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_edit", G_CALLBACK (beckon_conversation_view_edit_message));
  gtk_widget_class_bind_template_callback (widget_class, on_quote);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_send);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_advance);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_changed);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, jump_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, jump_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonConversationView, selection_bar);
  gtk_widget_class_bind_template_callback (widget_class, on_find_closed);
  gtk_widget_class_bind_template_callback (widget_class, on_at_end_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_jump_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_request_changed);
  gtk_widget_class_bind_template_callback (widget_class, conversation_view_update_hint);
  gtk_widget_class_bind_template_callback (widget_class, on_unsent);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_submit);
  gtk_widget_class_bind_template_callback (widget_class, on_composer_up);
  gtk_widget_class_bind_template_callback (widget_class, on_earlier_wanted);
  gtk_widget_class_install_action (widget_class, "conversation.continue", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "conversation.stop", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "conversation.focus-composer", NULL, focus_composer_action);
  gtk_widget_class_install_action (widget_class, "conversation.show-card", "s", show_card_action);
}

static void
beckon_conversation_view_init (BeckonConversationView *self)
{
  GType types[] = { GDK_TYPE_FILE_LIST, GDK_TYPE_TEXTURE };
  GtkEventController *first;
  GtkEventController *last;
  GtkEventController *focus;
  GtkDropTarget *target;

  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_selection_bar_set_transcript (self->selection_bar, self->transcript);
  self->finder = beckon_finder_new (self->transcript);
  beckon_find_bar_set_finder (self->find_bar, self->finder);
  target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  /* Before the text view, which would write down where the files are. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  /* The keys of a decision, wherever in the conversation the focus is. */
  first = gtk_event_controller_key_new ();
  last = gtk_event_controller_key_new ();
  focus = gtk_event_controller_focus_new ();

  gtk_event_controller_set_propagation_phase (first, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (first, "key-pressed", G_CALLBACK (on_key_captured), self);
  g_signal_connect_swapped (first, "key-released", G_CALLBACK (on_key_released), self);
  g_signal_connect_swapped (last, "key-pressed", G_CALLBACK (on_key_left_over), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), first);
  gtk_widget_add_controller (GTK_WIDGET (self), last);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}

GtkWidget *
beckon_conversation_view_new (BeckonInbox *inbox)
{
  BeckonConversationView *self = g_object_new (BECKON_TYPE_CONVERSATION_VIEW, NULL);

  self->inbox = g_object_ref (inbox);
  return GTK_WIDGET (self);
}
