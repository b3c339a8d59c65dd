/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PRESET (beckon_preset_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPreset, beckon_preset, BECKON, PRESET, GObject)

/**
 * BeckonPreset:
 *
 * A provider that is known by name: what it speaks, where it is, and where people keep its key. They are data
 * (`providers.ini`), and no code knows one from the other. Any thread; nothing of it changes.
 */

/** All there are, in the order in which they are offered. Borrowed; there as long as the process. */
GPtrArray *beckon_preset_get_all (void);

/** By its id, such as "openai"; %NULL if there is none. Borrowed. */
BeckonPreset *beckon_preset_lookup (const char *id);

/** The preset whose server an address is on; %NULL if there is none. Borrowed. */
BeckonPreset *beckon_preset_for_url (const char *base_url, BeckonProfileKind kind);

const char       *beckon_preset_get_id (BeckonPreset *preset);
const char       *beckon_preset_get_name (BeckonPreset *preset);
BeckonProfileKind beckon_preset_get_kind (BeckonPreset *preset);

/** May have "@RESOURCE@" or another word so marked, which a person has to replace. */
const char *beckon_preset_get_base_url (BeckonPreset *preset);

/** "" when it is chosen from what the server lists. */
const char *beckon_preset_get_model (BeckonPreset *preset);

/** Which of the server's models is proposed: patterns as beckon_model_pick() takes them. Never %NULL. */
const char *const *beckon_preset_get_preferred (BeckonPreset *preset);

/** A program that prints its key, to be shown to a person who may enter it; "" is none. Never set by beckon_preset_apply(). */
const char *beckon_preset_get_key_command (BeckonPreset *preset);

/** The addresses where a person signs in, and where the key is handed out then; "" where a key is typed. */
const char *beckon_preset_get_sign_in_url (BeckonPreset *preset);
const char *beckon_preset_get_sign_in_keys_url (BeckonPreset *preset);

/** Runs on this computer and needs no key. */
gboolean beckon_preset_is_local (BeckonPreset *preset);

/** The environment variable that is set and holds its key; %NULL if none is. Static. */
const char *beckon_preset_find_variable (BeckonPreset *preset);

/** Gives a profile this kind, address and model; the name only where it has none. */
void beckon_preset_apply (BeckonPreset *preset, BeckonProfile *profile);

G_END_DECLS
