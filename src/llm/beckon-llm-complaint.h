/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLlmComplaint:
 * @message: (nullable): what the server says, as one line that is fit to show
 * @words: codes and types of the error, lower case, separated by spaces; never %NULL
 * @status: the HTTP status that the body itself names, 0 if it names none
 * @sent: how many tokens the request had, 0 if the body has no figure
 * @window: how many the model takes, 0 likewise
 * @retry_after_ms: how long the body asks to wait, -1 if it does not say
 * @is_error: it is JSON that says there was an error
 * @is_page: it is HTML or XML
 *
 * What stands in a body that is not a stream. Servers agree on nothing here; the shapes that are in use are known by
 * name.
 */
typedef struct
{
  char *message;
  char *words;
  guint status;
  guint sent;
  guint window;
  gint64 retry_after_ms;
  gboolean is_error;
  gboolean is_page;
} BeckonLlmComplaint;

/** Reads a body of bytes of any kind, which may have been cut. Pure; any thread. */
BeckonLlmComplaint *beckon_llm_complaint_new (const char *body, gsize length) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_llm_complaint_free (BeckonLlmComplaint *complaint);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLlmComplaint, beckon_llm_complaint_free)

G_END_DECLS
