/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-schema-private.h"

#include <gio/gio.h>
#include <string.h>

static gboolean
format_matches (const char *pattern, const char *text)
{
  return g_regex_match_simple (pattern, text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static guint
number_at (const char *text)
{
  return (guint) (text[0] - '0') * 10 + (guint) (text[1] - '0');
}

static gboolean
is_date (const char *text)
{
  guint year;

  if (!format_matches ("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", text))
    return FALSE;
  year = number_at (text) * 100 + number_at (text + 2);
  /* The year 0 is one, and has 366 days. */
  return g_date_valid_dmy ((GDateDay) number_at (text + 8), (GDateMonth) number_at (text + 5),
                           (GDateYear) (year > 0 ? year : 2000));
}

/* A leap second is one only at the end of a day in UTC. */
static gboolean
is_leap_second (const char *text, const char *zone)
{
  int minutes = (int) number_at (text) * 60 + (int) number_at (text + 3);

  if (*zone == '+' || *zone == '-')
    {
      int offset = (int) number_at (zone + 1) * 60 + (int) number_at (zone + 4);

      minutes += *zone == '+' ? -offset : offset;
    }
  return (minutes + 2 * 24 * 60) % (24 * 60) == 23 * 60 + 59;
}

static gboolean
is_time (const char *text)
{
  const char *zone;

  if (!format_matches ("^([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
                       text))
    return FALSE;
  zone = text + strcspn (text, "Zz+-");
  return number_at (text + 6) < 60 || is_leap_second (text, zone);
}

static gboolean
is_date_time (const char *text)
{
  g_autofree char *date = NULL;

  if (strlen (text) < 12 || (text[10] != 'T' && text[10] != 't'))
    return FALSE;
  date = g_strndup (text, 10);
  return is_date (date) && is_time (text + 11);
}

static gboolean
is_hostname (const char *text)
{
  return strlen (text) <= 253
         && format_matches ("^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
                            text)
         && !format_matches ("(^|\\.)(?![xX][nN]).{2}--", text);
}

static gboolean
is_address (const char *text, GSocketFamily family)
{
  g_autoptr (GInetAddress) address = strchr (text, '%') == NULL ? g_inet_address_new_from_string (text) : NULL;

  return address != NULL && g_inet_address_get_family (address) == family;
}

static gboolean
is_ipv4 (const char *text)
{
  return format_matches ("^(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}$", text) && is_address (text, G_SOCKET_FAMILY_IPV4);
}

static gboolean
is_ipv6 (const char *text)
{
  return is_address (text, G_SOCKET_FAMILY_IPV6);
}

static gboolean
is_mail_host (const char *text)
{
  g_autofree char *literal = NULL;

  if (*text != '[' || !g_str_has_suffix (text, "]"))
    return is_hostname (text);
  literal = g_strndup (text + 1, strlen (text) - 2);
  return g_str_has_prefix (literal, "IPv6:") ? is_ipv6 (literal + strlen ("IPv6:")) : is_ipv4 (literal);
}

static gboolean
is_email (const char *text)
{
  /* Within quotes there may be another. */
  const char *at = *text == '"' ? strrchr (text, '@') : strchr (text, '@');

  return at != NULL && is_mail_host (at + 1)
         && format_matches ("^([^\\x00-\\x20()<>@,;:\\\\\".\\[\\]\\x7f]+(\\.[^\\x00-\\x20()<>@,;:\\\\\".\\[\\]\\x7f]+)*"
                            "|\"([^\"\\\\\\x00-\\x1f]|\\\\.)*\")@", text);
}

static gboolean
is_uri (const char *text)
{
  return format_matches ("^[a-zA-Z][a-zA-Z0-9+.-]*:([A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=]|%[0-9a-fA-F]{2})*$", text)
         && g_uri_is_valid (text, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
}

static gboolean
is_regex (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new (text, 0, 0, NULL);

  return regex != NULL;
}

gboolean
beckon_json_schema_check_format (const char *format, const char *text)
{
  static const struct
  {
    const char *format;
    gboolean (*check) (const char *text);
  } known[] = {
    { "date", is_date },     { "time", is_time },   { "date-time", is_date_time }, { "hostname", is_hostname },
    { "ipv4", is_ipv4 },     { "ipv6", is_ipv6 },   { "email", is_email },         { "uri", is_uri },
    { "uuid", g_uuid_string_is_valid }, { "regex", is_regex },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (strcmp (known[i].format, format) == 0)
        return known[i].check (text);
    }
  return TRUE;
}
