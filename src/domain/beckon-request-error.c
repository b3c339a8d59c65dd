/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-request-error.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_QUARK (beckon-request-error-quark, beckon_request_error)

/* An account of a text channel, such as "telegram: Phone". There are few of them. */
static const char *
name_channel (const char *front_end)
{
  const char *name = front_end != NULL ? strstr (front_end, ": ") : NULL;
  g_autofree char *words = NULL;

  if (name == NULL)
    return _("somewhere else");
  /* Translators: where something was answered; %s is the name that a person gave to a text channel. */
  words = beckon_text_printf (_("by the channel “%s”"), name + 2);
  return g_intern_string (words);
}

const char *
beckon_request_front_end_to_words (const char *front_end)
{
  static const struct
  {
    const char *name;
    const char *words;
  } places[] = {
    { "window", N_ ("in the window") },
    { "terminal", N_ ("in the terminal") },
    { "notification", N_ ("in a notification") },
    { "dbus", N_ ("through another program") },
    { "agent", N_ ("by the run itself") },
    /* Translators: a person's rule, such as one that allows every "git log", answered; in the place of "in the window" */
    { BECKON_FRONT_END_RULE, N_ ("by a rule") },
  };

  for (guint i = 0; front_end != NULL && i < G_N_ELEMENTS (places); i++)
    if (g_str_equal (front_end, places[i].name))
      return _(places[i].words);

  return name_channel (front_end);
}

void
beckon_request_error_set_settled (GError **error, gboolean ended, const char *front_end, const char *actor, gint64 at)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;
  g_autofree char *time = local != NULL ? g_date_time_format (local, "%F %H:%M") : g_strdup ("?");

  if (ended)
    /* Translators: when, such as "11/20/25 12:30". */
    beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED,
                           _("This is no longer open: it ended without an answer (%s)."), time);
  else
    /* Translators: by whom, where ("in the window"), and when. */
    beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED,
                           _("This was already answered by %1$s, %2$s (%3$s)."), actor != NULL ? actor : _("somebody"),
                           beckon_request_front_end_to_words (front_end), time);
}
