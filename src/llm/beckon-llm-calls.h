/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-reader.h"
#include "beckon-codec.h"

G_BEGIN_DECLS

/** More calls, or more bytes of arguments, than this in one reply are no reply any more. */
#define BECKON_LLM_MAX_CALLS 1000
#define BECKON_LLM_MAX_ARGUMENTS (8 * 1024 * 1024)

/**
 * BeckonLlmCall:
 * @has_index: @index is one that the protocol gave
 * @index: by which later pieces name the call
 * @id: the provider's id, "" if there is none
 * @item: another name that pieces may have for it, "" if there is none
 * @name: as far as known
 * @arguments: as far as they came
 *
 * A call that is put together from its pieces. Read only outside of its own file.
 */
typedef struct
{
  gboolean has_index;
  gint64 index;
  GString *id;
  GString *item;
  GString *name;
  GString *arguments;
  gboolean damaged; /* something in the arguments was no character */
  gboolean is_part; /* of another one */
  guint n_checks;
} BeckonLlmCall;

typedef struct _BeckonLlmCalls BeckonLlmCalls;

/** The calls of one reply, in the order they began. Events go to @function. */
BeckonLlmCalls *beckon_llm_calls_new (BeckonLlmEventFunc function, gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_llm_calls_begin:
 * @calls: the calls
 * @index: (nullable): by which pieces will name it
 * @id: (nullable): a string, maybe without text
 * @name: (nullable): a string, maybe without text
 *
 * Begins a call and tells so.
 *
 * Returns: (nullable): the call; %NULL when there are more than %BECKON_LLM_MAX_CALLS
 */
BeckonLlmCall *beckon_llm_calls_begin (BeckonLlmCalls *calls, const gint64 *index, const BeckonJsonSlice *id,
                                       const BeckonJsonSlice *name);

/** Sets what is not known yet; either may be %NULL or without text. */
void beckon_llm_call_name (BeckonLlmCall *call, const BeckonJsonSlice *id, const BeckonJsonSlice *name);

/**
 * beckon_llm_calls_append:
 * @calls: the calls
 * @call: one of them
 * @arguments: a string that holds a piece of the arguments' JSON
 *
 * Returns: %FALSE when the arguments of all calls exceed %BECKON_LLM_MAX_ARGUMENTS
 */
gboolean beckon_llm_calls_append (BeckonLlmCalls *calls, BeckonLlmCall *call, const BeckonJsonSlice *arguments);

/** As beckon_llm_calls_append(), for arguments that stand in the payload as they are. */
gboolean beckon_llm_calls_append_raw (BeckonLlmCalls *calls, BeckonLlmCall *call, const BeckonJsonSlice *arguments);

/** Puts @arguments, a string, in the place of what came so far. */
gboolean beckon_llm_calls_replace (BeckonLlmCalls *calls, BeckonLlmCall *call, const BeckonJsonSlice *arguments);

/** The last one that pieces call @name, by its id or its item; %NULL if there is none. */
BeckonLlmCall *beckon_llm_calls_find_by_id (BeckonLlmCalls *calls, const BeckonJsonSlice *name);

/** Sets the other name that pieces may have for it, if it has none yet and @item, which may be without text, is one. */
void beckon_llm_call_set_item (BeckonLlmCall *call, const BeckonJsonSlice *item);

/** The last one that began with @index; %NULL if there is none. */
BeckonLlmCall *beckon_llm_calls_find (BeckonLlmCalls *calls, gint64 index);
BeckonLlmCall *beckon_llm_calls_get (BeckonLlmCalls *calls, guint place);
guint          beckon_llm_calls_get_count (BeckonLlmCalls *calls);

/** %TRUE if what came of the arguments is one whole object; asked too often it becomes %FALSE, to stay cheap. */
gboolean beckon_llm_call_has_whole_object (BeckonLlmCall *call);

/** %TRUE if every call has a name and arguments that are an object; with @empty_is_none, no arguments are one too. */
gboolean beckon_llm_calls_are_whole (BeckonLlmCalls *calls, gboolean empty_is_none);

/**
 * beckon_llm_calls_give:
 * @calls: the calls
 * @empty_is_none: no arguments mean `{}`
 * @broken_off: (nullable): why none of them is to run, for the model
 *
 * Gives an event for every call, in their order.
 */
void beckon_llm_calls_give (BeckonLlmCalls *calls, gboolean empty_is_none, const char *broken_off);

void beckon_llm_calls_free (BeckonLlmCalls *calls);

G_END_DECLS
