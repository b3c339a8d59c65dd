/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-search-result.h"

struct _BeckonSearchResult
{
  GObject parent_instance;

  BeckonSearchHit *hit; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonSearchResult, beckon_search_result, G_TYPE_OBJECT)

static void
beckon_search_result_finalize (GObject *object)
{
  BeckonSearchResult *self = BECKON_SEARCH_RESULT (object);

  beckon_search_hit_free (self->hit);
  G_OBJECT_CLASS (beckon_search_result_parent_class)->finalize (object);
}

static void
beckon_search_result_class_init (BeckonSearchResultClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_search_result_finalize;
}

static void
beckon_search_result_init (BeckonSearchResult *self)
{
}

BeckonSearchResult *
beckon_search_result_new (BeckonSearchHit *hit)
{
  BeckonSearchResult *self;

  self = g_object_new (BECKON_TYPE_SEARCH_RESULT, NULL);
  self->hit = hit;
  return self;
}

const BeckonSearchHit *
beckon_search_result_get_hit (BeckonSearchResult *self)
{
  return self->hit;
}
