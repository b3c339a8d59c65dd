/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-model-pick.h"

#include <string.h>

struct _BeckonListedModel
{
  GObject parent_instance;

  char *name;
  BeckonModelDetails details;
};

G_DEFINE_FINAL_TYPE (BeckonListedModel, beckon_listed_model, G_TYPE_OBJECT)

enum
{
  PROP_NAME = 1,
};

static void
beckon_listed_model_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, BECKON_LISTED_MODEL (object)->name);
}

static void
beckon_listed_model_finalize (GObject *object)
{
  BeckonListedModel *self = BECKON_LISTED_MODEL (object);

  g_free (self->name);
  G_OBJECT_CLASS (beckon_listed_model_parent_class)->finalize (object);
}

static void
beckon_listed_model_class_init (BeckonListedModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_listed_model_get_property;
  object_class->finalize = beckon_listed_model_finalize;
  g_object_class_install_property (object_class, PROP_NAME,
                                   g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
beckon_listed_model_init (BeckonListedModel *self)
{
}

BeckonListedModel *
beckon_listed_model_new (const char *name, const BeckonModelDetails *details)
{
  BeckonListedModel *self = g_object_new (BECKON_TYPE_LISTED_MODEL, NULL);

  self->name = g_strdup (name);
  self->details = *details;
  return self;
}

const char *
beckon_listed_model_get_name (BeckonListedModel *self)
{
  g_return_val_if_fail (BECKON_IS_LISTED_MODEL (self), NULL);

  return self->name;
}

const BeckonModelDetails *
beckon_listed_model_get_details (BeckonListedModel *self)
{
  g_return_val_if_fail (BECKON_IS_LISTED_MODEL (self), NULL);

  return &self->details;
}

BeckonListedModel *
beckon_listed_model_find (GPtrArray *models, const char *name)
{
  for (guint i = 0; i < models->len; i++)
    {
      BeckonListedModel *model = g_ptr_array_index (models, i);

      if (g_strcmp0 (model->name, name) == 0)
        return model;
    }
  return NULL;
}

/* A name ends with what says nothing about the family: when it was made, and how sure its maker is of it. */
#define SUFFIX                                                                                                       \
  "((?:-(?:preview|latest|exp|experimental|beta|20[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]{2}-20[0-9]{2}|[0-9]{3,8}"             \
  "|(?<=preview-|exp-)[0-9]{2}-[0-9]{2}))*)"
#define VERSION "([0-9]+(?:[.-][0-9]{1,2})*)"

#define VERSION_PARTS_MAX 8
#define SECONDS_OF_A_DAY (24 * 60 * 60)

typedef struct
{
  BeckonListedModel *model;
  const BeckonModelDetails *details;
  guint64 version[VERSION_PARTS_MAX];
  gboolean is_preview;
  gboolean is_dated;
} Candidate;

static gboolean
model_pick_has_word (const char *name, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_auto (GStrv) parts = g_strsplit_set (lower, "-_./: @", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_strv_contains (words, parts[i]))
      return TRUE;
  return FALSE;
}

/* Servers list everything that they have beside what holds a conversation. */
static gboolean
is_suitable (BeckonListedModel *model, gint64 now)
{
  static const char *const others[] = {
    "asr", "audio", "bge", "computer", "customtools", "dall", "embed", "embedding", "embeddings", "guard", "image",
    "images", "imagen", "imagine", "live", "livetranslate", "minilm", "moderation", "mt", "ocr", "omni", "realtime",
    "rerank", "reranker", "research", "robotics", "safeguard", "search", "sora", "speech", "transcribe",
    "transcription", "translate", "tts", "veo", "video", "whisper", NULL,
  };
  const BeckonModelDetails *details = beckon_listed_model_get_details (model);

  return details->tools != 0 && (details->retires == 0 || details->retires > now)
         && !model_pick_has_word (beckon_listed_model_get_name (model), others);
}

static gboolean
read_candidate (BeckonListedModel *model, GRegex *regex, Candidate *candidate)
{
  static const char *const unsure[] = { "preview", "exp", "experimental", "beta", "alpha", NULL };
  const char *name = beckon_listed_model_get_name (model);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *suffix = NULL;
  int last = g_regex_get_capture_count (regex);
  guint n = 0;

  if (!g_regex_match (regex, name, 0, &match))
    return FALSE;
  suffix = g_match_info_fetch (match, last);
  *candidate = (Candidate) {
    .model = model,
    .details = beckon_listed_model_get_details (model),
    .is_preview = model_pick_has_word (name, unsure),
    .is_dated = strpbrk (suffix, "0123456789") != NULL,
  };

  for (int i = 1; i < last; i++)
    {
      g_autofree char *text = g_match_info_fetch (match, i);
      g_auto (GStrv) parts = g_strsplit_set (text, ".-", VERSION_PARTS_MAX);

      for (guint j = 0; parts[j] != NULL && n < VERSION_PARTS_MAX; j++)
        candidate->version[n++] = g_ascii_strtoull (parts[j], NULL, 10);
    }

  return TRUE;
}

static int
compare_versions (const Candidate *a, const Candidate *b)
{
  for (guint i = 0; i < VERSION_PARTS_MAX; i++)
    if (a->version[i] != b->version[i])
      return a->version[i] > b->version[i] ? 1 : -1;
  return 0;
}

/* A maker may count 4.20 before 4.3, so a date that the server gives says more than the number. */
static int
compare_ages (const Candidate *a, const Candidate *b)
{
  gint64 apart = a->details->created - b->details->created;
  int versions = compare_versions (a, b);

  if (versions == 0 || a->details->created == 0 || b->details->created == 0 || ABS (apart) < SECONDS_OF_A_DAY)
    return versions;
  return apart > 0 ? 1 : -1;
}

/* Among equal versions, the name that follows its maker's newest is better than a dated one. */
static gboolean
is_better (const Candidate *a, const Candidate *b)
{
  int ages = compare_ages (a, b);

  if (a->is_preview != b->is_preview)
    return b->is_preview;
  if (ages != 0)
    return ages > 0;
  if (a->details->facts.images != b->details->facts.images)
    return a->details->facts.images > b->details->facts.images;
  if (a->is_dated != b->is_dated)
    return b->is_dated;
  if (a->details->created != b->details->created)
    return a->details->created > b->details->created;
  return strcmp (beckon_listed_model_get_name (a->model), beckon_listed_model_get_name (b->model)) < 0;
}

static BeckonListedModel *
pick_by (GPtrArray *suitable, const char *pattern)
{
  g_autoptr (GString) text = g_string_new ("^");
  g_autoptr (GRegex) regex = NULL;
  Candidate best = { 0 };

  for (const char *c = pattern; *c != '\0'; c++)
    {
      g_autofree char *escaped = g_regex_escape_string (c, 1);

      g_string_append (text, *c == '*' ? ".*?" : *c == '#' ? VERSION : escaped);
    }
  g_string_append (text, SUFFIX "$");
  /* A pattern is built in, so a mistake in it is one of ours. */
  regex = g_regex_new (text->str, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
  for (guint i = 0; i < suitable->len; i++)
    {
      Candidate candidate;

      if (read_candidate (g_ptr_array_index (suitable, i), regex, &candidate)
          && (best.model == NULL || is_better (&candidate, &best)))
        best = candidate;
    }
  return best.model;
}

BeckonListedModel *
beckon_model_pick (GPtrArray *models, const char *const *preferred, gint64 now)
{
  g_autoptr (GPtrArray) suitable = g_ptr_array_new ();

  for (guint i = 0; i < models->len; i++)
    if (is_suitable (g_ptr_array_index (models, i), now))
      g_ptr_array_add (suitable, g_ptr_array_index (models, i));
  for (; preferred != NULL && *preferred != NULL; preferred++)
    {
      BeckonListedModel *model = pick_by (suitable, *preferred);

      if (model != NULL)
        return model;
    }
  return suitable->len == 1 ? g_ptr_array_index (suitable, 0) : NULL;
}
