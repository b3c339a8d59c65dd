/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-chooser.h"

#include "base/beckon-text-printf.h"
#include "domain/beckon-effort.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonModelChooser
{
  AdwBin parent_instance;

  GCancellable *cancellable;    /* (owned) (nullable): ends what is asked for */
  BeckonProfile *profile;       /* (owned) (nullable): whose server was asked */
  BeckonPreset *preset;         /* (nullable): the provider that the person chose */
  GListStore *models;           /* (owned) (element-type BeckonListedModel) */
  GtkStringFilter *filter;      /* (owned) */
  GtkSingleSelection *selection; /* (owned) */

  GtkMenuButton *button;
  GtkEditable *search;
  GtkStack *stack;
  GtkSpinner *spinner;
  GtkLabel *words;
  GtkListView *list;
};

G_DEFINE_FINAL_TYPE (BeckonModelChooser, beckon_model_chooser, ADW_TYPE_BIN)

static guint wanted_signal, chosen_signal;

static void
model_chooser_show_page (BeckonModelChooser *self, const char *page)
{
  gtk_stack_set_visible_child_name (self->stack, page);
  gtk_spinner_set_spinning (self->spinner, g_str_equal (page, "busy"));
}

static void
show_words (BeckonModelChooser *self, const char *words)
{
  gtk_label_set_text (self->words, words);
  model_chooser_show_page (self, "words");
}

static void
model_chooser_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonModelChooser) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = beckon_profile_tester_list_models_finish (BECKON_PROFILE_TESTER (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_list_store_splice (self->models, 0, g_list_model_get_n_items (G_LIST_MODEL (self->models)),
                       models != NULL ? models->pdata : NULL, models != NULL ? models->len : 0);
  if (error != NULL)
    show_words (self, error->message);
  else if (models->len == 0)
    show_words (self, _("The server lists no models. Enter a model name."));
  else
    {
      /* The list has the order of @models as long as nothing is searched for. */
      BeckonListedModel *picked = beckon_profile_tester_pick (models, self->profile, self->preset);
      guint position;

      if (picked != NULL && g_ptr_array_find (models, picked, &position)
          && position < g_list_model_get_n_items (G_LIST_MODEL (self->selection)))
        {
          gtk_single_selection_set_selected (self->selection, position);
          gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
        }
      model_chooser_show_page (self, "list");
    }
}

static void
end_asking (BeckonModelChooser *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

void
beckon_model_chooser_fetch (BeckonModelChooser *self, BeckonProfileTester *tester, BeckonProfile *profile, BeckonPreset *preset,
                            const char *key)
{
  end_asking (self);
  self->cancellable = g_cancellable_new ();
  g_clear_object (&self->profile);
  self->profile = beckon_profile_copy (profile);
  self->preset = preset;
  model_chooser_show_page (self, "busy");
  beckon_profile_tester_list_models_async (tester, profile, key, self->cancellable, model_chooser_on_listed,
                                           g_object_ref (self));
}

static void
model_chooser_choose (BeckonModelChooser *self, guint position)
{
  g_autoptr (BeckonListedModel) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item == NULL)
    return;
  gtk_menu_button_popdown (self->button);
  g_signal_emit (self, chosen_signal, 0, beckon_listed_model_get_name (item));
}

static void
model_chooser_on_activated (BeckonModelChooser *self, guint position)
{
  model_chooser_choose (self, position);
}

static void
on_search_activated (BeckonModelChooser *self)
{
  model_chooser_choose (self, gtk_single_selection_get_selected (self->selection));
}

static void
model_chooser_on_search_changed (BeckonModelChooser *self)
{
  gtk_string_filter_set_search (self->filter, gtk_editable_get_text (self->search));
}

static void
model_chooser_on_shown (BeckonModelChooser *self)
{
  gtk_editable_set_text (self->search, "");
  gtk_string_filter_set_search (self->filter, "");
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  g_signal_emit (self, wanted_signal, 0);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *facts = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (facts), 0);
  gtk_label_set_wrap (GTK_LABEL (facts), TRUE);
  gtk_widget_add_css_class (facts, "caption");
  gtk_widget_add_css_class (facts, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), facts);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  BeckonModelChooser *self = user_data;
  BeckonListedModel *model = gtk_list_item_get_item (item);
  const char *name = beckon_listed_model_get_name (model);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *facts = gtk_widget_get_last_child (box);
  BeckonModelDetails details;
  g_autofree char *words = NULL;

  beckon_profile_tester_describe (model, self->profile, &details);
  words = beckon_model_labels (&details);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  gtk_label_set_text (GTK_LABEL (facts), words);
  gtk_widget_set_visible (facts, *words != '\0');
  gtk_widget_set_tooltip_text (box, name);
}

static void
beckon_model_chooser_dispose (GObject *object)
{
  BeckonModelChooser *self = BECKON_MODEL_CHOOSER (object);

  end_asking (self);
  g_clear_object (&self->models);
  g_clear_object (&self->profile);
  g_clear_object (&self->filter);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (beckon_model_chooser_parent_class)->dispose (object);
}

static void
beckon_model_chooser_class_init (BeckonModelChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_model_chooser_dispose;
  wanted_signal = g_signal_new ("wanted", BECKON_TYPE_MODEL_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  chosen_signal = g_signal_new ("chosen", BECKON_TYPE_MODEL_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/model-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonModelChooser, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonModelChooser, search);
  gtk_widget_class_bind_template_child (widget_class, BeckonModelChooser, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonModelChooser, spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonModelChooser, words);
  gtk_widget_class_bind_template_child (widget_class, BeckonModelChooser, list);
  gtk_widget_class_bind_template_callback (widget_class, model_chooser_on_shown);
  gtk_widget_class_bind_template_callback (widget_class, model_chooser_on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activated);
  gtk_widget_class_bind_template_callback (widget_class, model_chooser_on_activated);
}

static void
beckon_model_chooser_init (BeckonModelChooser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkExpression *text;
  GtkFilterListModel *filtered;

  gtk_widget_init_template (GTK_WIDGET (self));
  text = gtk_property_expression_new (BECKON_TYPE_LISTED_MODEL, NULL, "name");
  self->models = g_list_store_new (BECKON_TYPE_LISTED_MODEL);
  self->filter = gtk_string_filter_new (text);
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->models)), GTK_FILTER (g_object_ref (self->filter)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (filtered));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_object_unref (factory);
}

static void
model_labels_append (GString *line, char *words)
{
  g_autofree char *owned = words;

  if (words != NULL)
    g_string_append_printf (line, "%s%s", line->len > 0 ? " · " : "", words);
}

/* The words are the provider's; the first and the last say how far it goes. */
static char *
describe_efforts (guint levels)
{
  g_autofree char *efforts = beckon_effort_levels_dup_words (levels);
  const char *first_end = strchr (efforts, ' ');
  const char *last = strrchr (efforts, ' ');
  g_autofree char *first = NULL;

  if (first_end == NULL)
    return NULL;
  first = g_strndup (efforts, (gsize) (first_end - efforts));
  /* Translators: how hard a model can be told to think, such as “low” to “max” */
  return beckon_text_printf (_("effort %s to %s"), first, last + 1);
}

char *
beckon_model_labels (const BeckonModelDetails *details)
{
  GString *line = g_string_new (NULL);
  const guint tokens = details->facts.window;
  const double *prices = details->facts.prices;
  g_autoptr (GDateTime) end = details->retires > 0 ? g_date_time_new_from_unix_utc (details->retires) : NULL;
  g_autofree char *day = end != NULL ? g_date_time_format (end, "%F") : NULL;

  if (tokens > 0)
    /* Translators: how many tokens a model can take, in millions and in thousands */
    model_labels_append (line, tokens >= 1000000 ? g_strdup_printf (_("%.3gM tokens"), tokens / 1e6)
                                                 : g_strdup_printf (_("%uk tokens"), tokens / 1000));
  if (prices[BECKON_PRICE_INPUT] >= 0 && prices[BECKON_PRICE_OUTPUT] >= 0)
    /* Translators: US dollars for a million tokens that are sent, and that are written */
    model_labels_append (line,
                         g_strdup_printf (_("$%.4g in, $%.4g out"), prices[BECKON_PRICE_INPUT], prices[BECKON_PRICE_OUTPUT]));
  model_labels_append (line, details->facts.images == 1 ? g_strdup (_("sees pictures")) : NULL);
  model_labels_append (line, details->facts.pdfs == 1 ? g_strdup (_("reads PDFs")) : NULL);
  model_labels_append (line, details->tools == 0 ? g_strdup (_("no tool calls")) : NULL);
  model_labels_append (line, describe_efforts (details->facts.efforts));
  if (day != NULL)
    /* Translators: the day on which a model goes away */
    model_labels_append (line, beckon_text_printf (_("until %s"), day));
  return g_string_free (line, FALSE);
}

char *
beckon_model_labels_describe_rounds (guint rounds)
{
  return g_strdup_printf (ngettext ("Pause After %u Model Call", "Pause After %u Model Calls", rounds), rounds);
}
