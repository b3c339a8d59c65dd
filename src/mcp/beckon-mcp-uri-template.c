/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-uri-template.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RESERVED ":/?#[]@!$&'()*+,;="
#define MOST_DIGITS 4

/* The table of RFC 6570, appendix A. */
typedef struct
{
  char sign;
  const char *first;
  const char *separator;
  const char *if_empty; /* (nullable): behind the name of an empty value; NULL where values stand without names */
  gboolean allows_reserved;
} Operator;

static const Operator operators[] = {
  { '\0', "", ",", NULL, FALSE }, { '+', "", ",", NULL, TRUE }, { '#', "#", ",", NULL, TRUE },
  { '.', ".", ".", NULL, FALSE }, { '/', "/", "/", NULL, FALSE }, { ';', ";", ";", "", FALSE },
  { '?', "?", "&", "=", FALSE }, { '&', "&", "&", "=", FALSE },
};

/* @most: characters of its value that are used; 0 for all */
typedef struct
{
  char *name;
  guint most;
} Variable;

typedef struct
{
  char *literal;             /* (nullable): encoded */
  const Operator *operation; /* (nullable): of an expression */
  GArray *variables;         /* (nullable) (element-type Variable): likewise */
} Part;

struct _BeckonMcpUriTemplate
{
  GArray *parts;      /* (element-type Part) */
  GPtrArray *names;   /* (element-type utf8): of the variables, each once */
  GHashTable *needed; /* (element-type utf8): those that are required; borrowed from names */
};

static void
variable_clear (gpointer data)
{
  g_free (((Variable *) data)->name);
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_free (part->literal);
  g_clear_pointer (&part->variables, g_array_unref);
}

void
beckon_mcp_uri_template_free (BeckonMcpUriTemplate *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parts);
  g_hash_table_unref (self->needed);
  g_ptr_array_unref (self->names);
  g_free (self);
}

/* --- Encoding ----------------------------------------------------------------------------------------------------- */

static gboolean
is_encoded (const char *text)
{
  return text[0] == '%' && g_ascii_isxdigit (text[1]) && g_ascii_isxdigit (text[2]);
}

/* Reserved characters keep their meaning, and what is encoded already is not encoded again, where they are allowed. */
static void
append_encoded (GString *to, const char *text, gboolean allows_reserved)
{
  const char *at = text;

  while (allows_reserved && (at = strchr (at, '%')) != NULL)
    {
      g_autofree char *before = g_strndup (text, (gsize) (at - text));

      g_string_append_uri_escaped (to, before, RESERVED, FALSE);
      g_string_append_len (to, is_encoded (at) ? at : "%25", 3);
      at += is_encoded (at) ? 3 : 1;
      text = at;
    }
  g_string_append_uri_escaped (to, text, allows_reserved ? RESERVED : NULL, FALSE);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static const Operator *
find_operator (char sign)
{
  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].sign == sign)
      return &operators[i];
  return NULL;
}

/* Hyphens stand in the names of real servers. */
static gboolean
uri_template_is_name (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && strchr ("_-.%", text[i]) == NULL)
      return FALSE;
  return length > 0 && text[0] != '.' && text[length - 1] != '.';
}

/* The end of a variable: nothing, a star, or a length. */
static gboolean
read_modifier (const char *text, guint *most)
{
  guint64 number;

  *most = 0;
  if (*text == '\0' || strcmp (text, "*") == 0)
    return TRUE;
  if (*text != ':' || text[1] == '0' || strlen (text + 1) > MOST_DIGITS
      || !g_ascii_string_to_unsigned (text + 1, 10, 1, 9999, &number, NULL))
    return FALSE;
  *most = (guint) number;
  return TRUE;
}

static gboolean
read_variable (BeckonMcpUriTemplate *self, Part *part, const char *text)
{
  gsize length = strcspn (text, ":*");
  Variable variable;
  gboolean is_required;
  guint at;

  if (!uri_template_is_name (text, length) || !read_modifier (text + length, &variable.most))
    return FALSE;
  variable.name = g_strndup (text, length);
  g_array_append_val (part->variables, variable);
  is_required = part->operation->if_empty == NULL && part->operation->sign != '#';
  if (!g_ptr_array_find_with_equal_func (self->names, variable.name, g_str_equal, &at))
    {
      at = self->names->len;
      g_ptr_array_add (self->names, g_strdup (variable.name));
    }
  if (is_required)
    g_hash_table_add (self->needed, g_ptr_array_index (self->names, at));
  return self->names->len <= BECKON_MCP_URI_TEMPLATE_VARIABLES_MAX;
}

/* (nullable): what can't be read. Caller frees. */
static char *
read_parts (BeckonMcpUriTemplate *self, const char *text)
{
  while (*text != '\0')
    {
      gsize literal = strcspn (text, "{}"), length;
      g_autofree char *inside = NULL;
      const Operator *operation;
      g_auto (GStrv) words = NULL;
      Part part = { 0 };
      gboolean is_good = TRUE;
      g_autofree char *plain = g_strndup (text, literal);
      GString *encoded = g_string_new (NULL);
      Part piece = { 0 };

      append_encoded (encoded, plain, TRUE);
      piece.literal = g_string_free (encoded, FALSE);
      g_array_append_val (self->parts, piece);
      text += literal;
      if (*text == '\0')
        return NULL;
      length = *text == '{' ? strcspn (text + 1, "{}") : 0;
      if (*text == '}' || text[length + 1] != '}')
        return g_strdup (text);
      inside = g_strndup (text + 1, length);
      operation = find_operator (*inside);
      part.operation = operation != NULL ? operation : &operators[0];
      part.variables = g_array_new (FALSE, FALSE, sizeof (Variable));
      g_array_set_clear_func (part.variables, variable_clear);
      words = g_strsplit (part.operation->sign != '\0' ? inside + 1 : inside, ",", -1);
      for (guint i = 0; words[i] != NULL && is_good; i++)
        is_good = read_variable (self, &part, words[i]);
      g_array_append_val (self->parts, part);
      if (!is_good || words[0] == NULL)
        return g_strndup (text, length + 2);
      text += length + 2;
    }
  return NULL;
}

BeckonMcpUriTemplate *
beckon_mcp_uri_template_new (const char *text, GError **error)
{
  g_autoptr (BeckonMcpUriTemplate) self = g_new0 (BeckonMcpUriTemplate, 1);
  g_autofree char *unread = NULL;

  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (self->parts, part_clear);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->needed = g_hash_table_new (g_str_hash, g_str_equal);
  unread = read_parts (self, text);
  if (unread == NULL)
    return g_steal_pointer (&self);
  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         /* Translators: %s is a piece of an address, such as {=id} */
                         _("“%s” in this address can't be filled in. Type the whole address behind “@”."), unread);
  return NULL;
}

guint
beckon_mcp_uri_template_get_n_variables (const BeckonMcpUriTemplate *self)
{
  return self->names->len;
}

const char *
beckon_mcp_uri_template_get_variable (const BeckonMcpUriTemplate *self, guint position, gboolean *is_required)
{
  const char *name;

  name = g_ptr_array_index (self->names, position);
  *is_required = g_hash_table_contains (self->needed, name);
  return name;
}

/* --- Filling in --------------------------------------------------------------------------------------------------- */

char *
beckon_mcp_uri_template_expand (const BeckonMcpUriTemplate *self, GHashTable *values)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);

      if (part->literal != NULL)
        g_string_append (text, part->literal);
      else
        {
          gboolean is_first = TRUE;

          for (guint j = 0; j < part->variables->len; j++)
            {
              const Variable *variable = &g_array_index (part->variables, Variable, j);
              const char *value = g_hash_table_lookup (values, variable->name);
              g_autofree char *start = NULL;

              if (value == NULL)
                continue;
              g_string_append (text, is_first ? part->operation->first : part->operation->separator);
              start = variable->most > 0 && g_utf8_strlen (value, -1) > variable->most
                          ? g_utf8_substring (value, 0, variable->most)
                          : g_strdup (value);
              if (part->operation->if_empty != NULL)
                g_string_append_printf (text, "%s%s", variable->name, *start == '\0' ? part->operation->if_empty : "=");
              append_encoded (text, start, part->operation->allows_reserved);
              is_first = FALSE;
            }
        }
    }
  return g_string_free (text, FALSE);
}
