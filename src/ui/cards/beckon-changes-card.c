/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-changes-card.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-change-labels.h"
#include "beckon-change-list.h"
#include "beckon-request-words.h"
#include "beckon-rule-choices.h"
#include "landing/beckon-landing-look.h"
#include "request/beckon-changes-request.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-key-label.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

#define DRAFT_KIND "changes"

/* Characters. A longer path makes a button too wide for a narrow window. */
#define MOST_NAMED 24

struct _BeckonChangesCard
{
  BeckonRequestCard parent_instance;

  BeckonRequest *request;     /* of the card, until it goes */
  BeckonCardSettler *settler; /* of the card */

  GtkImage *icon;
  GtkLabel *title_label;
  GtkLabel *command_label;
  GtkLabel *outcome_label;
  GtkLabel *note_label;
  BeckonMaxHeightBox *list_slot; /* scrolls by itself, so that the buttons stay on the screen */
  BeckonChangeList *list;
  gboolean is_looking;      /* for conflicts */
  GtkLabel *late_label;
  GtkWidget *always_box;
  BeckonRuleChoices *always_list;
  GtkToggleButton *always_button;
  GtkRevealer *leave_revealer;
  GtkEntry *feedback_entry;
  GtkWidget *keep_button;
  GtkToggleButton *leave_button;
  GtkWidget *confirm_button;
};

G_DEFINE_FINAL_TYPE (BeckonChangesCard, beckon_changes_card, BECKON_TYPE_REQUEST_CARD)

static const BeckonChangeChoice *
get_choice (BeckonChangesCard *self)
{
  return beckon_change_list_get_choice (self->list);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

/* Counts the open changes that land; and of these, those without some of their hunks. */
static guint
count_kept (BeckonChangesCard *self, guint *n_in_part)
{
  const BeckonChangeSet *set = beckon_request_get_changes (self->request);
  guint n = 0;

  *n_in_part = 0;
  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      gboolean is_in_part = FALSE;

      if (beckon_change_set_get (set, i)->fate != BECKON_FILE_OPEN || beckon_change_choice_get_left_out (get_choice (self), i))
        continue;
      n++;
      for (guint hunk = 0; hunk < beckon_change_set_get (set, i)->n_hunks; hunk++)
        is_in_part = is_in_part || beckon_change_choice_get_hunk_left_out (get_choice (self), i, hunk);
      *n_in_part += is_in_part;
    }
  return n;
}

/* The choice is written out, an empty one too: an answer without it leaves out what has a concern. @rules: (nullable): what is
 * to be remembered. */
static void
keep_with (BeckonChangesCard *self, GPtrArray *rules)
{
  g_autofree char *left_out = beckon_change_choice_to_json (get_choice (self));
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_KEPT, left_out);

  if (rules != NULL)
    beckon_answer_set_remember (answer, g_ptr_array_ref (rules));
  beckon_card_settler_settle_answer (self->settler, answer);
}

static void
on_keep_clicked (BeckonChangesCard *self)
{
  keep_with (self, NULL);
}

static void
changes_card_on_always_toggled (BeckonChangesCard *self)
{
  gboolean is_open = gtk_toggle_button_get_active (self->always_button);

  gtk_widget_set_visible (self->always_box, is_open);
  if (is_open)
    gtk_toggle_button_set_active (self->leave_button, FALSE);
}

static void
on_leave_toggled (BeckonChangesCard *self)
{
  gboolean leaving = gtk_toggle_button_get_active (self->leave_button);

  if (leaving)
    {
      gtk_toggle_button_set_active (self->always_button, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->leave_revealer), TRUE);
    }
  gtk_revealer_set_reveal_child (self->leave_revealer, leaving);
  if (leaving && !beckon_request_card_is_restoring (BECKON_REQUEST_CARD (self)))
    gtk_widget_grab_focus (GTK_WIDGET (self->feedback_entry));
}

/* Folded it takes no room between what stands around it. */
static void
on_leave_revealed (BeckonChangesCard *self)
{
  if (!gtk_revealer_get_child_revealed (self->leave_revealer) && !gtk_revealer_get_reveal_child (self->leave_revealer))
    gtk_widget_set_visible (GTK_WIDGET (self->leave_revealer), FALSE);
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

/* How many the mode keeps, whatever is said here. */
static guint
count_decided (BeckonChangesCard *self)
{
  return beckon_change_set_count (beckon_request_get_changes (self->request), BECKON_FILE_KEPT);
}

static char *
describe_keep (BeckonChangesCard *self, guint n_kept, guint n_in_part)
{
  guint n_open = beckon_change_set_count (beckon_request_get_changes (self->request), BECKON_FILE_OPEN);
  guint n_decided = count_decided (self);

  if (beckon_change_choice_is_empty (get_choice (self)))
    return g_strdup (_("Keep All"));
  if (n_kept == 0 && n_decided > 0)
    /* Translators: of a button that saves what needs no answer, and nothing of what is asked about */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Save the Other Change", "Save the Other %u", n_decided), n_decided);
  if (n_kept == 0)
    return g_strdup (_("Keep Checked"));
  if (n_in_part == 0)
    /* Translators: of a button that saves changed files: how many of how many */
    return g_strdup_printf (_("Keep %u of %u"), n_kept, n_open);
  /* Translators: of a button that saves changed files: how many of how many, and how many of these in part */
  return g_strdup_printf (_("Keep %u of %u, %u in Part"), n_kept, n_open, n_in_part);
}

/* Its key stands beside it, where it has one. */
static void
set_label (GtkWidget *button, const char *label, const char *spoken)
{
  GtkWidget *child = gtk_button_get_child (GTK_BUTTON (button));

  if (child != NULL && BECKON_IS_KEY_LABEL (child))
    beckon_key_label_set_label (BECKON_KEY_LABEL (child), label);
  else
    gtk_button_set_label (GTK_BUTTON (button), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
changes_card_show_buttons (BeckonChangesCard *self)
{
  guint n_in_part;
  guint n_kept = count_kept (self, &n_in_part);
  g_autofree char *label = describe_keep (self, n_kept, n_in_part);
  gboolean keeps_decided = n_kept == 0 && count_decided (self) > 0;

  set_label (self->keep_button, label, label);
  gtk_widget_set_tooltip_text (self->keep_button, keeps_decided ? _("Saves Only What Needs No Answer (Ctrl+Enter)")
                               : _("Saves What Is Checked in the Folder (Ctrl+Enter)"));
  gtk_widget_set_sensitive (self->keep_button, n_kept > 0 || keeps_decided);
  gtk_widget_set_sensitive (GTK_WIDGET (self->always_list), n_kept > 0);
}

/* (transfer full): of the only change that is open, if there is one and its path is short. */
static char *
dup_only_path (const BeckonChangeSet *set)
{
  g_autofree char *path = NULL;

  if (beckon_change_set_count (set, BECKON_FILE_OPEN) != 1)
    return NULL;
  for (guint i = 0; path == NULL; i++)
    if (beckon_change_set_get (set, i)->fate == BECKON_FILE_OPEN)
      path = beckon_file_change_dup_shown_path (beckon_change_set_get (set, i));
  return g_utf8_strlen (path, -1) <= MOST_NAMED ? g_steal_pointer (&path) : NULL;
}

/* Beside changes that are kept in any case, the others alone are left out, and what is said is so. */
static void
show_leave (BeckonChangesCard *self, const BeckonChangeSet *set)
{
  guint n_decided = count_decided (self);
  gboolean is_one = beckon_change_set_count (set, BECKON_FILE_OPEN) == 1;
  g_autofree char *path = dup_only_path (set);
  /* Translators: of a button that opens an entry; %s is the path of a changed file */
  g_autofree char *named = path != NULL ? beckon_text_printf (_("Leave %s Out…"), path) : NULL;
  const char *leave = named != NULL ? named : is_one ? _("Leave It Out…") : _("Leave These Out…");
  const char *confirm = is_one ? _("Leave It Out") : _("Leave These Out");
  g_autofree char *others = NULL;

  if (n_decided == 0)
    {
      set_label (GTK_WIDGET (self->leave_button), _("Leave All Out…"), _("Leave all out"));
      set_label (self->confirm_button, _("Leave All Out"), _("Leave All Out"));
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->leave_button), _("The Folder Stays As It Is (Ctrl+D)"));
      return;
    }

  others = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "The Other Change Is Saved (Ctrl+D)",
                                         "The Other %u Changes Are Saved (Ctrl+D)", n_decided), n_decided);
  set_label (GTK_WIDGET (self->leave_button), leave, leave);
  set_label (self->confirm_button, confirm, confirm);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->leave_button), others);
}

/* --- Drafts ------------------------------------------------------------------------------------------------------- */

static char *
changes_card_dup_draft (BeckonRequestCard *card)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree char *left_out = beckon_change_choice_to_json (get_choice (self));
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "draft", DRAFT_KIND);
  beckon_json_writer_member_string (&writer, "choice", left_out);
  beckon_json_writer_member_string (&writer, "feedback", gtk_editable_get_text (GTK_EDITABLE (self->feedback_entry)));
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&json), FALSE);
}

/* A draft of another kind, or about other changes, is none. */
static void
changes_card_restore (BeckonRequestCard *card, const char *draft)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);
  const BeckonChangeSet *set = beckon_request_get_changes (self->request);
  g_autoptr (JsonObject) object = draft != NULL ? beckon_json_parse_object (draft, -1, NULL) : NULL;
  gboolean is_one = g_strcmp0 (beckon_json_get_string (object, "draft"), DRAFT_KIND) == 0;
  const char *left_out = is_one ? beckon_json_get_string (object, "choice") : NULL;
  const char *feedback = is_one ? beckon_json_get_string (object, "feedback") : NULL;
  BeckonChangeChoice *choice = left_out != NULL ? beckon_change_choice_parse (left_out, set, NULL) : NULL;

  beckon_change_list_take_choice (self->list, choice != NULL ? choice : beckon_change_choice_new_first (set));
  gtk_editable_set_text (GTK_EDITABLE (self->feedback_entry), feedback != NULL ? feedback : "");
  gtk_toggle_button_set_active (self->leave_button, feedback != NULL && *feedback != '\0');
  changes_card_show_buttons (self);
}

static void
on_choice_changed (BeckonChangesCard *self)
{
  changes_card_show_buttons (self);
  beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

static void
on_feedback_changed (BeckonChangesCard *self)
{
  if (self->request != NULL)
    beckon_request_card_keep_draft (BECKON_REQUEST_CARD (self));
}

/* --- Conflicts ---------------------------------------------------------------------------------------------------- */

static void
on_conflicts (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChangesCard) self = user_data;
  g_autoptr (GArray) late = beckon_landing_look_for_conflicts_finish (result, NULL);
  guint n = late != NULL ? late->len : 0;
  g_autofree char *words = NULL;

  self->is_looking = FALSE;
  if (self->request == NULL)
    return;
  words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                        "%u file was changed in the folder meanwhile. It stays as it is, whatever is checked.",
                                        "%u files were changed in the folder meanwhile. They stay as they are, whatever is "
                                        "checked.",
                                        n), n);
  gtk_label_set_text (self->late_label, n > 0 ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->late_label), n > 0);
  beckon_change_list_set_late (self->list, late);
}

/* The set of the request is the one of the landing. */
static void
look_for_conflicts (BeckonRequestCard *card)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);
  BeckonToolCall *call = beckon_request_card_get_call (card);
  const BeckonLanding *landing = call != NULL ? beckon_change_labels_find_waiting (call) : NULL;

  if (self->is_looking || self->request == NULL || landing == NULL
      || beckon_change_set_get_n_changes (landing->changes)
      != beckon_change_set_get_n_changes (beckon_request_get_changes (self->request)))
    return;
  self->is_looking = TRUE;
  beckon_landing_look_for_conflicts_async (landing, NULL, on_conflicts, g_object_ref (self));
}

/* --- As the card of a request -------------------------------------------------------------------------------------- */

static gboolean
changes_card_submit (BeckonRequestCard *card)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);

  if (!gtk_widget_get_sensitive (self->keep_button))
    return FALSE;
  on_keep_clicked (self);
  return TRUE;
}

static gboolean
changes_card_close (BeckonRequestCard *card)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);

  if (gtk_toggle_button_get_active (self->always_button))
    {
      gtk_toggle_button_set_active (self->always_button, FALSE);
      return TRUE;
    }
  if (!gtk_toggle_button_get_active (self->leave_button))
    return FALSE;
  gtk_toggle_button_set_active (self->leave_button, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->leave_button));
  return TRUE;
}

static void
changes_card_focus (BeckonRequestCard *card)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);

  look_for_conflicts (card);
  if (!beckon_focus_is_within (GTK_WIDGET (self->list_slot))
      && !gtk_widget_child_focus (GTK_WIDGET (self->list_slot), GTK_DIR_TAB_FORWARD))
    gtk_widget_grab_focus (self->keep_button);
}

static gboolean
changes_card_deny (BeckonRequestCard *card)
{
  gtk_toggle_button_set_active (BECKON_CHANGES_CARD (card)->leave_button, TRUE);
  return TRUE;
}

/* --- The request -------------------------------------------------------------------------------------------------- */

static void
changes_card_show (BeckonRequestCard *card, BeckonRequest *request)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (card);
  const BeckonChangeSet *set = beckon_request_get_changes (request);
  g_autofree char *title = beckon_changes_request_dup_sentence (request);
  g_autofree char *question = beckon_request_words_dup_notice (request);
  g_autofree char *shown = beckon_request_dup_shown_arguments (request);
  g_autoptr (JsonObject) object = beckon_json_parse_object (shown, -1, NULL);
  const char *typed = beckon_json_get_string (object, "command");
  g_autofree char *told = typed == NULL ? beckon_arguments_line (shown) : NULL;
  guint n_open;
  guint n_kept;
  g_autofree char *note = NULL;
  g_autofree char *command = beckon_text_command_for_display (typed != NULL ? typed : told);
  g_autofree char *outcome = beckon_changes_request_dup_outcome (request);
  GtkWidget *list = beckon_change_list_new (set, TRUE);
  gboolean has_concern = FALSE;

  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    has_concern = has_concern
                  || (beckon_change_set_get (set, i)->concern != BECKON_FILE_CONCERN_NONE
                      && beckon_change_set_get (set, i)->fate == BECKON_FILE_OPEN);
  self->request = request;
  /* The folder has none of it yet. */
  gtk_label_set_text (self->title_label, question);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_image_set_from_icon_name (self->icon, has_concern ? "dialog-warning-symbolic" : "beckon-tool-symbolic");
  gtk_label_set_text (self->command_label, command);
  beckon_label_say (self->outcome_label, outcome);
  /* A part was decided by the mode or by rules, or cannot be decided. */
  n_open = beckon_change_set_count (set, BECKON_FILE_OPEN);
  n_kept = beckon_change_set_count (set, BECKON_FILE_KEPT);
  if (n_kept != 0)
    {
      note = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u of %u waits for you. The other changes are kept in any case.",
                                           "%u of %u wait for you. The other changes are kept in any case.", n_open),
                              n_open, beckon_change_set_get_n_changes (set));
      gtk_label_set_text (self->note_label, note);
      gtk_widget_set_visible (GTK_WIDGET (self->note_label), TRUE);
    }
  show_leave (self, set);
  beckon_rule_choices_set_request (self->always_list, request);
  beckon_rule_choices_set_opener (self->always_list, GTK_WIDGET (self->always_button));
  gtk_widget_set_visible (GTK_WIDGET (self->always_button), !beckon_rule_choices_is_empty (self->always_list));
  self->list = BECKON_CHANGE_LIST (list);
  beckon_max_height_box_set_child (self->list_slot, list);
  if (beckon_request_card_get_call (card) != NULL)
    beckon_change_list_set_call (self->list, beckon_request_card_get_call (card));
  g_signal_connect_object (list, "changed", G_CALLBACK (on_choice_changed), self, G_CONNECT_SWAPPED);
  beckon_request_card_restore (card);
}

static void
beckon_changes_card_dispose (GObject *object)
{
  BeckonChangesCard *self = BECKON_CHANGES_CARD (object);

  self->request = NULL;
  G_OBJECT_CLASS (beckon_changes_card_parent_class)->dispose (object);
}

static void
beckon_changes_card_class_init (BeckonChangesCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  g_type_ensure (BECKON_TYPE_RULE_CHOICES);
  G_OBJECT_CLASS (klass)->dispose = beckon_changes_card_dispose;
  card_class->show = changes_card_show;
  card_class->focus = changes_card_focus;
  card_class->submit = changes_card_submit;
  card_class->deny = changes_card_deny;
  card_class->close = changes_card_close;
  card_class->look = look_for_conflicts;
  card_class->dup_draft = changes_card_dup_draft;
  card_class->restore = changes_card_restore;
  beckon_request_card_class_set_template (card_class, "changes-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, command_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, outcome_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, note_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, late_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, list_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, always_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, always_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, always_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, leave_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, feedback_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, keep_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, leave_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChangesCard, confirm_button);
  gtk_widget_class_bind_template_callback (widget_class, on_keep_clicked);
  gtk_widget_class_bind_template_callback (widget_class, keep_with);
  gtk_widget_class_bind_template_callback (widget_class, changes_card_on_always_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_leave_toggled);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_leave_confirmed", G_CALLBACK (beckon_request_card_decline));
  gtk_widget_class_bind_template_callback (widget_class, on_feedback_changed);
}

static void
beckon_changes_card_init (BeckonChangesCard *self)
{
  GtkEventController *pointer = gtk_event_controller_motion_new ();

  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
  /* The pointer comes to the card before it is answered. */
  g_signal_connect_object (pointer, "enter", G_CALLBACK (look_for_conflicts), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), pointer);
  g_signal_connect_object (self->leave_revealer, "notify::child-revealed", G_CALLBACK (on_leave_revealed), self,
                           G_CONNECT_SWAPPED);
  beckon_request_card_set_entry (BECKON_REQUEST_CARD (self), self->feedback_entry);
}

