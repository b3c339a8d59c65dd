/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sheet.h"

#include "beckon-focus-keeper.h"
#include "beckon-compat.h"

typedef struct
{
  char *title;
  int default_width;
  int default_height;
  gboolean holds_input;
  GtkWidget *default_widget; /* (nullable): borrowed, watched */
  GtkWidget *focus;          /* (nullable): borrowed, watched: until it is shown */

  GtkWidget *host; /* (nullable): borrowed: the library's dialog or window around it, once it is shown */
  GtkWidget *held; /* (nullable): borrowed, watched: had the focus until its page took no more input */
  guint refocus_id;
  gboolean is_closed;
} BeckonSheetPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (BeckonSheet, beckon_sheet, ADW_TYPE_BIN)

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_DEFAULT_WIDTH,
  PROP_DEFAULT_HEIGHT,
  PROP_DEFAULT_WIDGET,
  PROP_HOLDS_INPUT,
  N_PROPS
};

static GParamSpec *props[N_PROPS];
static guint closed_signal;

/* As libadwaita 1.5 has them, which may be there at run time although they must not be asked for when this is built. */
static struct
{
  GtkWidget *(*create) (void);
  void (*present) (gpointer dialog, GtkWidget *parent);
  void (*force_close) (gpointer dialog);
} dialogs;

static gboolean
has_dialogs (void)
{
  static const BeckonSymbol symbols[] = {
    { "adw_dialog_new", &dialogs.create },
    { "adw_dialog_present", &dialogs.present },
    { "adw_dialog_force_close", &dialogs.force_close },
  };
  static gsize state;

  return beckon_symbols_find_once (&state, NULL, symbols, G_N_ELEMENTS (symbols));
}

static BeckonSheetPrivate *
sheet_get_private (BeckonSheet *self)
{
  return beckon_sheet_get_instance_private (self);
}

/* --- Around it ---------------------------------------------------------------------------------------------------- */

static void
tell_closed (BeckonSheet *self)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);

  if (priv->is_closed)
    return;
  priv->is_closed = TRUE;
  g_signal_emit (self, closed_signal, 0);
}

/* @user_data: (owned). All that it waits for ends with it, although the answers still hold it. */
static void
on_host_gone (gpointer user_data, GObject *host)
{
  g_autoptr (BeckonSheet) self = user_data;
  GtkWidget *bin;

  sheet_get_private (self)->host = NULL;
  tell_closed (self);

  /* A dialog that is gone leaves its bin to the animation that closed it. */
  bin = gtk_widget_get_parent (GTK_WIDGET (self));
  if (bin != NULL)
    g_object_set (bin, "child", NULL, NULL);

  g_object_run_dispose (G_OBJECT (self));
}

static void
add_close_key (GtkWidget *host, guint key, GdkModifierType modifiers)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (host, keys);
}

static gboolean
refocus (gpointer user_data)
{
  BeckonSheet *self = user_data;
  BeckonSheetPrivate *priv = sheet_get_private (self);
  GtkWindow *window = beckon_sheet_get_window (self);
  g_autoptr (GtkWidget) shown = NULL;

  priv->refocus_id = 0;
  if (window == NULL || gtk_window_get_focus (window) != NULL)
    return G_SOURCE_REMOVE;
  g_object_get (window, "visible-dialog", &shown, NULL);
  if (shown == priv->host)
    gtk_widget_grab_focus (priv->host);
  return G_SOURCE_REMOVE;
}

/* Keys go to the window below where nothing has the focus, such as when the row that had it was deleted. */
static void
on_focus_changed (BeckonSheet *self, GParamSpec *pspec, GtkWindow *window)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);

  if (priv->host != NULL && gtk_window_get_focus (window) == NULL && priv->refocus_id == 0)
    priv->refocus_id = g_idle_add (refocus, self);
}

/* --- Use ---------------------------------------------------------------------------------------------------------- */

void
beckon_sheet_set_title (BeckonSheet *self, const char *title)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);

  if (g_strcmp0 (title, priv->title) == 0)
    return;
  g_free (priv->title);
  priv->title = g_strdup (title != NULL ? title : "");
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
}

const char *
beckon_sheet_get_title (BeckonSheet *self)
{
  return sheet_get_private (self)->title;
}

void
beckon_sheet_set_focus (BeckonSheet *self, GtkWidget *focus)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);

  g_set_weak_pointer (&priv->focus, focus);
  if (priv->host != NULL)
    g_object_set (priv->host, "focus-widget", focus, NULL);
}

void
beckon_sheet_present (BeckonSheet *self, GtkWidget *parent)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);
  GtkRoot *above = parent != NULL ? gtk_widget_get_root (parent) : NULL;

  g_return_if_fail (!priv->is_closed);

  if (priv->host == NULL)
    {
      /* A dialog keeps keys from its window. Escape is its own, and ends nothing in one that cannot be closed, as the library
       * calls it when only keys and buttons close it. */
      if (has_dialogs ())
        {
          priv->host = dialogs.create ();
          g_object_set (priv->host, "child", self, "content-width", priv->default_width, "content-height", priv->default_height,
                        NULL);
          g_signal_connect_object (priv->host, "closed", G_CALLBACK (tell_closed), self, G_CONNECT_SWAPPED);
          g_object_set (priv->host, "can-close", !priv->holds_input, NULL);
        }
      else
        {
          priv->host = g_object_new (ADW_TYPE_WINDOW, "content", self, "default-width", priv->default_width, "default-height",
                                     priv->default_height, "modal", TRUE, "destroy-with-parent", TRUE, NULL);
          if (GTK_IS_WINDOW (above))
            gtk_window_set_transient_for (GTK_WINDOW (priv->host), GTK_WINDOW (above));
          beckon_focus_keeper_add (GTK_WINDOW (priv->host));
        }
      add_close_key (GTK_IS_WINDOW (priv->host) ? priv->host : GTK_WIDGET (self), GDK_KEY_Escape, 0);
      add_close_key (GTK_IS_WINDOW (priv->host) ? priv->host : GTK_WIDGET (self), GDK_KEY_w, GDK_CONTROL_MASK);
      g_object_weak_ref (G_OBJECT (priv->host), on_host_gone, g_object_ref (self));
      g_object_bind_property (self, "title", priv->host, "title", G_BINDING_SYNC_CREATE);
      g_object_bind_property (self, "default-widget", priv->host, "default-widget", G_BINDING_SYNC_CREATE);
      if (priv->focus != NULL)
        g_object_set (priv->host, "focus-widget", priv->focus, NULL);
    }
  if (GTK_IS_WINDOW (priv->host))
    gtk_window_present (GTK_WINDOW (priv->host));
  else
    {
      gboolean is_new = gtk_widget_get_root (priv->host) == NULL;
      GtkRoot *root;

      dialogs.present (priv->host, parent);
      root = gtk_widget_get_root (priv->host);
      if (is_new && root != NULL && g_object_class_find_property (G_OBJECT_GET_CLASS (root), "visible-dialog") != NULL)
        g_signal_connect_object (root, "notify::focus-widget", G_CALLBACK (on_focus_changed), self, G_CONNECT_SWAPPED);
    }
}

void
beckon_sheet_close (BeckonSheet *self)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);

  if (priv->host == NULL)
    {
      g_object_ref_sink (self);
      tell_closed (self);
      g_object_run_dispose (G_OBJECT (self));
      g_object_unref (self);
    }
  else if (GTK_IS_WINDOW (priv->host))
    gtk_window_destroy (GTK_WINDOW (priv->host));
  else
    dialogs.force_close (priv->host);
}

GtkWindow *
beckon_sheet_get_window (BeckonSheet *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

void
beckon_sheet_set_page_sensitive (BeckonSheet *self, GtkWidget *page, gboolean is_sensitive)
{
  GtkWindow *window = beckon_sheet_get_window (self);

  if (window != NULL && !is_sensitive)
    {
      GtkWidget *focus = gtk_window_get_focus (window);

      if (focus != NULL && (focus == page || gtk_widget_is_ancestor (focus, page)))
        {
          g_set_weak_pointer (&sheet_get_private (self)->held, focus);
          gtk_window_set_focus (window, NULL);
        }
    }
  gtk_widget_set_sensitive (page, is_sensitive);
  if (window != NULL && is_sensitive)
    {
      BeckonSheetPrivate *priv = sheet_get_private (self);
      GtkWidget *held = priv->held;

      g_clear_weak_pointer (&priv->held);
      if (held != NULL && gtk_window_get_focus (window) == NULL)
        gtk_widget_grab_focus (held);
    }
}

gboolean
beckon_sheet_covers (GtkWindow *window)
{
  g_autoptr (GObject) dialog = NULL;

  if (window == NULL || g_object_class_find_property (G_OBJECT_GET_CLASS (window), "visible-dialog") == NULL)
    return FALSE;
  g_object_get (window, "visible-dialog", &dialog, NULL);
  return dialog != NULL;
}

/* --- Class -------------------------------------------------------------------------------------------------------- */

static void
beckon_sheet_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  BeckonSheetPrivate *priv = sheet_get_private (BECKON_SHEET (object));

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, priv->title);
      break;
    case PROP_DEFAULT_WIDTH:
      g_value_set_int (value, priv->default_width);
      break;
    case PROP_DEFAULT_HEIGHT:
      g_value_set_int (value, priv->default_height);
      break;
    case PROP_DEFAULT_WIDGET:
      g_value_set_object (value, priv->default_widget);
      break;
    case PROP_HOLDS_INPUT:
      g_value_set_boolean (value, priv->holds_input);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_sheet_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  BeckonSheetPrivate *priv = sheet_get_private (BECKON_SHEET (object));

  switch (id)
    {
    case PROP_TITLE:
      beckon_sheet_set_title (BECKON_SHEET (object), g_value_get_string (value));
      break;
    case PROP_DEFAULT_WIDTH:
      priv->default_width = g_value_get_int (value);
      break;
    case PROP_DEFAULT_HEIGHT:
      priv->default_height = g_value_get_int (value);
      break;
    case PROP_DEFAULT_WIDGET:
      g_set_weak_pointer (&priv->default_widget, g_value_get_object (value));
      break;
    case PROP_HOLDS_INPUT:
      priv->holds_input = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
beckon_sheet_dispose (GObject *object)
{
  BeckonSheetPrivate *priv = sheet_get_private (BECKON_SHEET (object));

  g_clear_weak_pointer (&priv->default_widget);
  g_clear_weak_pointer (&priv->focus);
  g_clear_weak_pointer (&priv->held);
  g_clear_handle_id (&priv->refocus_id, g_source_remove);
  G_OBJECT_CLASS (beckon_sheet_parent_class)->dispose (object);
}

static void
beckon_sheet_finalize (GObject *object)
{
  g_free (sheet_get_private (BECKON_SHEET (object))->title);
  G_OBJECT_CLASS (beckon_sheet_parent_class)->finalize (object);
}

static void
close_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_sheet_close (BECKON_SHEET (widget));
}

static void
beckon_sheet_class_init (BeckonSheetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_sheet_get_property;
  object_class->set_property = beckon_sheet_set_property;
  object_class->dispose = beckon_sheet_dispose;
  object_class->finalize = beckon_sheet_finalize;
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY);
  props[PROP_DEFAULT_WIDTH] = g_param_spec_int ("default-width", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READWRITE);
  props[PROP_DEFAULT_HEIGHT] = g_param_spec_int ("default-height", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READWRITE);
  props[PROP_DEFAULT_WIDGET] = g_param_spec_object ("default-widget", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_READWRITE);
  props[PROP_HOLDS_INPUT] = g_param_spec_boolean ("holds-input", NULL, NULL, FALSE, G_PARAM_READWRITE);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "window.close", NULL, close_action);
  closed_signal = g_signal_new ("closed", BECKON_TYPE_SHEET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_sheet_init (BeckonSheet *self)
{
  BeckonSheetPrivate *priv = sheet_get_private (self);

  priv->title = g_strdup ("");
  priv->default_width = -1;
  priv->default_height = -1;
}
