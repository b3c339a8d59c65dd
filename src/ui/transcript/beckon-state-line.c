/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-state-line.h"

#include "base/beckon-clock.h"
#include "base/beckon-text-printf.h"
#include "text/beckon-call-labels.h"
#include "ui/widgets/beckon-activity.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonStateLine
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonMessage *last;              /* (owned) (nullable): its last message */
  BeckonClock *clock;               /* (owned) */
  guint countdown_id;

  GtkWidget *activity;
  GtkLabel *label;
  GtkButton *button;
  GtkWidget *choose_button;
  GtkWidget *key_button;
};

G_DEFINE_FINAL_TYPE (BeckonStateLine, beckon_state_line, ADW_TYPE_BIN)

static char *
describe_retry (BeckonStateLine *self, const char *detail)
{
  gint64 left = beckon_conversation_get_retry_at (self->conversation) - beckon_clock_get_real_time (self->clock);
  guint seconds = (guint) CLAMP ((left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC, 0, G_MAXINT);
  g_autofree char *when = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Retrying in %u second", "Retrying in %u seconds",
                                                        seconds), seconds);

  return detail != NULL ? g_strdup_printf ("%s · %s", detail, when) : g_steal_pointer (&when);
}

static char *
describe_with_detail (const char *text, const char *detail)
{
  /* Translators: two sentences after one another. */
  return detail != NULL && *detail != '\0' ? beckon_text_printf (_("%s %s"), text, detail) : g_strdup (text);
}

/* The same words again would be refused again. */
static char *
describe_refusal (const char *text, const char *detail)
{
  g_autofree char *whole = describe_with_detail (text, detail);

  return beckon_text_printf (_("%s %s"), whole, _("Say it in other words, or choose another model."));
}

char *
beckon_state_line_describe_end (BeckonRunPhase phase, const char *detail)
{
  if (phase == BECKON_RUN_STOPPED)
    return g_strdup (_("Stopped."));
  if (phase == BECKON_RUN_DISMISSED)
    return g_strdup (_("You dismissed the question, so it stopped."));
  if (phase == BECKON_RUN_FAILED)
    return detail != NULL ? g_strdup (detail) : g_strdup (_("It failed."));
  if (phase == BECKON_RUN_CUT_OFF)
    return describe_with_detail (_("The reply was cut off."), detail);
  if (phase == BECKON_RUN_LENGTH)
    return g_strdup (detail != NULL && *detail != '\0' ? detail : _("The model reached its limit for one reply."));
  if (phase == BECKON_RUN_ROUND_LIMIT)
    return g_strdup (detail != NULL ? detail : _("Paused at the limit of model calls."));
  if (phase == BECKON_RUN_REFUSED)
    return describe_refusal (_("The model refused."), detail);
  if (phase == BECKON_RUN_FILTERED)
    return describe_refusal (_("The provider’s content filter ended the reply."), detail);
  if (phase == BECKON_RUN_PAUSED)
    return g_strdup (detail != NULL && *detail != '\0' ? detail : _("The provider paused the reply."));
  if (phase == BECKON_RUN_ASKED)
    return g_strdup (_("Waiting for you · your answer begins the next turn"));
  return NULL;
}

/* The model is still reasoning. */
static gboolean
is_reasoning (BeckonStateLine *self)
{
  guint n = self->last != NULL ? beckon_message_get_n_parts (self->last) : 0;

  return n > 0 && beckon_message_get_status (self->last) == BECKON_MESSAGE_STREAMING
         && beckon_part_get_kind (beckon_message_get_part (self->last, n - 1)) == BECKON_PART_REASONING;
}

/* The server's name as the approval of the call had it. Borrowed, nullable. */
static const char *
find_server (BeckonStateLine *self, const char *tool)
{
  guint n = self->last != NULL ? beckon_message_get_n_parts (self->last) : 0;

  for (guint i = 0; i < n; i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (self->last, i));

      if (call != NULL && g_str_equal (beckon_tool_call_get_name (call), tool))
        return beckon_call_labels_get_server (call);
    }
  return NULL;
}

/* The tool of a server has no sentence of its own, and is named with its server. */
static char *
describe_running (BeckonStateLine *self, const char *tool)
{
  g_autofree char *sentence = beckon_call_labels_describe (tool, find_server (self, tool), NULL, BECKON_CALL_PHASE_RUNNING);

  if (beckon_call_labels_is_known (tool))
    /* Translators: what a tool does just now: "Listing the files…" */
    return beckon_text_printf (_("%s…"), sentence);
  /* Translators: a tool, which is named, is running */
  return beckon_text_printf (_("Running %s…"), sentence);
}

static char *
state_line_describe (BeckonStateLine *self, BeckonRunPhase phase)
{
  const char *detail = beckon_conversation_get_detail (self->conversation);

  switch (phase)
    {
    case BECKON_RUN_QUEUED:
      /* The detail is work before that, here and below. */
      return g_strdup (detail != NULL ? detail : _("Sending…"));

    case BECKON_RUN_REQUESTING:
      return g_strdup (detail != NULL ? detail : _("Thinking…"));

    case BECKON_RUN_RETRY_WAIT:
      return describe_retry (self, detail);

    case BECKON_RUN_RECEIVING:
      return g_strdup (is_reasoning (self) ? _("Thinking…") : _("Writing…"));

    case BECKON_RUN_CALLING:
      return detail != NULL ? describe_running (self, detail) : g_strdup (_("Running tools…"));

    case BECKON_RUN_WAITING:
      /* The mark of the call says for whom. */
      return g_strdup (detail);

    case BECKON_RUN_COMPLETE:
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_DISMISSED:
    case BECKON_RUN_FAILED:
    case BECKON_RUN_CUT_OFF:
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_ROUND_LIMIT:
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
    case BECKON_RUN_PAUSED:
    case BECKON_RUN_ASKED:
    default:
      return beckon_state_line_describe_end (phase, detail);
    }
}

static gboolean
spins (BeckonRunPhase phase, const char *text)
{
  return (phase == BECKON_RUN_WAITING && text != NULL) || phase == BECKON_RUN_QUEUED || phase == BECKON_RUN_REQUESTING
         || phase == BECKON_RUN_RECEIVING || phase == BECKON_RUN_CALLING;
}

static gboolean
went_wrong (BeckonRunPhase phase)
{
  return phase == BECKON_RUN_FAILED || phase == BECKON_RUN_CUT_OFF || phase == BECKON_RUN_REFUSED
         || phase == BECKON_RUN_FILTERED;
}

static void
state_line_show (BeckonStateLine *self)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (self->conversation);
  g_autofree char *text = state_line_describe (self, phase);
  const char *label;

  gtk_label_set_text (self->label, text != NULL ? text : "");
  gtk_widget_set_visible (self->activity, spins (phase, text));

  /* Errors can be read, and copied for a person who can help. */
  beckon_css_class_set (GTK_WIDGET (self->label), "dim-label", !went_wrong (phase));
  beckon_css_class_set (GTK_WIDGET (self->label), "error", phase == BECKON_RUN_FAILED);
  gtk_label_set_selectable (self->label, went_wrong (phase));

  label = went_wrong (phase) ? _("Retry") : _("Continue");
  gtk_widget_set_visible (GTK_WIDGET (self->button), beckon_run_phase_can_continue (phase));
  gtk_widget_set_visible (self->choose_button,
                          phase == BECKON_RUN_FAILED && beckon_conversation_lacks_model (self->conversation));
  gtk_widget_set_visible (self->key_button,
                          phase == BECKON_RUN_FAILED && beckon_conversation_lacks_key (self->conversation));
  gtk_button_set_label (self->button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);

  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL);
}

static gboolean
on_second (gpointer user_data)
{
  state_line_show (user_data);
  return G_SOURCE_CONTINUE;
}

static void
state_line_update (BeckonStateLine *self)
{
  gboolean has_run = self->conversation != NULL && beckon_conversation_get_has_run (self->conversation);

  beckon_clock_remove (self->clock, self->countdown_id);
  self->countdown_id = 0;
  if (!has_run)
    {
      gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
      return;
    }
  if (beckon_conversation_get_phase (self->conversation) == BECKON_RUN_RETRY_WAIT)
    self->countdown_id = beckon_clock_add_timeout (self->clock, 1000, on_second, self);
  state_line_show (self);
}

static void
drop_last (BeckonStateLine *self)
{
  if (self->last != NULL)
    g_signal_handlers_disconnect_by_data (self->last, self);
  g_clear_object (&self->last);
}

static void
follow_last (BeckonStateLine *self)
{
  guint n = self->conversation != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->conversation)) : 0;
  g_autoptr (BeckonMessage) last = n > 0 ? g_list_model_get_item (G_LIST_MODEL (self->conversation), n - 1) : NULL;

  if (last == self->last)
    return;
  drop_last (self);
  self->last = g_steal_pointer (&last);
  if (self->last != NULL)
    g_signal_connect_swapped (self->last, "items-changed", G_CALLBACK (state_line_update), self);
  state_line_update (self);
}

void
beckon_state_line_set_conversation (BeckonStateLine *self, BeckonConversation *conversation)
{
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation != NULL)
    {
      g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (state_line_update), self);
      g_signal_connect_swapped (conversation, "notify::detail", G_CALLBACK (state_line_update), self);
      g_signal_connect_swapped (conversation, "notify::retry-at", G_CALLBACK (state_line_update), self);
      g_signal_connect_swapped (conversation, "notify::has-run", G_CALLBACK (state_line_update), self);
      g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (follow_last), self);
    }
  follow_last (self);
  state_line_update (self);
}

static void
beckon_state_line_dispose (GObject *object)
{
  BeckonStateLine *self = BECKON_STATE_LINE (object);

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  drop_last (self);
  if (self->countdown_id != 0)
    beckon_clock_remove (self->clock, self->countdown_id);
  self->countdown_id = 0;
  g_clear_object (&self->clock);
  G_OBJECT_CLASS (beckon_state_line_parent_class)->dispose (object);
}

static void
beckon_state_line_class_init (BeckonStateLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_ACTIVITY);
  G_OBJECT_CLASS (klass)->dispose = beckon_state_line_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/state-line.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonStateLine, activity);
  gtk_widget_class_bind_template_child (widget_class, BeckonStateLine, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonStateLine, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonStateLine, choose_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonStateLine, key_button);
}

static void
beckon_state_line_init (BeckonStateLine *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->clock = g_object_ref (beckon_clock_get_system ());
}
