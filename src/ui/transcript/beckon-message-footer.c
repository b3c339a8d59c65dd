/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-message-footer.h"

#include "domain/beckon-message.h"
#include "domain/beckon-note.h"
#include "domain/beckon-provider-search.h"

#include <glib/gi18n-lib.h>

struct _BeckonMessageFooter
{
  AdwBin parent_instance;

  BeckonMessage *message; /* (owned) */
  GtkWidget *versions;    /* (nullable) */
  GtkWidget *left;        /* (nullable) */
  GtkWidget *usage;       /* (nullable) */
  GtkWidget *buttons;     /* (nullable) */
  GtkWidget *menu_button; /* (nullable): in @buttons */
  gboolean shows_usage;

  GtkBox *line;
};

G_DEFINE_FINAL_TYPE (BeckonMessageFooter, beckon_message_footer, ADW_TYPE_BIN)

static gboolean
footer_has_words (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_TEXT || beckon_part_get_kind (part) == BECKON_PART_IMAGE)
        return TRUE;
    }
  return FALSE;
}

gboolean
beckon_message_footer_is_needed (BeckonMessage *message, gboolean shows_usage)
{
  const BeckonUsage *usage = beckon_message_get_usage (message);

  if (beckon_message_get_status (message) == BECKON_MESSAGE_STREAMING)
    return FALSE;

  return beckon_message_get_n_versions (message) > 1 || beckon_message_get_n_left (message) > 0
         || (shows_usage && (usage->input >= 0 || usage->output >= 0 || usage->cost >= 0))
         || (footer_has_words (message) && beckon_note_get_kind (message) == BECKON_NOTE_NONE);
}

static GtkWidget *
make_button (const char *icon, const char *name, const char *action, GVariant *target)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  return button;
}

/* At either end one of the two has nowhere to lead. */
static GtkWidget *
make_step (BeckonMessage *message, int step)
{
  int to = (int) beckon_message_get_version (message) + step;
  gboolean leads = to >= 0 && to < (int) beckon_message_get_n_versions (message);
  GtkWidget *button;

  button = make_button (step < 0 ? "pan-start-symbolic" : "pan-end-symbolic",
                        step < 0 ? _("Previous Version") : _("Next Version"), leads ? "win.message-version" : NULL,
                        leads ? g_variant_new ("(su)", beckon_message_get_id (message), (guint) to) : NULL);
  gtk_widget_set_sensitive (button, leads);
  return button;
}

static void
update_usage (BeckonMessageFooter *self)
{
  g_autofree char *used = NULL;
  g_autofree char *searches = NULL;
  gint64 duration = 0;
  g_autoptr (GString) text = NULL;

  g_clear_pointer (&self->usage, gtk_widget_unparent);
  if (!self->shows_usage)
    return;

  used = beckon_usage_dup_text (beckon_message_get_usage (self->message), NULL);
  searches = beckon_provider_search_dup_count (beckon_provider_search_count (self->message));
  text = g_string_new (used);
  /* As long as it wrote, and reasoned. */
  for (guint i = 0; i < beckon_message_get_n_parts (self->message); i++)
    duration += beckon_part_get_duration (beckon_message_get_part (self->message, i));
  if (searches != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", searches);
  if (text->len > 0 && duration > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _("%.1f s"), (double) duration / G_USEC_PER_SEC);
    }
  if (text->len == 0)
    return;

  self->usage = gtk_label_new (text->str);
  gtk_widget_set_tooltip_text (self->usage, text->str);
  gtk_label_set_ellipsize (GTK_LABEL (self->usage), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->usage, "caption");
  gtk_widget_add_css_class (self->usage, "dim-label");
  gtk_widget_set_margin_start (self->usage, 6);
  gtk_box_insert_child_after (self->line, self->usage, self->versions);
}

static void
footer_update (BeckonMessageFooter *self)
{
  guint n = beckon_message_get_n_versions (self->message);
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  GtkWidget *label;
  const guint n_left = beckon_message_get_n_left (self->message);
  g_autofree char *left = NULL;

  g_clear_pointer (&self->versions, gtk_widget_unparent);
  if (n >= 2)
    {
      text = g_strdup_printf ("%u / %u", beckon_message_get_version (self->message) + 1, n);
      /* Translators: of a message that was written several times */
      name = g_strdup_printf (_("Version %u of %u"), beckon_message_get_version (self->message) + 1, n);
      label = gtk_label_new (text);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "numeric");
      gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      self->versions = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      gtk_widget_add_css_class (self->versions, "versions");
      gtk_box_append (GTK_BOX (self->versions), make_step (self->message, -1));
      gtk_box_append (GTK_BOX (self->versions), label);
      gtk_box_append (GTK_BOX (self->versions), make_step (self->message, 1));
      gtk_box_prepend (self->line, self->versions);
    }
  /* A reply that was to be written again and did not come: the one before is not far. */
  g_clear_pointer (&self->left, gtk_widget_unparent);
  if (n_left != 0)
    {
      left = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Show the earlier reply", "Show one of %u earlier replies", n_left),
                              n_left);
      self->left = gtk_button_new_with_label (left);
      gtk_widget_add_css_class (self->left, "flat");
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->left), "win.message-left");
      gtk_box_append (self->line, self->left);
    }
  update_usage (self);
}

void
beckon_message_footer_set_shows_usage (BeckonMessageFooter *self, gboolean shows_usage)
{
  self->shows_usage = shows_usage;
  update_usage (self);
}

void
beckon_message_footer_show_buttons (BeckonMessageFooter *self)
{
  const char *id;
  gboolean is_mine;
  gboolean is_late;

  if (self->buttons != NULL || !footer_has_words (self->message))
    return;

  id = beckon_message_get_id (self->message);
  is_mine = beckon_message_get_role (self->message) == BECKON_ROLE_USER;
  is_late = beckon_late_message_get_request_id (self->message) != NULL;
  self->buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->buttons, "message-actions");
  gtk_box_append (GTK_BOX (self->buttons),
                  make_button ("edit-copy-symbolic", _("Copy Message"), "transcript.copy", g_variant_new_string (id)));
  if (!is_late)
    gtk_box_append (GTK_BOX (self->buttons),
                    is_mine ? make_button ("document-edit-symbolic", _("Edit and Resend"), "transcript.edit",
                                           g_variant_new_string (id))
                    : make_button ("view-refresh-symbolic", _("Write Again"), "win.message-regenerate",
                                   g_variant_new_string (id)));
  self->menu_button = make_button ("view-more-symbolic", _("Message Menu"), "transcript.menu", g_variant_new_string (id));
  gtk_box_append (GTK_BOX (self->buttons), self->menu_button);
  gtk_box_append (self->line, self->buttons);
}

GtkWidget *
beckon_message_footer_get_menu_button (BeckonMessageFooter *self)
{
  return self->menu_button;
}

static void
beckon_message_footer_dispose (GObject *object)
{
  BeckonMessageFooter *self = BECKON_MESSAGE_FOOTER (object);

  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);
  self->versions = self->left = self->usage = self->buttons = self->menu_button = NULL;
  G_OBJECT_CLASS (beckon_message_footer_parent_class)->dispose (object);
}

static void
beckon_message_footer_class_init (BeckonMessageFooterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_message_footer_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/message-footer.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonMessageFooter, line);
}

static void
beckon_message_footer_init (BeckonMessageFooter *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_message_footer_new (BeckonMessage *message)
{
  BeckonMessageFooter *self = g_object_new (BECKON_TYPE_MESSAGE_FOOTER, NULL);

  self->message = g_object_ref (message);
  gtk_widget_set_halign (GTK_WIDGET (self->line), beckon_message_get_role (message) == BECKON_ROLE_USER ? GTK_ALIGN_END
                         : GTK_ALIGN_START);
  g_signal_connect_swapped (message, "notify::versions", G_CALLBACK (footer_update), self);
  footer_update (self);
  return GTK_WIDGET (self);
}
