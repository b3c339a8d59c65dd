/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-preview.h"

#include "base/beckon-counted.h"

BeckonCallPreview *
beckon_call_preview_new (void)
{
  return g_atomic_rc_box_new0 (BeckonCallPreview);
}

static void
call_preview_clear (gpointer data)
{
  BeckonCallPreview *preview = data;

  g_free (preview->replaces);
  g_free (preview->shown);
  g_free (preview->files);
  g_free (preview->before);
  g_free (preview->after);
}

BECKON_COUNTED (BeckonCallPreview, beckon_call_preview, call_preview_clear)

G_DEFINE_INTERFACE (BeckonCallPreviewer, beckon_call_previewer, G_TYPE_OBJECT)

static void
beckon_call_previewer_default_init (BeckonCallPreviewerInterface *iface)
{
}

gboolean
beckon_call_previewer_has_preview (BeckonCallPreviewer *self, const char *tool)
{
  g_return_val_if_fail (BECKON_IS_CALL_PREVIEWER (self), FALSE);

  return BECKON_CALL_PREVIEWER_GET_IFACE (self)->has_preview (self, tool);
}

void
beckon_call_previewer_preview_async (BeckonCallPreviewer *self, BeckonRequest *request, const char *arguments,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_CALL_PREVIEWER (self));
  g_return_if_fail (BECKON_IS_REQUEST (request) && arguments != NULL);

  BECKON_CALL_PREVIEWER_GET_IFACE (self)->preview_async (self, request, arguments, cancellable, callback, user_data);
}

BeckonCallPreview *
beckon_call_previewer_preview_finish (BeckonCallPreviewer *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_CALL_PREVIEWER (self), NULL);

  return BECKON_CALL_PREVIEWER_GET_IFACE (self)->preview_finish (self, result, error);
}

char *
beckon_call_previewer_leave_out (BeckonCallPreviewer *self, const BeckonCallPreview *preview, const char *arguments,
                                 GArray *kept)
{
  g_return_val_if_fail (BECKON_IS_CALL_PREVIEWER (self), NULL);
  g_return_val_if_fail (preview != NULL && preview->can_leave_out && arguments != NULL && kept != NULL, NULL);

  return BECKON_CALL_PREVIEWER_GET_IFACE (self)->leave_out (self, preview, arguments, kept);
}

void
beckon_call_previewer_check_async (BeckonCallPreviewer *self, const char *files, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_CALL_PREVIEWER (self));
  g_return_if_fail (files != NULL);

  BECKON_CALL_PREVIEWER_GET_IFACE (self)->check_async (self, files, cancellable, callback, user_data);
}

gboolean
beckon_call_previewer_check_finish (BeckonCallPreviewer *self, GAsyncResult *result)
{
  g_return_val_if_fail (BECKON_IS_CALL_PREVIEWER (self), FALSE);

  return BECKON_CALL_PREVIEWER_GET_IFACE (self)->check_finish (self, result);
}
