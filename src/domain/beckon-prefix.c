/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prefix.h"

BeckonPrefix *
beckon_prefix_new (const char *profile_id)
{
  BeckonPrefix *prefix;

  g_return_val_if_fail (profile_id != NULL, NULL);

  prefix = g_new0 (BeckonPrefix, 1);
  prefix->profile_id = g_strdup (profile_id);
  prefix->cut_through = -1;
  prefix->bare_through = -1;
  prefix->summarized = -1;
  return prefix;
}

void
beckon_prefix_free (BeckonPrefix *prefix)
{
  if (prefix == NULL)
    return;
  g_free (prefix->profile_id);
  g_free (prefix->reason);
  g_free (prefix->system);
  g_free (prefix->tools);
  g_free (prefix->facts);
  g_free (prefix);
}

BeckonTold *
beckon_told_new (const char *message_id, const char *facts, const char *text)
{
  BeckonTold *told;

  g_return_val_if_fail (message_id != NULL && facts != NULL && text != NULL, NULL);

  told = g_new0 (BeckonTold, 1);
  told->message_id = g_strdup (message_id);
  told->facts = g_strdup (facts);
  told->text = g_strdup (text);
  return told;
}

void
beckon_told_free (BeckonTold *told)
{
  if (told == NULL)
    return;
  g_free (told->message_id);
  g_free (told->facts);
  g_free (told->text);
  g_free (told);
}

BeckonPrefixes *
beckon_prefixes_new (void)
{
  BeckonPrefixes *prefixes = g_new0 (BeckonPrefixes, 1);

  prefixes->by_profile = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_prefix_free);
  prefixes->told = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) beckon_told_free);
  return prefixes;
}

void
beckon_prefixes_free (BeckonPrefixes *prefixes)
{
  if (prefixes == NULL)
    return;
  g_hash_table_unref (prefixes->by_profile);
  g_hash_table_unref (prefixes->told);
  g_free (prefixes);
}

void
beckon_prefixes_take_prefix (BeckonPrefixes *prefixes, BeckonPrefix *prefix)
{
  g_return_if_fail (prefixes != NULL && prefix != NULL);

  g_hash_table_replace (prefixes->by_profile, prefix->profile_id, prefix);
}

void
beckon_prefixes_take_told (BeckonPrefixes *prefixes, BeckonTold *told)
{
  g_return_if_fail (prefixes != NULL && told != NULL);

  g_hash_table_replace (prefixes->told, told->message_id, told);
}
