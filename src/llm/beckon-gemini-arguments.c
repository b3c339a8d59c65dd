/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-gemini-arguments.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-json.h"

#include <string.h>

/* A place is "$" and steps: .name, ['name'] or [index]. Containers come into being by being stepped into; a list grows
 * by one at a time. A string that is given again for its place is continued. */

#define MAX_STEPS 64
#define MAX_BYTES (8 * 1024 * 1024)

struct _BeckonGeminiArguments
{
  JsonNode *root;
  GString *open; /* the string that is being given in pieces */
  char *place;   /* (nullable): of it */
  JsonNode *node; /* (nullable): its node, which gets it once it is whole */
  gsize n_bytes;
};

typedef struct
{
  char *name; /* (owned) (nullable): a member; otherwise an index */
  guint index;
} Step;

typedef struct
{
  BeckonJsonSlice path;
  BeckonJsonSlice string;
  BeckonJsonSlice number;
  BeckonJsonSlice boolean;
  gboolean continues;
} Piece;

static const BeckonJsonMember piece_members[] = {
  BECKON_JSON_STRING_MEMBER ("jsonPath", Piece, path),
  BECKON_JSON_STRING_MEMBER ("stringValue", Piece, string),
  BECKON_JSON_RAW_MEMBER ("numberValue", Piece, number),
  BECKON_JSON_RAW_MEMBER ("boolValue", Piece, boolean),
  BECKON_JSON_TRUE_MEMBER ("willContinue", Piece, continues),
  BECKON_JSON_MEMBERS_END,
};

BeckonGeminiArguments *
beckon_gemini_arguments_new (void)
{
  BeckonGeminiArguments *self = g_new0 (BeckonGeminiArguments, 1);

  self->root = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (self->root, json_object_new ());
  self->open = g_string_new (NULL);
  return self;
}

void
beckon_gemini_arguments_free (BeckonGeminiArguments *arguments)
{
  if (arguments == NULL)
    return;
  json_node_unref (arguments->root);
  g_string_free (arguments->open, TRUE);
  g_free (arguments->place);
  g_free (arguments);
}

/* --- Places ------------------------------------------------------------------------------------------------------- */

static void
step_clear (gpointer data)
{
  g_free (((Step *) data)->name);
}

/* From behind the bracket. Returns where the step ends, NULL when it is none. */
static const char *
read_bracket (const char *at, Step *step)
{
  const char *end;

  if (*at == '\'' || *at == '"')
    {
      char quote = *at++;

      end = strchr (at, quote);
      if (end == NULL || end[1] != ']')
        return NULL;
      step->name = g_strndup (at, (gsize) (end - at));
      return end + 2;
    }
  end = at + strspn (at, "0123456789");
  if (end == at || end - at > 6 || *end != ']')
    return NULL;
  step->index = (guint) g_ascii_strtoull (at, NULL, 10);
  return end + 1;
}

static const char *
gemini_arguments_read_step (const char *at, Step *step)
{
  gsize length;

  if (*at == '[')
    return read_bracket (at + 1, step);
  if (*at != '.')
    return NULL;
  length = strcspn (at + 1, ".[");
  if (length == 0)
    return NULL;
  step->name = g_strndup (at + 1, length);
  return at + 1 + length;
}

/* (element-type Step), NULL when it is no place. */
static GArray *
read_place (const char *place)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));
  const char *at = place + 1;

  g_array_set_clear_func (steps, step_clear);
  if (*place != '$')
    return NULL;
  while (*at != '\0')
    {
      Step step = { 0 };

      at = gemini_arguments_read_step (at, &step);
      if (at == NULL || steps->len == MAX_STEPS)
        {
          step_clear (&step);
          return NULL;
        }
      g_array_append_val (steps, step);
    }
  return steps->len > 0 ? g_steal_pointer (&steps) : NULL;
}

static gboolean
set_child (JsonNode *node, const Step *step, JsonNode *child)
{
  g_autoptr (JsonNode) owned = child;

  if (step->name != NULL)
    {
      if (!JSON_NODE_HOLDS_OBJECT (node))
        return FALSE;
      json_object_set_member (json_node_get_object (node), step->name, g_steal_pointer (&owned));
      return TRUE;
    }
  if (!JSON_NODE_HOLDS_ARRAY (node) || step->index != json_array_get_length (json_node_get_array (node)))
    return FALSE;
  json_array_add_element (json_node_get_array (node), g_steal_pointer (&owned));
  return TRUE;
}

static JsonNode *
get_child (JsonNode *node, const Step *step)
{
  if (step->name != NULL)
    return JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), step->name) : NULL;
  return JSON_NODE_HOLDS_ARRAY (node) && step->index < json_array_get_length (json_node_get_array (node))
             ? json_array_get_element (json_node_get_array (node), step->index)
             : NULL;
}

static JsonNode *
make_container (const Step *inside)
{
  JsonNode *node = json_node_new (inside->name != NULL ? JSON_NODE_OBJECT : JSON_NODE_ARRAY);

  if (inside->name != NULL)
    json_node_take_object (node, json_object_new ());
  else
    json_node_take_array (node, json_array_new ());
  return node;
}

/* Finds the place's container; NULL if there is none. */
static JsonNode *
reach (BeckonGeminiArguments *self, GArray *steps)
{
  JsonNode *node = self->root;

  for (guint i = 0; i + 1 < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);
      JsonNode *child = get_child (node, step);

      if (child == NULL)
        {
          child = make_container (step + 1);
          if (!set_child (node, step, child))
            return NULL;
        }
      node = child;
    }
  return node;
}

/* --- Values ------------------------------------------------------------------------------------------------------- */

/* Once for each string, because a copy for each of its pieces would cost the square of its length. */
static void
close_string (BeckonGeminiArguments *self)
{
  if (self->node != NULL)
    json_node_set_string (self->node, self->open->str);
  self->node = NULL;
  g_clear_pointer (&self->place, g_free);
  g_string_truncate (self->open, 0);
}

static gboolean
add_to_string (BeckonGeminiArguments *self, const Piece *piece)
{
  gsize before = self->open->len;

  /* The tree cannot hold a NUL. */
  return beckon_json_slice_append_to (&piece->string, self->open)
         && memchr (self->open->str + before, '\0', self->open->len - before) == NULL;
}

static JsonNode *
make_value (BeckonGeminiArguments *self, const Piece *piece)
{
  if (piece->string.text != NULL)
    return json_node_init_string (json_node_alloc (), "");
  if (piece->number.text != NULL)
    return beckon_json_parse (piece->number.text, (gssize) piece->number.length, NULL);
  if (piece->boolean.text != NULL)
    return beckon_json_parse (piece->boolean.text, (gssize) piece->boolean.length, NULL);
  return json_node_new (JSON_NODE_NULL);
}

static gboolean
begin_value (BeckonGeminiArguments *self, const char *place, const Piece *piece)
{
  g_autoptr (GArray) steps = read_place (place);
  const Step *last = steps != NULL ? &g_array_index (steps, Step, steps->len - 1) : NULL;
  JsonNode *parent = steps != NULL ? reach (self, steps) : NULL;
  JsonNode *value;

  if (parent == NULL || get_child (parent, last) != NULL)
    return FALSE;
  value = make_value (self, piece);
  if (value == NULL || !set_child (parent, last, value))
    return FALSE;
  if (piece->string.text != NULL)
    {
      self->node = value;
      self->place = g_strdup (place);
    }
  return TRUE;
}

/* Only a string that is being given in pieces may have been there before. */
static gboolean
set_value (BeckonGeminiArguments *self, const char *place, const Piece *piece)
{
  gboolean continues = piece->string.text != NULL && g_strcmp0 (self->place, place) == 0;

  if (!continues)
    {
      close_string (self);
      if (!begin_value (self, place, piece))
        return FALSE;
    }
  if (piece->string.text != NULL && !add_to_string (self, piece))
    return FALSE;
  if (!piece->continues)
    close_string (self);
  return TRUE;
}

static gboolean
feed_piece (BeckonGeminiArguments *self, const Piece *piece)
{
  g_autoptr (GString) place = g_string_new (NULL);

  self->n_bytes += piece->path.length + piece->string.length;
  if (piece->path.text == NULL || self->n_bytes > MAX_BYTES)
    return FALSE;
  if (!beckon_json_slice_append_to (&piece->path, place) || strlen (place->str) != place->len)
    return FALSE;
  return set_value (self, place->str, piece);
}

gboolean
beckon_gemini_arguments_feed (BeckonGeminiArguments *arguments, const BeckonJsonSlice *pieces)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, pieces->text, pieces->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return FALSE;
  while ((token = beckon_json_reader_next (&reader)) == BECKON_JSON_OBJECT_BEGIN)
    {
      Piece piece = { 0 };

      if (!beckon_json_members_read (&reader, piece_members, &piece) || !feed_piece (arguments, &piece))
        return FALSE;
    }
  return token == BECKON_JSON_ARRAY_END;
}

char *
beckon_gemini_arguments_print (BeckonGeminiArguments *arguments)
{
  close_string (arguments);
  return beckon_json_print (arguments->root);
}
