/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-note-view.h"

#include "base/beckon-text.h"
#include "beckon-text-blocks.h"
#include "ui/widgets/beckon-scrolled.h"

struct _BeckonNoteView
{
  AdwBin parent_instance;

  BeckonNote note;

  GtkLabel *label;
  GtkBox *divider;
  GtkToggleButton *toggle;
  GtkImage *arrow;
  GtkLabel *title;
  AdwBin *holder;
};

G_DEFINE_FINAL_TYPE (BeckonNoteView, beckon_note_view, ADW_TYPE_BIN)

static void
note_view_on_toggled (BeckonNoteView *self)
{
  gboolean shown = gtk_toggle_button_get_active (self->toggle);

  gtk_image_set_from_icon_name (self->arrow, shown ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, shown, -1);
  if (shown && adw_bin_get_child (self->holder) == NULL)
    {
      g_autofree char *text = g_strjoin ("\n\n", self->note.summary, self->note.kept, NULL);
      g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);
      GtkWidget *blocks = beckon_text_blocks_new ();

      beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (blocks), part);
      beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (blocks));
      adw_bin_set_child (self->holder, blocks);
    }
  if (shown)
    beckon_unfolding_tell (GTK_WIDGET (self->toggle));
}

static void
beckon_note_view_finalize (GObject *object)
{
  beckon_note_clear (&BECKON_NOTE_VIEW (object)->note);
  G_OBJECT_CLASS (beckon_note_view_parent_class)->finalize (object);
}

static void
beckon_note_view_class_init (BeckonNoteViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_note_view_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/note-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonNoteView, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonNoteView, divider);
  gtk_widget_class_bind_template_child (widget_class, BeckonNoteView, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonNoteView, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonNoteView, title);
  gtk_widget_class_bind_template_child (widget_class, BeckonNoteView, holder);
  gtk_widget_class_bind_template_callback (widget_class, note_view_on_toggled);
}

static void
beckon_note_view_init (BeckonNoteView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_note_view_new (BeckonPart *part)
{
  BeckonNoteView *self = g_object_new (BECKON_TYPE_NOTE_VIEW, NULL);
  g_autofree char *sentence = beckon_note_dup_sentence (part);
  g_autofree char *safe = beckon_text_for_display (sentence, -1, BECKON_TEXT_PROSE);

  if (beckon_note_read (part, &self->note) && self->note.kind == BECKON_NOTE_SUMMARY)
    {
      gtk_label_set_text (self->title, safe);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, safe, -1);
      gtk_widget_set_visible (GTK_WIDGET (self->divider), TRUE);
      gtk_widget_set_visible (GTK_WIDGET (self->label), FALSE);
    }
  else
    {
      gtk_label_set_text (self->label, safe);
    }
  return GTK_WIDGET (self);
}
