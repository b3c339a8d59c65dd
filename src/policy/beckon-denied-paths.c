/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-denied-paths.h"

#include "beckon-argument-pattern.h"

#include "base/beckon-counted.h"

struct _BeckonDeniedPaths
{
  BeckonRuleSet *rules; /* (owned): the patterns are its */
  char *folder;         /* (owned) (nullable) */
  GPtrArray *hidden;    /* (element-type BeckonArgumentPattern): for reading */
  GPtrArray *fixed;     /* (element-type BeckonArgumentPattern): for changing alone */
};

static void
denied_paths_add_pattern (const BeckonArgumentPattern *pattern, gboolean only_changes, gpointer data)
{
  BeckonDeniedPaths *self = data;

  g_ptr_array_add (only_changes ? self->fixed : self->hidden, (gpointer) pattern);
}

BeckonDeniedPaths *
beckon_denied_paths_new (BeckonRuleSet *rules, const char *folder, const char *conversation_id, gint64 now)
{
  g_autoptr (BeckonDeniedPaths) self = NULL;

  if (rules == NULL)
    return NULL;

  self = g_atomic_rc_box_new0 (BeckonDeniedPaths);
  self->rules = beckon_rule_set_ref (rules);
  self->folder = g_strdup (folder);
  self->hidden = g_ptr_array_new ();
  self->fixed = g_ptr_array_new ();
  beckon_rule_set_foreach_denied_path (rules, folder, conversation_id, now, denied_paths_add_pattern, self);
  return self->hidden->len + self->fixed->len > 0 ? g_steal_pointer (&self) : NULL;
}

static void
denied_paths_clear (gpointer data)
{
  BeckonDeniedPaths *self = data;

  g_ptr_array_unref (self->hidden);
  g_ptr_array_unref (self->fixed);
  beckon_rule_set_unref (self->rules);
  g_free (self->folder);
}

BECKON_COUNTED (BeckonDeniedPaths, beckon_denied_paths, denied_paths_clear)

static gboolean
any_covers (const BeckonDeniedPaths *self, const GPtrArray *patterns, const char *path)
{
  for (guint i = 0; i < patterns->len; i++)
    if (beckon_argument_pattern_covers_path (g_ptr_array_index (patterns, i), self->folder, path))
      return TRUE;

  return FALSE;
}

gboolean
beckon_denied_paths_has (const BeckonDeniedPaths *self, const char *path)
{
  g_return_val_if_fail (path != NULL, TRUE);

  return self != NULL && any_covers (self, self->hidden, path);
}

gboolean
beckon_denied_paths_has_for_changes (const BeckonDeniedPaths *self, const char *path)
{
  g_return_val_if_fail (path != NULL, TRUE);

  return self != NULL && (any_covers (self, self->hidden, path) || any_covers (self, self->fixed, path));
}

guint
beckon_denied_paths_get_n_patterns (const BeckonDeniedPaths *self)
{
  return self != NULL ? self->hidden->len + self->fixed->len : 0;
}

const char *
beckon_denied_paths_get_pattern (const BeckonDeniedPaths *self, guint index, gboolean *only_changes)
{
  g_return_val_if_fail (self != NULL && index < beckon_denied_paths_get_n_patterns (self), NULL);
  g_return_val_if_fail (only_changes != NULL, NULL);

  *only_changes = index >= self->hidden->len;
  return beckon_argument_pattern_get_text (g_ptr_array_index (
    *only_changes ? self->fixed : self->hidden, *only_changes ? index - self->hidden->len : index));
}
