/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tool-card.h"

#include "base/beckon-text.h"
#include "beckon-change-labels.h"
#include "beckon-change-list.h"
#include "beckon-form-changes-view.h"
#include "beckon-request-words.h"
#include "domain/beckon-tool-call.h"
#include "request/beckon-form-request.h"
#include "text/beckon-call-labels.h"
#include "ui/blocks/beckon-attached-view.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"
#include "ui/widgets/beckon-text-buffer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Bytes of the words before the arguments that a model is told. */
#define MOST_TOLD 100

struct _BeckonToolCard
{
  AdwBin parent_instance;

  BeckonToolCall *call; /* (owned) */
  const char *colour;   /* (nullable): the style class that says the state */
  gboolean is_step;     /* the row of its plan has its arguments */
  const BeckonLanding *landing; /* (nullable): the one that is shown; only compared */
  guint clock; /* while it runs in the background */

  GtkToggleButton *toggle;
  GtkImage *icon;
  GtkLabel *name_label;
  GtkLabel *summary_label;
  GtkLabel *state_label;
  GtkImage *arrow;
  GtkWidget *details;
  GtkWidget *result_heading;
  BeckonCodeBlock *arguments_block;
  GtkLabel *changes_label;
  BeckonCodeBlock *result_block;
  GtkWidget *live_box;
  GtkWidget *running_box;
  GtkWidget *end_button;
  GtkWidget *keep_button;
  GtkWidget *land_now_button;
  GtkLabel *early_label;
  BeckonCodeBlock *live_block;
  GtkLabel *asked_label;
  AdwBin *images_bin;
  GtkWidget *landing_box;
  GtkToggleButton *landing_toggle;
  GtkImage *landing_arrow;
  GtkLabel *landing_label;
  AdwBin *landing_slot;
  GtkWidget *undo_button;
  GtkWidget *redo_button;
  GtkWidget *withheld_label;
};

G_DEFINE_FINAL_TYPE (BeckonToolCard, beckon_tool_card, ADW_TYPE_BIN)

static gboolean
is_denied (BeckonToolCall *call)
{
  GObject *asked = beckon_tool_call_get_request (call);
  BeckonAnswer *answer = asked != NULL ? beckon_request_get_answer (BECKON_REQUEST (asked)) : NULL;

  return answer != NULL && answer->kind == BECKON_ANSWER_DECLINED && beckon_tool_call_get_started_at (call) == 0;
}

/* The person left it as it is, a step of a plan or a call that was interrupted. */
static gboolean
is_skipped (BeckonToolCall *call)
{
  GObject *asked = beckon_tool_call_get_request (call);
  BeckonAnswer *answer = asked != NULL ? beckon_request_get_answer (BECKON_REQUEST (asked)) : NULL;

  return (answer != NULL && answer->kind == BECKON_ANSWER_SKIP)
         || beckon_tool_call_get_step_outcome (call) == BECKON_STEP_OUTCOME_SKIPPED;
}

static gboolean
is_timed_out (BeckonToolCall *call)
{
  GObject *asked = beckon_tool_call_get_request (call);

  return asked != NULL && beckon_request_get_state (BECKON_REQUEST (asked)) == BECKON_REQUEST_TIMED_OUT
         && beckon_tool_call_get_started_at (call) == 0;
}

static char *
describe_duration (BeckonToolCall *call)
{
  gint64 started = beckon_tool_call_get_started_at (call);
  gint64 finished = beckon_tool_call_get_finished_at (call);

  /* Unnoticeable times are not worth a figure, and what was skipped took none. */
  if (is_skipped (call) || started <= 0 || finished - started < G_USEC_PER_SEC / 20)
    return NULL;
  /* Translators: how long a tool ran, in seconds */
  return g_strdup_printf (_("%.1f s"), (double) (finished - started) / G_USEC_PER_SEC);
}

/* A call that a person did not want, or did not answer, has not failed; a command says with what it ended. */
static char *
describe_end (BeckonToolCall *call, const char **colour)
{
  gboolean is_error = beckon_tool_call_get_is_error (call);
  int exit_status = beckon_tool_call_get_exit_status (call);

  *colour = "skipped";
  if (beckon_tool_call_get_change (call) == BECKON_CALL_CHANGE_UNDONE)
    return g_strdup (_("undone"));
  if (is_denied (call))
    /* Translators: of a tool's call: its person did not let it run */
    return g_strdup (_("denied"));
  if (is_skipped (call))
    /* Translators: of a tool's call: the person left it out */
    return g_strdup (_("Skipped"));
  if (is_timed_out (call))
    /* Translators: of a tool's call: nobody answered in the time that was set */
    return g_strdup (_("timed out"));
  if (!is_error && beckon_tool_call_is_not_saved (call))
    return g_strdup (_("not saved"));
  *colour = is_error ? "failed" : "done";
  if (is_error && exit_status > 0)
    /* Translators: of a command that failed; %d is the number that it ended with */
    return g_strdup_printf (_("failed, exit status %d"), exit_status);
  return g_strdup (is_error ? _("failed") : _("done"));
}

static gboolean
is_in_background (BeckonToolCall *call)
{
  return beckon_tool_call_get_background (call) != NULL && beckon_tool_call_get_state (call) == BECKON_CALL_STARTED
         && beckon_tool_call_get_landing (call) == NULL;
}

/* A command that has ended waits with what it changed. */
static char *
describe_running (BeckonToolCall *call)
{
  const BeckonLanding *landing = beckon_tool_call_get_landing (call);
  gint64 seconds = MAX (g_get_real_time () - beckon_tool_call_get_started_at (call), 0) / G_USEC_PER_SEC;

  if (is_in_background (call))
    /* Translators: of a command, with minutes and seconds since it began */
    return g_strdup_printf (_("running in the background, %u:%02u"), (guint) (seconds / 60), (guint) (seconds % 60));
  if (landing == NULL)
    return g_strdup (_("running"));
  /* Translators: of a command that has ended: what it changed is being saved in the folder */
  return g_strdup (landing->state == BECKON_LANDING_WAITING ? _("waiting for you") : _("saving its changes"));
}

static char *
tool_card_describe_state (BeckonToolCall *call, const char **colour)
{
  *colour = "active";
  switch (beckon_tool_call_get_state (call))
    {
    case BECKON_CALL_PROPOSED:
      *colour = "skipped";
      return g_strdup (_("proposed"));

    case BECKON_CALL_AWAITING:
      return g_strdup (_("waiting for you"));

    case BECKON_CALL_DECIDED:
      return g_strdup (_("about to run"));

    case BECKON_CALL_STARTED:
      return describe_running (call);

    case BECKON_CALL_UNKNOWN:
      return g_strdup (_("interrupted, outcome unknown"));

    case BECKON_CALL_CANCELLED:
      *colour = "skipped";
      /* Translators: of a tool's call: it ran when its person stopped it, and it never ran */
      return g_strdup (beckon_tool_call_get_started_at (call) > 0 ? _("stopped") : _("not run"));

    case BECKON_CALL_DONE:
    default:
      return describe_end (call, colour);
    }
}

static void
show_details (BeckonToolCard *self)
{
  g_autofree char *shown = beckon_parameters_show_call (self->call);
  g_autofree char *arguments = beckon_text_json_for_display (shown);
  const char *before = beckon_tool_call_get_arguments (self->call);
  const char *after = beckon_tool_call_get_effective_arguments (self->call);
  const char *result = beckon_tool_call_get_result (self->call);
  gboolean is_told = beckon_tool_call_get_edited_arguments (self->call) != NULL
                     || beckon_tool_call_get_settled_arguments (self->call) != NULL;
  const char *at = is_told && result != NULL ? strstr (result, shown) : NULL;
  g_autoptr (BeckonForm) form = NULL;
  g_autofree char *words = NULL;
  g_autofree char *safe = NULL;

  /* A result is shown without the line ahead that tells the model what the call ran with: the arguments say it. */
  if (at != NULL && at - result < MOST_TOLD && at[strlen (shown)] == '\n')
    result = at + strlen (shown) + 1;
  beckon_code_block_set_text (self->arguments_block, arguments);
  /* A person may have changed them before the run. */
  if (after != before)
    {
      g_autofree char *shown_before = beckon_parameters_show_for_call (self->call, before);
      g_autofree char *shown_after = beckon_parameters_show_for_call (self->call, after);

      form = beckon_form_new (NULL, shown_before, NULL);
      beckon_form_set_text (form, shown_after);
      words = beckon_form_is_edited (form) ? beckon_form_changes_view_describe (form) : NULL;
    }
  beckon_label_say (self->changes_label, words);
  gtk_widget_set_visible (self->result_heading, result != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->result_block), result != NULL);
  if (result == NULL)
    return;

  safe = beckon_text_for_display (result, -1, BECKON_TEXT_MARKED);
  if (beckon_diff_tags_begins_diff (safe))
    beckon_code_block_set_diff (self->result_block);
  beckon_code_block_set_text (self->result_block, safe);
}

/* A running tool's output, ten times a second at most. */
static void
update_live (BeckonToolCard *self)
{
  const char *output = beckon_tool_call_get_output (self->call);
  gboolean is_live = output != NULL && *output != '\0' && beckon_tool_call_get_state (self->call) == BECKON_CALL_STARTED;
  g_autofree char *safe = NULL;

  gtk_widget_set_visible (self->live_box, is_live);
  if (!is_live)
    return;

  safe = beckon_text_for_display (output, -1, BECKON_TEXT_MARKED);
  beckon_code_block_set_text (self->live_block, safe);
}

/* --- What a command changed --------------------------------------------------------------------------------------- */

static void
show_landing_list (BeckonToolCard *self)
{
  gboolean is_shown = gtk_toggle_button_get_active (self->landing_toggle);

  if (is_shown && self->landing != NULL && adw_bin_get_child (self->landing_slot) == NULL)
    {
      GtkWidget *list = beckon_change_list_new (self->landing->changes, FALSE);

      beckon_change_list_set_call (BECKON_CHANGE_LIST (list), self->call);
      adw_bin_set_child (self->landing_slot, list);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->landing_slot), is_shown);
}

static void
on_landing_toggled (BeckonToolCard *self)
{
  beckon_unfolding_follow (self->landing_toggle, self->landing_arrow);
  show_landing_list (self);
}

/* While it waits for a person, its card has the list. Each change of a landing is another object. */
static void
show_landing (BeckonToolCard *self)
{
  const BeckonLanding *landing = beckon_tool_call_get_landing (self->call);
  g_autofree char *words = NULL;

  if (landing == self->landing)
    return;
  self->landing = landing;
  adw_bin_set_child (self->landing_slot, NULL);
  gtk_widget_set_visible (self->landing_box, landing != NULL);
  if (landing == NULL)
    return;

  gtk_button_set_label (GTK_BUTTON (self->undo_button), _("Undo These Changes"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->undo_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Undo These Changes"),
                                  -1);
  gtk_button_set_label (GTK_BUTTON (self->redo_button), _("Redo These Changes"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->redo_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Redo These Changes"),
                                  -1);
  words = beckon_change_labels_describe_landing (landing);
  gtk_label_set_text (self->landing_label, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->landing_toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  show_landing_list (self);
}

/* Landings while the command still ran, a line for each. */
static void
show_early (BeckonToolCard *self)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < beckon_tool_call_get_n_early (self->call); i++)
    {
      g_autofree char *words = beckon_change_labels_describe_early (beckon_tool_call_get_early (self->call, i));

      if (words != NULL)
        g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", words);
    }
  gtk_label_set_text (self->early_label, lines->str);
  gtk_widget_set_visible (GTK_WIDGET (self->early_label), lines->len > 0);
  gtk_widget_set_visible (self->land_now_button, beckon_tool_call_get_can_land (self->call)
                          && beckon_tool_call_get_state (self->call) == BECKON_CALL_STARTED);
  gtk_widget_set_visible (self->end_button, is_in_background (self->call));
  gtk_widget_set_visible (self->keep_button,
                          is_in_background (self->call) && !beckon_tool_call_get_is_kept (self->call));
  gtk_widget_set_visible (self->running_box,
                          gtk_widget_get_visible (self->land_now_button) || gtk_widget_get_visible (self->end_button));
}

static void
tool_card_on_end (BeckonToolCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.end-command", "s", beckon_tool_call_get_id (self->call));
}

static void
on_keep (BeckonToolCard *self)
{
  gtk_widget_grab_focus (self->end_button);
  beckon_tool_call_keep (self->call);
}

static void
on_land_now (BeckonToolCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.land-now", "s", beckon_tool_call_get_id (self->call));
}

static void
tool_card_on_undo (BeckonToolCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.undo-change", "s", beckon_tool_call_get_id (self->call));
}

static void
on_redo (BeckonToolCard *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.redo-change", "s", beckon_tool_call_get_id (self->call));
}

/* Shows the arguments in force, which a person may have changed while it waited; the sentence of a known tool has them. */
static void
show_summary (BeckonToolCard *self, const char *sentence)
{
  gboolean is_known = beckon_call_labels_is_known (beckon_tool_call_get_name (self->call)) || self->is_step;
  g_autofree char *arguments = is_known ? NULL : beckon_parameters_show_call (self->call);
  g_autofree char *line = arguments != NULL ? beckon_arguments_line (arguments) : NULL;
  g_autofree char *summary = beckon_text_for_display (line, -1, BECKON_TEXT_EXACT);

  gtk_label_set_text (self->name_label, sentence);
  gtk_label_set_text (self->summary_label, summary);
}

/* Heard only when the call changes: a voice that counts seconds hides everything else. */
static gboolean
on_clock (gpointer user_data)
{
  BeckonToolCard *self = user_data;
  g_autofree char *words = describe_running (self->call);

  gtk_label_set_text (self->state_label, words);
  return G_SOURCE_CONTINUE;
}

static void
tool_card_update (BeckonToolCard *self)
{
  g_autofree char *sentence = beckon_call_labels_describe_call (self->call);
  const char *colour;
  g_autofree char *state = tool_card_describe_state (self->call, &colour);
  g_autofree char *duration = describe_duration (self->call);
  gboolean is_done = g_str_equal (colour, "done");
  /* The sentence says that it is done. */
  g_autofree char *shown = is_done ? g_strdup (duration != NULL ? duration : "")
                           : duration != NULL ? g_strdup_printf ("%s · %s", state, duration) : g_strdup (state);
  g_autofree char *spoken = g_strdup_printf ("%s, %s", sentence, state);
  GtkWidget *images;
  g_autoptr (GString) lines = g_string_new (NULL);
  BeckonCallState at = beckon_tool_call_get_state (self->call);
  BeckonCallChange change = beckon_tool_call_get_change (self->call);
  const BeckonLanding *landing = beckon_tool_call_get_landing (self->call);
  gboolean is_over = at == BECKON_CALL_DONE || (at == BECKON_CALL_CANCELLED && beckon_tool_call_get_n_early (self->call) > 0);

  if (self->colour != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self), self->colour);
  self->colour = colour;
  gtk_widget_add_css_class (GTK_WIDGET (self), colour);

  show_summary (self, sentence);
  update_live (self);
  /* Seen without opening the card: they are what it is for. They come with the result, all at once. */
  images = adw_bin_get_child (self->images_bin) == NULL ? beckon_result_images_new (self->call) : NULL;
  if (images != NULL)
    {
      adw_bin_set_child (self->images_bin, images);
      gtk_widget_set_visible (GTK_WIDGET (self->images_bin), TRUE);
    }
  show_landing (self);
  show_early (self);
  /* The forms that it asked while it ran, a line for each. */
  for (guint i = 0; i < beckon_tool_call_get_n_asked (self->call); i++)
    {
      GObject *asked = beckon_tool_call_get_asked (self->call, i);
      g_autofree char *line = BECKON_IS_FORM_REQUEST (asked) ? beckon_form_request_dup_trace (BECKON_REQUEST (asked)) : NULL;

      if (line != NULL)
        g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
    }
  gtk_label_set_text (self->asked_label, lines->str);
  gtk_widget_set_visible (GTK_WIDGET (self->asked_label), lines->len > 0);
  /* The copies of the state before may be gone: they were too old, or too large. */
  gtk_widget_set_visible (self->undo_button, is_over && change == BECKON_CALL_CHANGE_KEPT);
  gtk_widget_set_visible (self->redo_button,
                          is_over && change == BECKON_CALL_CHANGE_UNDONE && (landing == NULL || !landing->is_gone));
  gtk_widget_set_visible (self->withheld_label, is_over && change == BECKON_CALL_CHANGE_WITHHELD);
  gtk_label_set_text (self->state_label, shown);
  if (!is_in_background (self->call))
    g_clear_handle_id (&self->clock, g_source_remove);
  else if (self->clock == 0)
    self->clock = g_timeout_add_seconds (1, on_clock, self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  if (gtk_widget_get_visible (self->details))
    show_details (self);
}

static void
tool_card_on_changed (BeckonToolCard *self, GParamSpec *property)
{
  if (g_str_equal (g_param_spec_get_name (property), "output"))
    update_live (self);
  else
    tool_card_update (self);
}

static void
tool_card_on_toggled (BeckonToolCard *self)
{
  gboolean shown = beckon_unfolding_follow (self->toggle, self->arrow);

  if (shown)
    show_details (self);
  gtk_widget_set_visible (self->details, shown);
}

void
beckon_tool_card_expand (BeckonToolCard *self)
{
  gtk_toggle_button_set_active (self->toggle, TRUE);
}

static void
beckon_tool_card_dispose (GObject *object)
{
  BeckonToolCard *self = BECKON_TOOL_CARD (object);

  g_clear_handle_id (&self->clock, g_source_remove);
  if (self->call != NULL)
    g_signal_handlers_disconnect_by_data (self->call, self);
  g_clear_object (&self->call);
  G_OBJECT_CLASS (beckon_tool_card_parent_class)->dispose (object);
}

static void
beckon_tool_card_class_init (BeckonToolCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_CODE_BLOCK);
  G_OBJECT_CLASS (klass)->dispose = beckon_tool_card_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/tool-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, name_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, summary_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, state_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, details);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, result_heading);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, arguments_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, changes_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, result_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, live_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, running_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, end_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, keep_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, land_now_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, early_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, live_block);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, asked_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, images_bin);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, landing_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, landing_toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, landing_arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, landing_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, landing_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, undo_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, redo_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolCard, withheld_label);
  gtk_widget_class_bind_template_callback (widget_class, tool_card_on_toggled);
  gtk_widget_class_bind_template_callback (widget_class, tool_card_on_undo);
  gtk_widget_class_bind_template_callback (widget_class, tool_card_on_end);
  gtk_widget_class_bind_template_callback (widget_class, on_keep);
  gtk_widget_class_bind_template_callback (widget_class, on_land_now);
  gtk_widget_class_bind_template_callback (widget_class, on_redo);
  gtk_widget_class_bind_template_callback (widget_class, on_landing_toggled);
}

static void
beckon_tool_card_init (BeckonToolCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), "tool-icon");
  beckon_code_block_set_wrap (self->arguments_block, TRUE);
  beckon_code_block_set_wrap (self->result_block, TRUE);
  beckon_code_block_set_wrap (self->live_block, TRUE);
}

GtkWidget *
beckon_tool_card_new (BeckonToolCall *call)
{
  BeckonToolCard *self = g_object_new (BECKON_TYPE_TOOL_CARD, NULL);

  self->call = g_object_ref (call);
  gtk_image_set_from_icon_name (self->icon, beckon_call_labels_get_icon (beckon_tool_call_get_name (call)));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->landing_toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
  g_signal_connect_object (call, "notify", G_CALLBACK (tool_card_on_changed), self, G_CONNECT_SWAPPED);
  tool_card_update (self);
  return GTK_WIDGET (self);
}

GtkWidget *
beckon_tool_card_new_step (BeckonToolCall *step)
{
  GtkWidget *card = beckon_tool_card_new (step);

  BECKON_TOOL_CARD (card)->is_step = TRUE;
  tool_card_update (BECKON_TOOL_CARD (card));
  return card;
}

struct _BeckonLookFold
{
  AdwBin parent_instance;

  GtkToggleButton *button;
  GtkLabel *label;
  GtkImage *arrow;
};

G_DEFINE_FINAL_TYPE (BeckonLookFold, beckon_look_fold, ADW_TYPE_BIN)

static guint toggled_signal;

gboolean
beckon_look_fold_takes (BeckonToolCall *call)
{
  return beckon_call_labels_is_look (beckon_tool_call_get_name (call))
         && beckon_tool_call_get_state (call) == BECKON_CALL_DONE && !beckon_tool_call_get_is_error (call)
         && beckon_tool_call_get_n_images (call) == 0;
}

void
beckon_look_fold_set_calls (BeckonLookFold *self, GPtrArray *calls)
{
  g_autofree char *duration = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *sentence = beckon_call_labels_describe_looks (calls);
  gint64 sum = 0;

  for (guint i = 0; i < calls->len; i++)
    {
      gint64 started = beckon_tool_call_get_started_at (g_ptr_array_index (calls, i));
      gint64 finished = beckon_tool_call_get_finished_at (g_ptr_array_index (calls, i));

      sum += started > 0 ? MAX (finished - started, 0) : 0;
    }

  /* Translators: how long a tool ran, in seconds */
  duration = sum >= G_USEC_PER_SEC / 20 ? g_strdup_printf (_("%.1f s"), (double) sum / G_USEC_PER_SEC) : NULL;
  shown = duration != NULL ? g_strdup_printf ("%s · %s", sentence, duration) : g_strdup (sentence);
  gtk_label_set_text (self->label, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
}

gboolean
beckon_look_fold_is_open (BeckonLookFold *self)
{
  return gtk_toggle_button_get_active (self->button);
}

static void
look_fold_on_toggled (BeckonLookFold *self)
{
  beckon_unfolding_follow (self->button, self->arrow);
  g_signal_emit (self, toggled_signal, 0);
}

static void
beckon_look_fold_class_init (BeckonLookFoldClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  toggled_signal = g_signal_new ("toggled", BECKON_TYPE_LOOK_FOLD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/look-fold.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonLookFold, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonLookFold, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonLookFold, arrow);
  gtk_widget_class_bind_template_callback (widget_class, look_fold_on_toggled);
}

static void
beckon_look_fold_init (BeckonLookFold *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_look_fold_new (void)
{
  return g_object_new (BECKON_TYPE_LOOK_FOLD, NULL);
}
