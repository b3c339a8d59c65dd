/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json.h"

#include "beckon-config.h"
#include "beckon-error.h"
#include "beckon-json-writer.h"

#include <math.h>
#include <string.h>

/* The tree is made from the reader's tokens and not by json-glib's own parser, which cuts strings at U+0000, wraps
 * large integers, takes much that is not JSON, and overflows the stack on deep nesting. */

typedef struct
{
  BeckonJsonReader reader;
  GPtrArray *open; /* (element-type JsonNode) borrowed, the innermost last */
  JsonNode *root;  /* (owned) (nullable) */
  char *name;      /* (owned) (nullable) of the member whose value comes next */
  GString *scratch;
} Builder;

static gboolean
set_fault (GError **error, BeckonJsonFault fault, gsize offset)
{
  g_set_error (error, BECKON_ERROR, fault == BECKON_JSON_FAULT_DEPTH ? BECKON_ERROR_TOO_DEEP : BECKON_ERROR_INVALID,
               "Invalid JSON at byte %" G_GSIZE_FORMAT ": %s", offset, beckon_json_fault_to_string (fault));
  return FALSE;
}

static void
init_reader (BeckonJsonReader *reader, const char *text, gssize length)
{
  if (text == NULL)
    beckon_json_reader_init (reader, "", 0, BECKON_JSON_STRICT);
  else
    beckon_json_reader_init (reader, text, length < 0 ? strlen (text) : (gsize) length, BECKON_JSON_STRICT);
}

/* A name that was read. Decoded ones are in a pool that moves as it grows, so they are offsets. */
typedef struct
{
  const char *text; /* (nullable) in the text; NULL for one in the pool */
  gsize offset;
  gsize length;
} Name;

typedef struct
{
  GArray *names;  /* of all open objects, the innermost last */
  GArray *starts; /* per open container, where its names begin */
  GString *pool;
} Names;

static int
json_compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Name *one = a;
  const Name *other = b;
  const GString *pool = user_data;
  const char *text = one->text != NULL ? one->text : pool->str + one->offset;
  const char *other_text = other->text != NULL ? other->text : pool->str + other->offset;
  int order;

  if (one->length != other->length)
    return one->length < other->length ? -1 : 1;
  order = memcmp (text, other_text, one->length);
  return order;
}

static void
add_name (Names *self, const BeckonJsonSlice *slice)
{
  Name name = { slice->text, 0, slice->length };

  if (slice->escaped)
    {
      name.text = NULL;
      name.offset = self->pool->len;
      beckon_json_slice_append_to (slice, self->pool);
      name.length = self->pool->len - name.offset;
    }
  g_array_append_val (self->names, name);
}

/* Drops the names of the innermost container; FALSE if one was there twice. */
static gboolean
close_names (Names *self)
{
  guint start = g_array_index (self->starts, guint, self->starts->len - 1);
  guint count = self->names->len - start;
  gboolean unique = TRUE;

  if (count > 1)
    {
      Name *names = &g_array_index (self->names, Name, start);

      g_qsort_with_data (names, (int) count, sizeof (Name), json_compare_names, self->pool);
      for (guint i = 1; i < count; i++)
        unique = unique && json_compare_names (&names[i - 1], &names[i], self->pool) != 0;
    }
  g_array_set_size (self->names, start);
  g_array_set_size (self->starts, self->starts->len - 1);
  return unique;
}

static BeckonJsonFault
json_check (BeckonJsonReader *reader, Names *names)
{
  for (;;)
    {
      switch (beckon_json_reader_next (reader))
        {
        case BECKON_JSON_FAULTY:
          return beckon_json_reader_get_fault (reader, NULL);
        case BECKON_JSON_END:
          return BECKON_JSON_FAULT_NONE;
        case BECKON_JSON_OBJECT_BEGIN:
        case BECKON_JSON_ARRAY_BEGIN:
          g_array_append_val (names->starts, names->names->len);
          break;
        case BECKON_JSON_OBJECT_END:
        case BECKON_JSON_ARRAY_END:
          if (!close_names (names))
            return BECKON_JSON_FAULT_DUPLICATE;
          break;
        case BECKON_JSON_NAME:
          add_name (names, &reader->slice);
          break;
        case BECKON_JSON_STRING:
        case BECKON_JSON_NUMBER:
        case BECKON_JSON_TRUE:
        case BECKON_JSON_FALSE:
        case BECKON_JSON_NULL:
        default:
          break;
        }
    }
}

BeckonJsonFault
beckon_json_find_fault (const char *text, gssize length, gsize *offset)
{
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) open_names_array = g_array_new (FALSE, FALSE, sizeof (Name));
  g_autoptr (GString) pool = g_string_new (NULL);
  Names names = { open_names_array, starts, pool };
  BeckonJsonReader reader;
  BeckonJsonFault fault;

  init_reader (&reader, text, length);
  fault = json_check (&reader, &names);
  beckon_json_reader_get_fault (&reader, offset);
  return fault;
}

gboolean
beckon_json_check (const char *text, gssize length, GError **error)
{
  gsize offset;
  BeckonJsonFault fault = beckon_json_find_fault (text, length, &offset);

  return fault == BECKON_JSON_FAULT_NONE || set_fault (error, fault, offset);
}

static BeckonJsonFault
take_name (Builder *self)
{
  JsonNode *parent = g_ptr_array_index (self->open, self->open->len - 1);
  const char *text;
  gsize length;

  text = beckon_json_slice_decode (&self->reader.slice, self->scratch, &length);
  if (memchr (text, '\0', length) != NULL)
    return BECKON_JSON_FAULT_NUL;
  g_free (self->name);
  self->name = g_strndup (text, length);
  if (json_object_has_member (json_node_get_object (parent), self->name))
    return BECKON_JSON_FAULT_DUPLICATE;
  return BECKON_JSON_FAULT_NONE;
}

static void
take_node (Builder *self, JsonNode *node)
{
  JsonNode *parent = self->open->len > 0 ? g_ptr_array_index (self->open, self->open->len - 1) : NULL;

  if (parent == NULL)
    self->root = node;
  else if (JSON_NODE_HOLDS_ARRAY (parent))
    json_array_add_element (json_node_get_array (parent), node);
  else
    json_object_set_member (json_node_get_object (parent), self->name, node);
  if (parent != NULL)
    json_node_set_parent (node, parent);
}

static void
take_container (Builder *self, gboolean object)
{
  JsonNode *node = json_node_alloc ();

  if (object)
    json_node_take_object (json_node_init_object (node, NULL), json_object_new ());
  else
    json_node_take_array (json_node_init_array (node, NULL), json_array_new ());
  take_node (self, node);
  g_ptr_array_add (self->open, node);
}

static BeckonJsonFault
json_take_string (Builder *self)
{
  g_autofree char *terminated = NULL;
  const char *text;
  gsize length;

  text = beckon_json_slice_decode (&self->reader.slice, self->scratch, &length);
  if (memchr (text, '\0', length) != NULL)
    return BECKON_JSON_FAULT_NUL;
  terminated = g_strndup (text, length);
  take_node (self, json_node_init_string (json_node_alloc (), terminated));
  return BECKON_JSON_FAULT_NONE;
}

static BeckonJsonFault
make_number (const BeckonJsonSlice *slice, JsonNode **node)
{
  g_autofree char *text = NULL;
  gboolean whole = TRUE;
  gint64 value;
  double number;

  for (gsize i = 0; i < slice->length; i++)
    whole = whole && (g_ascii_isdigit (slice->text[i]) || slice->text[i] == '-');
  if (whole)
    {
      if (!beckon_json_slice_to_int (slice, &value))
        return BECKON_JSON_FAULT_INTEGER;
      *node = json_node_init_int (json_node_alloc (), value);
      return BECKON_JSON_FAULT_NONE;
    }
  text = g_strndup (slice->text, slice->length);
  number = g_ascii_strtod (text, NULL);
  if (!isfinite (number))
    return BECKON_JSON_FAULT_OVERFLOW;
  *node = json_node_init_double (json_node_alloc (), number);
  return BECKON_JSON_FAULT_NONE;
}

static BeckonJsonFault
take_number (Builder *self)
{
  JsonNode *node = NULL;
  BeckonJsonFault fault = make_number (&self->reader.slice, &node);

  if (fault == BECKON_JSON_FAULT_NONE)
    take_node (self, node);
  return fault;
}

static BeckonJsonFault
take_token (Builder *self, BeckonJsonToken token)
{
  switch (token)
    {
    case BECKON_JSON_OBJECT_BEGIN:
    case BECKON_JSON_ARRAY_BEGIN:
      take_container (self, token == BECKON_JSON_OBJECT_BEGIN);
      return BECKON_JSON_FAULT_NONE;
    case BECKON_JSON_OBJECT_END:
    case BECKON_JSON_ARRAY_END:
      g_ptr_array_remove_index (self->open, self->open->len - 1);
      return BECKON_JSON_FAULT_NONE;
    case BECKON_JSON_NAME:
      return take_name (self);
    case BECKON_JSON_STRING:
      return json_take_string (self);
    case BECKON_JSON_NUMBER:
      return take_number (self);
    case BECKON_JSON_TRUE:
    case BECKON_JSON_FALSE:
      take_node (self, json_node_init_boolean (json_node_alloc (), token == BECKON_JSON_TRUE));
      return BECKON_JSON_FAULT_NONE;
    case BECKON_JSON_NULL:
      take_node (self, json_node_init_null (json_node_alloc ()));
      return BECKON_JSON_FAULT_NONE;
    case BECKON_JSON_FAULTY:
    case BECKON_JSON_END:
    default:
      return beckon_json_reader_get_fault (&self->reader, NULL);
    }
}

JsonNode *
beckon_json_parse (const char *text, gssize length, GError **error)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GString) scratch = g_string_new (NULL);
  Builder builder = { .open = open, .scratch = scratch };
  BeckonJsonFault fault = BECKON_JSON_FAULT_NONE;
  BeckonJsonToken token;
  gsize offset;

  init_reader (&builder.reader, text, length);
  do
    {
      token = beckon_json_reader_next (&builder.reader);
      fault = take_token (&builder, token);
    }
  while (token != BECKON_JSON_END && fault == BECKON_JSON_FAULT_NONE);
  g_free (builder.name);
  if (fault == BECKON_JSON_FAULT_NONE)
    return builder.root;

  beckon_json_reader_get_fault (&builder.reader, &offset);
  set_fault (error, fault, offset);
  g_clear_pointer (&builder.root, json_node_unref);
  return NULL;
}

JsonObject *
beckon_json_parse_object (const char *text, gssize length, GError **error)
{
  g_autoptr (JsonNode) node = beckon_json_parse (text, length, error);

  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_node_dup_object (node);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Expected a JSON object");
  return NULL;
}

static JsonNode *json_convert (const BeckonJsonValue *value, BeckonJsonFault *fault, gsize *offset);

static gboolean
holds_nul (const GString *text)
{
  return memchr (text->str, '\0', text->len) != NULL;
}

static JsonNode *
convert_children (const BeckonJsonValue *value, JsonNode *node, BeckonJsonFault *fault, gsize *offset)
{
  gboolean is_object = value->kind == BECKON_JSON_VALUE_OBJECT;

  if (is_object)
    json_node_take_object (json_node_init_object (node, NULL), json_object_new ());
  else
    json_node_take_array (json_node_init_array (node, NULL), json_array_new ());
  for (guint i = 0; i < value->children->len && *fault == BECKON_JSON_FAULT_NONE; i++)
    {
      const BeckonJsonValue *child = g_ptr_array_index (value->children, i);
      JsonNode *made = json_convert (child, fault, offset);

      if (*fault == BECKON_JSON_FAULT_NONE && is_object && holds_nul (child->name))
        {
          *fault = BECKON_JSON_FAULT_NUL;
          *offset = child->name_offset;
        }
      if (is_object)
        json_object_set_member (json_node_get_object (node), child->name->str, made);
      else
        json_array_add_element (json_node_get_array (node), made);
      json_node_set_parent (made, node);
    }
  return node;
}

/* As deep as a text may be that was read. */
static JsonNode *
json_convert (const BeckonJsonValue *value, BeckonJsonFault *fault, gsize *offset)
{
  JsonNode *node = NULL;
  BeckonJsonSlice number;

  switch (value->kind)
    {
    case BECKON_JSON_VALUE_ARRAY:
    case BECKON_JSON_VALUE_OBJECT:
      return convert_children (value, json_node_alloc (), fault, offset);
    case BECKON_JSON_VALUE_STRING:
      *fault = holds_nul (value->text) ? BECKON_JSON_FAULT_NUL : *fault;
      node = json_node_init_string (json_node_alloc (), value->text->str);
      break;
    case BECKON_JSON_VALUE_NUMBER:
      number = (BeckonJsonSlice) { value->text->str, value->text->len, FALSE };
      *fault = make_number (&number, &node);
      break;
    case BECKON_JSON_VALUE_TRUE:
    case BECKON_JSON_VALUE_FALSE:
      node = json_node_init_boolean (json_node_alloc (), value->kind == BECKON_JSON_VALUE_TRUE);
      break;
    case BECKON_JSON_VALUE_NULL:
    default:
      break;
    }
  if (*fault != BECKON_JSON_FAULT_NONE)
    *offset = value->offset;
  return node != NULL ? node : json_node_init_null (json_node_alloc ());
}

JsonNode *
beckon_json_from_value (const BeckonJsonValue *value, GError **error)
{
  BeckonJsonFault fault = BECKON_JSON_FAULT_NONE;
  g_autoptr (JsonNode) node = NULL;
  gsize offset = 0;

  g_return_val_if_fail (value != NULL, NULL);

  node = json_convert (value, &fault, &offset);
  if (fault == BECKON_JSON_FAULT_NONE)
    return g_steal_pointer (&node);
  set_fault (error, fault, offset);
  return NULL;
}

char *
beckon_json_print (JsonNode *node)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (node != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_node (&writer, node);
  return g_string_free (text, FALSE);
}

static JsonNode *
json_get_member (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

const char *
beckon_json_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

JsonArray *
beckon_json_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

JsonObject *
beckon_json_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gboolean
beckon_json_get_boolean (JsonObject *object, const char *name, gboolean fallback)
{
  JsonNode *node = json_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN
             ? json_node_get_boolean (node)
             : fallback;
}

gint64
beckon_json_get_int (JsonObject *object, const char *name, gint64 fallback)
{
  /* Beyond this a double has no longer every whole number. */
  const double most = 9007199254740992.0;
  JsonNode *node = json_get_member (object, name);
  double number;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return json_node_get_int (node);
  if (json_node_get_value_type (node) != G_TYPE_DOUBLE)
    return fallback;
  /* A schema takes 2.0 for an integer, too. */
  number = json_node_get_double (node);
  return number >= -most && number <= most && (double) (gint64) number == number ? (gint64) number : fallback;
}

double
beckon_json_get_double (JsonObject *object, const char *name, double fallback)
{
  JsonNode *node = json_get_member (object, name);
  GType type;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;
  type = json_node_get_value_type (node);
  return type == G_TYPE_DOUBLE || type == G_TYPE_INT64 ? json_node_get_double (node) : fallback;
}

static gsize
find_string_end (const char *text, gsize at, gsize length)
{
  for (at++; at < length && text[at] != '"'; at++)
    if (text[at] == '\\')
      at++;
  return MIN (at + 1, length);
}

/* A comment that does not end stays: it is a fault that is reported. */
static gsize
find_comment_end (const char *text, gsize at, gsize length)
{
  const char *end;

  if (at + 1 < length && text[at + 1] == '/')
    {
      end = memchr (text + at, '\n', length - at);
      return end != NULL ? (gsize) (end - text) : length;
    }
  if (at + 1 >= length || text[at + 1] != '*')
    return at;
  end = g_strstr_len (text + at + 2, (gssize) (length - at - 2), "*/");
  return end != NULL ? (gsize) (end - text) + 2 : at;
}

/* Line breaks stay, so that a line's number does too. */
static void
blank (char *text, gsize from, gsize to)
{
  for (gsize at = from; at < to; at++)
    if (text[at] != '\n' && text[at] != '\r')
      text[at] = ' ';
}

char *
beckon_json_make_strict (const char *text, gsize length)
{
  static const char mark[] = "\357\273\277";
  char *strict;
  gsize comma = G_MAXSIZE;
  gboolean is_open = FALSE;

  g_return_val_if_fail (text != NULL, NULL);

  strict = g_malloc (length + 1);
  memcpy (strict, text, length);
  strict[length] = '\0';
  if (length >= strlen (mark) && memcmp (text, mark, strlen (mark)) == 0)
    blank (strict, 0, strlen (mark));
  for (gsize at = 0; at < length;)
    {
      gsize next = strict[at] == '"' ? find_string_end (strict, at, length) : at + 1;
      gsize end = strict[at] == '/' && !is_open ? find_comment_end (strict, at, length) : at;

      /* Behind one comment without an end no other has one, and the text is not searched for it again. */
      is_open = is_open || (end == at && strict[at] == '/' && strict[at + 1] == '*');
      if (end > at)
        {
          next = end;
          blank (strict, at, next);
        }
      else if (strict[at] == ',')
        comma = at;
      else if (strict[at] != ' ' && strict[at] != '\t' && strict[at] != '\n' && strict[at] != '\r')
        {
          if (comma != G_MAXSIZE && (strict[at] == '}' || strict[at] == ']'))
            strict[comma] = ' ';
          comma = G_MAXSIZE;
        }
      at = next;
    }
  return strict;
}
