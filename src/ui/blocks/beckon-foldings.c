/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-foldings.h"

#include "base/beckon-text.h"
#include "beckon-text-blocks.h"
#include "ui/widgets/beckon-label-links.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

#define FAINT_ALPHA 0xb333

struct _BeckonSourcesView
{
  AdwBin parent_instance;

  GPtrArray *sources; /* (owned) */

  GtkToggleButton *toggle;
  GtkImage *arrow;
  GtkLabel *label;
  AdwBin *holder;
};

G_DEFINE_FINAL_TYPE (BeckonSourcesView, beckon_sources_view, ADW_TYPE_BIN)

static GtkWidget *
make_source (const BeckonCitation *source, guint number)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_label_link_free);
  PangoAttribute *faint = pango_attr_foreground_alpha_new (FAINT_ALPHA);
  PangoAttrList *attributes = pango_attr_list_new ();
  gsize start;
  GtkWidget *label;

  g_string_append_printf (text, "%u. ", number);
  start = text->len;
  g_string_append (text, source->title);
  g_ptr_array_add (links, beckon_label_link_new ((guint) start, (guint) text->len, source->url));
  faint->start_index = (guint) text->len;
  pango_attr_list_insert (attributes, faint);
  /* A hyphen would be read as part of the host. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  if (!g_str_equal (source->title, source->host))
    g_string_append_printf (text, "  %s", source->host);
  label = g_object_new (GTK_TYPE_LABEL, "label", text->str, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign", 0.0f,
                        "selectable", TRUE, NULL);
  beckon_label_links_set (GTK_LABEL (label), links, attributes);
  pango_attr_list_unref (attributes);
  return label;
}

static void
sources_view_on_toggled (BeckonSourcesView *self)
{
  if (beckon_unfolding_follow (self->toggle, self->arrow) && adw_bin_get_child (self->holder) == NULL)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

      for (guint i = 0; i < self->sources->len; i++)
        gtk_box_append (GTK_BOX (box), make_source (g_ptr_array_index (self->sources, i), i + 1));
      adw_bin_set_child (self->holder, box);
    }
}

static void
beckon_sources_view_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_SOURCES_VIEW (object)->sources, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_sources_view_parent_class)->finalize (object);
}

static void
beckon_sources_view_class_init (BeckonSourcesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_sources_view_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/sources-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSourcesView, holder);
  gtk_widget_class_bind_template_callback (widget_class, sources_view_on_toggled);
}

static void
beckon_sources_view_init (BeckonSourcesView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_sources_view_new (GPtrArray *sources)
{
  BeckonSourcesView *self = g_object_new (BECKON_TYPE_SOURCES_VIEW, NULL);
  g_autofree char *title = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u source", "%u sources", sources->len),
                                            sources->len);

  self->sources = g_ptr_array_ref (sources);
  gtk_label_set_text (self->label, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  return GTK_WIDGET (self);
}

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
  if (beckon_unfolding_follow (self->toggle, self->arrow) && adw_bin_get_child (self->holder) == NULL)
    {
      g_autofree char *text = g_strjoin ("\n\n", self->note.summary, self->note.kept, NULL);
      g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);
      GtkWidget *blocks = beckon_text_blocks_new ();

      beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (blocks), part);
      beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (blocks));
      adw_bin_set_child (self->holder, blocks);
    }
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

struct _BeckonReasoning
{
  AdwBin parent_instance;

  BeckonPart *part; /* (owned) */

  GtkToggleButton *toggle;
  GtkImage *arrow;
  GtkLabel *label;
  AdwBin *holder;
};

G_DEFINE_FINAL_TYPE (BeckonReasoning, beckon_reasoning, ADW_TYPE_BIN)

static void
reasoning_on_toggled (BeckonReasoning *self)
{
  if (beckon_unfolding_follow (self->toggle, self->arrow) && adw_bin_get_child (self->holder) == NULL)
    {
      GtkWidget *text = beckon_text_blocks_new ();

      beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (text), self->part);
      adw_bin_set_child (self->holder, text);
    }
}

static char *
describe_duration (gint64 duration)
{
  guint seconds = (guint) MIN ((duration + G_USEC_PER_SEC / 2) / G_USEC_PER_SEC, G_MAXINT);

  if (seconds < 1)
    return g_strdup (_("Thought for a moment"));
  if (seconds < 60)
    /* Translators: how long a model reasoned: seconds */
    return g_strdup_printf (_("Thought for %u s"), seconds);
  /* Translators: minutes and seconds */
  return g_strdup_printf (_("Thought for %u min %u s"), seconds / 60, seconds % 60);
}

/* While it reasons, and where nobody knows how long it did, there is only that it did. */
static void
on_duration_changed (BeckonReasoning *self)
{
  gint64 duration = beckon_part_get_duration (self->part);
  g_autofree char *text = duration > 0 ? describe_duration (duration) : g_strdup (_("Reasoning"));

  gtk_label_set_text (self->label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
beckon_reasoning_dispose (GObject *object)
{
  BeckonReasoning *self = BECKON_REASONING (object);

  if (self->part != NULL)
    g_signal_handlers_disconnect_by_data (self->part, self);

  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_reasoning_parent_class)->dispose (object);
}

static void
beckon_reasoning_class_init (BeckonReasoningClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_reasoning_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/reasoning.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, holder);
  gtk_widget_class_bind_template_callback (widget_class, reasoning_on_toggled);
}

static void
beckon_reasoning_init (BeckonReasoning *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_reasoning_new (BeckonPart *part)
{
  BeckonReasoning *self = g_object_new (BECKON_TYPE_REASONING, NULL);

  self->part = g_object_ref (part);
  g_signal_connect_swapped (part, "notify::duration", G_CALLBACK (on_duration_changed), self);
  on_duration_changed (self);
  return GTK_WIDGET (self);
}
