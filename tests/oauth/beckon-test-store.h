/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "oauth/beckon-oauth.h"

G_BEGIN_DECLS

#define TEST_TYPE_STORE (test_store_get_type ())
G_DECLARE_FINAL_TYPE (TestStore, test_store, TEST, STORE, GObject)

/** A keyring that is there, or is not, or is locked. @text: (owned) (nullable): what is in it */
struct _TestStore
{
  GObject parent_instance;

  char *text;
  gboolean is_broken;
  gboolean is_locked; /* nobody unlocks it */
  guint n_loads;
  guint n_looks; /* that ask nobody */
};

G_END_DECLS
