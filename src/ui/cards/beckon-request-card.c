/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-request-card.h"

#include "beckon-approval-card.h"
#include "beckon-changes-card.h"
#include "beckon-form-card.h"
#include "beckon-outcome-card.h"
#include "beckon-plan-card.h"
#include "beckon-question-card.h"
#include "beckon-trust-card.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-trust-request.h"
#include "ui/forms/beckon-form-group.h"
#include "ui/widgets/beckon-controls.h"

/* As long as the animation of its style is. */
#define FLASH_MS 1200

typedef struct
{
  BeckonInbox *inbox;         /* (owned) */
  BeckonRequest *request;     /* (owned) */
  BeckonToolCall *call;       /* (owned) (nullable) */
  BeckonCardSettler *settler; /* (owned) */
  BeckonForm *form;           /* (owned) (nullable) */
  AdwBin *form_slot;          /* (nullable) */
  GtkEntry *entry;            /* (nullable) */
  GtkWindow *window;          /* (nullable): the one that the card is mapped in, if it looks at something outside */
  gboolean is_composing;      /* an input method, in the entry */
  gboolean is_restoring;
  char *draft;                /* (owned) (nullable): what is shown, as it was last stored or read */
} BeckonRequestCardPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (BeckonRequestCard, beckon_request_card, ADW_TYPE_BIN)

static BeckonRequestCardPrivate *
request_card_get_private (gpointer self)
{
  return beckon_request_card_get_instance_private (BECKON_REQUEST_CARD (self));
}

/* --- Which one ---------------------------------------------------------------------------------------------------- */

static const struct
{
  GType (*get_request_type) (void);
  GType (*get_card_type) (void);
} classes[] = {
  { beckon_question_request_get_type, beckon_question_card_get_type },
  { beckon_approval_request_get_type, beckon_approval_card_get_type },
  { beckon_plan_request_get_type, beckon_plan_card_get_type },
  { beckon_outcome_request_get_type, beckon_outcome_card_get_type },
  { beckon_changes_request_get_type, beckon_changes_card_get_type },
  { beckon_form_request_get_type, beckon_form_card_get_type },
  { beckon_trust_request_get_type, beckon_trust_card_get_type },
};

GtkWidget *
beckon_request_card_new_alone (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (G_OBJECT_TYPE (request) == classes[i].get_request_type ())
      return beckon_request_card_make (classes[i].get_card_type (), inbox, request, call);
  g_return_val_if_reached (NULL);
}

GtkWidget *
beckon_request_card_new (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  /* A step is shown within its plan. */
  return beckon_request_get_step (request) != NULL ? beckon_plan_card_new (inbox, request, NULL)
                                                   : beckon_request_card_new_alone (inbox, request, call);
}

static void
request_card_on_draft_changed (BeckonRequestCard *self)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);

  if (g_strcmp0 (beckon_request_get_draft (priv->request), priv->draft) == 0 || beckon_card_settler_is_settling (priv->settler))
    return;
  beckon_card_settler_renew (priv->settler);
  beckon_request_card_restore (self);
}

GtkWidget *
beckon_request_card_make (GType type, BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  BeckonRequestCard *self = g_object_new (type, NULL);
  BeckonRequestCardClass *klass = BECKON_REQUEST_CARD_GET_CLASS (self);
  BeckonRequestCardPrivate *priv = request_card_get_private (self);

  priv->inbox = g_object_ref (inbox);
  priv->request = g_object_ref (request);
  g_set_object (&priv->call, call);
  beckon_card_settler_set_request (priv->settler, inbox, request);
  priv->is_restoring = TRUE;
  klass->show (self, request);
  priv->is_restoring = FALSE;
  if (klass->restore != NULL)
    g_signal_connect_swapped (request, "notify::draft", G_CALLBACK (request_card_on_draft_changed), self);
  return GTK_WIDGET (self);
}

/* --- What is shown on all ----------------------------------------------------------------------------------------- */

void
beckon_request_card_class_set_template (BeckonRequestCardClass *klass, const char *name)
{
  g_autofree char *path = g_strconcat (BECKON_RESOURCE_PATH "/ui/", name, NULL);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, path);
  gtk_widget_class_bind_template_child_full (widget_class, "title_label", FALSE, 0);
  gtk_widget_class_bind_template_child_full (widget_class, "corner", FALSE, 0);
  gtk_widget_class_bind_template_child_full (widget_class, "error_label", FALSE, 0);
}

static gpointer
request_card_get_child (gpointer self, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), G_OBJECT_TYPE (self), name);
}

void
beckon_request_card_set_title (BeckonRequestCard *self, const char *title)
{
  gtk_label_set_text (request_card_get_child (self, "title_label"), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

void
beckon_request_card_set_corner (GtkWidget *card, GtkWidget *corner)
{
  AdwBin *slot = request_card_get_child (card, "corner");

  adw_bin_set_child (slot, corner);
  gtk_widget_set_visible (GTK_WIDGET (slot), corner != NULL);
}

/* Ends with the card, unlike a timeout. */
static gboolean
on_flash_tick (GtkWidget *card, GdkFrameClock *clock, gpointer user_data)
{
  gint64 *end = user_data;

  if (*end == 0)
    *end = gdk_frame_clock_get_frame_time (clock) + FLASH_MS * G_TIME_SPAN_MILLISECOND;
  if (gdk_frame_clock_get_frame_time (clock) < *end)
    return G_SOURCE_CONTINUE;

  gtk_widget_remove_css_class (card, "flash");
  return G_SOURCE_REMOVE;
}

void
beckon_request_card_flash (GtkWidget *card)
{
  if (gtk_widget_has_css_class (card, "flash"))
    return;

  gtk_widget_add_css_class (card, "flash");
  gtk_widget_add_tick_callback (card, on_flash_tick, g_new0 (gint64, 1), g_free);
}

/* --- Answers, and keys -------------------------------------------------------------------------------------------- */

void
beckon_request_card_focus (GtkWidget *card)
{
  if (!BECKON_IS_REQUEST_CARD (card))
    gtk_widget_child_focus (card, GTK_DIR_TAB_FORWARD);
  else
    BECKON_REQUEST_CARD_GET_CLASS (card)->focus (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_is_ready (GtkWidget *card)
{
  BeckonRequestCardClass *klass = BECKON_IS_REQUEST_CARD (card) ? BECKON_REQUEST_CARD_GET_CLASS (card) : NULL;

  if (klass == NULL)
    return FALSE;
  return klass->is_ready != NULL ? klass->is_ready (BECKON_REQUEST_CARD (card))
                                 : beckon_card_settler_is_ready (request_card_get_private (card)->settler);
}

gboolean
beckon_request_card_submit (GtkWidget *card)
{
  return beckon_request_card_is_ready (card) && gtk_widget_is_sensitive (card)
         && BECKON_REQUEST_CARD_GET_CLASS (card)->submit (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_edit (GtkWidget *card)
{
  BeckonRequestCardClass *klass = BECKON_REQUEST_CARD_GET_CLASS (card);

  return klass->edit != NULL && gtk_widget_is_sensitive (card) && klass->edit (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_deny (GtkWidget *card)
{
  BeckonRequestCardClass *klass = BECKON_REQUEST_CARD_GET_CLASS (card);

  return klass->deny != NULL && gtk_widget_is_sensitive (card) && klass->deny (BECKON_REQUEST_CARD (card));
}

gboolean
beckon_request_card_takes_text (GtkWidget *card)
{
  BeckonRequestCardClass *klass = card != NULL && BECKON_IS_REQUEST_CARD (card) ? BECKON_REQUEST_CARD_GET_CLASS (card) : NULL;

  return klass != NULL && klass->takes_text != NULL && klass->takes_text (BECKON_REQUEST_CARD (card));
}

char *
beckon_request_card_dup_unsent (GtkWidget *card)
{
  BeckonRequestCardClass *klass = BECKON_REQUEST_CARD_GET_CLASS (card);

  return klass->dup_unsent != NULL ? klass->dup_unsent (BECKON_REQUEST_CARD (card)) : NULL;
}

/* Entries keep the keys typed into them; these come here when unused. */
static gboolean
request_card_on_key_pressed (BeckonRequestCard *self, guint keyval, guint keycode, GdkModifierType state)
{
  BeckonRequestCardClass *klass = BECKON_REQUEST_CARD_GET_CLASS (self);
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  GtkWidget *card = GTK_WIDGET (self);

  if (modifiers == 0 && keyval == GDK_KEY_Escape)
    return klass->close != NULL && klass->close (self);
  if (modifiers == 0)
    return klass->pick != NULL && klass->pick (self, keyval);
  if (modifiers != GDK_CONTROL_MASK)
    return FALSE;
  if (beckon_key_is_enter (keyval))
    {
      /* The key is meant for this card, and for no other, whether or not it takes an answer. */
      beckon_request_card_submit (card);
      return TRUE;
    }
  if (keyval == GDK_KEY_e)
    return beckon_request_card_edit (card);
  return keyval == GDK_KEY_d && beckon_request_card_deny (card);
}

static void
request_card_on_preedit_changed (BeckonRequestCard *self, const char *preedit)
{
  request_card_get_private (self)->is_composing = preedit != NULL && *preedit != '\0';
}

void
beckon_request_card_set_entry (BeckonRequestCard *self, GtkEntry *entry)
{
  request_card_get_private (self)->entry = entry;
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (entry)), "preedit-changed",
                           G_CALLBACK (request_card_on_preedit_changed), self, G_CONNECT_SWAPPED);
}

void
beckon_request_card_settle_written (BeckonRequestCard *self, BeckonAnswerKind kind)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);
  g_autofree char *text = g_strstrip (g_strdup (priv->entry != NULL ? gtk_editable_get_text (GTK_EDITABLE (priv->entry)) : ""));

  if (!priv->is_composing)
    beckon_card_settler_settle (priv->settler, kind, *text != '\0' ? text : NULL);
}

void
beckon_request_card_skip (BeckonRequestCard *self)
{
  beckon_card_settler_settle (request_card_get_private (self)->settler, BECKON_ANSWER_SKIP, NULL);
}

gboolean
beckon_request_card_decline (BeckonRequestCard *self)
{
  beckon_request_card_settle_written (self, BECKON_ANSWER_DECLINED);
  return TRUE;
}

/* --- Drafts, and forms -------------------------------------------------------------------------------------------- */

void
beckon_request_card_keep_draft (BeckonRequestCard *self)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);
  g_autofree char *draft = NULL;

  if (priv->request == NULL || priv->is_restoring || beckon_card_settler_is_settling (priv->settler))
    return;
  draft = BECKON_REQUEST_CARD_GET_CLASS (self)->dup_draft (self);
  if (g_strcmp0 (draft, priv->draft) == 0)
    return;
  g_free (priv->draft);
  priv->draft = g_steal_pointer (&draft);
  beckon_card_settler_save_draft (priv->settler, priv->draft);
}

void
beckon_request_card_restore (BeckonRequestCard *self)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);

  g_free (priv->draft);
  priv->draft = g_strdup (beckon_request_get_draft (priv->request));
  priv->is_restoring = TRUE;
  BECKON_REQUEST_CARD_GET_CLASS (self)->restore (self, priv->draft);
  priv->is_restoring = FALSE;
}

gboolean
beckon_request_card_is_restoring (BeckonRequestCard *self)
{
  return request_card_get_private (self)->is_restoring;
}

static void
request_card_on_form_changed (BeckonRequestCard *self)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);

  beckon_form_group_update (BECKON_FORM_GROUP (adw_bin_get_child (priv->form_slot)), beckon_form_get_root (priv->form));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.undo", beckon_form_can_undo (priv->form));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.redo", beckon_form_can_redo (priv->form));
}

void
beckon_request_card_set_form (BeckonRequestCard *self, BeckonForm *form, AdwBin *slot)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);

  priv->form = form;
  priv->form_slot = slot;
  adw_bin_set_child (slot, beckon_form_group_new (form, beckon_form_get_root (form)));
  g_signal_connect_swapped (form, "changed", G_CALLBACK (request_card_on_form_changed), self);
}

static void
request_card_go_back (GtkWidget *widget, const char *action, GVariant *parameter)
{
  if (g_str_equal (action, "form.undo"))
    beckon_form_undo (request_card_get_private (widget)->form);
  else
    beckon_form_redo (request_card_get_private (widget)->form);
}

/* --- Looking ------------------------------------------------------------------------------------------------------ */

static void
request_card_look (BeckonRequestCard *self)
{
  BECKON_REQUEST_CARD_GET_CLASS (self)->look (self);
}

/* A person who changed a file did so in another window, and comes back to this one. */
static void
beckon_request_card_map (GtkWidget *widget)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (widget);
  GtkRoot *root = gtk_widget_get_root (widget);

  GTK_WIDGET_CLASS (beckon_request_card_parent_class)->map (widget);
  if (BECKON_REQUEST_CARD_GET_CLASS (widget)->look == NULL)
    return;
  priv->window = GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
  if (priv->window != NULL)
    g_signal_connect_object (priv->window, "notify::is-active", G_CALLBACK (request_card_look), widget, G_CONNECT_SWAPPED);
  request_card_look (BECKON_REQUEST_CARD (widget));
}

static void
beckon_request_card_unmap (GtkWidget *widget)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (widget);

  if (priv->window != NULL)
    g_signal_handlers_disconnect_by_func (priv->window, request_card_look, widget);
  priv->window = NULL;
  GTK_WIDGET_CLASS (beckon_request_card_parent_class)->unmap (widget);
}

/* --- The class ---------------------------------------------------------------------------------------------------- */

BeckonInbox *
beckon_request_card_get_inbox (BeckonRequestCard *self)
{
  return request_card_get_private (self)->inbox;
}

BeckonToolCall *
beckon_request_card_get_call (BeckonRequestCard *self)
{
  return request_card_get_private (self)->call;
}

void
beckon_request_card_set_clock (GtkWidget *card, BeckonClock *clock)
{
  BeckonRequestCardClass *klass = BECKON_REQUEST_CARD_GET_CLASS (card);

  beckon_card_settler_set_clock (request_card_get_private (card)->settler, clock);
  if (klass->set_clock != NULL)
    klass->set_clock (BECKON_REQUEST_CARD (card), clock);
}

/* Calls that end late still ask for the rest, which is freed with the card. */
static void
beckon_request_card_dispose (GObject *object)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (object);

  if (priv->request != NULL)
    g_signal_handlers_disconnect_by_data (priv->request, object);
  if (priv->form != NULL)
    g_signal_handlers_disconnect_by_data (priv->form, object);
  if (priv->settler != NULL)
    g_object_run_dispose (G_OBJECT (priv->settler));
  G_OBJECT_CLASS (beckon_request_card_parent_class)->dispose (object);
}

static void
beckon_request_card_finalize (GObject *object)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (object);

  g_clear_object (&priv->settler);
  g_clear_object (&priv->form);
  g_clear_object (&priv->call);
  g_clear_object (&priv->request);
  g_clear_object (&priv->inbox);
  g_free (priv->draft);
  G_OBJECT_CLASS (beckon_request_card_parent_class)->finalize (object);
}

static void
beckon_request_card_class_init (BeckonRequestCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_request_card_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_request_card_finalize;
  widget_class->map = beckon_request_card_map;
  widget_class->unmap = beckon_request_card_unmap;
  gtk_widget_class_install_action (widget_class, "form.undo", NULL, request_card_go_back);
  gtk_widget_class_install_action (widget_class, "form.redo", NULL, request_card_go_back);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "form.undo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "form.redo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_y, GDK_CONTROL_MASK, "form.redo", NULL);
}

static void
beckon_request_card_init (BeckonRequestCard *self)
{
}

BeckonCardSettler *
beckon_request_card_init_template (BeckonRequestCard *self)
{
  BeckonRequestCardPrivate *priv = request_card_get_private (self);
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  priv->settler = beckon_card_settler_new (GTK_WIDGET (self), request_card_get_child (self, "error_label"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.undo", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "form.redo", FALSE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (request_card_on_key_pressed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  return priv->settler;
}
