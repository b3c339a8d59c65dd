/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-form-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-form-control.h"
#include "beckon-form-group.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Characters of what is written out below a control. */
#define MOST_SHOWN 2000

struct _BeckonFormRow
{
  AdwBin parent_instance;

  BeckonForm *form;       /* (owned) */
  BeckonFormField *field; /* (owned) */
  GPtrArray *earlier;     /* (owned) (nullable): values that were used before, as JSON */
  gboolean can_settle;

  GtkLabel *title_label;
  AdwBin *slot;
  GtkImage *lock;
  GtkWidget *settle_button;
  GtkMenuButton *earlier_button;
  GtkWidget *fill_button;
  GtkWidget *reset_button;
  GtkWidget *order_box;
  GtkWidget *up_button;
  GtkWidget *down_button;
  GtkWidget *remove_button;
  GtkLabel *shown_label;
  GtkLabel *problem_label;
  GtkLabel *hint_label;
  AdwBin *inside;
};

G_DEFINE_FINAL_TYPE (BeckonFormRow, beckon_form_row, ADW_TYPE_BIN)

static void
on_fill_clicked (BeckonFormRow *self)
{
  if (beckon_form_fill (self->form, self->field))
    beckon_form_row_focus (self);
}

static void
on_reset_clicked (BeckonFormRow *self)
{
  g_autoptr (BeckonFormRow) alive = g_object_ref (self);

  /* A field not proposed goes with its row. */
  if (beckon_form_reset (self->form, self->field) && gtk_widget_get_parent (GTK_WIDGET (alive)) != NULL)
    beckon_form_row_focus (alive);
}

static void
form_row_on_remove_clicked (BeckonFormRow *self)
{
  beckon_form_remove (self->form, self->field);
}

static void
on_up_clicked (BeckonFormRow *self)
{
  beckon_form_move (self->form, self->field, -1);
}

static void
on_down_clicked (BeckonFormRow *self)
{
  beckon_form_move (self->form, self->field, 1);
}

static void
on_settle_clicked (BeckonFormRow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "card.settle", "(ss)", self->field->name,
                              self->field->json != NULL ? self->field->json : "");
}

static void
on_use_earlier (GtkWidget *widget, const char *action, GVariant *json)
{
  BeckonFormRow *self = BECKON_FORM_ROW (widget);

  beckon_form_put (self->form, self->field, g_variant_get_string (json, NULL));
}

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static gboolean
has_inside (const BeckonFormField *field)
{
  return field->is_present
         && (field->kind == BECKON_FORM_OBJECT || field->kind == BECKON_FORM_ARRAY || field->kind == BECKON_FORM_CHOICE);
}

/* Containers have no control of their own, but for the list of what they could be. */
static gboolean
has_control (const BeckonFormField *field)
{
  return !has_inside (field) || field->kind == BECKON_FORM_CHOICE;
}

/* A switch shows what it is by default, and always has an answer. */
static char *
make_hint (const BeckonFormField *field)
{
  const char *description = beckon_argument_names_translate (field->description);
  const char *hint = field->kind != BECKON_FORM_BOOLEAN ? field->hint : NULL;
  g_autofree char *whole = description != NULL && hint != NULL ? g_strdup_printf ("%s (%s)", description, hint)
                                                               : g_strdup (description != NULL ? description : hint);

  if (!field->is_open || field->is_required || field->kind == BECKON_FORM_BOOLEAN)
    return g_steal_pointer (&whole);
  return whole != NULL ? beckon_text_join_sentences (_("Optional."), whole) : g_strdup (_("Optional."));
}

static void
show_words (BeckonFormRow *self)
{
  const BeckonFormField *field = self->field;
  g_autofree char *hint = *field->title != '\0' ? make_hint (field) : NULL;
  g_autofree char *exact = field->shown != NULL ? beckon_text_shorten (field->shown, MOST_SHOWN) : NULL;
  /* Translators: %s is a text in which what would not be seen is written out */
  g_autofree char *shown = exact != NULL ? beckon_text_printf (_("Hidden characters: %s"), exact) : NULL;
  /* The name that a server has for a field of its form is of no use to the person; the name of a tool's argument is. */
  gboolean is_required
      = field->is_open && field->is_required && field->kind != BECKON_FORM_BOOLEAN && *field->title != '\0';
  /* Translators: the title of a field that has to be filled in */
  g_autofree char *title = is_required ? beckon_text_printf (_("%s *"), field->title) : g_strdup (field->title);
  const char *tooltip = is_required ? _("Required") : NULL;

  if (!field->is_open && strcmp (field->title, field->name) != 0)
    tooltip = field->name;
  gtk_label_set_text (self->title_label, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title_label), tooltip);

  gtk_widget_set_visible (GTK_WIDGET (self->title_label), *field->title != '\0');
  beckon_label_say (self->shown_label, shown);
  beckon_label_say (self->problem_label, field->problem);
  beckon_css_class_set (GTK_WIDGET (self->problem_label), "error", !field->is_warning);
  beckon_css_class_set (GTK_WIDGET (self->problem_label), "warning", field->is_warning);
  beckon_label_say (self->hint_label, hint);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->hint_label), hint);
}

static void
name_button (GtkWidget *button, const char *words, const char *title)
{
  g_autofree char *name = beckon_text_fill_in (words, title);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
form_row_show_buttons (BeckonFormRow *self)
{
  const BeckonFormField *field = self->field;
  gboolean may = field->access == BECKON_FORM_EDITABLE && *field->title != '\0';
  g_autofree char *tooltip = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->lock), field->access != BECKON_FORM_EDITABLE && has_control (field));
  gtk_image_set_from_icon_name (self->lock, field->is_pinned ? "view-pin-symbolic" : "system-lock-screen-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->lock), field->is_pinned ? _("Always This Value: You Settled It")
                               : _("You Settled That This Is Not Changed"));
  gtk_widget_set_visible (self->settle_button, self->can_settle && field->access == BECKON_FORM_EDITABLE && field->is_present
                          && !field->is_element);
  gtk_widget_set_visible (self->fill_button, may && !field->is_open && !field->is_present && field->proposed == NULL);
  gtk_widget_set_visible (self->reset_button, may && !field->is_open && field->is_edited
                          && !(field->is_element && field->proposed == NULL));
  gtk_widget_set_visible (self->order_box, may && field->is_element);
  gtk_widget_set_visible (self->remove_button, may && field->can_remove);
  if (field->proposed != NULL)
    {
      g_autofree char *proposed = beckon_text_for_display (field->proposed, -1, BECKON_TEXT_EXACT);
      g_autofree char *short_form = beckon_text_shorten (proposed, 200);

      tooltip = beckon_text_printf (_("Back to What Was Proposed: %s"), short_form);
    }
  gtk_widget_set_tooltip_text (self->reset_button, tooltip != NULL ? tooltip : _("Take It Out Again"));
}

void
beckon_form_row_update (BeckonFormRow *self, BeckonFormField *field)
{
  BeckonFormField *before = self->field;
  GtkWidget *control;
  GtkWidget *group;
  gboolean shown;

  self->field = beckon_form_field_ref (field);

  control = adw_bin_get_child (self->slot);
  if (!has_control (self->field))
    adw_bin_set_child (self->slot, NULL);
  else if (control != NULL && beckon_form_control_suits (BECKON_FORM_CONTROL (control), self->field))
    beckon_form_control_update (BECKON_FORM_CONTROL (control), self->field);
  else
    adw_bin_set_child (self->slot, beckon_form_control_new (self->form, self->field));

  group = adw_bin_get_child (self->inside);
  shown = has_inside (self->field);
  if (!shown)
    adw_bin_set_child (self->inside, NULL);
  else if (group != NULL)
    beckon_form_group_update (BECKON_FORM_GROUP (group), self->field);
  else
    adw_bin_set_child (self->inside, beckon_form_group_new (self->form, self->field));
  gtk_widget_set_visible (GTK_WIDGET (self->inside), shown);
  beckon_css_class_set (GTK_WIDGET (self->inside), "form-inside", *self->field->title != '\0');

  show_words (self);
  form_row_show_buttons (self);
  beckon_css_class_set (GTK_WIDGET (self), "edited", field->is_edited && !field->is_open && has_control (field));
  beckon_css_class_set (GTK_WIDGET (self), "faulty", field->problem != NULL && !field->is_warning);
  beckon_css_class_set (GTK_WIDGET (self), "no-title", *field->title == '\0');
  if (before == NULL || strcmp (before->title, field->title) != 0)
    {
      /* Translators: names of buttons beside an argument of a tool, which is named */
      const char *title = self->field->title;

      name_button (self->fill_button, _("Give a value: %s"), title);
      name_button (self->reset_button, _("Back to the proposal: %s"), title);
      name_button (self->remove_button, _("Remove: %s"), title);
      name_button (self->up_button, _("Move up: %s"), title);
      name_button (self->down_button, _("Move down: %s"), title);
      name_button (GTK_WIDGET (self->earlier_button), _("Values used before: %s"), title);
      name_button (self->settle_button, _("Always this value: %s"), title);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    }
  g_clear_pointer (&before, beckon_form_field_unref);

  control = adw_bin_get_child (self->slot);
  if (control == NULL)
    return;
  control = beckon_form_control_get_inner (BECKON_FORM_CONTROL (control));
  if (field->is_open && field->is_required)
    gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_REQUIRED, TRUE, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_STATE_INVALID,
                               field->problem != NULL && !field->is_warning ? GTK_ACCESSIBLE_INVALID_TRUE
                               : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

const char *
beckon_form_row_get_pointer (BeckonFormRow *self)
{
  return self->field->pointer;
}

void
beckon_form_row_focus (BeckonFormRow *self)
{
  GtkWidget *control = adw_bin_get_child (self->slot);

  if (control != NULL)
    gtk_widget_grab_focus (beckon_form_control_get_inner (BECKON_FORM_CONTROL (control)));
  else
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

void
beckon_form_row_set_can_settle (BeckonFormRow *self, gboolean can_settle)
{
  self->can_settle = can_settle;
  form_row_show_buttons (self);
}

/* --- Values used before ------------------------------------------------------------------------------------------- */

static void
make_earlier_menu (GtkMenuButton *button, gpointer user_data)
{
  BeckonFormRow *self = BECKON_FORM_ROW (user_data);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; self->earlier != NULL && i < self->earlier->len; i++)
    {
      const char *json = g_ptr_array_index (self->earlier, i);
      g_autofree char *shown = beckon_text_for_display (json, -1, BECKON_TEXT_EXACT);
      g_autofree char *label = beckon_text_shorten (shown, 60);
      g_autoptr (GString) escaped = g_string_new (label);
      g_autoptr (GMenuItem) item = NULL;

      g_string_replace (escaped, "_", "__", 0);
      item = g_menu_item_new (escaped->str, NULL);
      g_menu_item_set_action_and_target (item, "row.use-earlier", "s", json);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

void
beckon_form_row_set_earlier (BeckonFormRow *self, GPtrArray *values)
{
  g_clear_pointer (&self->earlier, g_ptr_array_unref);
  self->earlier = values != NULL ? g_ptr_array_ref (values) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->earlier_button), values != NULL && values->len > 0
                          && self->field->access == BECKON_FORM_EDITABLE
                          && has_control (self->field));
}

static void
beckon_form_row_dispose (GObject *object)
{
  BeckonFormRow *self = BECKON_FORM_ROW (object);

  g_clear_object (&self->form);
  g_clear_pointer (&self->field, beckon_form_field_unref);
  g_clear_pointer (&self->earlier, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_form_row_parent_class)->dispose (object);
}

static void
beckon_form_row_class_init (BeckonFormRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  G_OBJECT_CLASS (klass)->dispose = beckon_form_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/form-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, lock);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, earlier_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, fill_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, reset_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, order_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, up_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, down_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, remove_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, shown_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, problem_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, hint_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, inside);
  gtk_widget_class_bind_template_child (widget_class, BeckonFormRow, settle_button);
  gtk_widget_class_bind_template_callback (widget_class, on_settle_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_fill_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_clicked);
  gtk_widget_class_bind_template_callback (widget_class, form_row_on_remove_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_up_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_down_clicked);
  gtk_widget_class_install_action (widget_class, "row.use-earlier", "s", on_use_earlier);
}

static void
beckon_form_row_init (BeckonFormRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->earlier_button, make_earlier_menu, self, NULL);
}

GtkWidget *
beckon_form_row_new (BeckonForm *form, BeckonFormField *field)
{
  BeckonFormRow *self = g_object_new (BECKON_TYPE_FORM_ROW, NULL);

  self->form = g_object_ref (form);
  beckon_form_row_update (self, field);
  return GTK_WIDGET (self);
}

/* Only what is listed is translated: a description may come from anywhere. */
const char *
beckon_argument_names_translate (const char *description)
{
  /* As a model reads it, and as a person does: not at all where the argument's name says it. */
  static const char *const known[][2] = {
    { "A time zone's name, such as Asia/Shanghai or UTC.", N_("A time zone's name, such as Asia/Shanghai or UTC.") },
    { "The file, relative to the working folder.", N_("Relative to the working folder.") },
    { "The piece to replace, as it is in the file.", N_("The text to replace, exactly as it is in the file.") },
    { "What takes its place; may be empty.", N_("The new text. Leave it empty to delete the old text.") },
    { "Whether to replace it everywhere in the file.", N_("Replaces every occurrence in the file.") },
    { "A whole URL.", NULL },
    { "The folder, relative to the working folder.", N_("Relative to the working folder.") },
    { "Whether to list what is below, too.", N_("Lists subfolders, too.") },
    { "Only what matches, such as *.c or src/**/*.h.", N_("Only names that match, such as *.c or src/**/*.h.") },
    { "Whether to say when each was changed.", N_("Shows when each was last changed.") },
    { "More replacements, each applied to the result of the previous one.",
      N_("More texts to replace in the same file, one after another.") },
    { "The new path. If it ends with / or is an existing folder, the source is moved into it.",
      N_("The new path, or the folder to move it into.") },
    { "What to remember, in a sentence or two.", NULL },
    { "A note to replace.", N_("The note that this one replaces.") },
    { "Words that a note has to hold.", N_("Words to look up in the notes.") },
    { "The first line to read, counted from 1.", N_("The first line to read.") },
    { "The most lines to read.", N_("Reads at most this many lines.") },
    { "Where to begin in bytes, instead of offset; as an earlier result said.",
      N_("Starts at this byte instead of at a line.") },
    { "The command line.", NULL },
    { "Where it starts, relative to the working folder.",
      N_("The folder it starts in, relative to the working folder.") },
    { "How long it may take.", N_("Time limit, in seconds.") },
    { "For servers and watchers: lets it run while you go on, until end_command or your turn's end. "
      "Your other commands reach its ports at 127.0.0.1 if neither has network or local_network.",
      N_("Lets the command run on while the agent continues.") },
    { "Its name, such as output:7.", NULL },
    { "Whether it needs the internet, which the user is asked for.", N_("Lets the command use the internet.") },
    { "Whether it needs services of this computer, which are then at 127.0.0.1, or by HTTP the local network.",
      N_("Lets the command use services of this computer and the local network.") },
    { "The only hosts that it needs to reach, such as pypi.org, *.pythonhosted.org or, with local_network, "
      "127.0.0.1:8080.",
      N_("Limits the command to these hosts, such as pypi.org or *.pythonhosted.org.") },
    { "What a line has to match.", N_("The text or regular expression to search for.") },
    { "The folder or file to search, relative to the working folder, or a kept output such as output:3.",
      N_("The folder, file or saved output (such as output:3) to search.") },
    { "Only files that match, such as *.c or src/**/*.h.", N_("Only files that match, such as *.c or src/**/*.h.") },
    { "Whether pattern is plain text, not a regular expression.",
      N_("Searches for plain text, not for a regular expression.") },
    { "Lines to give before and after each, at most 20.", N_("Shows this many lines before and after each match.") },
    { "Whether to give the paths of the files alone.", N_("Shows only the paths of the files.") },
    { "The most matching lines to give.", N_("Shows at most this many lines.") },
    { "A few words, in the user's language.", NULL },
    { "What to search for.", NULL },
    { "The most results to give.", N_("Shows at most this many results.") },
    { "All that the file is to hold.", N_("The whole content of the file.") },
    { "The name of the skill.", NULL },
    { "A file of the skill, relative to its folder. Without, the skill itself is read.",
      N_("A file of the skill. Without one, the skill itself is read.") },
    { "Words for what the tool should do, such as: create issue.",
      N_("What the tool should do, such as: create issue.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (g_strcmp0 (known[i][0], description) == 0)
        return known[i][1] != NULL ? _(known[i][1]) : NULL;
    }
  return description;
}
