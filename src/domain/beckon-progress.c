/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-progress.h"

#include "base/beckon-error.h"
#include "base/beckon-json-value.h"

#define MAX_STEPS 100
#define MAX_TITLE 300

static const struct
{
  const char *word;
  BeckonStepStatus status;
} words[] = {
  { "pending", BECKON_STEP_PENDING },       { "todo", BECKON_STEP_PENDING },
  { "executing", BECKON_STEP_EXECUTING },   { "in_progress", BECKON_STEP_EXECUTING },
  { "in-progress", BECKON_STEP_EXECUTING }, { "running", BECKON_STEP_EXECUTING },
  { "completed", BECKON_STEP_COMPLETED },   { "done", BECKON_STEP_COMPLETED },
  { "failed", BECKON_STEP_FAILED },         { "skipped", BECKON_STEP_SKIPPED },
  { "cancelled", BECKON_STEP_SKIPPED },
};

static void
step_free (gpointer data)
{
  BeckonProgressStep *step = data;

  g_free (step->title);
  g_free (step);
}

static BeckonStepStatus
read_status (const char *word)
{
  for (guint i = 0; word != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (word, words[i].word) == 0)
      return words[i].status;
  return BECKON_STEP_PENDING;
}

GPtrArray *
beckon_progress_parse (const char *arguments, GError **error)
{
  g_autoptr (BeckonJsonValue) value = NULL;
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (step_free);
  const BeckonJsonValue *list;

  g_return_val_if_fail (arguments != NULL, NULL);

  value = beckon_json_value_parse (arguments, -1, error);
  if (value == NULL)
    return NULL;
  list = beckon_json_value_get (value, "steps");
  for (guint i = 0; i < MIN (beckon_json_value_get_n_children (list), MAX_STEPS); i++)
    {
      const BeckonJsonValue *child = beckon_json_value_get_child (list, i);
      const char *title = beckon_json_value_get_string (beckon_json_value_get (child, "title"));
      BeckonProgressStep *step;

      if (title == NULL)
        title = beckon_json_value_get_string (child);
      if (title == NULL || *title == '\0')
        continue;
      step = g_new0 (BeckonProgressStep, 1);
      step->title = g_utf8_strlen (title, -1) > MAX_TITLE ? g_utf8_substring (title, 0, MAX_TITLE) : g_strdup (title);
      step->status = read_status (beckon_json_value_get_string (beckon_json_value_get (child, "status")));
      g_ptr_array_add (steps, step);
    }
  if (steps->len > 0)
    return g_steal_pointer (&steps);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "steps: at least one {title, status} is needed.");
  return NULL;
}

guint
beckon_progress_count_done (GPtrArray *steps)
{
  guint n = 0;

  g_return_val_if_fail (steps != NULL, 0);

  for (guint i = 0; i < steps->len; i++)
    {
      const BeckonProgressStep *step = g_ptr_array_index (steps, i);

      n += step->status == BECKON_STEP_COMPLETED || step->status == BECKON_STEP_SKIPPED;
    }
  return n;
}
