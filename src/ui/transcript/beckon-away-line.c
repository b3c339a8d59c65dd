/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-away-line.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "text/beckon-call-labels.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-scrolled.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

/* Lines of one section; what is more is counted. */
#define MOST_LINES 20

struct _BeckonAwayLine
{
  AdwBin parent_instance;

  BeckonAwayDigest *digest; /* (owned) (nullable) */

  GtkToggleButton *button;
  GtkLabel *label;
  GtkImage *arrow;
  GtkBox *details;
};

G_DEFINE_FINAL_TYPE (BeckonAwayLine, beckon_away_line, ADW_TYPE_BIN)

static GtkWidget *
away_line_make_label (const char *text, const char *css_class)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  GtkWidget *label = beckon_line_new (text, css_class);

  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  /* A hyphen would be read as part of a path or a command. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  return label;
}

static void
append_heading (BeckonAwayLine *self, const char *words)
{
  GtkWidget *label = away_line_make_label (words, "caption-heading");

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (self->details, label);
}

static void
append_rest (BeckonAwayLine *self, guint n_left)
{
  g_autofree char *words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "… and %u more", "… and %u more", n_left), n_left);

  if (n_left > 0)
    gtk_box_append (self->details, away_line_make_label (words, "dim-label"));
}

/* --- Done --------------------------------------------------------------------------------------------------------- */

/* A row of calls that only looked is one line. (transfer full) (element-type utf8) */
static GPtrArray *
list_sentences (BeckonAwayLine *self)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) looks = g_ptr_array_new ();

  for (guint i = 0; i <= self->digest->calls->len; i++)
    {
      BeckonToolCall *call = i < self->digest->calls->len ? g_ptr_array_index (self->digest->calls, i) : NULL;

      if (call != NULL && beckon_look_fold_takes (call))
        {
          g_ptr_array_add (looks, call);
          continue;
        }
      if (looks->len > 0)
        g_ptr_array_add (sentences, beckon_call_labels_describe_looks (looks));
      g_ptr_array_set_size (looks, 0);
      if (call != NULL)
        g_ptr_array_add (sentences, beckon_call_labels_describe_call (call));
    }
  return sentences;
}

/* --- Asked -------------------------------------------------------------------------------------------------------- */

/* --- Changed ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
make_undo_button (const char *label, const char *name, GPtrArray *calls)
{
  GtkWidget *button = gtk_button_new_with_label (label);
  GVariantBuilder builder;

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.undo-calls");

  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < calls->len; i++)
    if (beckon_tool_call_get_change (g_ptr_array_index (calls, i)) == BECKON_CALL_CHANGE_KEPT)
      g_variant_builder_add (&builder, "s", beckon_tool_call_get_id (g_ptr_array_index (calls, i)));
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), g_variant_builder_end (&builder));
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "caption");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return button;
}

static char *
describe_file (const BeckonAwayFile *file)
{
  return *file->extent != '\0' ? beckon_text_printf ("%s  %s", file->path, file->extent) : g_strdup (file->path);
}

/* The button beside it, or that it is undone. */
static GtkWidget *
make_end (const BeckonAwayChange *change, const char *subject)
{
  /* Translators: of a button beside a file or a command; %s is that */
  g_autofree char *name = beckon_text_printf (_("Undo %s"), subject);

  if (beckon_away_change_can_undo (change))
    return make_undo_button (_("Undo"), name, change->calls);
  return away_line_make_label (beckon_away_change_is_undone (change) ? _("undone") : _("can’t be undone"), "dim-label");
}

static void
append_change (BeckonAwayLine *self, const BeckonAwayChange *change)
{
  const BeckonAwayFile *first = g_ptr_array_index (change->files, 0);
  g_autofree char *file = describe_file (first);
  GtkWidget *pair = g_object_new (BECKON_TYPE_WRAP_PAIR, NULL);
  guint n = MIN (change->files->len, MOST_LINES);

  gtk_widget_set_parent (away_line_make_label (change->title != NULL ? change->title : file, NULL), pair);
  gtk_widget_set_parent (make_end (change, change->title != NULL ? change->title : first->path), pair);
  gtk_box_append (self->details, pair);
  for (guint i = 0; change->title != NULL && i < n; i++)
    {
      g_autofree char *words = describe_file (g_ptr_array_index (change->files, i));
      GtkWidget *label = away_line_make_label (words, "dim-label");

      gtk_widget_set_margin_start (label, 12);
      gtk_box_append (self->details, label);
    }
  if (change->title != NULL)
    append_rest (self, change->files->len - n);
}

/* --- The line ----------------------------------------------------------------------------------------------------- */

static void
show_details (BeckonAwayLine *self)
{
  gboolean is_open = self->digest != NULL && gtk_toggle_button_get_active (self->button);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->details))) != NULL)
    gtk_box_remove (self->details, child);

  if (is_open)
    {
      g_autoptr (GPtrArray) sentences = list_sentences (self);
      guint n = MIN (sentences->len, MOST_LINES);
      const guint n_requests = MIN (self->digest->requests->len, MOST_LINES);
      const guint n_changes = MIN (self->digest->changes->len, MOST_LINES);
      guint n_undoable = 0;
      g_autoptr (GPtrArray) calls = beckon_away_digest_list_undoable (self->digest);

      if (sentences->len > 0)
        /* Translators: heading of what an agent did while its person was away */
        append_heading (self, _("Done"));
      for (guint i = 0; i < n; i++)
        gtk_box_append (self->details, away_line_make_label (g_ptr_array_index (sentences, i), NULL));
      append_rest (self, sentences->len - n);

      if (n_requests > 0)
        /* Translators: heading of what an agent asked while its person was away */
        append_heading (self, _("Asked"));
      for (guint i = 0; i < n_requests; i++)
        {
          BeckonRequest *request = g_ptr_array_index (self->digest->requests, i);
          g_autofree char *title = beckon_request_words_dup_title (request);
          g_autofree char *end = beckon_request_dup_summary (request);

          /* Translators: a request, and what became of it */
          g_autofree char *words = beckon_text_printf (_("%s — %s"), title, end != NULL ? end : _("waiting for you"));

          gtk_box_append (self->details, away_line_make_label (words, NULL));
        }
      append_rest (self, self->digest->requests->len - n_requests);
      if (n_changes > 0)
        /* Translators: heading of what an agent changed while its person was away */
        append_heading (self, _("Changed"));
      for (guint i = 0; i < self->digest->changes->len; i++)
        {
          const BeckonAwayChange *change = g_ptr_array_index (self->digest->changes, i);

          n_undoable += beckon_away_change_can_undo (change);
          if (i < n_changes)
            append_change (self, change);
        }
      append_rest (self, self->digest->changes->len - n_changes);
      if (n_undoable > 1)
        gtk_box_append (self->details,
                        make_undo_button (_("Undo All"), _("Undo all changes made while you were away"), calls));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->details), is_open);
}

static void
away_line_on_toggled (BeckonAwayLine *self)
{
  beckon_unfolding_follow (self->button, self->arrow);
  show_details (self);
}

static void
unfollow (BeckonAwayLine *self)
{
  for (guint i = 0; self->digest != NULL && i < self->digest->calls->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->digest->calls, i), self);
}

void
beckon_away_line_take_digest (BeckonAwayLine *self, BeckonAwayDigest *digest)
{
  g_autofree char *sentence = NULL;

  unfollow (self);
  g_clear_pointer (&self->digest, beckon_away_digest_free);
  self->digest = digest;
  gtk_toggle_button_set_active (self->button, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), digest != NULL);
  show_details (self);
  if (digest == NULL)
    return;
  sentence = beckon_away_digest_dup_sentence (digest);
  gtk_label_set_text (self->label, sentence);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
  for (guint i = 0; i < self->digest->calls->len; i++)
    g_signal_connect_object (g_ptr_array_index (self->digest->calls, i), "notify::change", G_CALLBACK (show_details),
                             self, G_CONNECT_SWAPPED);
}

static void
beckon_away_line_dispose (GObject *object)
{
  BeckonAwayLine *self = BECKON_AWAY_LINE (object);

  unfollow (self);
  g_clear_pointer (&self->digest, beckon_away_digest_free);
  G_OBJECT_CLASS (beckon_away_line_parent_class)->dispose (object);
}

static void
beckon_away_line_class_init (BeckonAwayLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_away_line_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/away-line.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAwayLine, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonAwayLine, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonAwayLine, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonAwayLine, details);
  gtk_widget_class_bind_template_callback (widget_class, away_line_on_toggled);
}

static void
beckon_away_line_init (BeckonAwayLine *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}
