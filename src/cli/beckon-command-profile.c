/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-profile.h"

#include "base/beckon-text.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-model-print.h"
#include "beckon-profile-options.h"
#include "llm/beckon-sign-in.h"
#include "net/beckon-llm-error.h"
#include "settings/beckon-preset.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#define MAX_KEY_BYTES 8192

/* Facts about a model are worth no longer wait. */
#define LOOK_UP_SECONDS 5

typedef struct
{
  GMainLoop *loop;
  BeckonRuntime *runtime;
  const char *verb;
  const char *name;
  BeckonProfileOptions options;
  gboolean key_from_stdin;
  gboolean sign_in;
  gboolean use;
  gboolean json;
  gboolean no_lookup;
  GCancellable *patience; /* (owned) (nullable): while the server is asked about the model */
  guint patience_source;
  char *key; /* (nullable): what came from standard input; wiped */
  BeckonProfile *profile; /* (owned) (nullable): what is added or changed */
  char *removed_id; /* whose key is to be forgotten */
  int status;
} Work;

static void
command_profile_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;

  beckon_runtime_close_finish (BECKON_RUNTIME (source), result, NULL);
  g_main_loop_quit (work->loop);
}

static void
command_profile_finish (Work *work, const char *problem)
{
  if (problem != NULL)
    {
      beckon_command_complain ("profile", problem);
      work->status = 1;
    }
  beckon_runtime_close_async (work->runtime, command_profile_on_closed, work);
}

static BeckonProfile *
command_profile_find (Work *work)
{
  return beckon_profile_find (beckon_runtime_get_profiles (work->runtime), work->name);
}

static void
command_profile_list (Work *work)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (work->runtime));
  g_autofree char *chosen = beckon_settings_dup_default_profile (beckon_runtime_get_settings (work->runtime));

  if (work->json)
    beckon_profile_print_json (NULL, BECKON_PROFILES (profiles), chosen);
  for (guint i = 0; !work->json && i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);
      const char *id = beckon_profile_get_id (profile);
      g_autofree char *name = beckon_cli_context_make_safe (beckon_profile_get_name (profile));
      g_autofree char *model = beckon_cli_context_make_safe (beckon_profile_get_model (profile));
      g_autofree char *url = beckon_cli_context_make_safe (beckon_profile_get_base_url (profile));

      printf ("%s %s\t%s\t%s\t%s\t%s\n", g_strcmp0 (id, chosen) == 0 ? "*" : " ", id, name, model, url,
              beckon_profile_kind_to_string (beckon_profile_get_kind (profile)));
    }
  command_profile_finish (work, NULL);
}

static void
command_profile_show (Work *work)
{
  BeckonProfiles *profiles = beckon_runtime_get_profiles (work->runtime);
  g_autofree char *chosen = beckon_settings_dup_default_profile (beckon_runtime_get_settings (work->runtime));

  if (work->json)
    beckon_profile_print_json (command_profile_find (work), profiles, chosen);
  else
    beckon_profile_print (command_profile_find (work), profiles);
  command_profile_finish (work, NULL);
}

/* For the programs after this one. Returns: (nullable): why that isn't possible */
static const char *
use (Work *work, const char *id)
{
  BeckonSettings *settings = beckon_runtime_get_settings (work->runtime);

  beckon_settings_set_default_profile (settings, id);
  if (beckon_settings_are_saved (settings))
    return NULL;
  return _("The choice can't be saved: Beckon's settings aren't installed, or their folder can't be written. Until they can be "
           "saved, choose the profile with --profile.");
}

static void
command_profile_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  const char *id = beckon_profile_get_id (work->profile);
  g_autoptr (GError) error = NULL;

  if (!beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error))
    {
      command_profile_finish (work, error->message);
      return;
    }
  printf ("%s\n", id);
  command_profile_finish (work, work->use ? use (work, id) : NULL);
}

static void
command_profile_save (Work *work)
{
  beckon_profiles_save_async (beckon_runtime_get_profiles (work->runtime), work->profile, NULL, command_profile_on_saved, work);
}

static void
on_key_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    command_profile_save (work);
  else
    command_profile_finish (work, error->message);
}

/* The key comes first: a profile whose key could not be kept is not saved. */
static void
store_key (Work *work)
{
  if (work->key == NULL)
    command_profile_save (work);
  else
    beckon_secrets_store_async (beckon_runtime_get_secrets (work->runtime), beckon_profile_get_id (work->profile),
                                beckon_profile_get_base_url (work->profile), beckon_profile_get_name (work->profile),
                                work->key, NULL, on_key_stored, work);
}

static void
on_listed_to_choose (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = beckon_profile_tester_list_models_finish (BECKON_PROFILE_TESTER (source), result, &error);
  BeckonPreset *preset = beckon_preset_lookup (work->options.preset);
  BeckonListedModel *model = models != NULL ? beckon_profile_tester_pick (models, work->profile, preset) : NULL;
  g_autofree char *problem = NULL;

  if (models == NULL)
    {
      problem = beckon_text_join_sentences (error->message, _("Or choose a model with --model."));
      /* Without the right key no model is of use. A program that prints none is no error of the server's. */
      command_profile_finish (work,
                              (error->domain != BECKON_LLM_ERROR
                               || error->code == BECKON_LLM_ERROR_AUTH) ? error->message : problem);
      return;
    }
  if (model == NULL)
    {
      /* The list is shown to the person who has to choose: a profile without a model is not kept, so nothing else could
       * list it. */
      for (guint i = 0; i < models->len; i++)
        {
          g_autofree char *name
              = beckon_cli_context_make_safe (beckon_listed_model_get_name (g_ptr_array_index (models, i)));

          fprintf (stderr, "%s\n", name);
        }
      command_profile_finish (work, _("Choose one of the server's models with --model."));

      return;
    }
  beckon_profile_set_model (work->profile, beckon_listed_model_get_name (model));
  beckon_profile_tester_keep_facts (model, work->profile);
  fprintf (stderr, _("Model: %s\n"), beckon_profile_get_model (work->profile));
  store_key (work);
}

static gboolean
command_profile_on_patience_over (gpointer user_data)
{
  Work *work = user_data;

  work->patience_source = 0;
  g_cancellable_cancel (work->patience);
  return G_SOURCE_REMOVE;
}

/* A server that can't be asked now is no reason not to save the profile. */
static void
on_listed_for_named (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GPtrArray) models = beckon_profile_tester_list_models_finish (BECKON_PROFILE_TESTER (source), result, NULL);
  BeckonListedModel *model
    = models != NULL ? beckon_listed_model_find (models, beckon_profile_get_model (work->profile)) : NULL;

  g_clear_handle_id (&work->patience_source, g_source_remove);
  g_clear_object (&work->patience);
  if (model != NULL)
    beckon_profile_tester_keep_facts (model, work->profile);
  store_key (work);
}

/* Facts are about one model of one server. */
static gboolean
is_other_model (const BeckonProfileOptions *options)
{
  return options->model != NULL || options->base_url != NULL || options->preset != NULL;
}

static void
look_up_facts (Work *work)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;

  if (is_other_model (&work->options))
    beckon_profile_set_facts (work->profile, &none);
  if (!is_other_model (&work->options) || work->no_lookup)
    {
      store_key (work);
      return;
    }

  work->patience = g_cancellable_new ();
  work->patience_source = g_timeout_add_seconds (LOOK_UP_SECONDS, command_profile_on_patience_over, work);
  beckon_profile_tester_list_models_async (beckon_runtime_get_tester (work->runtime), work->profile, work->key, work->patience,
                                           on_listed_for_named, work);
}

/* The options were right, and the key is read if there is one. */
static void
complete_model (Work *work)
{
  if (*beckon_profile_get_model (work->profile) != '\0')
    look_up_facts (work);
  else
    beckon_profile_tester_list_models_async (beckon_runtime_get_tester (work->runtime), work->profile, work->key, NULL,
                                             on_listed_to_choose, work);
}

static void
command_profile_on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  work->key = beckon_sign_in_run_finish (BECKON_SIGN_IN (source), result, &error);
  if (work->key == NULL || !beckon_secrets_check (work->key, &error))
    command_profile_finish (work, error->message);
  else
    complete_model (work);
}

static void
sign_in (Work *work)
{
  BeckonPreset *preset = beckon_preset_for_url (beckon_profile_get_base_url (work->profile),
                                                beckon_profile_get_kind (work->profile));
  g_autoptr (BeckonSignIn) sign_in = NULL;
  g_autoptr (GError) error = NULL;
  const char *address;

  if (preset == NULL || *beckon_preset_get_sign_in_url (preset) == '\0')
    {
      command_profile_finish (work, _("This provider has no sign-in for other programs. Enter a key with --key-from-stdin."));
      return;
    }
  sign_in = beckon_sign_in_new (beckon_preset_get_sign_in_url (preset), beckon_preset_get_sign_in_keys_url (preset),
                                beckon_clock_get_system ());
  address = beckon_sign_in_listen (sign_in, &error);
  if (address == NULL)
    {
      command_profile_finish (work, error->message);
      return;
    }
  beckon_sign_in_run_async (sign_in, NULL, command_profile_on_signed_in, work);

  /* In a terminal without a desktop the address is opened elsewhere. */
  fprintf (stderr, "%s\n%s\n", _("Open this address in a browser on this computer, and sign in:"), address);
  if (g_getenv ("WAYLAND_DISPLAY") != NULL || g_getenv ("DISPLAY") != NULL)
    g_app_info_launch_default_for_uri_async (address, NULL, NULL, NULL, NULL);
}

/* All but the model, which the server is asked for. */
static gboolean
check_place (BeckonProfile *profile, GError **error)
{
  g_autoptr (BeckonProfile) whole = beckon_profile_copy (profile);

  beckon_profile_set_model (whole, "any");
  return beckon_profile_check (whole, error);
}

/* Changes @profile as the options say, and saves it. */
static void
command_profile_apply (Work *work, BeckonProfile *profile)
{
  g_autoptr (GError) error = NULL;
  gboolean has_model, is_good;

  work->profile = profile;
  /* A key that is given takes the place of a program. */
  if (work->key_from_stdin || work->sign_in)
    beckon_profile_set_key_command (work->profile, NULL, NULL);
  is_good =
    beckon_profile_options_apply (&work->options, work->profile, beckon_runtime_get_profiles (work->runtime), &error);
  has_model = *beckon_profile_get_model (work->profile) != '\0';
  if (is_good && work->key_from_stdin)
    {
      char key[MAX_KEY_BYTES + 2];

      if (fgets (key, sizeof key, stdin) == NULL)
        key[0] = '\0';
      key[strcspn (key, "\r\n")] = '\0';
      work->key = g_strdup (key);
      explicit_bzero (key, sizeof key);
    }
  if (!is_good || !(has_model ? beckon_profile_check (work->profile, &error) : check_place (work->profile, &error))
      || (work->key != NULL && !beckon_secrets_check (work->key, &error)))
    command_profile_finish (work, error->message);
  else if (work->sign_in)
    sign_in (work);
  else
    complete_model (work);
}

static void
command_profile_add (Work *work)
{
  BeckonProfile *profile;
  g_autofree char *quoted = g_shell_quote (work->name);
  g_autofree char *problem = NULL;

  if (command_profile_find (work) != NULL)
    {
      /* Translators: both are the same name, the second in quotes; the command stays as it is */
      problem = g_strdup_printf (_("Profile “%s” already exists. Change it with: beckonctl profile set %s …"), work->name,
                                 quoted);
      command_profile_finish (work, problem);
      return;
    }

  profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  beckon_profile_set_name (profile, work->name);
  command_profile_apply (work, profile);
}

static void
set (Work *work)
{
  if (beckon_profile_get_kind (command_profile_find (work)) == BECKON_PROFILE_TOUR)
    command_profile_finish (work, _("The tour is built in and can't be changed."));
  else
    command_profile_apply (work, beckon_profile_copy (command_profile_find (work)));
}

/* Without a keyring there is no key to forget. */
static void
command_profile_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  command_profile_finish (user_data, NULL);
}

static void
command_profile_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  BeckonSettings *settings;
  g_autofree char *chosen = NULL;

  if (!beckon_profiles_remove_finish (BECKON_PROFILES (source), result, &error))
    {
      command_profile_finish (work, error->message);
      return;
    }

  /* The default profile must exist. */
  settings = beckon_runtime_get_settings (work->runtime);
  chosen = beckon_settings_dup_default_profile (settings);
  if (beckon_profiles_lookup (beckon_runtime_get_profiles (work->runtime), chosen) == NULL)
    beckon_settings_set_default_profile (settings, BECKON_PROFILE_TOUR_ID);

  beckon_secrets_store_async (beckon_runtime_get_secrets (work->runtime), work->removed_id, NULL, NULL, NULL, NULL,
                              command_profile_on_forgotten, work);
}

/* Its key goes with it. */
static void
remove_profile (Work *work)
{
  work->removed_id = g_strdup (beckon_profile_get_id (command_profile_find (work)));
  beckon_profiles_remove_async (beckon_runtime_get_profiles (work->runtime), work->removed_id, NULL,
                                command_profile_on_removed, work);
}

static void
on_facts_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  command_profile_finish (user_data, error != NULL ? error->message : NULL);
}

/* Facts about the profile's model are kept with it, as the window does. */
static void
keep_facts (Work *work, GPtrArray *models)
{
  BeckonProfile *profile = command_profile_find (work);
  BeckonListedModel *model = beckon_listed_model_find (models, beckon_profile_get_model (profile));

  if (model != NULL)
    {
      work->profile = beckon_profile_copy (profile);
      beckon_profile_tester_keep_facts (model, work->profile);
    }
  if (model == NULL || beckon_profile_equal (profile, work->profile))
    command_profile_finish (work, NULL);
  else
    beckon_profiles_save_async (beckon_runtime_get_profiles (work->runtime), work->profile, NULL, on_facts_saved, work);
}

static void
on_listed_for_facts (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GPtrArray) models = beckon_profile_tester_list_models_finish (BECKON_PROFILE_TESTER (source), result, NULL);

  if (models != NULL)
    keep_facts (user_data, models);
  else
    command_profile_finish (user_data, NULL);
}

static void
command_profile_on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  guint milliseconds;

  if (!beckon_profile_tester_test_finish (BECKON_PROFILE_TESTER (source), result, &milliseconds, &error))
    {
      command_profile_finish (work, error->message);
      return;
    }
  printf (_("It works. The reply took %.1f s.\n"), milliseconds / 1000.0);
  beckon_profile_tester_list_models_async (BECKON_PROFILE_TESTER (source), command_profile_find (work), NULL, NULL,
                                           on_listed_for_facts, work);
}

static void
on_models (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = beckon_profile_tester_list_models_finish (BECKON_PROFILE_TESTER (source), result, &error);

  if (models == NULL)
    {
      command_profile_finish (work, error->message);
      return;
    }
  beckon_model_print_all (models, command_profile_find (work), work->json);
  keep_facts (work, models);
}

static void
ask_server (Work *work)
{
  BeckonProfileTester *tester = beckon_runtime_get_tester (work->runtime);
  BeckonProfile *profile = command_profile_find (work);

  if (strcmp (work->verb, "test") == 0)
    beckon_profile_tester_test_async (tester, profile, NULL, NULL, command_profile_on_tested, work);
  else
    beckon_profile_tester_list_models_async (tester, profile, NULL, NULL, on_models, work);
}

static void
command_profile_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    command_profile_finish (work, error->message);
  else if (strcmp (work->verb, "list") == 0)
    command_profile_list (work);
  else if (strcmp (work->verb, "add") == 0)
    command_profile_add (work);
  else if (command_profile_find (work) == NULL)
    command_profile_finish (work, _("Profile not found. “beckonctl profile list” shows all of them."));
  else if (strcmp (work->verb, "remove") == 0 && beckon_profile_get_kind (command_profile_find (work)) == BECKON_PROFILE_TOUR)
    command_profile_finish (work, _("The tour is built in and can't be removed."));
  else if (strcmp (work->verb, "remove") == 0)
    remove_profile (work);
  else if (strcmp (work->verb, "show") == 0)
    command_profile_show (work);
  else if (strcmp (work->verb, "set") == 0)
    set (work);
  else if (strcmp (work->verb, "test") == 0 || strcmp (work->verb, "models") == 0)
    ask_server (work);
  else
    command_profile_finish (work, use (work, beckon_profile_get_id (command_profile_find (work))));
}

static gboolean
is_verb (const char *word)
{
  const char *verbs[] = { "list", "show", "add", "set", "test", "models", "remove", "use", NULL };

  return g_strv_contains (verbs, word);
}

static void
clear_work (Work *work)
{
  beckon_profile_options_clear (&work->options);
  g_clear_object (&work->profile);
  g_free (work->removed_id);
  if (work->key != NULL)
    explicit_bzero (work->key, strlen (work->key));
  g_free (work->key);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, clear_work)

static char *
dup_problem (int argc, char **argv)
{
  if (argc < 2)
    return g_strdup (_("An argument is missing."));
  if (!is_verb (argv[1]))
    return beckon_command_dup_unknown (argv[1]);
  if (argc > 3 || strcmp (argv[1], "list") == 0)
    return beckon_command_dup_surplus (argv[argc - 1]);
  return g_strdup (_("The profile's name is missing."));
}

int
beckon_command_profile (int argc, char **argv)
{
  g_auto (Work) work = { 0 };
  g_autoptr (GOptionContext) context =
    g_option_context_new (_("list | (show|add|set|test|models|use|remove) NAME"));
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "key-from-stdin", 0, 0, G_OPTION_ARG_NONE, &work.key_from_stdin,
      N_("Read the key from standard input"), NULL },
    { "sign-in", 0, 0, G_OPTION_ARG_NONE, &work.sign_in,
      N_("Sign in with the browser, for example at OpenRouter"), NULL },
    { "no-lookup", 0, 0, G_OPTION_ARG_NONE, &work.no_lookup, N_("Don't ask the server about the model"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &work.json, N_("Print JSON"), NULL },
    { "use", 0, 0, G_OPTION_ARG_NONE, &work.use, N_("Use it for new conversations"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_set_summary (context, _("Manage profiles, the saved connections to models"));
  beckon_profile_options_add_to (&work.options, context);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!beckon_command_parse (context, &argc, &argv, &error))
    {
      beckon_command_complain ("profile", error->message);
      return 2;
    }
  if (work.key_from_stdin + work.sign_in + (work.options.key_command != NULL) > 1)
    {
      beckon_command_complain ("profile", _("Use only one of --key-from-stdin, --key-command and --sign-in."));
      return 2;
    }
  if (argc < 2 || !is_verb (argv[1]) || (argc != (strcmp (argv[1], "list") == 0 ? 2 : 3)))
    {
      g_autofree char *problem = dup_problem (argc, argv);

      return beckon_command_misused ("beckonctl profile", problem);
    }

  work.verb = argv[1];
  work.name = argc > 2 ? argv[2] : NULL;

  work.loop = g_main_loop_new (NULL, FALSE);
  work.runtime = beckon_runtime_new (NULL);
  beckon_health_line_follow (work.runtime);
  beckon_runtime_set_light (work.runtime, TRUE);
  beckon_runtime_open_async (work.runtime, NULL, command_profile_on_opened, &work);
  g_main_loop_run (work.loop);
  g_settings_sync ();
  g_clear_object (&work.runtime);
  g_main_loop_unref (work.loop);

  return work.status;
}
