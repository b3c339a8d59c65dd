/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFolderExtraKind:
 * @BECKON_FOLDER_EXTRA_INSTRUCTIONS: text for the system prompt, such as AGENTS.md
 * @BECKON_FOLDER_EXTRA_SKILL: a skill, which the model reads when it needs it
 * @BECKON_FOLDER_EXTRA_COMMAND: a command that the person can type
 * @BECKON_FOLDER_EXTRA_SERVER: a server of tools (MCP); its description is its command line or address
 */
typedef enum
{
  BECKON_FOLDER_EXTRA_INSTRUCTIONS,
  BECKON_FOLDER_EXTRA_SKILL,
  BECKON_FOLDER_EXTRA_COMMAND,
  BECKON_FOLDER_EXTRA_SERVER,
} BeckonFolderExtraKind;

#define BECKON_FOLDER_EXTRA_N_KINDS (BECKON_FOLDER_EXTRA_SERVER + 1)

/**
 * BeckonFolderExtra:
 * @kind: its kind
 * @path: the file, for people and models: relative to the root of the repository; valid UTF-8
 * @name: (nullable): of a skill, a command or a server
 * @description: (nullable): likewise
 * @text: what it says; "" where @fault is set
 * @size: the bytes of the file
 * @is_cut: @text is the beginning of the file
 * @fault: (nullable): why it does not count, in English
 *
 * A file that a folder brings for the agent. Everything in it is untrusted.
 */
typedef struct
{
  BeckonFolderExtraKind kind;
  char *path;
  char *name;
  char *description;
  char *text;
  guint64 size;
  gboolean is_cut;
  char *fault;
} BeckonFolderExtra;

/** Everything is copied. @path, @name and @description are made valid. Caller owns. */
BeckonFolderExtra *beckon_folder_extra_new (BeckonFolderExtraKind kind, const char *path, const char *name,
                                            const char *description, const char *text,
                                            guint64 size) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_folder_extra_free (BeckonFolderExtra *extra);

/**
 * BeckonFolderExtras:
 *
 * What a folder brings for the agent, as it was read once: instructions from the root of its repository to the folder, then
 * skills, commands and servers. Counted; filled by its maker and not changed from then on, so that any thread may read it.
 */
typedef struct _BeckonFolderExtras BeckonFolderExtras;

/** @root: the absolute path of the folder to which paths are relative. */
BeckonFolderExtras *beckon_folder_extras_new (const char *root) G_GNUC_WARN_UNUSED_RESULT;
BeckonFolderExtras *beckon_folder_extras_ref (BeckonFolderExtras *extras);
void                beckon_folder_extras_unref (BeckonFolderExtras *extras);

/** @extra: (transfer full) */
void beckon_folder_extras_take (BeckonFolderExtras *extras, BeckonFolderExtra *extra);

const char              *beckon_folder_extras_get_root (const BeckonFolderExtras *extras);
guint                    beckon_folder_extras_get_n (const BeckonFolderExtras *extras);
const BeckonFolderExtra *beckon_folder_extras_get (const BeckonFolderExtras *extras, guint index);

/** (nullable): by kind and name, of those without a fault; borrowed. */
const BeckonFolderExtra *beckon_folder_extras_find (const BeckonFolderExtras *extras, BeckonFolderExtraKind kind,
                                                    const char *name);

/** Canonical JSON: the same for the same contents. Caller frees. */
char *beckon_folder_extras_to_json (const BeckonFolderExtras *extras) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): what beckon_folder_extras_to_json() wrote; %NULL with an error. */
BeckonFolderExtras *beckon_folder_extras_from_json (const char *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The SHA-256 of all that is in it. Caller frees. */
char *beckon_folder_extras_dup_hash (const BeckonFolderExtras *extras) G_GNUC_WARN_UNUSED_RESULT;

/** The instructions as the system prompt has them, each under its path; "" without any. Caller frees. */
char *beckon_folder_extras_dup_instructions (const BeckonFolderExtras *extras) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_folder_extras_dup_difference:
 * @before: (nullable): what it was
 * @extra: what it is
 *
 * Returns: (transfer full) (nullable): the lines of @extra that changed, as diff -u writes them; %NULL if it is new, and ""
 *   if nothing of it changed
 */
char *beckon_folder_extras_dup_difference (const BeckonFolderExtras *before,
                                           const BeckonFolderExtra *extra) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonFolderTrust:
 * @folder: the working folder, absolute
 * @hash: of what it brought
 * @extras: the same, as JSON
 * @is_trusted: what the person said
 * @at: when, in microseconds since the epoch
 *
 * A person's word on what a folder brings.
 */
typedef struct
{
  char *folder;
  char *hash;
  char *extras;
  gboolean is_trusted;
  gint64 at;
} BeckonFolderTrust;

/** Everything is copied. Caller owns. */
BeckonFolderTrust *beckon_folder_trust_new (const char *folder, const char *hash, const char *extras, gboolean is_trusted,
                                            gint64 at) G_GNUC_WARN_UNUSED_RESULT;
BeckonFolderTrust *beckon_folder_trust_copy (const BeckonFolderTrust *trust) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_folder_trust_free (BeckonFolderTrust *trust);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFolderExtra, beckon_folder_extra_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFolderExtras, beckon_folder_extras_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFolderTrust, beckon_folder_trust_free)

G_END_DECLS
