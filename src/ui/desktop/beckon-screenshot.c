/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-screenshot.h"

#include "beckon-portal.h"

#include <glib/gi18n-lib.h>

struct _BeckonScreenshot
{
  GObject parent_instance;

  BeckonPortal *portal; /* (owned) */
  GCancellable *ending; /* (owned): cancelled when this goes */
  gboolean asking;
};

G_DEFINE_FINAL_TYPE (BeckonScreenshot, beckon_screenshot, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_CHANGED,
  SIGNAL_TAKEN,
  SIGNAL_FAILED,
} BeckonScreenshotSignal;

static guint signals[SIGNAL_FAILED + 1];

static void
on_taken (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) results = beckon_portal_request_finish (BECKON_PORTAL (source), result, &error);
  g_autoptr (BeckonScreenshot) self = NULL;
  g_autoptr (GFile) file = NULL;
  const char *uri = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = g_object_ref (user_data);
  self->asking = FALSE;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return;
  if (results == NULL || !g_variant_lookup (results, "uri", "&s", &uri) || !g_str_has_prefix (uri, "file://"))
    {
      g_signal_emit (self, signals[SIGNAL_FAILED], 0, _("The desktop did not take a picture of the screen."));
      return;
    }
  file = g_file_new_for_uri (uri);
  g_signal_emit (self, signals[SIGNAL_TAKEN], 0, file);
}

void
beckon_screenshot_take (BeckonScreenshot *self)
{
  GVariantBuilder options;

  if (!beckon_portal_is_available (self->portal) || self->asking)
    return;
  self->asking = TRUE;
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "interactive", g_variant_new_boolean (TRUE));
  beckon_portal_request_async (self->portal, "Screenshot", g_variant_new ("(s)", ""), &options, self->ending, on_taken, self);
}

gboolean
beckon_screenshot_is_available (BeckonScreenshot *self)
{
  return beckon_portal_is_available (self->portal);
}

static void
on_portal_changed (BeckonScreenshot *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
beckon_screenshot_dispose (GObject *object)
{
  g_cancellable_cancel (BECKON_SCREENSHOT (object)->ending);
  G_OBJECT_CLASS (beckon_screenshot_parent_class)->dispose (object);
}

static void
beckon_screenshot_finalize (GObject *object)
{
  BeckonScreenshot *self = BECKON_SCREENSHOT (object);

  g_object_unref (self->portal);
  g_object_unref (self->ending);
  G_OBJECT_CLASS (beckon_screenshot_parent_class)->finalize (object);
}

static void
beckon_screenshot_class_init (BeckonScreenshotClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_screenshot_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_screenshot_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", BECKON_TYPE_SCREENSHOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_TAKEN] = g_signal_new ("taken", BECKON_TYPE_SCREENSHOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                        1, G_TYPE_FILE);
  signals[SIGNAL_FAILED] = g_signal_new ("failed", BECKON_TYPE_SCREENSHOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
beckon_screenshot_init (BeckonScreenshot *self)
{
  self->ending = g_cancellable_new ();
  self->portal = beckon_portal_new ("org.freedesktop.portal.Screenshot");
  g_signal_connect_object (self->portal, "changed", G_CALLBACK (on_portal_changed), self, G_CONNECT_SWAPPED);
}

BeckonScreenshot *
beckon_screenshot_new (void)
{
  return g_object_new (BECKON_TYPE_SCREENSHOT, NULL);
}
