/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

typedef struct
{
  BeckonBatchOp op;
  char *call_id;
  gint64 place;
  char *origin;     /* (nullable) */
  char *media_type;
  GBytes *bytes;
} PutImage;

static const char add_image_sql[] =
  "INSERT INTO result_image (call, place, origin, media_type, bytes) VALUES (?1, ?2, ?3, ?4, ?5)";

static gboolean
exec_add_image (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutImage *op = (const PutImage *) base;
  gsize length;
  const void *bytes = g_bytes_get_data (op->bytes, &length);

  return beckon_database_run (session->database, error, add_image_sql, "sissb", op->call_id, op->place, op->origin,
                              op->media_type, bytes, length);
}

static void
free_put_image (BeckonBatchOp *base)
{
  PutImage *op = (PutImage *) base;

  g_free (op->call_id);
  g_free (op->origin);
  g_free (op->media_type);
  g_bytes_unref (op->bytes);
  g_free (op);
}

void
beckon_batch_add_result_images (BeckonBatch *batch, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_tool_call_get_n_images (call); i++)
    {
      BeckonPart *image = beckon_tool_call_get_image (call, i);
      PutImage *op = g_new0 (PutImage, 1);

      op->call_id = g_strdup (beckon_tool_call_get_id (call));
      op->place = i;
      op->origin = g_strdup (beckon_part_get_origin (image));
      op->media_type = g_strdup (beckon_part_get_media_type (image));
      op->bytes = g_bytes_new (beckon_part_get_text (image), beckon_part_get_length (image));
      beckon_batch_add (batch, op, exec_add_image, free_put_image);
    }
}
