/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-llm-calls.h"

#include "base/beckon-json.h"
#include "beckon-loose-arguments.h"

#include <string.h>

struct _BeckonLlmCalls
{
  BeckonLlmEventFunc function;
  gpointer user_data;
  GPtrArray *calls; /* (element-type BeckonLlmCall) in the order they began */
  gsize n_bytes;
};

/* A call is looked at as a whole when a piece might begin another one. A server that makes us do so for every piece
 * would cost the square of the length. */
#define MAX_CHECKS 64

static void
llm_calls_call_free (BeckonLlmCall *call)
{
  g_string_free (call->id, TRUE);
  g_string_free (call->item, TRUE);
  g_string_free (call->name, TRUE);
  g_string_free (call->arguments, TRUE);
  g_free (call);
}

BeckonLlmCalls *
beckon_llm_calls_new (BeckonLlmEventFunc function, gpointer user_data)
{
  BeckonLlmCalls *self = g_new0 (BeckonLlmCalls, 1);

  self->function = function;
  self->user_data = user_data;
  self->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) llm_calls_call_free);
  return self;
}

void
beckon_llm_calls_free (BeckonLlmCalls *calls)
{
  if (calls == NULL)
    return;
  g_ptr_array_unref (calls->calls);
  g_free (calls);
}

guint
beckon_llm_calls_get_count (BeckonLlmCalls *calls)
{
  return calls->calls->len;
}

BeckonLlmCall *
beckon_llm_calls_get (BeckonLlmCalls *calls, guint place)
{
  return g_ptr_array_index (calls->calls, place);
}

BeckonLlmCall *
beckon_llm_calls_find (BeckonLlmCalls *calls, gint64 index)
{
  for (guint i = calls->calls->len; i > 0; i--)
    {
      BeckonLlmCall *call = g_ptr_array_index (calls->calls, i - 1);

      if (call->has_index && call->index == index)
        return call;
    }
  return NULL;
}

BeckonLlmCall *
beckon_llm_calls_find_by_id (BeckonLlmCalls *calls, const BeckonJsonSlice *name)
{
  if (name->length == 0)
    return NULL;
  for (guint i = calls->calls->len; i > 0; i--)
    {
      BeckonLlmCall *call = g_ptr_array_index (calls->calls, i - 1);

      if (beckon_json_slice_equals (name, call->id->str) || beckon_json_slice_equals (name, call->item->str))
        return call;
    }
  return NULL;
}

/* A NUL would hide what follows it. */
static void
replace_nul (GString *string, gsize start)
{
  for (gsize i = start; i < string->len; i++)
    {
      if (string->str[i] == '\0')
        string->str[i] = '?';
    }
}

static void
append_visible (GString *string, const BeckonJsonSlice *slice)
{
  gsize start = string->len;

  beckon_json_slice_append_to (slice, string);
  replace_nul (string, start);
}

/* A name is whole, whether it comes once or with every piece. */
void
beckon_llm_call_name (BeckonLlmCall *call, const BeckonJsonSlice *id, const BeckonJsonSlice *name)
{
  if (call->id->len == 0 && id != NULL && id->length > 0)
    append_visible (call->id, id);
  if (call->name->len == 0 && name != NULL && name->length > 0)
    append_visible (call->name, name);
}

void
beckon_llm_call_set_item (BeckonLlmCall *call, const BeckonJsonSlice *item)
{
  if (call->item->len == 0 && item->length > 0)
    append_visible (call->item, item);
}

BeckonLlmCall *
beckon_llm_calls_begin (BeckonLlmCalls *calls, const gint64 *index, const BeckonJsonSlice *id,
                        const BeckonJsonSlice *name)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_CALL_STARTED, .index = calls->calls->len };
  BeckonLlmCall *call;

  if (calls->calls->len == BECKON_LLM_MAX_CALLS)
    return NULL;
  call = g_new0 (BeckonLlmCall, 1);
  call->has_index = index != NULL;
  call->index = index != NULL ? *index : 0;
  call->id = g_string_new (NULL);
  call->item = g_string_new (NULL);
  call->name = g_string_new (NULL);
  call->arguments = g_string_new (NULL);
  g_ptr_array_add (calls->calls, call);
  beckon_llm_call_name (call, id, name);
  event.id = call->id->len > 0 ? call->id->str : NULL;
  event.name = call->name->str;
  calls->function (&event, calls->user_data);
  return call;
}

gboolean
beckon_llm_calls_append (BeckonLlmCalls *calls, BeckonLlmCall *call, const BeckonJsonSlice *arguments)
{
  calls->n_bytes += arguments->length;
  if (calls->n_bytes > BECKON_LLM_MAX_ARGUMENTS)
    return FALSE;
  if (arguments->length > 0 && !beckon_json_slice_append_to (arguments, call->arguments))
    call->damaged = TRUE;
  return TRUE;
}

gboolean
beckon_llm_calls_append_raw (BeckonLlmCalls *calls, BeckonLlmCall *call, const BeckonJsonSlice *arguments)
{
  calls->n_bytes += arguments->length;
  if (calls->n_bytes > BECKON_LLM_MAX_ARGUMENTS)
    return FALSE;
  g_string_append_len (call->arguments, arguments->text, (gssize) arguments->length);
  return TRUE;
}

gboolean
beckon_llm_calls_replace (BeckonLlmCalls *calls, BeckonLlmCall *call, const BeckonJsonSlice *arguments)
{
  g_string_truncate (call->arguments, 0);
  call->damaged = FALSE;
  return beckon_llm_calls_append (calls, call, arguments);
}

gboolean
beckon_llm_call_has_whole_object (BeckonLlmCall *call)
{
  const GString *arguments = call->arguments;

  return arguments->len > 0 && arguments->str[arguments->len - 1] == '}' && call->n_checks++ < MAX_CHECKS
         && beckon_json_check (arguments->str, (gssize) arguments->len, NULL);
}

/* Some models write "null" for a tool that takes no arguments. */
static gboolean
is_null (const BeckonLlmCall *call)
{
  g_autofree char *word = g_strstrip (g_strdup (call->arguments->str));

  return g_str_equal (word, "null");
}

/* Describes a call's fault to the model; NULL if it can run. Caller frees. */
static char *
llm_calls_find_fault (const BeckonLlmCall *call, gboolean empty_is_none)
{
  g_autoptr (GError) error = NULL;
  const char *at = call->arguments->str;

  if (call->name->len == 0)
    return g_strdup ("The call has no name.");
  if (call->damaged)
    return g_strdup ("The arguments hold bytes that are not valid UTF-8.");
  if ((call->arguments->len == 0 && empty_is_none) || is_null (call))
    return NULL;
  if (!beckon_json_check (call->arguments->str, (gssize) call->arguments->len, &error))
    return g_strdup_printf ("The arguments are not a JSON object. %s.", error->message);
  at += strspn (at, " \t\r\n");
  return *at == '{' ? NULL : g_strdup ("The arguments are not a JSON object.");
}

gboolean
beckon_llm_calls_are_whole (BeckonLlmCalls *calls, gboolean empty_is_none)
{
  for (guint i = 0; i < calls->calls->len; i++)
    {
      g_autofree char *fault = llm_calls_find_fault (g_ptr_array_index (calls->calls, i), empty_is_none);

      if (fault != NULL)
        return FALSE;
    }
  return TRUE;
}

/* Whether another call of the same id and name has these arguments, or had them while it grew. */
static gboolean
is_part_of_another (BeckonLlmCalls *calls, guint place)
{
  const BeckonLlmCall *call = g_ptr_array_index (calls->calls, place);

  for (guint i = 0; i < calls->calls->len && call->id->len > 0; i++)
    {
      const BeckonLlmCall *other = g_ptr_array_index (calls->calls, i);

      if (i != place && g_string_equal (other->id, call->id) && g_string_equal (other->name, call->name)
          && g_str_has_prefix (other->arguments->str, call->arguments->str)
          && (i < place || other->arguments->len > call->arguments->len))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_id_of_earlier (BeckonLlmCalls *calls, guint place)
{
  const BeckonLlmCall *call = g_ptr_array_index (calls->calls, place);

  for (guint i = 0; i < place && call->id->len > 0; i++)
    {
      const BeckonLlmCall *other = g_ptr_array_index (calls->calls, i);

      if (!other->is_part && g_string_equal (other->id, call->id))
        return TRUE;
    }
  return FALSE;
}

static void
give_call (BeckonLlmCalls *calls, guint place, gboolean empty_is_none, const char *broken_off)
{
  BeckonLlmCall *call = g_ptr_array_index (calls->calls, place);
  g_autofree char *found = broken_off != NULL ? g_strdup (broken_off) : llm_calls_find_fault (call, empty_is_none);
  gboolean is_loose = found != NULL && broken_off == NULL && call->name->len > 0 && !call->damaged;
  g_autofree char *read = is_loose ? beckon_loose_arguments_read (call->arguments->str) : NULL;
  const char *fault = read == NULL ? found : NULL;
  gboolean is_empty = call->arguments->len == 0 || is_null (call);
  BeckonLlmEvent event = {
    .type = fault == NULL ? BECKON_LLM_EVENT_CALL : BECKON_LLM_EVENT_BAD_CALL,
    .text = fault,
    .length = fault != NULL ? strlen (fault) : 0,
    .index = place,
    .id = call->id->len > 0 ? call->id->str : NULL,
    .name = call->name->str,
    .arguments = is_empty && fault == NULL ? "{}" : read != NULL ? read : call->arguments->str,
  };

  replace_nul (call->arguments, 0);
  calls->function (&event, calls->user_data);
}

/* A result is told to the model by the call's id, so that no two calls may have one. A call that comes twice, as a whole or in
 * part, runs once; another call under the same id keeps none, and one is made for it. */
void
beckon_llm_calls_give (BeckonLlmCalls *calls, gboolean empty_is_none, const char *broken_off)
{
  for (guint i = 0; i < calls->calls->len; i++)
    {
      BeckonLlmCall *call = g_ptr_array_index (calls->calls, i);

      call->is_part = is_part_of_another (calls, i);
      if (call->is_part)
        continue;
      if (has_id_of_earlier (calls, i))
        g_string_truncate (call->id, 0);
      give_call (calls, i, empty_is_none, broken_off);
    }
}
