/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-steps.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "steps"
#define PART_NAME "steps.part"
#define MAGIC "beckon landing steps 2\n"

/* The same computer writes and reads them, so they are as memory has them. */
typedef struct
{
  BeckonLandingStep step;
  guint32 length; /* of the path that follows, with its nul byte */
} Record;

struct _BeckonLandingWriter
{
  FILE *file;
  int place;
  guint n_steps;
};

struct _BeckonLandingReader
{
  FILE *file;
  gint64 time;
  char path[BECKON_LANDING_TREE_MAX_PATH + 1];
};

static void
landing_steps_refuse (GError **error)
{
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("What a command changed can’t be written down: %s"),
                         beckon_errno_describe (errno));
}

BeckonLandingWriter *
beckon_landing_writer_new (int place, gint64 time, GError **error)
{
  BeckonLandingWriter *writer;
  int fd = openat (place, PART_NAME, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  FILE *file = fd >= 0 ? fdopen (fd, "w") : NULL;

  if (file == NULL)
    {
      landing_steps_refuse (error);
      if (fd >= 0)
        close (fd);
      return NULL;
    }

  writer = g_new0 (BeckonLandingWriter, 1);
  writer->file = file;
  writer->place = place;
  fwrite (MAGIC, 1, strlen (MAGIC), file);
  fwrite (&time, sizeof time, 1, file);
  return writer;
}

void
beckon_landing_writer_add (BeckonLandingWriter *writer, const BeckonLandingStep *step, const char *path)
{
  Record record;

  memset (&record, 0, sizeof record);
  record.step = *step;
  record.length = (guint32) strlen (path) + 1;
  fwrite (&record, sizeof record, 1, writer->file);
  fwrite (path, 1, record.length, writer->file);
  writer->n_steps++;
}

gboolean
beckon_landing_writer_close (BeckonLandingWriter *writer, GError **error)
{
  gboolean is_written;

  is_written = fflush (writer->file) == 0 && !ferror (writer->file)
               && (writer->n_steps == 0 || fdatasync (fileno (writer->file)) == 0);
  is_written = fclose (g_steal_pointer (&writer->file)) == 0 && is_written
               && renameat (writer->place, PART_NAME, writer->place, FILE_NAME) == 0;
  if (!is_written)
    landing_steps_refuse (error);
  return is_written;
}

void
beckon_landing_writer_free (BeckonLandingWriter *writer)
{
  if (writer == NULL)
    return;

  if (writer->file != NULL)
    fclose (writer->file);
  g_free (writer);
}

BeckonLandingReader *
beckon_landing_reader_new (int place, guint *n_steps, GError **error)
{
  g_autoptr (BeckonLandingReader) reader = g_new0 (BeckonLandingReader, 1);
  char magic[sizeof MAGIC] = { 0 };
  int fd = openat (place, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  BeckonLandingStep step;
  const char *path;

  reader->file = fd >= 0 ? fdopen (fd, "r") : NULL;
  if (reader->file != NULL && fread (magic, 1, strlen (MAGIC), reader->file) == strlen (MAGIC)
      && strcmp (magic, MAGIC) == 0 && fread (&reader->time, sizeof reader->time, 1, reader->file) == 1)
    {
      guint n = 0;

      while (beckon_landing_reader_next (reader, &step, &path))
        n++;
      if (n_steps != NULL)
        *n_steps = n;
      if (!ferror (reader->file))
        return g_steal_pointer (&reader);
    }

  if (fd >= 0 && reader->file == NULL)
    close (fd);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("What the command changed is no longer kept, so it can’t be applied or undone."));
  return NULL;
}

gint64
beckon_landing_reader_get_time (BeckonLandingReader *reader)
{
  return reader->time;
}

gboolean
beckon_landing_reader_next (BeckonLandingReader *reader, BeckonLandingStep *step, const char **path)
{
  Record record;

  if (fread (&record, sizeof record, 1, reader->file) != 1 || record.length == 0 || record.length > sizeof reader->path
      || fread (reader->path, 1, record.length, reader->file) != record.length
      || reader->path[record.length - 1] != '\0')
    {
      fseek (reader->file, (long) (strlen (MAGIC) + sizeof reader->time), SEEK_SET);
      return FALSE;
    }

  *step = record.step;
  *path = reader->path;
  return TRUE;
}

void
beckon_landing_reader_free (BeckonLandingReader *reader)
{
  if (reader == NULL)
    return;

  if (reader->file != NULL)
    fclose (reader->file);
  g_free (reader);
}
