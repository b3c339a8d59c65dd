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
#define BECKON_PROFILE_WINDOW_MAX 2000000
#define BECKON_PROFILE_WINDOW_DEFAULT 120000
#define BECKON_PROFILE_TEMPERATURE_MAX 2.0
#define BECKON_PROFILE_OUTPUT_LIMIT_MAX 1000000
#define BECKON_PROFILE_PRICE_MAX 1000000.0
#define BECKON_PROFILE_TEXT_MAX_BYTES 65536
#define BECKON_PROFILE_FALLBACKS_MAX 16
#define BECKON_PROFILE_KEY_COMMAND_MAX_BYTES 4096

/** The temperature that leaves it to the model. */
#define BECKON_PROFILE_NO_TEMPERATURE (-1.0)

/**
 * BeckonPrice:
 * @BECKON_PRICE_INPUT: tokens that were sent
 * @BECKON_PRICE_CACHED: tokens that were sent and that the provider still had; 0 means that they cost what others do
 * @BECKON_PRICE_OUTPUT: tokens that the model wrote
 *
 * What has a price.
 */
typedef enum
{
  BECKON_PRICE_INPUT,
  BECKON_PRICE_CACHED,
  BECKON_PRICE_OUTPUT,
} BeckonPrice;

#define BECKON_N_PRICES (BECKON_PRICE_OUTPUT + 1)

/**
 * BeckonPdfChoice:
 * @BECKON_PDF_BY_MODEL: as a file where it is known that the model reads PDFs
 * @BECKON_PDF_AS_TEXT: always as text
 * @BECKON_PDF_AS_FILE: as a file if the protocol has that
 *
 * How a profile's model is to get PDFs.
 */
typedef enum
{
  BECKON_PDF_BY_MODEL,
  BECKON_PDF_AS_TEXT,
  BECKON_PDF_AS_FILE,
} BeckonPdfChoice;

#define BECKON_PDF_N_CHOICES (BECKON_PDF_AS_FILE + 1)

/**
 * BeckonFactSource:
 * @BECKON_FACT_UNKNOWN: no one says, so a cautious figure holds
 * @BECKON_FACT_ENTERED: the person entered it
 * @BECKON_FACT_SERVER: the server's list said it
 * @BECKON_FACT_TABLE: the dated table of models says it
 *
 * Where a fact about a model is from.
 */
typedef enum
{
  BECKON_FACT_UNKNOWN,
  BECKON_FACT_ENTERED,
  BECKON_FACT_SERVER,
  BECKON_FACT_TABLE,
} BeckonFactSource;

/**
 * BeckonModelFacts:
 * @window: how many tokens a request may have
 * @output: how many tokens a reply may have
 * @images: 1 if it sees pictures, 0 if it does not
 * @pdfs: 1 if it reads PDFs, 0 if it does not
 * @efforts: how hard it can be told to think, as #BeckonEffortLevels
 * @prices: for a million tokens in US dollars; below 0 where nobody says
 * @prices_from: the source of the prices
 *
 * What a server says of a model, and its prices as they were when it was chosen. 0, and -1 for @images and @pdfs, stand
 * for what the server does not say.
 */
typedef struct
{
  guint window;
  guint output;
  int images;
  int pdfs;
  guint efforts;
  double prices[BECKON_N_PRICES];
  BeckonFactSource prices_from;
} BeckonModelFacts;

#define BECKON_MODEL_FACTS_INIT { 0, 0, -1, -1, 0, { -1, -1, -1 }, BECKON_FACT_UNKNOWN }

#define BECKON_TYPE_PROFILE (beckon_profile_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfile, beckon_profile, BECKON, PROFILE, GObject)

/**
 * BeckonProfile:
 *
 * A model and how to reach it. The key is not in it: it is in the keyring under the profile's id. Main thread.
 * Writable properties, each notified: `kind` (int, a #BeckonProfileKind), `name`, `base-url`, `model`, `rounds` (uint
 * 0..200, 0 means 50), `context-window` (uint, tokens, 0..2,000,000; 0 means the model's), `temperature` (double 0..2; below 0
 * the model's own), `output-limit` (uint, tokens; 0 means the model's own), `headers` (#GStrv of "Name: value"),
 * `extra-body` (a JSON object or empty), `system-prompt`, `fallbacks` (#GStrv of profile ids, in order), `price-input`,
 * `price-cached`, `price-output` (double, for a million tokens; 0 means that it is not known or costs nothing), `currency`,
 * `web-search` (boolean), `facts` (as they are stored; see beckon_profile_get_facts()), `key-command` and `key-origin` (see
 * beckon_profile_set_key_command()).
 * What is outside of a range is brought into it.
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

/** How many tokens a request may have; 0 means the model's. */
guint beckon_profile_get_context_window (BeckonProfile *profile);
void  beckon_profile_set_context_window (BeckonProfile *profile, guint tokens);

/** Facts of the model as they were when it was chosen; all unknown if nobody asked. */
void beckon_profile_get_facts (BeckonProfile *profile, BeckonModelFacts *facts);
void beckon_profile_set_facts (BeckonProfile *profile, const BeckonModelFacts *facts);

/** How PDFs go to the model, as the person entered it. It stays when facts are set, and is kept with them. */
BeckonPdfChoice beckon_profile_get_pdf_choice (BeckonProfile *profile);
void            beckon_profile_set_pdf_choice (BeckonProfile *profile, BeckonPdfChoice choice);

/**
 * beckon_profile_reads_pdfs:
 * @profile: a profile
 *
 * Returns: whether PDFs are sent as files: the protocol can carry them, and the person, the server's list or what is known of
 *   the model, in this order, says that it reads them. Other servers than OpenAI's that speak its chat completions have to say
 *   it of themselves: many refuse a request with a file.
 */
gboolean beckon_profile_reads_pdfs (BeckonProfile *profile);

/** The source of that. */
BeckonFactSource beckon_profile_get_pdf_source (BeckonProfile *profile);

/** The window that holds: the profile's, else what the server said, else what is known of the model, else 120,000. */
guint beckon_profile_get_effective_window (BeckonProfile *profile);

/** The source of that window. */
BeckonFactSource beckon_profile_get_window_source (BeckonProfile *profile);

/** How many tokens a reply can have: the profile's limit, else what the server said, else what is known of the model; or 0. */
guint beckon_profile_get_effective_output (BeckonProfile *profile);

/** The levels of reasoning that the server said, else those that are known of the model, as #BeckonEffortLevels; else 0. */
guint beckon_profile_get_effort_levels (BeckonProfile *profile);

/** 0..2; below 0 nothing is said and the model's own holds. */
double beckon_profile_get_temperature (BeckonProfile *profile);
void   beckon_profile_set_temperature (BeckonProfile *profile, double temperature);

/** How many tokens a reply may have; 0 means the model's own. */
guint beckon_profile_get_output_limit (BeckonProfile *profile);
void  beckon_profile_set_output_limit (BeckonProfile *profile, guint tokens);

/** Headers of every request, each "Name: value"; never %NULL, ends with %NULL. Checked with beckon_profile_check(). */
const char *const *beckon_profile_get_headers (BeckonProfile *profile);
void               beckon_profile_set_headers (BeckonProfile *profile, const char *const *headers);

/** Members of every request's body, as a JSON object; "" is none. Checked with beckon_profile_check(). */
const char *beckon_profile_get_extra_body (BeckonProfile *profile);
void        beckon_profile_set_extra_body (BeckonProfile *profile, const char *extra_body);

/** The model's own system prompt, besides the common one; "" is none. */
const char *beckon_profile_get_system_prompt (BeckonProfile *profile);
void        beckon_profile_set_system_prompt (BeckonProfile *profile, const char *system_prompt);

/** Ids of the profiles to go on with when this one cannot be used, in order; some may be gone. Never %NULL. */
const char *const *beckon_profile_get_fallbacks (BeckonProfile *profile);
void               beckon_profile_set_fallbacks (BeckonProfile *profile, const char *const *profile_ids);

/** For a million tokens, in beckon_profile_get_currency(); 0 when it is not known or costs nothing. */
double beckon_profile_get_price (BeckonProfile *profile, BeckonPrice price);
void   beckon_profile_set_price (BeckonProfile *profile, BeckonPrice price, double amount);

/** As the person writes it, such as "USD" or "¥"; "" when none was said. */
const char *beckon_profile_get_currency (BeckonProfile *profile);
void        beckon_profile_set_currency (BeckonProfile *profile, const char *currency);

/**
 * beckon_profile_set_key_command:
 * @profile: a profile
 * @command: (nullable): a program and its arguments, quoted as in a shell; %NULL or "" for none
 * @error: return location
 *
 * Says which program prints the key, in the place of a key that is kept. It is bound to the server that the profile's address
 * is on now: with another address it is not asked until it is set again. Only ever on behalf of a person who sees it, because
 * it will be run: nothing that comes from outside may set it.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID and a translated message; then nothing is changed
 */
gboolean beckon_profile_set_key_command (BeckonProfile *profile, const char *command, GError **error);

/** As set, each argument quoted where it has to be; "" is none. */
const char *beckon_profile_get_key_command (BeckonProfile *profile);

/** The server that it was set for, as beckon_uri_dup_origin() writes it. */
const char *beckon_profile_get_key_origin (BeckonProfile *profile);

/** The program and its arguments; %NULL if there is none, or none that can be read. Caller owns. */
char **beckon_profile_dup_key_argv (BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the provider may search the web itself; used only where beckon_provider_search_is_known(). */
gboolean beckon_profile_get_web_search (BeckonProfile *profile);
void     beckon_profile_set_web_search (BeckonProfile *profile, gboolean web_search);

/**
 * beckon_profile_get_price_source:
 * @profile: a profile
 *
 * Returns: the source of the prices that hold: the person's as soon as they entered one, else those that were said of the model
 *   when it was chosen
 */
BeckonFactSource beckon_profile_get_price_source (BeckonProfile *profile);

/** The price that holds, for a million tokens; 0 when it is not known or costs nothing. */
double beckon_profile_get_effective_price (BeckonProfile *profile, BeckonPrice price);

/** The currency of the prices that hold. */
const char *beckon_profile_get_effective_currency (BeckonProfile *profile);

/** A copy under the same id. Caller owns. */
BeckonProfile *beckon_profile_copy (BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/** Takes over everything but the id; notifies what changed. */
void beckon_profile_assign (BeckonProfile *profile, BeckonProfile *from);

/** %TRUE if all but the ids is the same. */
gboolean beckon_profile_equal (BeckonProfile *profile, BeckonProfile *other);

/**
 * beckon_profile_check:
 * @profile: a profile
 * @error: return location for an error
 *
 * Checks what a person entered: a name, an http or https URL with a host and without user information, a model, headers
 * of printable ASCII in which there is no key, a body that is a JSON object and changes none of what makes up a request.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID and a translated message that says what to do
 */
gboolean beckon_profile_check (BeckonProfile *profile, GError **error);

/** The first word of the address that a person has to replace, such as "@REGION@"; %NULL if there is none. Caller owns. */
char *beckon_profile_dup_blank (BeckonProfile *profile) G_GNUC_WARN_UNUSED_RESULT;

/** Checks one header as "Name: value"; what beckon_profile_check() says of it. */
gboolean beckon_profile_check_header (const char *header, GError **error);

/** Checks members for a body; "" is none. */
gboolean beckon_profile_check_extra_body (const char *extra_body, GError **error);

/** Whether a word begins as the keys and tokens of providers do. Pure. */
gboolean beckon_profile_looks_like_key (const char *word);

G_END_DECLS
