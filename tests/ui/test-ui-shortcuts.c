/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A key of the whole desktop, by a portal that is played here, on a connection of its own to the private bus. */

#include "beckon-ui-fixture.h"

#include "ui/desktop/beckon-global-shortcuts.h"

#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SHORTCUTS "org.freedesktop.portal.GlobalShortcuts"
#define DESCRIPTION                                                                                                        \
  "<node><interface name='" SHORTCUTS "'>"                                                                                 \
  "<method name='CreateSession'><arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"                \
  "<method name='BindShortcuts'><arg type='o' direction='in'/><arg type='a(sa{sv})' direction='in'/>"                      \
  "<arg type='s' direction='in'/><arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>"               \
  "<signal name='Activated'><arg type='o'/><arg type='s'/><arg type='t'/><arg type='a{sv}'/></signal>"                     \
  "<property name='version' type='u' access='read'/></interface>"                                                          \
  "<interface name='org.freedesktop.portal.Session'><method name='Close'/><signal name='Closed'/></interface>"   \
  "<interface name='org.freedesktop.portal.Request'><method name='Close'/></interface></node>"

/* The person has not answered yet. */
#define NO_ANSWER G_MAXUINT32

typedef struct
{
  GDBusConnection *connection;
  GDBusNodeInfo *info;
  guint object, session_object, request_object, name;
  gboolean named;
  guint32 answer; /* to a wish for a key */
  gboolean is_old; /* it chooses where a request is by itself */
  gboolean is_slow; /* nobody hears of a session that came to be */
  char *sender;
  char *session;
  GString *calls; /* what was called, in order */
} Portal;

static char *
make_path (Portal *portal, const char *kind, const char *token)
{
  g_autofree char *name = g_strdelimit (g_strdup (portal->sender + 1), ".", '_');

  return g_strjoin ("/", PORTAL_PATH, kind, name, token, NULL);
}

static char *
get_request_path (Portal *portal, GVariant *options)
{
  const char *token = NULL;

  if (portal->is_old)
    return g_strdup (PORTAL_PATH "/request/any");
  g_assert_true (g_variant_lookup (options, "handle_token", "&s", &token));
  return make_path (portal, "request", token);
}

static void
respond (Portal *portal, GVariant *options, guint32 response, GVariant *results)
{
  g_autofree char *path = get_request_path (portal, options);

  g_dbus_connection_emit_signal (portal->connection, portal->sender, path, "org.freedesktop.portal.Request", "Response",
                                 g_variant_new ("(u@a{sv})", response, results), NULL);
}

static GVariant *
make_results (const char *session)
{
  GVariantBuilder results;

  g_variant_builder_init (&results, G_VARIANT_TYPE_VARDICT);
  if (session != NULL)
    g_variant_builder_add (&results, "{sv}", "session_handle", g_variant_new_string (session));
  return g_variant_builder_end (&results);
}

static void on_request_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                             const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data);

static void
ask (Portal *portal, GVariant *options)
{
  static const GDBusInterfaceVTable table = { .method_call = on_request_call };
  g_autofree char *path = get_request_path (portal, options);

  portal->request_object = g_dbus_connection_register_object (portal->connection, path, portal->info->interfaces[2], &table,
                                                              portal, NULL, NULL);
}

static void
on_request_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
                 GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  g_string_append (((Portal *) user_data)->calls, "Withdrawn ");
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void on_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                     const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data);

/* None has the name of another. */
static void
open_session (Portal *portal, GVariant *options)
{
  static const GDBusInterfaceVTable table = { .method_call = on_call };
  const char *token = NULL;
  g_autofree char *path = NULL;

  g_assert_true (g_variant_lookup (options, "session_handle_token", "&s", &token));
  path = make_path (portal, "session", token);
  g_assert_cmpstr (path, !=, portal->session);
  if (portal->session_object != 0)
    g_dbus_connection_unregister_object (portal->connection, portal->session_object);
  g_free (portal->session);
  portal->session = g_steal_pointer (&path);
  portal->session_object = g_dbus_connection_register_object (portal->connection, portal->session,
                                                              portal->info->interfaces[1], &table, portal, NULL, NULL);
}

static void
return_request (Portal *portal, GDBusMethodInvocation *invocation, GVariant *options)
{
  g_autofree char *path = get_request_path (portal, options);

  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", path));
}

/* The answer is there before the call has returned, as it may be. Nobody would hear that of an old one, which people answer late. */
static void
answer (Portal *portal, GDBusMethodInvocation *invocation, GVariant *options, guint32 response, const char *session)
{
  if (!portal->is_old)
    respond (portal, options, response, make_results (session));
  return_request (portal, invocation, options);
}

static void
on_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
         GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  Portal *portal = user_data;
  g_autoptr (GVariant) options = NULL;

  g_string_append_printf (portal->calls, "%s ", method);
  g_free (portal->sender);
  portal->sender = g_strdup (sender);
  if (g_str_equal (method, "Close"))
    {
      g_assert_cmpstr (path, ==, portal->session);
      g_dbus_method_invocation_return_value (invocation, NULL);
      return;
    }
  if (g_str_equal (method, "CreateSession"))
    {
      g_variant_get (parameters, "(@a{sv})", &options);
      open_session (portal, options);
      if (portal->is_slow)
        return_request (portal, invocation, options);
      else
        answer (portal, invocation, options, 0, portal->session);
    }
  else
    {
      g_autoptr (GVariant) shortcuts = NULL;
      const char *session, *id;

      g_variant_get (parameters, "(&o@a(sa{sv})s@a{sv})", &session, &shortcuts, NULL, &options);
      g_variant_get_child (shortcuts, 0, "(&sa{sv})", &id, NULL);
      g_assert_cmpstr (session, ==, portal->session);
      g_assert_cmpstr (id, ==, "quick-question");
      if (portal->answer == NO_ANSWER)
        {
          ask (portal, options);
          return_request (portal, invocation, options);
        }
      else
        answer (portal, invocation, options, portal->answer, NULL);
    }
}

static GVariant *
get_property (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *name,
              GError **error, gpointer user_data)
{
  return g_variant_new_uint32 (1);
}

static void
on_name (GDBusConnection *connection, const char *name, gpointer user_data)
{
  ((Portal *) user_data)->named = TRUE;
}

static void
portal_start (Portal *portal, guint32 answer)
{
  static const GDBusInterfaceVTable table = { .method_call = on_call, .get_property = get_property };
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GError) error = NULL;

  *portal = (Portal){ .answer = answer, .calls = g_string_new (NULL) };
  portal->connection = g_dbus_connection_new_for_address_sync (
    address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, &error);
  g_assert_no_error (error);
  portal->info = g_dbus_node_info_new_for_xml (DESCRIPTION, &error);
  g_assert_no_error (error);
  portal->object = g_dbus_connection_register_object (portal->connection, PORTAL_PATH, portal->info->interfaces[0], &table,
                                                      portal, NULL, NULL);
  portal->name = g_bus_own_name_on_connection (portal->connection, "org.freedesktop.portal.Desktop",
                                               G_BUS_NAME_OWNER_FLAGS_NONE, on_name, NULL, portal, NULL);
  ui_wait_until (portal->named);
}

static void
portal_stop (Portal *portal)
{
  g_bus_unown_name (portal->name);
  g_dbus_connection_unregister_object (portal->connection, portal->object);
  if (portal->session_object != 0)
    g_dbus_connection_unregister_object (portal->connection, portal->session_object);
  if (portal->request_object != 0)
    g_dbus_connection_unregister_object (portal->connection, portal->request_object);
  g_dbus_connection_close_sync (portal->connection, NULL, NULL);
  g_object_unref (portal->connection);
  g_dbus_node_info_unref (portal->info);
  g_string_free (portal->calls, TRUE);
  g_free (portal->sender);
  g_free (portal->session);
}

static void
press (Portal *portal, const char *session, const char *id)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "activation_token", g_variant_new_string ("token"));
  g_dbus_connection_emit_signal (portal->connection, NULL, PORTAL_PATH, SHORTCUTS, "Activated",
                                 g_variant_new ("(osta{sv})", session, id, (guint64) 1, &options), NULL);
}

static void
on_activated (BeckonGlobalShortcuts *shortcuts, const char *token, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", token);
}

static void
on_refused (BeckonGlobalShortcuts *shortcuts, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
test_key (UiFixture *fixture, gconstpointer data)
{
  /* As an application has it, also when the object is gone. */
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GString) pressed = g_string_new (NULL);
  BeckonGlobalShortcuts *shortcuts = beckon_global_shortcuts_new ("Ask");
  Portal portal;

  g_signal_connect (shortcuts, "activated", G_CALLBACK (on_activated), pressed);
  g_assert_false (beckon_global_shortcuts_is_available (shortcuts));
  portal_start (&portal, 0);
  ui_wait_until (beckon_global_shortcuts_is_available (shortcuts));
  g_assert_cmpstr (portal.calls->str, ==, "");
  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession BindShortcuts "));

  /* Keys of others are none of ours. */
  press (&portal, PORTAL_PATH "/session/1/other", "quick-question");
  press (&portal, portal.session, "other");
  press (&portal, portal.session, "quick-question");
  ui_wait_until (pressed->len > 0);
  g_assert_cmpstr (pressed->str, ==, "token ");

  beckon_global_shortcuts_set_wanted (shortcuts, FALSE);
  ui_wait_until (g_str_has_suffix (portal.calls->str, "Close "));
  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  ui_wait_until (g_str_has_suffix (portal.calls->str, "Close CreateSession BindShortcuts "));
  g_object_unref (shortcuts);
  ui_wait_until (g_str_has_suffix (portal.calls->str, "BindShortcuts Close "));
  portal_stop (&portal);
}

/* A refused key is not asked for repeatedly, and comes back with a portal that grants it. */
static void
test_refused (UiFixture *fixture, gconstpointer data)
{
  BeckonGlobalShortcuts *shortcuts = beckon_global_shortcuts_new ("Ask");
  gboolean refused = FALSE;
  Portal portal;

  g_signal_connect (shortcuts, "refused", G_CALLBACK (on_refused), &refused);
  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  portal_start (&portal, 1);
  ui_wait_until (refused);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession BindShortcuts Close "));
  portal_stop (&portal);
  ui_wait_until (!beckon_global_shortcuts_is_available (shortcuts));

  portal_start (&portal, 0);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession BindShortcuts "));
  portal_stop (&portal);
  ui_wait_until (!beckon_global_shortcuts_is_available (shortcuts));
  g_object_unref (shortcuts);
}

/* A withdrawn key is no longer asked about. */
static void
test_withdrawn (UiFixture *fixture, gconstpointer data)
{
  BeckonGlobalShortcuts *shortcuts = beckon_global_shortcuts_new ("Ask");
  Portal portal;

  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  portal_start (&portal, NO_ANSWER);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession BindShortcuts "));
  beckon_global_shortcuts_set_wanted (shortcuts, FALSE);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession BindShortcuts Close Withdrawn "));
  portal_stop (&portal);
  ui_wait_until (!beckon_global_shortcuts_is_available (shortcuts));
  g_object_unref (shortcuts);
}

/* No sign tells when a client listens. */
static gboolean
answer_again (Portal *portal)
{
  if (portal->session != NULL)
    respond (portal, NULL, 0, make_results (portal->session));
  return g_str_has_suffix (portal->calls->str, "BindShortcuts ");
}

/* An old portal answers elsewhere than it was asked to. */
static void
test_old (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) pressed = g_string_new (NULL);
  BeckonGlobalShortcuts *shortcuts = beckon_global_shortcuts_new ("Ask");
  Portal portal;

  g_signal_connect (shortcuts, "activated", G_CALLBACK (on_activated), pressed);
  portal_start (&portal, 0);
  portal.is_old = TRUE;
  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  ui_wait_until (answer_again (&portal));
  press (&portal, portal.session, "quick-question");
  ui_wait_until (pressed->len > 0);
  portal_stop (&portal);
  ui_wait_until (!beckon_global_shortcuts_is_available (shortcuts));
  g_object_unref (shortcuts);
}

/* A session that came to be for who does not want it any more is closed, and the next one is another. */
static void
test_hasty (UiFixture *fixture, gconstpointer data)
{
  BeckonGlobalShortcuts *shortcuts = beckon_global_shortcuts_new ("Ask");
  Portal portal;

  portal_start (&portal, 0);
  portal.is_slow = TRUE;
  ui_wait_until (beckon_global_shortcuts_is_available (shortcuts));
  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession "));
  beckon_global_shortcuts_set_wanted (shortcuts, FALSE);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession Close "));
  portal.is_slow = FALSE;
  beckon_global_shortcuts_set_wanted (shortcuts, TRUE);
  ui_wait_until (g_str_equal (portal.calls->str, "CreateSession Close CreateSession BindShortcuts "));
  portal_stop (&portal);
  ui_wait_until (!beckon_global_shortcuts_is_available (shortcuts));
  g_object_unref (shortcuts);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/shortcuts/key", test_key);
  ui_test_add ("/ui/shortcuts/refused", test_refused);
  ui_test_add ("/ui/shortcuts/withdrawn", test_withdrawn);
  ui_test_add ("/ui/shortcuts/old", test_old);
  ui_test_add ("/ui/shortcuts/hasty", test_hasty);
  return g_test_run ();
}
