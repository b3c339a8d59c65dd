/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-question-card.h"

#include "beckon-choice.h"
#include "beckon-guard.h"
#include "beckon-inline.h"
#include "beckon-question-page.h"
#include "beckon-question-pages.h"
#include "beckon-question-review.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonQuestionCard
{
  AdwBin parent_instance;

  /* input */
  BeckonInbox *inbox;     /* (owned) */
  BeckonRequest *request; /* (owned) */
  BeckonQuestion *question; /* of the request */
  BeckonGuard *guard;     /* (owned) */

  /* in progress */
  BeckonAnswer *submitted; /* (owned) (nullable): being settled, or settled */
  gboolean settling;
  gboolean had_focus; /* when settling began */
  gboolean asking_back;

  /* widgets */
  GPtrArray *items; /* (owned): BeckonQuestionPage, borrowed from the stack */
  BeckonQuestionReview *review; /* (nullable) */
  GtkLabel *title_label;
  GtkLabel *progress_label;
  GtkToggleButton *fold_button;
  GtkWidget *menu_button;
  GtkLabel *folded_label;
  GtkRevealer *revealer;
  GtkWidget *body;
  GtkScrolledWindow *tabs_scroller;
  GtkWidget *tabs;
  GtkStack *pages;
  GtkWidget *navigation;
  GtkWidget *back_button;
  GtkButton *next_button;
  GtkWidget *submit_button;
  GtkLabel *error_label;
};

G_DEFINE_FINAL_TYPE (BeckonQuestionCard, beckon_question_card, ADW_TYPE_BIN)

static BeckonQuestionPage *
get_item (BeckonQuestionCard *self, guint index)
{
  return g_ptr_array_index (self->items, index);
}

/* The item that is shown; the number of items on the review page. */
static guint
get_position (BeckonQuestionCard *self)
{
  GtkWidget *shown = gtk_stack_get_visible_child (self->pages);
  guint index;

  if (shown == NULL || !g_ptr_array_find (self->items, shown, &index))
    return self->items->len;
  return index;
}

static void
show_position (BeckonQuestionCard *self, guint position)
{
  GtkWidget *page = position < self->items->len ? GTK_WIDGET (get_item (self, position))
                                                : gtk_widget_get_last_child (GTK_WIDGET (self->pages));

  gtk_stack_set_visible_child (self->pages, page);
}

static void
show_error (BeckonQuestionCard *self, const char *message)
{
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), message != NULL);
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
}

static void
set_settling (BeckonQuestionCard *self, gboolean settling)
{
  self->settling = settling;
  gtk_widget_set_sensitive (self->body, !settling);
  gtk_widget_set_sensitive (self->menu_button, !settling);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonQuestionCard) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    return;

  g_clear_pointer (&self->submitted, beckon_answer_unref);
  set_settling (self, FALSE);
  show_error (self, error->message);
  if (self->had_focus && self->items->len > 0)
    beckon_question_card_focus (self);
}

static void
settle (BeckonQuestionCard *self, BeckonAnswer *answer)
{
  g_assert (self->submitted == NULL);

  show_error (self, NULL);
  self->submitted = beckon_answer_ref (answer);
  /* What is answered cannot keep the focus; it goes to where one writes on. */
  self->had_focus = (gtk_widget_get_state_flags (GTK_WIDGET (self)) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
  if (self->had_focus)
    gtk_widget_activate_action (GTK_WIDGET (self), "conversation.focus-composer", NULL);
  set_settling (self, TRUE);
  beckon_inbox_settle_async (self->inbox, beckon_request_get_id (self->request), answer, "window", NULL, NULL, on_settled,
                             g_object_ref (self));
}

static gboolean
can_answer (BeckonQuestionCard *self)
{
  return !self->settling && beckon_guard_is_open (self->guard) &&
         beckon_request_get_state (self->request) == BECKON_REQUEST_PENDING;
}

static void
submit (BeckonQuestionCard *self)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;
  guint unanswered;

  if (!can_answer (self))
    return;

  answer = beckon_question_pages_collect (self->items, FALSE);
  if (beckon_answer_check (answer, self->question, &error))
    {
      settle (self, answer);
      return;
    }
  unanswered = beckon_question_pages_find_unanswered (self->items);
  if (unanswered < self->items->len)
    show_position (self, unanswered);
  show_error (self, error->message);
}

static void
submit_kind (BeckonQuestionCard *self, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (BeckonAnswer) answer = NULL;

  if (!can_answer (self))
    return;

  answer = beckon_answer_new (kind, text);
  settle (self, answer);
}

static void
set_asking_back (BeckonQuestionCard *self, gboolean asking_back)
{
  guint position = MIN (get_position (self), self->items->len - 1);

  self->asking_back = asking_back;
  show_position (self, position);
  beckon_question_page_set_asking_back (get_item (self, position), asking_back);
  if (asking_back)
    beckon_question_page_focus_entry (get_item (self, position));
}

static void
ask_back (BeckonQuestionCard *self, BeckonQuestionPage *page)
{
  g_autofree char *text = beckon_question_page_dup_text (page);

  if (text != NULL)
    submit_kind (self, BECKON_ANSWER_ASKED_BACK, text);
}

static void
go_on (BeckonQuestionCard *self)
{
  show_position (self, get_position (self) + 1);
}

static void
on_page_send (BeckonQuestionCard *self, BeckonQuestionPage *page)
{
  if (self->asking_back)
    ask_back (self, page);
  else if (self->items->len > 1)
    go_on (self);
  else if (beckon_question_page_has_answer (page))
    submit (self);
}

static void
on_page_picked (BeckonQuestionCard *self, BeckonChoice *choice, BeckonQuestionPage *page)
{
  gboolean at_once = beckon_question_is_single_choice (self->question);

  if (at_once && !can_answer (self))
    return;
  if (self->asking_back)
    set_asking_back (self, FALSE);
  beckon_question_page_mark (page, beckon_choice_get_label (choice));
  if (at_once)
    submit (self);
}

static void
on_page_changed (BeckonQuestionCard *self)
{
  g_autofree char *draft = NULL;

  show_error (self, NULL);
  if (self->settling || beckon_request_get_state (self->request) != BECKON_REQUEST_PENDING)
    return;

  draft = beckon_question_pages_dup_draft (self->items);
  beckon_inbox_save_draft (self->inbox, self->request, draft);
}

/* Many tabs, or a narrow window, do not show them all. */
static void
show_tab (BeckonQuestionCard *self, guint position)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (self->tabs_scroller);
  GtkWidget *tab = gtk_widget_get_first_child (self->tabs);
  graphene_rect_t bounds;

  for (; tab != NULL && position > 0; position--)
    tab = gtk_widget_get_next_sibling (tab);
  if (tab != NULL && gtk_widget_compute_bounds (tab, self->tabs, &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.x, bounds.origin.x + bounds.size.width);
}

static void
on_visible_page_changed (BeckonQuestionCard *self)
{
  guint position = get_position (self);
  guint n = self->items->len;
  g_autofree char *progress = NULL;

  if (n < 2)
    return;

  /* Translators: the second question of three: "2 of 3" */
  progress = position < n ? g_strdup_printf (_("%u of %u"), position + 1, n) : g_strdup (_("Review"));
  gtk_label_set_text (self->progress_label, progress);
  gtk_widget_set_sensitive (self->back_button, position > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->next_button), position < n);
  gtk_button_set_label (self->next_button, position + 1 < n ? _("Next") : _("Review"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->next_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  position + 1 < n ? _("Next question") : _("Review"), -1);
  gtk_widget_set_visible (self->submit_button, position == n);
  show_tab (self, position);
  if (position == n && self->review != NULL)
    beckon_question_review_update (self->review);
}

static void
on_next_clicked (BeckonQuestionCard *self)
{
  go_on (self);
}

static void
on_back_clicked (BeckonQuestionCard *self)
{
  guint position = get_position (self);

  if (position > 0)
    show_position (self, position - 1);
}

static void
on_submit_clicked (BeckonQuestionCard *self)
{
  submit (self);
}

static void
on_review_chosen (BeckonQuestionCard *self, guint index)
{
  show_position (self, index);
}

static void
on_fold_toggled (BeckonQuestionCard *self)
{
  gboolean shown = gtk_toggle_button_get_active (self->fold_button);

  gtk_button_set_icon_name (GTK_BUTTON (self->fold_button), shown ? "pan-up-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->fold_button), GTK_ACCESSIBLE_STATE_EXPANDED, shown, -1);
  gtk_revealer_set_reveal_child (self->revealer, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->folded_label), !shown);
}

static void
fold (BeckonQuestionCard *self)
{
  if (self->asking_back)
    {
      set_asking_back (self, FALSE);
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self->fold_button));
  gtk_toggle_button_set_active (self->fold_button, FALSE);
}

static gboolean
pick_by_key (BeckonQuestionCard *self, guint keyval)
{
  guint position = get_position (self);
  guint number = 0;

  if (keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9)
    number = keyval - GDK_KEY_0;
  else if (keyval >= GDK_KEY_KP_1 && keyval <= GDK_KEY_KP_9)
    number = keyval - GDK_KEY_KP_0;
  if (number == 0 || position >= self->items->len || beckon_question_page_is_typing (get_item (self, position)))
    return FALSE;
  return beckon_question_page_pick_number (get_item (self, position), number);
}

static gboolean
on_key_pressed (BeckonQuestionCard *self, guint keyval, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == GDK_CONTROL_MASK && (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter))
    {
      submit (self);
      return GDK_EVENT_STOP;
    }
  if (modifiers == 0 && keyval == GDK_KEY_Escape)
    {
      fold (self);
      return GDK_EVENT_STOP;
    }
  return modifiers == 0 && pick_by_key (self, keyval);
}

static void
skip_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);
  guint position = MIN (get_position (self), self->items->len - 1);

  if (!can_answer (self))
    return;
  beckon_question_page_set_skipped (get_item (self, position), TRUE);
  if (self->items->len > 1)
    show_position (self, position + 1);
  else
    submit (self);
}

static void
ask_back_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (widget);

  gtk_toggle_button_set_active (self->fold_button, TRUE);
  set_asking_back (self, TRUE);
}

static void
delegate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  submit_kind (BECKON_QUESTION_CARD (widget), BECKON_ANSWER_DELEGATED, NULL);
}

static void
dismiss_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  submit_kind (BECKON_QUESTION_CARD (widget), BECKON_ANSWER_DECLINED, NULL);
}

static void
submit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  submit (BECKON_QUESTION_CARD (widget));
}

gboolean
beckon_question_card_takes_text (BeckonQuestionCard *self)
{
  return beckon_question_page_takes_text (get_item (self, MIN (get_position (self), self->items->len - 1)));
}

void
beckon_question_card_answer_with (BeckonQuestionCard *self, const char *text)
{
  g_return_if_fail (BECKON_IS_QUESTION_CARD (self));

  gtk_toggle_button_set_active (self->fold_button, TRUE);
  beckon_question_page_set_text (get_item (self, MIN (get_position (self), self->items->len - 1)), text);
  if (self->items->len == 1)
    submit (self);
}

void
beckon_question_card_focus (BeckonQuestionCard *self)
{
  g_return_if_fail (BECKON_IS_QUESTION_CARD (self));

  gtk_toggle_button_set_active (self->fold_button, TRUE);
  beckon_question_page_focus (get_item (self, MIN (get_position (self), self->items->len - 1)));
}

static gboolean
is_our_answer (BeckonQuestionCard *self)
{
  BeckonAnswer *settled = beckon_request_get_answer (self->request);
  g_autofree char *ours = NULL;
  g_autofree char *theirs = NULL;

  if (self->submitted == NULL || settled == NULL)
    return FALSE;

  ours = beckon_answer_to_json (self->submitted);
  theirs = beckon_answer_to_json (settled);
  return strcmp (ours, theirs) == 0;
}

char *
beckon_question_card_dup_unsent (BeckonQuestionCard *self)
{
  g_return_val_if_fail (BECKON_IS_QUESTION_CARD (self), NULL);

  return is_our_answer (self) ? NULL : beckon_question_pages_dup_typed (self->items, self->question);
}

static void
add_item (BeckonQuestionCard *self, guint index)
{
  guint n = beckon_question_get_n_items (self->question);
  GtkWidget *page = beckon_question_page_new (self->question, index, n == 1);
  g_autofree char *title = beckon_question_page_dup_title (BECKON_QUESTION_PAGE (page));

  gtk_stack_page_set_title (gtk_stack_add_child (self->pages, page), title);
  g_ptr_array_add (self->items, page);
  g_signal_connect_swapped (page, "changed", G_CALLBACK (on_page_changed), self);
  g_signal_connect_swapped (page, "picked", G_CALLBACK (on_page_picked), self);
  g_signal_connect_swapped (page, "send", G_CALLBACK (on_page_send), self);
}

static void
add_review (BeckonQuestionCard *self)
{
  self->review = BECKON_QUESTION_REVIEW (beckon_question_review_new (self->question, self->items));
  g_signal_connect_swapped (self->review, "chosen", G_CALLBACK (on_review_chosen), self);
  gtk_stack_page_set_title (gtk_stack_add_child (self->pages, GTK_WIDGET (self->review)), _("Review"));
}

static void
show_request (BeckonQuestionCard *self)
{
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autofree char *first = beckon_inline_render (beckon_question_get_item (self->question, 0)->question, &attributes);
  guint n = beckon_question_get_n_items (self->question);

  for (guint i = 0; i < n; i++)
    add_item (self, i);
  if (n > 1)
    add_review (self);
  gtk_widget_set_visible (GTK_WIDGET (self->tabs_scroller), n > 1);
  gtk_widget_set_visible (self->navigation, n > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_label), n > 1);
  gtk_label_set_text (self->folded_label, first);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("AI needs your decision"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, first, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->title_label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  first, -1);
  beckon_question_pages_restore (self->items, beckon_request_get_draft (self->request));
  on_visible_page_changed (self);
}

void
beckon_question_card_set_clock (BeckonQuestionCard *self, BeckonClock *clock)
{
  g_return_if_fail (BECKON_IS_QUESTION_CARD (self));

  beckon_guard_set_clock (self->guard, clock);
}

static void
on_page_shown (BeckonQuestionCard *self)
{
  if (self->items->len == 0 || self->question == NULL)
    return;
  if (self->asking_back && get_position (self) < self->items->len)
    {
      for (guint i = 0; i < self->items->len; i++)
        beckon_question_page_set_asking_back (get_item (self, i), FALSE);
      self->asking_back = FALSE;
    }
  on_visible_page_changed (self);
}

static void
beckon_question_card_dispose (GObject *object)
{
  BeckonQuestionCard *self = BECKON_QUESTION_CARD (object);

  g_clear_pointer (&self->guard, beckon_guard_free);
  self->question = NULL;
  g_ptr_array_set_size (self->items, 0);
  g_clear_pointer (&self->submitted, beckon_answer_unref);
  g_clear_object (&self->request);
  g_clear_object (&self->inbox);
  G_OBJECT_CLASS (beckon_question_card_parent_class)->dispose (object);
}

static void
beckon_question_card_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_QUESTION_CARD (object)->items);
  G_OBJECT_CLASS (beckon_question_card_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/question-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, progress_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, fold_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, menu_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, folded_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, body);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, tabs_scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, tabs);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, navigation);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, back_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, next_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, submit_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQuestionCard, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_fold_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_page_shown);
  gtk_widget_class_bind_template_callback (widget_class, on_back_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_next_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_submit_clicked);
}

static void
beckon_question_card_class_init (BeckonQuestionCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_question_card_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_question_card_finalize;
  bind_template (widget_class);
  gtk_widget_class_install_action (widget_class, "card.skip", NULL, skip_action);
  gtk_widget_class_install_action (widget_class, "card.ask-back", NULL, ask_back_action);
  gtk_widget_class_install_action (widget_class, "card.delegate", NULL, delegate_action);
  gtk_widget_class_install_action (widget_class, "card.dismiss", NULL, dismiss_action);
  gtk_widget_class_install_action (widget_class, "card.submit", NULL, submit_action);
}

static void
beckon_question_card_init (BeckonQuestionCard *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->items = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->guard = beckon_guard_new (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "pending");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->fold_button), GTK_ACCESSIBLE_STATE_EXPANDED, TRUE, -1);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
beckon_question_card_new (BeckonInbox *inbox, BeckonRequest *request)
{
  BeckonQuestionCard *self = g_object_new (BECKON_TYPE_QUESTION_CARD, NULL);

  self->inbox = g_object_ref (inbox);
  self->request = g_object_ref (request);
  self->question = beckon_request_get_question (request);
  show_request (self);
  return GTK_WIDGET (self);
}
