/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text-markup.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json-writer.h"
#include "beckon-loose-arguments.h"
#include "domain/beckon-tool-names.h"

#include <string.h>

/* A call that is longer than this is shown as the text that it is. */
#define MOST_HELD (256 * 1024)

/* Marks within lines that a reply may have without a call before they are only text. */
#define MOST_WITHIN 16

#define THINK "<think>"
#define THINK_END "</think>"
#define FENCE "```"
#define BLANKS " \t\r\n"
#define ACTION "Action:"

static const char unreadable[] = "It is not whole, or its arguments can't be read.";

typedef enum
{
  MARKUP_NO,
  MARKUP_MAYBE, /* more text will tell */
  MARKUP_JSON,  /* text that is asked for may look so, too */
  MARKUP_MARKED,
} MarkupKind;

struct _BeckonTextMarkup
{
  GPtrArray *tools; /* (owned) */
  BeckonLlmEventFunc function;
  gpointer user_data;
  GString *held;
  MarkupKind kind;      /* of what is held, if that may be a call */
  gboolean is_thinking;
  gboolean has_thought;
  gboolean is_begun;    /* text was given */
  gboolean in_line;     /* what is held goes on with a line */
  gboolean in_fence;
  gboolean is_within;   /* what is held began behind text of its line */
  guint n_within;       /* such that were no calls */
  char before;          /* what stands before what is held */
  gboolean is_off;
};

BeckonTextMarkup *
beckon_text_markup_new (GPtrArray *tools, BeckonLlmEventFunc function, gpointer user_data)
{
  BeckonTextMarkup *self = g_new0 (BeckonTextMarkup, 1);

  self->tools = g_ptr_array_ref (tools);
  self->function = function;
  self->user_data = user_data;
  self->held = g_string_new (NULL);
  return self;
}

void
beckon_text_markup_free (BeckonTextMarkup *self)
{
  g_ptr_array_unref (self->tools);
  g_string_free (self->held, TRUE);
  g_free (self);
}

static void
markup_give (BeckonTextMarkup *self, BeckonLlmEventType type, gsize length)
{
  g_autofree char *text = g_memdup2 (self->held->str, length);
  const BeckonLlmEvent event = { .type = type, .text = text, .length = length };

  if (length == 0)
    return;
  self->before = text[length - 1];
  g_string_erase (self->held, 0, (gssize) length);
  self->function (&event, self->user_data);
}

/* --- What begins a call -------------------------------------------------------------------------------------------- */

/* The marks of templates: Hermes, Qwen and GLM; Llama; Mistral; DeepSeek; Anthropic's older one; Kimi; OpenAI's open models.
 * Those that begin a call come first; the others stand within it and say nothing more. */
#define N_OPENERS 11

static const char *const marks[] = {
  "<tool_call>", "<function=", "<|python_tag|>", "[TOOL_CALLS]", "<｜tool▁calls▁begin｜>", "<function_calls>",
  "<|tool_calls_section_begin|>", "<|tool_call_begin|>", "<|channel|>commentary to=",
  "<|start|>assistant<|channel|>commentary to=", "<|start|>assistant to=",
  "</tool_call>", "</function>", "<|eom_id|>", "<|eot_id|>", "[ARGS]", "<｜tool▁calls▁end｜>", "</function_calls>", "</invoke>",
  "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "function<｜tool▁sep｜>", "<｜tool▁sep｜>", "```json", FENCE, "[", "]", ",", ";",
  "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>", "<|constrain|>json", "<|message|>",
  "<|channel|>commentary", "json<|message|>", "<|call|>", ACTION, "Action Input:",
};

static MarkupKind
markup_compare (const char *text, const char *const *words, guint n_words, MarkupKind kind)
{
  MarkupKind found = MARKUP_NO;

  for (guint i = 0; i < n_words; i++)
    if (g_str_has_prefix (text, words[i]))
      return kind;
    else if (g_str_has_prefix (words[i], text))
      found = MARKUP_MAYBE;
  return found;
}

/* The first member tells JSON of a call from most other; what a prompt of older agents asks for may be a heading, too. */
static MarkupKind
markup_look_at_json (const char *text)
{
  static const char *const actions[] = { ACTION };
  static const char *const members[] = { "\"name\"", "\"arguments\"", "\"parameters\"", "\"type\"", "\"function\"", "\"id\"" };
  static const char *const fences[] = { FENCE "json\n", FENCE "\n" };
  MarkupKind fence = markup_compare (text, fences, G_N_ELEMENTS (fences), MARKUP_JSON);
  MarkupKind action = markup_compare (text, actions, G_N_ELEMENTS (actions), MARKUP_JSON);

  if (fence == MARKUP_MAYBE || action != MARKUP_NO)
    return MAX (fence, action);
  text += fence == MARKUP_JSON ? strcspn (text, "\n") : 0;
  text += strspn (text, BLANKS "[");
  if (*text != '{')
    return *text == '\0' ? MARKUP_MAYBE : MARKUP_NO;
  text += 1 + strspn (text + 1, BLANKS);
  return markup_compare (text, members, G_N_ELEMENTS (members), MARKUP_JSON);
}

static MarkupKind
markup_look_at_line (const BeckonTextMarkup *self, const char *text)
{
  MarkupKind kind;

  if (self->in_fence || self->in_line || self->tools->len == 0)
    return MARKUP_NO;
  kind = markup_compare (text, marks, N_OPENERS, MARKUP_MARKED);
  return kind == MARKUP_NO ? markup_look_at_json (text) : kind;
}

/* (nullable): where a call may begin behind the text of a line of @length; not what is quoted as code. */
static const char *
markup_find_within (const BeckonTextMarkup *self, gsize length, MarkupKind *kind)
{
  const char *from = self->held->str;

  if (self->in_fence || self->tools->len == 0 || self->n_within >= MOST_WITHIN)
    return NULL;
  for (const char *at = from; at < from + length; at++)
    {
      if (strchr ("<[", *at) == NULL || (at > from ? at[-1] : self->before) == '`')
        continue;
      *kind = markup_compare (at, marks, N_OPENERS, MARKUP_MARKED);
      if (*kind != MARKUP_NO)
        return at;
    }
  return NULL;
}

/* --- What a call says ---------------------------------------------------------------------------------------------- */

static gboolean
markup_has_tool (const BeckonTextMarkup *self, const char *name)
{
  return beckon_tool_names_find_meant (self->tools, name) != NULL;
}

static const char *
markup_skip_marks (const char *at)
{
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      at += strspn (at, BLANKS);
      /* This mark holds the name of the tool. */
      if (!g_str_equal (marks[i], "<function=") && g_str_has_prefix (at, marks[i]))
        {
          at += strlen (marks[i]);
          i = (gsize) -1;
        }
    }
  return at + strspn (at, BLANKS);
}

/* (nullable): the object that @at begins with, as strict JSON; @at moves behind it. */
static char *
markup_take_object (const char **at)
{
  gboolean in_string = FALSE;
  guint depth = 0;

  for (const char *end = *at; *end != '\0'; end++)
    {
      if (in_string && *end == '\\' && end[1] != '\0')
        end++;
      else if (*end == '"')
        in_string = !in_string;
      else if (!in_string && strchr ("{[", *end) != NULL)
        depth++;
      else if (!in_string && strchr ("}]", *end) != NULL && --depth == 0)
        {
          g_autofree char *object = g_strndup (*at, (gsize) (end + 1 - *at));

          *at = end + 1;
          return beckon_loose_arguments_read (object);
        }
    }
  return NULL;
}

/* (nullable): what stands between @begin, which @at has to begin with, and @end; @at moves behind that. */
static char *
markup_take_between (const char **at, const char *begin, const char *end)
{
  const char *from = *at + strlen (begin);
  const char *to = g_str_has_prefix (*at, begin) ? strstr (from, end) : NULL;

  if (to == NULL)
    return NULL;
  *at = to + strlen (end);
  return g_strndup (from, (gsize) (to - from));
}

/* (nullable): arguments that are marked one by one, as an object; %NULL if one of them does not end. A value is text; what
 * type it has is the schema's to say. */
static char *
markup_take_members (const char **at)
{
  static const char *const forms[][4] = {
    { "<parameter=", ">", "", "</parameter>" },
    { "<parameter name=\"", "\">", "", "</parameter>" },
    { "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>" },
  };
  g_autoptr (GString) object = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, object);
  beckon_json_writer_begin_object (&writer);
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *name = markup_take_between (at, forms[i][0], forms[i][1]);
      g_autofree char *value = NULL;
      gboolean has_lines;

      if (name == NULL)
        continue;
      *at += *forms[i][2] != '\0' ? strspn (*at, BLANKS) : 0;
      value = markup_take_between (at, forms[i][2], forms[i][3]);
      if (value == NULL)
        return NULL;
      /* The template puts a value on lines of its own. */
      has_lines = strlen (value) > 1 && g_str_has_prefix (value, "\n") && g_str_has_suffix (value, "\n");
      if (has_lines)
        value[strlen (value) - 1] = '\0';
      beckon_json_writer_member_string (&writer, g_strstrip (name), value + has_lines);
      *at += strspn (*at, BLANKS);
      i = (gsize) -1;
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&object), FALSE);
}

/* JSON that a person asked for may have a name and arguments, too: a tool's definition, or one record of many. */
static gboolean
markup_is_only_call (const BeckonJsonValue *call)
{
  static const char *const members[] = { "name", "arguments", "parameters", "type", "function", "id", NULL };

  for (guint i = 0; i < beckon_json_value_get_n_children (call); i++)
    if (!g_strv_contains (members, beckon_json_value_get_child (call, i)->name->str))
      return FALSE;
  return beckon_json_value_get (beckon_json_value_get (call, "parameters"), "properties") == NULL;
}

/* (nullable): the arguments of a call that is an object of its own; its name goes to @name. */
static char *
markup_read_object (const BeckonTextMarkup *self, const char *object, char **name)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (object, -1, NULL);
  const BeckonJsonValue *function = beckon_json_value_get (value, "function");
  const BeckonJsonValue *call = function != NULL && function->kind == BECKON_JSON_VALUE_OBJECT ? function : value;
  const BeckonJsonValue *arguments = beckon_json_value_get (call, "arguments");

  if (arguments == NULL)
    arguments = beckon_json_value_get (call, "parameters");
  *name = g_strdup (beckon_json_value_get_string (beckon_json_value_get (call, "name")));
  if (self->kind == MARKUP_JSON && *name != NULL
      && (arguments == NULL || !(markup_has_tool (self, *name) || (markup_is_only_call (value) && markup_is_only_call (call)))))
    g_clear_pointer (name, g_free);
  if (*name == NULL || arguments == NULL)
    return NULL;
  return arguments->kind == BECKON_JSON_VALUE_STRING ? beckon_loose_arguments_read (arguments->text->str)
         : arguments->kind == BECKON_JSON_VALUE_OBJECT ? beckon_json_value_print (arguments) : NULL;
}

/* (nullable): the arguments of the call that @at begins with; @at moves behind it, as far as it can be read. JSON that is no
 * call has no name. */
static char *
markup_take_call (const BeckonTextMarkup *self, const char **at, char **name)
{
  g_autofree char *object = NULL;
  const char *from;
  char *number;

  *name = NULL;
  if (**at == '{')
    {
      object = markup_take_object (at);
      if (object != NULL)
        return markup_read_object (self, object, name);
      from = strstr (*at, "\"name\"");
      from = from != NULL ? from + strlen ("\"name\"") + strspn (from + strlen ("\"name\""), BLANKS ":") : "";
      *name = markup_take_between (&from, "\"", "\"");
      return NULL;
    }
  *name = markup_take_between (at, "<function=", ">");
  if (*name == NULL)
    *name = markup_take_between (at, "<invoke name=\"", "\">");
  for (from = *at; *name == NULL && **at != '\0' && (g_ascii_isalnum (**at) || strchr ("_.:-", **at) != NULL);)
    (*at)++;
  if (*name == NULL)
    *name = g_strndup (from, (gsize) (*at - from));
  /* The number of the call. */
  number = strrchr (*name, ':');
  if (number != NULL && number[1] != '\0' && number[1 + strspn (number + 1, "0123456789")] == '\0')
    *number = '\0';
  *at += strspn (*at, BLANKS);
  from = markup_skip_marks (*at);
  if (*from == '{')
    *at = from;
  if (**at == '{')
    return markup_take_object (at);
  return markup_has_tool (self, *name) ? markup_take_members (at) : NULL;
}

static void
markup_give_call (BeckonTextMarkup *self, guint index, const char *name, const char *arguments, const char *fault)
{
  BeckonLlmEvent event = { .type = BECKON_LLM_EVENT_CALL_STARTED, .index = index, .name = name };

  self->function (&event, self->user_data);
  event.type = fault != NULL ? BECKON_LLM_EVENT_BAD_CALL : BECKON_LLM_EVENT_CALL;
  event.arguments = arguments;
  event.text = fault;
  event.length = fault != NULL ? strlen (fault) : 0;
  self->function (&event, self->user_data);
}

/* Text behind marks is of a reply that tells of calls, unless it began with one. JSON without marks is refused as a call of no
 * tool, or as one of a tool that can't be read.
 * @name: (nullable): of the call that is wrong
 * @rest: (nullable): what stands behind it, if it can be read */
static void
markup_refuse (BeckonTextMarkup *self, const char *name, const char *rest)
{
  g_autofree char *text = g_strstrip (g_strdup (self->held->str));
  gboolean is_unknown = name != NULL && *name != '\0' && !markup_has_tool (self, name);
  g_autofree char *why = is_unknown ? beckon_tool_names_refuse (self->tools, name) : g_strdup (unreadable);
  const char *else_do = self->kind == MARKUP_JSON ? " If it isn't meant as a call, add a sentence after it." : "";
  g_autofree char *fault = g_strdup_printf ("This text looks like a tool call and is not a valid one, so nothing was run. %s "
                                            "Call tools through the tool interface.%s", why, else_do);
  g_autoptr (GString) arguments = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (strchr (self->kind == MARKUP_JSON ? "}]`" : ">}]", text[strlen (text) - 1]) == NULL)
    return;
  if (self->kind == MARKUP_JSON && (rest != NULL ? *rest != '\0' || !is_unknown : is_unknown || name == NULL || *name == '\0'))
    return;
  beckon_json_writer_init (&writer, arguments);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "text", text);
  beckon_json_writer_end_object (&writer);
  g_string_truncate (self->held, 0);
  markup_give_call (self, 0, "tool_call", arguments->str, fault);
}

/* Text may stand on both sides of calls whose marks are closed, but on one of their lines only: a sentence that goes on behind
 * them quotes them, as one about a file does. */
static gboolean
markup_may_go_on (const BeckonTextMarkup *self, const char *call_end, const char *rest)
{
  const char *last = rest - 1;

  if (*rest == '\0' && !self->is_within)
    return TRUE;
  if (self->kind != MARKUP_MARKED || (*rest != '\0' && strchr ("<[{", *rest) != NULL))
    return FALSE;
  while (last > call_end && strchr (BLANKS, *last) != NULL)
    last--;
  return !self->is_begun
         || (last >= call_end && strchr (">]", *last) != NULL
             && (*rest == '\0' || memchr (last, '\n', (gsize) (rest - last)) != NULL));
}

/* The reply is complete, and nothing of it was a call. All of what is held has to be calls, but for text behind those that the
 * reply begins with or that are closed.
 *
 * Returns: %FALSE if none of it is taken */
static gboolean
markup_take_calls (BeckonTextMarkup *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_free);
  const char *at = markup_skip_marks (self->held->str);
  const char *rest = at;
  const char *call_end = at;
  const char *behind = NULL;

  for (; *at != '\0'; at = markup_skip_marks (at))
    {
      char *name = NULL;
      char *arguments = markup_take_call (self, &at, &name);
      const char *next = at + strspn (at, BLANKS);

      behind = arguments != NULL ? markup_skip_marks (at) : NULL;
      g_ptr_array_add (names, name);
      if (arguments == NULL || !markup_has_tool (self, name) || (*next != '\0' && strchr ("<[]{,;`", *next) == NULL))
        {
          g_free (arguments);
          break;
        }
      g_ptr_array_add (calls, arguments);
      call_end = at;
      rest = markup_skip_marks (at);
    }
  if (calls->len == 0 || !markup_may_go_on (self, call_end, rest))
    {
      if (self->is_within)
        return FALSE;
      markup_refuse (self, names->len > calls->len ? g_ptr_array_index (names, calls->len) : NULL, behind);
      return TRUE;
    }
  g_string_erase (self->held, 0, rest - self->held->str);
  beckon_text_markup_release (self);
  for (guint i = 0; i < calls->len; i++)
    markup_give_call (self, i, g_ptr_array_index (names, i), g_ptr_array_index (calls, i), NULL);
  return TRUE;
}

/* --- Events -------------------------------------------------------------------------------------------------------- */

/* Gives the reasoning that came, but for what may be the beginning of its end. */
static void
markup_think (BeckonTextMarkup *self)
{
  const char *end = strstr (self->held->str, THINK_END);
  gsize length = end != NULL ? (gsize) (end - self->held->str) : self->held->len;

  for (gsize kept = MIN (strlen (THINK_END) - 1, length); end == NULL && kept > 0; kept--)
    if (strncmp (self->held->str + self->held->len - kept, THINK_END, kept) == 0)
      {
        length -= kept;
        break;
      }
  markup_give (self, BECKON_LLM_EVENT_REASONING, length);
  if (end == NULL)
    return;
  g_string_erase (self->held, 0, strlen (THINK_END));
  self->is_thinking = FALSE;
  self->has_thought = TRUE;
}

/* Gives the text up to where something may begin that is more than text. */
static void
markup_look (BeckonTextMarkup *self)
{
  static const char *const think[] = { THINK };

  if (self->is_thinking)
    markup_think (self);
  while (self->held->len > 0 && !self->is_thinking && self->kind < MARKUP_JSON)
    {
      gsize n_blanks = strspn (self->held->str, BLANKS);
      const char *at = self->held->str + n_blanks;
      gboolean is_blank = *at == '\0';
      MarkupKind thinks = self->is_begun ? MARKUP_NO : markup_compare (at, think, 1, MARKUP_MARKED);
      MarkupKind kind = MARKUP_NO;
      const char *within;
      gsize length;

      if (thinks == MARKUP_MARKED)
        {
          g_string_erase (self->held, 0, (gssize) (n_blanks + strlen (THINK)));
          self->is_thinking = TRUE;
          markup_think (self);
          continue;
        }
      self->kind = thinks == MARKUP_MAYBE ? thinks : markup_look_at_line (self, at);
      if (self->kind != MARKUP_NO)
        return;
      if (self->has_thought && !self->is_begun)
        g_string_erase (self->held, 0, (gssize) n_blanks);
      length = strcspn (self->held->str, "\n");
      if (!self->in_line && g_str_has_prefix (self->held->str + strspn (self->held->str, " "), FENCE))
        self->in_fence = !self->in_fence;
      within = markup_find_within (self, length, &kind);
      if (within != NULL)
        {
          self->is_begun = self->in_line = self->is_within = TRUE;
          self->kind = kind;
          markup_give (self, BECKON_LLM_EVENT_TEXT, (gsize) (within - self->held->str));
          return;
        }
      self->is_within = FALSE;
      self->in_line = self->held->str[length] == '\0';
      self->is_begun = self->is_begun || !is_blank;
      markup_give (self, BECKON_LLM_EVENT_TEXT, length + !self->in_line);
    }
}

/* A mark within a line that begins no call is text, and a call may still come behind it. */
static void
markup_end (BeckonTextMarkup *self)
{
  while (self->kind >= MARKUP_JSON && !markup_take_calls (self))
    {
      self->n_within++;
      self->kind = MARKUP_NO;
      markup_give (self, BECKON_LLM_EVENT_TEXT, 1);
      markup_look (self);
    }
}

void
beckon_text_markup_release (BeckonTextMarkup *self)
{
  self->kind = MARKUP_NO;
  /* Blanks behind thoughts are no reply. */
  if (self->has_thought && !self->is_begun && self->held->str[strspn (self->held->str, BLANKS)] == '\0')
    g_string_truncate (self->held, 0);
  markup_give (self, self->is_thinking ? BECKON_LLM_EVENT_REASONING : BECKON_LLM_EVENT_TEXT, self->held->len);
}

void
beckon_text_markup_feed (BeckonTextMarkup *self, const BeckonLlmEvent *event)
{
  if (event->type == BECKON_LLM_EVENT_TEXT && !self->is_off)
    {
      g_string_append_len (self->held, event->text, (gssize) event->length);
      self->is_off = memchr (event->text, '\0', event->length) != NULL || self->held->len > MOST_HELD;
      if (self->is_off)
        beckon_text_markup_release (self);
      else
        markup_look (self);
      return;
    }
  if (event->type == BECKON_LLM_EVENT_CALL_STARTED || event->type == BECKON_LLM_EVENT_CALL
      || event->type == BECKON_LLM_EVENT_BAD_CALL)
    self->is_off = TRUE;
  if (event->type == BECKON_LLM_EVENT_END && event->end == BECKON_LLM_END_COMPLETE && self->kind >= MARKUP_JSON
      && !self->is_off)
    markup_end (self);
  if (event->type != BECKON_LLM_EVENT_USAGE)
    beckon_text_markup_release (self);
  self->function (event, self->user_data);
}
