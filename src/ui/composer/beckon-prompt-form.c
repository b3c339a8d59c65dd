/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-prompt-form.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-prompt-field.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonPromptForm
{
  AdwBin parent_instance;

  BeckonMcpService *service; /* (owned) (nullable) */
  BeckonMcpPrompt *prompt;   /* (owned) (nullable) */
  gboolean is_template;      /* the prompt stands for a template of resources */
  GPtrArray *fields;         /* (owned) (element-type BeckonPromptField): borrowed */
  GCancellable *filling;     /* (owned) (nullable) */
  GCancellable *proposing;   /* (owned) (nullable) */
  gboolean is_closing;

  GtkLabel *title_label;
  GtkLabel *description_label;
  GtkBox *fields_box;
  GtkLabel *error_label;
  GtkSpinner *spinner;
  GtkWidget *cancel_button;
  GtkWidget *insert_button;
};

G_DEFINE_FINAL_TYPE (BeckonPromptForm, beckon_prompt_form, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_FILLED,
  SIGNAL_ADDRESSED,
  SIGNAL_CLOSED,
} BeckonPromptFormSignal;

static guint signals[SIGNAL_CLOSED + 1];

BeckonMcpService *
beckon_prompt_form_get_service (BeckonPromptForm *self)
{
  return self->service;
}

static void
cancel (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static void
show_waiting (BeckonPromptForm *self, gboolean is_waiting)
{
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), is_waiting);
  gtk_spinner_set_spinning (self->spinner, is_waiting);
  gtk_widget_set_sensitive (self->insert_button, !is_waiting);
}

/* @words: (nullable) */
static void
prompt_form_show_error (BeckonPromptForm *self, const char *words)
{
  beckon_label_say (self->error_label, words);
}

static void
prompt_form_drop (BeckonPromptForm *self)
{
  GtkWidget *child;

  cancel (&self->filling);
  cancel (&self->proposing);
  g_ptr_array_set_size (self->fields, 0);
  while (self->fields_box != NULL && (child = gtk_widget_get_first_child (GTK_WIDGET (self->fields_box))) != NULL)
    gtk_box_remove (self->fields_box, child);
  g_clear_object (&self->service);
  g_clear_pointer (&self->prompt, beckon_mcp_prompt_unref);
}

void
beckon_prompt_form_close (BeckonPromptForm *self)
{
  if (self->service == NULL || self->is_closing)
    return;
  /* The focus leaves before the entry that has it does. */
  self->is_closing = TRUE;
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  prompt_form_drop (self);
  self->is_closing = FALSE;
}

/* --- Values ------------------------------------------------------------------------------------------------------- */

/* Those that stand in the form: an optional one that is empty is none. */
static GHashTable *
prompt_form_collect (BeckonPromptForm *self)
{
  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < self->fields->len; i++)
    {
      BeckonPromptField *field = g_ptr_array_index (self->fields, i);
      const char *value = beckon_prompt_field_get_value (field);

      if (*value != '\0')
        g_hash_table_replace (values, g_strdup (beckon_prompt_field_get_name (field)), g_strdup (value));
    }
  return values;
}

static BeckonPromptField *
find_missing (BeckonPromptForm *self)
{
  for (guint i = 0; i < self->fields->len; i++)
    {
      const BeckonMcpPromptArgument *argument = g_ptr_array_index (self->prompt->arguments, i);

      if (argument->is_required && *beckon_prompt_field_get_value (g_ptr_array_index (self->fields, i)) == '\0')
        return g_ptr_array_index (self->fields, i);
    }
  return NULL;
}

static void
prompt_form_on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPromptForm) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = beckon_mcp_service_get_prompt_finish (BECKON_MCP_SERVICE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->service != BECKON_MCP_SERVICE (source))
    return;
  g_clear_object (&self->filling);
  show_waiting (self, FALSE);
  if (text == NULL)
    {
      prompt_form_show_error (self, error->message);
      return;
    }
  g_signal_emit (self, signals[SIGNAL_FILLED], 0, text);
  beckon_prompt_form_close (self);
}

static void
address (BeckonPromptForm *self, GHashTable *values)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = beckon_mcp_resource_expand (self->prompt->name, values, &error);

  if (uri == NULL)
    {
      prompt_form_show_error (self, error->message);
      return;
    }
  g_signal_emit (self, signals[SIGNAL_ADDRESSED], 0, uri);
  beckon_prompt_form_close (self);
}

static void
prompt_form_fill (BeckonPromptForm *self)
{
  g_autoptr (GHashTable) values = prompt_form_collect (self);

  prompt_form_show_error (self, NULL);
  cancel (&self->proposing);
  if (self->is_template)
    {
      address (self, values);
      return;
    }
  show_waiting (self, TRUE);
  self->filling = g_cancellable_new ();
  beckon_mcp_service_get_prompt_async (self->service, self->prompt->name, values, self->filling, prompt_form_on_text,
                                       g_object_ref (self));
}

static void
on_insert_clicked (BeckonPromptForm *self)
{
  BeckonPromptField *missing = find_missing (self);
  g_autofree char *words = NULL;

  if (self->filling != NULL)
    return;
  if (missing == NULL)
    {
      prompt_form_fill (self);
      return;
    }
  /* Translators: %s is a field of a form */
  words = beckon_text_printf (_("“%s” is still empty."), beckon_prompt_field_get_title (missing));
  prompt_form_show_error (self, words);
  beckon_prompt_field_focus (missing);
}

/* --- Proposals ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonPromptForm *form;   /* (owned) */
  BeckonPromptField *field; /* (owned) */
  GCancellable *cancellable; /* (owned) */
} Proposing;

/* A server that proposes nothing is no reason for words. */
static void
on_completed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Proposing *proposing = user_data;
  g_auto (GStrv) values = beckon_mcp_service_complete_finish (BECKON_MCP_SERVICE (source), result, NULL);

  if (values != NULL && proposing->form->proposing == proposing->cancellable)
    beckon_prompt_field_propose (proposing->field, (const char *const *) values);
  g_object_unref (proposing->form);
  g_object_unref (proposing->field);
  g_object_unref (proposing->cancellable);
  g_free (proposing);
}

static void
on_proposals_wanted (BeckonPromptForm *self, BeckonPromptField *field)
{
  g_autoptr (GHashTable) values = NULL;
  BeckonMcpCompletion completion;
  Proposing *proposing;

  if (self->service == NULL || self->filling != NULL)
    return;
  cancel (&self->proposing);
  self->proposing = g_cancellable_new ();
  values = prompt_form_collect (self);
  proposing = g_new0 (Proposing, 1);
  proposing->form = g_object_ref (self);
  proposing->field = g_object_ref (field);
  proposing->cancellable = g_object_ref (self->proposing);
  completion = (BeckonMcpCompletion) { .is_template = self->is_template,
                                       .name = self->prompt->name,
                                       .argument = beckon_prompt_field_get_name (field),
                                       .typed = beckon_prompt_field_get_value (field),
                                       .values = values };
  beckon_mcp_service_complete_async (self->service, &completion, self->proposing, on_completed, proposing);
}

/* --- Asking ------------------------------------------------------------------------------------------------------- */

static void
set_button (GtkWidget *button, const char *text, const char *name)
{
  gtk_button_set_label (GTK_BUTTON (button), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
prompt_form_begin (BeckonPromptForm *self, BeckonMcpService *service, BeckonMcpPrompt *prompt, gboolean is_template)
{
  const BeckonMcpServer *server;
  const char *title;
  g_autofree char *name = NULL;
  g_autofree char *heading = NULL;

  prompt_form_drop (self);
  self->service = g_object_ref (service);
  self->prompt = beckon_mcp_prompt_ref (prompt);
  self->is_template = is_template;

  for (guint i = 0; i < self->prompt->arguments->len; i++)
    {
      GtkWidget *field = beckon_prompt_field_new (self->prompt, g_ptr_array_index (self->prompt->arguments, i));

      g_signal_connect_object (field, "proposals-wanted", G_CALLBACK (on_proposals_wanted), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (field, "activate", G_CALLBACK (on_insert_clicked), self, G_CONNECT_SWAPPED);
      gtk_box_append (self->fields_box, field);
      g_ptr_array_add (self->fields, field);
    }

  server = beckon_mcp_service_get_server (self->service);
  title = self->prompt->title != NULL ? self->prompt->title : self->prompt->name;
  name = beckon_text_for_display (server->name, -1, BECKON_TEXT_EXACT);
  heading = beckon_text_printf ("%s · %s", name, title);

  gtk_label_set_text (self->title_label, heading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, heading, -1);
  gtk_label_set_text (self->description_label, self->prompt->description != NULL ? self->prompt->description : "");
  gtk_widget_set_visible (GTK_WIDGET (self->description_label), self->prompt->description != NULL);

  set_button (self->cancel_button, _("Cancel"),
              self->is_template ? _("Cancel attaching the resource") : _("Cancel the prompt"));
  set_button (self->insert_button, self->is_template ? _("Attach") : _("Insert"),
              self->is_template ? _("Attach the resource") : _("Insert the prompt"));
  gtk_widget_set_tooltip_text (self->insert_button, self->is_template ? _("Attach what has this address to the message")
                                                                      : _("Put the server's text into the message"));

  prompt_form_show_error (self, NULL);
  show_waiting (self, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void
focus_field (BeckonPromptForm *self)
{
  BeckonPromptField *missing = find_missing (self);

  beckon_prompt_field_focus (missing != NULL ? missing : g_ptr_array_index (self->fields, 0));
}

gboolean
beckon_prompt_form_ask_template (BeckonPromptForm *self, BeckonMcpService *service, const BeckonMcpResource *resource,
                                 GError **error)
{
  g_autoptr (BeckonMcpPrompt) prompt = NULL;

  prompt = beckon_mcp_prompt_new_for_template (resource, error);
  if (prompt == NULL)
    return FALSE;
  prompt_form_begin (self, service, prompt, TRUE);
  if (self->fields->len == 0)
    prompt_form_fill (self);
  else
    focus_field (self);
  return TRUE;
}

void
beckon_prompt_form_ask (BeckonPromptForm *self, BeckonMcpService *service, BeckonMcpPrompt *prompt, const char *const *words)
{
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (GError) error = NULL;

  prompt_form_begin (self, service, prompt, FALSE);
  values = words != NULL ? beckon_mcp_prompt_read_values (prompt, words, &error) : NULL;
  if (values != NULL)
    {
      for (guint i = 0; i < self->fields->len; i++)
        {
          BeckonPromptField *field = g_ptr_array_index (self->fields, i);

          beckon_prompt_field_set_value (field, g_hash_table_lookup (values, beckon_prompt_field_get_name (field)));
        }
    }
  else if (words != NULL)
    {
      /* Words that name an argument are its value. */
      for (guint i = 0; i < self->fields->len; i++)
        {
          BeckonPromptField *field = g_ptr_array_index (self->fields, i);
          gsize length = strlen (beckon_prompt_field_get_name (field));

          for (guint j = 0; words[j] != NULL; j++)
            if (strncmp (words[j], beckon_prompt_field_get_name (field), length) == 0 && words[j][length] == '=')
              beckon_prompt_field_set_value (field, words[j] + length + 1);
        }
    }
  prompt_form_show_error (self, error != NULL ? error->message : NULL);
  if (values != NULL || self->fields->len == 0)
    prompt_form_fill (self);
  else
    focus_field (self);
}

static gboolean
prompt_form_on_key_pressed (BeckonPromptForm *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  beckon_prompt_form_close (self);
  return GDK_EVENT_STOP;
}

static void
beckon_prompt_form_dispose (GObject *object)
{
  BeckonPromptForm *self = BECKON_PROMPT_FORM (object);

  prompt_form_drop (self);
  G_OBJECT_CLASS (beckon_prompt_form_parent_class)->dispose (object);
}

static void
beckon_prompt_form_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_PROMPT_FORM (object)->fields);
  G_OBJECT_CLASS (beckon_prompt_form_parent_class)->finalize (object);
}

static void
beckon_prompt_form_class_init (BeckonPromptFormClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_prompt_form_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_prompt_form_finalize;
  signals[SIGNAL_FILLED] = g_signal_new ("filled", BECKON_TYPE_PROMPT_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                         1, G_TYPE_STRING);
  signals[SIGNAL_ADDRESSED] = g_signal_new ("addressed", BECKON_TYPE_PROMPT_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_CLOSED]
      = g_signal_new ("closed", BECKON_TYPE_PROMPT_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/prompt-form.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, description_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, fields_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPromptForm, insert_button);
  gtk_widget_class_bind_template_callback (widget_class, on_insert_clicked);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_cancel_clicked", G_CALLBACK (beckon_prompt_form_close));
}

static void
beckon_prompt_form_init (BeckonPromptForm *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->fields = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (prompt_form_on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
