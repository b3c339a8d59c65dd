/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-command.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "beckon-command-files.h"
#include "beckon-command.h"
#include "beckon-folder-tool.h"
#include "sandbox/beckon-sandbox-portal.h"
#include "sandbox/beckon-sandbox-proxy.h"
#include "sandbox/beckon-sandbox-variables.h"
#include "sandbox/beckon-sandbox-view.h"

#include "base/beckon-path.h"
#include "net/beckon-public-address.h"
#include "policy/beckon-host-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DEFAULT_SECONDS 120
#define MOST_SECONDS 3600

struct _BeckonRunCommand
{
  BeckonBuiltinTool parent_instance;

  BeckonOutputStore *outputs;
  gboolean is_probed;
  char *absence; /* (nullable): why no command can run here; set once, and read by threads */
  char **tool_chains; /* (nullable): threads take it under `lock` */
  GMutex lock;
  BeckonReadSkill *skills; /* (owned) (nullable) */

  /* of a command of the program's own */
  BeckonRunCommand *run; /* (owned) (nullable) */
  BeckonCommandFunction function; /* (nullable) */
};

/* %s is the shell. */
static const char description[]
    = "Runs a command line by %s, in a sandbox. Each call is a new shell in a new sandbox: what an earlier one "
      "exported or left running is gone, unless it runs in the background. The working folder, /tmp and HOME are "
      "writable; /tmp and HOME belong to this conversation and persist between calls. The system is read-only, the "
      "user's home and other programs are not there, and there is no network unless `network` is set. The internet is "
      "then reached by an HTTP proxy "
      "alone, which most programs take from HTTP_PROXY and HTTPS_PROXY by themselves; those that do not (ssh, ping, "
      "name servers) reach nothing, and neither are this computer's own services and its network reached, unless "
      "`local_network` is set. It gets no input and no terminal. What it changes is in the folder once it has ended, "
      "as far as the user keeps it. The result is what it puts out, both streams, the beginning and the end of it if "
      "it is long, and its exit status. One that takes longer than timeout_seconds is shown to the user, who may let "
      "it go on.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"command\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":32768,\"description\":\"The command line.\"},"
      "\"directory\":{\"type\":\"string\",\"maxLength\":4096,\"default\":\".\","
      "\"description\":\"Where it starts, relative to the working folder.\"},"
      "\"timeout_seconds\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":3600,\"default\":120,"
      "\"description\":\"How long it may take.\"},"
      "\"background\":{\"type\":\"boolean\",\"default\":false,"
      "\"description\":\"For servers and watchers: lets it run while you go on, until end_command or your turn's end. "
      "Your other commands reach its ports at 127.0.0.1 if neither has network or local_network.\"},"
      "\"network\":{\"type\":\"boolean\",\"default\":false,"
      "\"description\":\"Whether it needs the internet, which the user is asked for.\"},"
      "\"local_network\":{\"type\":\"boolean\",\"default\":false,"
      "\"description\":\"Whether it needs services of this computer, which are then at 127.0.0.1, or by HTTP the "
      "local network.\"},"
      "\"hosts\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":20,\"items\":{\"type\":\"string\",\"minLength\":1,"
      "\"maxLength\":255},\"description\":\"The only hosts that it needs to reach, such as pypi.org, "
      "*.pythonhosted.org or, with local_network, 127.0.0.1:8080.\"}},"
      "\"required\":[\"command\"],\"additionalProperties\":false}";

static void beckon_run_command_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonRunCommand, beckon_run_command, BECKON_TYPE_BUILTIN_TOOL,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_run_command_tool_init))

static void
beckon_run_command_finalize (GObject *object)
{
  BeckonRunCommand *self = BECKON_RUN_COMMAND (object);

  g_object_unref (self->outputs);
  g_free (self->absence);
  g_strfreev (self->tool_chains);
  g_mutex_clear (&self->lock);
  g_clear_object (&self->skills);
  g_clear_object (&self->run);

  G_OBJECT_CLASS (beckon_run_command_parent_class)->finalize (object);
}

const char *const *
beckon_run_command_get_tool_chains (BeckonRunCommand *self)
{
  return (const char *const *) self->tool_chains;
}

void
beckon_run_command_set_skills (BeckonRunCommand *self, BeckonReadSkill *skills)
{
  g_set_object (&self->skills, skills);
}

static void
run_command_on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRunCommand) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_sandbox_probe_finish (result, &error))
    g_atomic_pointer_set (&self->absence, g_strdup (error->message));
}

/* Tried when a command could first be wanted. Until it is known it is taken to be there: a call that cannot be sandboxed
 * fails. */
static char *
get_absence (BeckonTool *tool, const char *folder)
{
  BeckonRunCommand *self = BECKON_RUN_COMMAND (tool);
  g_autofree char *program = beckon_sandbox_find_program ();

  if (self->run != NULL)
    return get_absence (BECKON_TOOL (self->run), folder);
  if (program == NULL && !beckon_sandbox_portal_is_needed ())
    return g_strdup (_("Commands are off: bubblewrap, which keeps them away from the rest of the computer, is not "
                       "installed. Install the package “bubblewrap”."));
  if (folder == NULL)
    return beckon_folder_tool_get_absence (tool, folder);
  if (!self->is_probed)
    {
      self->is_probed = TRUE;
      beckon_sandbox_probe_async (NULL, run_command_on_probed, g_object_ref (self));
    }

  return g_strdup (self->absence);
}

static char *
dup_directory (const char *root, JsonObject *arguments, GError **error)
{
  g_autofree char *relative = NULL;
  g_autoptr (BeckonFolder) folder
      = beckon_folder_tool_open (root, beckon_json_get_string (arguments, "directory"), &relative, error);

  return folder != NULL ? beckon_folder_resolve (root, relative, NULL) : NULL;
}

static int
run_command_compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

/* (transfer full) (nullable): in the one way in which each is written, sorted, so that the same hosts are the same rule. */
static char **
dup_hosts (JsonObject *arguments)
{
  JsonArray *array = beckon_json_get_array (arguments, "hosts");
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (json_node_get_value_type (node) == G_TYPE_STRING)
        {
          guint port;
          g_autofree char *host = beckon_sandbox_proxy_split_host (json_node_get_string (node), &port);
          g_autofree char *name = beckon_host_name_normalize (host);

          g_ptr_array_add (hosts, port > 0 ? g_strdup_printf ("%s:%u", name, port) : g_steal_pointer (&name));
        }
    }
  if (hosts->len == 0)
    return NULL;

  g_ptr_array_sort (hosts, run_command_compare_names);
  g_ptr_array_add (hosts, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&hosts), FALSE);
}

static gboolean
needs_local_network (JsonObject *arguments)
{
  return beckon_json_get_boolean (arguments, "local_network", FALSE);
}

static gboolean
needs_network (JsonObject *arguments)
{
  return beckon_json_get_boolean (arguments, "network", FALSE) || needs_local_network (arguments);
}

/* A server is reached from outside its sandbox only where it shares the network. */
static gboolean
needs_internet (JsonObject *arguments)
{
  return beckon_json_get_boolean (arguments, "network", FALSE)
         || (needs_local_network (arguments)
             && (beckon_json_get_boolean (arguments, "background", FALSE) || beckon_sandbox_portal_is_needed ()));
}

static gboolean
refuse_hosts (GError **error, const char *why)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, why);
  return FALSE;
}

/* Names are not looked up: the proxy refuses those that lead to such an address. */
static gboolean
is_private (const char *pattern)
{
  guint port;
  g_autofree char *host = beckon_sandbox_proxy_split_host (pattern, &port);

  return beckon_public_address_names_private (host);
}

static gboolean
check_hosts (JsonObject *arguments, GError **error)
{
  g_auto (GStrv) hosts = dup_hosts (arguments);

  if (hosts == NULL)
    return TRUE;
  if (!needs_network (arguments))
    return refuse_hosts (error, "hosts are given, but network is not set.");
  if (beckon_sandbox_portal_is_needed ())
    return refuse_hosts (error, "Hosts cannot be limited within a Flatpak. Leave hosts out: the user is asked for the whole "
                         "network.");
  for (guint i = 0; hosts[i] != NULL; i++)
    {
      if (!beckon_sandbox_proxy_check_host (hosts[i]))
        return refuse_hosts (error, "hosts takes names such as pypi.org, *.pythonhosted.org for all below, or with a port "
                             "127.0.0.1:8080.");
      if (!needs_local_network (arguments) && is_private (hosts[i]))
        return refuse_hosts (error, "hosts has an address on the user's own computer or network, which network does not reach. "
                             "Set local_network; the user is asked.");
    }

  return TRUE;
}

/* Without a view, changes could be neither shown first nor undone. */
static gboolean
check_line (BeckonRunCommand *self, const BeckonToolContext *context, JsonObject *arguments, GError **error)
{
  g_autofree char *line = self->function (context->folder, arguments, NULL, error);

  if (line == NULL || beckon_sandbox_view_get (context->folder) != BECKON_VIEW_DIRECT)
    return line != NULL;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       "This could not be undone here, because Beckon can't create a view of this folder. Use run_command; the "
                       "user is asked first.");
  return FALSE;
}

static gboolean
run_command_check (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  BeckonRunCommand *self = BECKON_RUN_COMMAND (tool);
  BeckonRunCommand *run = self->run != NULL ? self->run : self;
  JsonObject *arguments = beckon_tool_arguments_get_object (context->parsed, error);
  g_autofree char *directory = arguments != NULL ? dup_directory (context->folder, arguments, error) : NULL;
  const char *absence = g_atomic_pointer_get (&run->absence);

  if (directory == NULL || !check_hosts (arguments, error)
      || (self->function != NULL && !check_line (self, context, arguments, error)))
    return FALSE;
  if (absence == NULL)
    return beckon_sandbox_check_folder (context->folder, error);

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, absence);
  return FALSE;
}

static void
add_seconds (BeckonEffects *effects)
{
  /* Without a limit of its own it may take as long as any. */
  gint64 seconds = beckon_json_get_boolean (effects->arguments, "background", FALSE)
                     ? MOST_SECONDS : beckon_json_get_int (effects->arguments, "timeout_seconds", DEFAULT_SECONDS);
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, seconds);

  if (seconds > DEFAULT_SECONDS)
    beckon_effects_add_reach (effects, "timeout_seconds", value);
}

static void
run_command_get_effects (BeckonTool *tool, const BeckonToolContext *context, BeckonEffects *effects)
{
  BeckonRunCommand *self = BECKON_RUN_COMMAND (tool);
  const char *line = beckon_json_get_string (effects->arguments, "command");
  const char *directory = beckon_json_get_string (effects->arguments, "directory");
  g_auto (GStrv) tool_chains = NULL;
  g_autofree char *resolved = NULL;
  g_auto (GStrv) hosts = NULL;
  g_autofree char *list = NULL;
  gboolean are_private;
  g_autofree char *root = NULL;
  const char *relative;

  if (self->function != NULL)
    {
      g_autofree char *fixed = context->folder != NULL ? self->function (context->folder, effects->arguments, effects, NULL)
                                                       : NULL;

      effects->lands = TRUE;
      return;
    }
  /* Within a Flatpak there is one network for all, and it is said so. Hosts of the local network say themselves that they are.
   */
  hosts = dup_hosts (effects->arguments);
  list = hosts != NULL ? g_strjoinv (",", hosts) : NULL;
  are_private = hosts != NULL;
  effects->uses_network = needs_network (effects->arguments);
  if (effects->uses_network)
    {
      if (list != NULL || needs_internet (effects->arguments))
        beckon_effects_add_reach (effects, "network", list != NULL ? list : "true");
      for (guint i = 0; hosts != NULL && hosts[i] != NULL; i++)
        {
          beckon_effects_add_host (effects, hosts[i]);
          are_private = are_private && is_private (hosts[i]);
        }
      if (!are_private && (needs_local_network (effects->arguments) || beckon_sandbox_portal_is_needed ()))
        beckon_effects_add_reach (effects, "local_network", "true");
    }
  add_seconds (effects);
  beckon_effects_set_command (effects, line);
  if (context->folder == NULL || line == NULL)
    return;

  effects->lands = beckon_sandbox_view_get (context->folder) != BECKON_VIEW_DIRECT;
  resolved = beckon_folder_resolve (context->folder, directory != NULL ? directory : ".", &effects->leaves_folder);
  /* Relative to the folder, in the one way in which a rule names it. */
  root = beckon_folder_resolve (context->folder, ".", NULL);
  relative = beckon_path_relate (resolved, root);
  if (relative == NULL || *relative != '\0')
    beckon_effects_add_reach (effects, "directory", relative != NULL ? relative : resolved);
  beckon_effects_add_path (effects, resolved);
  g_mutex_lock (&self->lock);
  tool_chains = beckon_sandbox_portal_is_needed () ? NULL : g_strdupv (self->tool_chains);
  g_mutex_unlock (&self->lock);
  beckon_command_files_add (effects, resolved, line, (const char *const *) tool_chains);
}

typedef struct
{
  BeckonToolEnd end;
  BeckonLanding *landing; /* (owned) (nullable) */
} Ended;

static void
ended_free (gpointer data)
{
  beckon_landing_free (((Ended *) data)->landing);
  g_free (data);
}

static void
on_ran (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Ended *ended = g_new0 (Ended, 1);
  GError *error = NULL;
  char *text = beckon_command_run_finish (BECKON_TOOL (source), result, &ended->end, &ended->landing, &error);

  g_task_set_task_data (task, ended, ended_free);
  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

static void
run_command_start (BeckonBuiltinTool *tool, const BeckonToolContext *context, JsonObject *arguments, GTask *task)
{
  BeckonRunCommand *self = BECKON_RUN_COMMAND (tool);
  BeckonSandboxOptions options = { .folder = context->folder, .directory = beckon_json_get_string (arguments, "directory") };
  g_auto (GStrv) hosts = dup_hosts (arguments);
  GError *error = NULL;
  g_autofree char *fixed
    = self->function != NULL ? self->function (context->folder, arguments, NULL, &error) : NULL;
  const char *line = self->function != NULL ? fixed : beckon_json_get_string (arguments, "command");

  if (line == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  options.network = needs_internet (arguments);
  options.local_network = needs_local_network (arguments) || (options.network && beckon_sandbox_portal_is_needed ());
  options.hosts = (const char *const *) hosts;
  beckon_command_run_async (BECKON_TOOL (tool), context, line,
                            (guint) beckon_json_get_int (arguments, "timeout_seconds", DEFAULT_SECONDS),
                            beckon_json_get_boolean (arguments, "background", FALSE), &options,
                            (const char *const *) self->tool_chains, self->skills, self->outputs,
                            g_task_get_cancellable (task), on_ran, g_object_ref (task));
}

static void
run_command_get_end (BeckonTool *tool, GAsyncResult *result, BeckonToolEnd *end)
{
  const Ended *ended = g_task_get_task_data (G_TASK (result));

  if (ended != NULL)
    *end = ended->end;
}

static BeckonLanding *
take_landing (BeckonTool *tool, GAsyncResult *result)
{
  Ended *ended = g_task_get_task_data (G_TASK (result));

  return ended != NULL ? g_steal_pointer (&ended->landing) : NULL;
}

static void
run_command_release (BeckonTool *tool, BeckonToolCall *call)
{
  beckon_command_release (call);
}

static void
beckon_run_command_tool_init (BeckonToolInterface *iface)
{
  iface->get_absence = get_absence;
  iface->check = run_command_check;
  iface->get_effects = run_command_get_effects;
  iface->get_end = run_command_get_end;
  iface->take_landing = take_landing;
  iface->survey_async = beckon_command_survey_async;
  iface->survey_finish = beckon_command_survey_finish;
  iface->release = run_command_release;
}

static void
beckon_run_command_class_init (BeckonRunCommandClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_run_command_finalize;
  BECKON_BUILTIN_TOOL_CLASS (klass)->start = run_command_start;
}

static void
beckon_run_command_init (BeckonRunCommand *self)
{
  g_mutex_init (&self->lock);
}

BeckonTool *
beckon_run_command_new (BeckonOutputStore *outputs)
{
  g_autofree char *shell = g_path_get_basename (beckon_sandbox_get_shell ());
  g_autofree char *words = g_strdup_printf (description, shell);
  BeckonRunCommand *self;

  g_return_val_if_fail (BECKON_IS_OUTPUT_STORE (outputs), NULL);

  self = g_object_new (BECKON_TYPE_RUN_COMMAND, NULL);
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self), beckon_tool_definition_new ("run_command", words, schema, FALSE));
  self->outputs = g_object_ref (outputs);
  return BECKON_TOOL (self);
}

BeckonTool *
beckon_run_command_new_fixed (BeckonRunCommand *run, BeckonToolDefinition *definition, BeckonCommandFunction function)
{
  BeckonRunCommand *self = g_object_new (BECKON_TYPE_RUN_COMMAND, NULL);

  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self), definition);
  self->outputs = g_object_ref (run->outputs);
  self->run = g_object_ref (run);
  self->function = function;
  return BECKON_TOOL (self);
}

gboolean
beckon_run_command_is_fixed (BeckonTool *tool)
{
  return BECKON_IS_RUN_COMMAND (tool) && BECKON_RUN_COMMAND (tool)->function != NULL;
}

void
beckon_run_command_set_tool_chains (BeckonRunCommand *self, const char *const *names)
{
  g_mutex_lock (&self->lock);
  g_strfreev (self->tool_chains);
  self->tool_chains = g_strdupv ((char **) names);
  g_mutex_unlock (&self->lock);
}
