/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonProfileKind:
 * @BECKON_PROFILE_CHAT: an OpenAI-compatible chat completions server
 * @BECKON_PROFILE_TOUR: the built-in offline tour
 * @BECKON_PROFILE_RESPONSES: OpenAI's Responses
 * @BECKON_PROFILE_ANTHROPIC: Anthropic's Messages
 * @BECKON_PROFILE_GEMINI: Google's Gemini
 * @BECKON_PROFILE_OLLAMA: Ollama's own protocol
 *
 * What is spoken to the model's server.
 */
typedef enum
{
  BECKON_PROFILE_CHAT,
  BECKON_PROFILE_TOUR,
  BECKON_PROFILE_RESPONSES,
  BECKON_PROFILE_ANTHROPIC,
  BECKON_PROFILE_GEMINI,
  BECKON_PROFILE_OLLAMA,
} BeckonProfileKind;

#define BECKON_PROFILE_N_KINDS (BECKON_PROFILE_OLLAMA + 1)

/** "chat", "tour", "responses", "anthropic", "gemini", "ollama"; static. */
const char *beckon_profile_kind_to_string (BeckonProfileKind kind);
gboolean    beckon_profile_kind_from_string (const char *word, BeckonProfileKind *kind);

/** The id of the built-in tour profile; it is always there and cannot be edited or removed. */
#define BECKON_PROFILE_TOUR_ID "tour"

#define BECKON_PROFILE_ROUNDS_MAX 200
#define BECKON_PROFILE_ROUNDS_DEFAULT 50

#define BECKON_TYPE_PROFILE (beckon_profile_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfile, beckon_profile, BECKON, PROFILE, GObject)

/**
 * BeckonProfile:
 *
 * A model and how to reach it. The key is not in it: it is in the keyring under the profile's id. Main thread.
 * Writable properties, each notified: `kind` (int, a #BeckonProfileKind), `name`, `base-url`, `model`, `rounds` (uint
 * 0..200, 0 means 50).
 */

/**
 * beckon_profile_new:
 * @id: (nullable): a unique id; %NULL makes one
 * @kind: what it reaches
 *
 * Returns: (transfer full): a profile without a name
 */
BeckonProfile *beckon_profile_new (const char *id, BeckonProfileKind kind) G_GNUC_WARN_UNUSED_RESULT;

const char       *beckon_profile_get_id (BeckonProfile *profile);
BeckonProfileKind beckon_profile_get_kind (BeckonProfile *profile);
void              beckon_profile_set_kind (BeckonProfile *profile, BeckonProfileKind kind);
const char       *beckon_profile_get_name (BeckonProfile *profile);
void              beckon_profile_set_name (BeckonProfile *profile, const char *name);

/** Such as "https://api.openai.com/v1"; the codec adds the path of its protocol. */
const char *beckon_profile_get_base_url (BeckonProfile *profile);
void        beckon_profile_set_base_url (BeckonProfile *profile, const char *base_url);
const char *beckon_profile_get_model (BeckonProfile *profile);
void        beckon_profile_set_model (BeckonProfile *profile, const char *model);
guint       beckon_profile_get_rounds (BeckonProfile *profile);
void        beckon_profile_set_rounds (BeckonProfile *profile, guint rounds);

/** The limit that holds: `rounds`, or 50 for 0, at most 200. */
guint beckon_profile_get_effective_rounds (BeckonProfile *profile);

/** A copy under the same id. Caller owns. */
BeckonProfile *beckon_profile_copy (BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_profile_check:
 * @profile: a profile
 * @error: return location for an error
 *
 * Checks what a person entered: a name, an http or https URL with a host and without user information, a model.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID and a translated message that says what to do
 */
gboolean beckon_profile_check (BeckonProfile *profile, GError **error);

G_END_DECLS
