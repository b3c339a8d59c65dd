/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-web-picture-view.h"

#include "base/beckon-text.h"
#include "beckon-attached-view.h"

#include <glib/gi18n-lib.h>

#define MOST_TOOLTIP_CHARS 300

/* The width of an error's lines, where the width is fixed. */
#define FIXED_CHARS 30

struct _BeckonWebPictureView
{
  AdwBin parent_instance;

  BeckonWebPictures *pictures; /* (owned) */
  char *address;
  char *name;
  gulong handler;
  gboolean is_fixed;

  GtkStack *stack;
  GtkWidget *show_button;
  GtkSpinner *spinner;
  GtkLabel *loading_label;
  GtkLabel *error_label;
  AdwBin *picture_bin;
};

G_DEFINE_FINAL_TYPE (BeckonWebPictureView, beckon_web_picture_view, ADW_TYPE_BIN)

static void
on_show (BeckonWebPictureView *self)
{
  beckon_web_pictures_load (self->pictures, self->address, self->name);
}

static void
on_cancel (BeckonWebPictureView *self)
{
  beckon_web_pictures_cancel (self->pictures, self->address);
}

static void
show_picture (BeckonWebPictureView *self, BeckonPart *part)
{
  GtkWidget *view = self->is_fixed ? beckon_attached_view_new_small (part) : beckon_attached_view_new (part);

  adw_bin_set_child (self->picture_bin, view);
}

/* A picture shown once stays, when others replace it in memory. */
static void
picture_view_update (BeckonWebPictureView *self)
{
  BeckonWebPictureState state = beckon_web_pictures_get_state (self->pictures, self->address);
  BeckonPart *part = beckon_web_pictures_get_part (self->pictures, self->address);

  gtk_spinner_set_spinning (self->spinner, state == BECKON_WEB_PICTURE_LOADING);
  if (state == BECKON_WEB_PICTURE_LOADED && adw_bin_get_child (self->picture_bin) == NULL)
    show_picture (self, part);
  if (state == BECKON_WEB_PICTURE_LOADED)
    gtk_stack_set_visible_child_name (self->stack, "picture");
  else if (state == BECKON_WEB_PICTURE_LOADING)
    gtk_stack_set_visible_child_name (self->stack, "loading");
  else if (state == BECKON_WEB_PICTURE_FAILED)
    {
      const char *error = beckon_web_pictures_get_error (self->pictures, self->address);
      g_autofree char *safe = beckon_text_for_display (error != NULL ? error : "", -1, BECKON_TEXT_PROSE);

      gtk_label_set_text (self->error_label, safe);
      gtk_stack_set_visible_child_name (self->stack, "failed");
    }
  else
    gtk_stack_set_visible_child_name (self->stack, "ask");
}

static void
picture_view_on_changed (BeckonWebPictureView *self, const char *address)
{
  if (g_str_equal (address, self->address))
    picture_view_update (self);
}

void
beckon_web_picture_view_set_fixed (BeckonWebPictureView *self)
{
  BeckonPart *part;

  self->is_fixed = TRUE;
  gtk_label_set_ellipsize (self->loading_label, PANGO_ELLIPSIZE_NONE);
  gtk_label_set_width_chars (self->error_label, FIXED_CHARS);
  gtk_label_set_max_width_chars (self->error_label, FIXED_CHARS);
  part = beckon_web_pictures_get_part (self->pictures, self->address);
  if (part != NULL)
    show_picture (self, part);
}

const char *
beckon_web_picture_view_get_address (BeckonWebPictureView *self)
{
  return self->address;
}

static void
beckon_web_picture_view_dispose (GObject *object)
{
  BeckonWebPictureView *self = BECKON_WEB_PICTURE_VIEW (object);

  if (self->pictures != NULL)
    g_clear_signal_handler (&self->handler, self->pictures);
  g_clear_object (&self->pictures);
  G_OBJECT_CLASS (beckon_web_picture_view_parent_class)->dispose (object);
}

static void
beckon_web_picture_view_finalize (GObject *object)
{
  BeckonWebPictureView *self = BECKON_WEB_PICTURE_VIEW (object);

  g_free (self->address);
  g_free (self->name);
  G_OBJECT_CLASS (beckon_web_picture_view_parent_class)->finalize (object);
}

static void
beckon_web_picture_view_class_init (BeckonWebPictureViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_web_picture_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_web_picture_view_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/web-picture-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWebPictureView, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonWebPictureView, show_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWebPictureView, spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonWebPictureView, loading_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonWebPictureView, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonWebPictureView, picture_bin);
  gtk_widget_class_bind_template_callback (widget_class, on_show);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
}

static void
beckon_web_picture_view_init (BeckonWebPictureView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The address is seen before it is asked for; a picture's data is not worth reading. */
static char *
describe_address (const char *address)
{
  g_autofree char *shortened = NULL;

  if (g_ascii_strncasecmp (address, "data:", 5) == 0)
    return g_strdup (_("The picture is in the message itself"));
  shortened = beckon_text_shorten (address, MOST_TOOLTIP_CHARS);
  return beckon_text_for_display (shortened, -1, BECKON_TEXT_EXACT);
}

GtkWidget *
beckon_web_picture_view_new (BeckonWebPictures *pictures, const char *address, const char *name)
{
  BeckonWebPictureView *self;
  g_autofree char *tooltip = NULL;
  g_autofree char *safe = NULL;
  g_autofree char *label = NULL;

  self = g_object_new (BECKON_TYPE_WEB_PICTURE_VIEW, NULL);
  self->pictures = g_object_ref (pictures);
  self->address = g_strdup (address);
  self->name = g_strdup (*name != '\0' ? name : _("Picture"));
  self->handler = g_signal_connect_swapped (pictures, "changed", G_CALLBACK (picture_view_on_changed), self);
  tooltip = describe_address (self->address);
  safe = beckon_text_for_display (self->name, -1, BECKON_TEXT_EXACT);
  /* Translators: %s is the description of a picture that is not fetched yet */
  label = beckon_text_fill_in (_("Show Picture: %s"), safe);

  gtk_widget_set_tooltip_text (self->show_button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->show_button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  picture_view_update (self);
  return GTK_WIDGET (self);
}
