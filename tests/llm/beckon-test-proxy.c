/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-proxy.h"

#define TEST_TYPE_PROXIES (test_proxies_get_type ())
G_DECLARE_FINAL_TYPE (TestProxies, test_proxies, TEST, PROXIES, GObject)

struct _TestProxies
{
  GObject parent_instance;
};

static guint16 proxy_port;

static void test_proxies_resolver_init (GProxyResolverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestProxies, test_proxies, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER, test_proxies_resolver_init))

static gboolean
is_supported (GProxyResolver *resolver)
{
  return TRUE;
}

static char **
look_up (GProxyResolver *resolver, const char *uri, GCancellable *cancellable, GError **error)
{
  char **proxies = g_new0 (char *, 2);

  proxies[0] = g_strdup_printf ("http://127.0.0.1:%u", proxy_port);
  return proxies;
}

static void
look_up_async (GProxyResolver *resolver, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  g_task_return_pointer (task, look_up (resolver, uri, NULL, NULL), (GDestroyNotify) g_strfreev);
}

static char **
look_up_finish (GProxyResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
test_proxies_resolver_init (GProxyResolverInterface *iface)
{
  iface->is_supported = is_supported;
  iface->lookup = look_up;
  iface->lookup_async = look_up_async;
  iface->lookup_finish = look_up_finish;
}

static void
test_proxies_class_init (TestProxiesClass *klass)
{
}

static void
test_proxies_init (TestProxies *self)
{
}

void
beckon_test_proxy_use (guint16 port)
{
  proxy_port = port;
  g_setenv ("GIO_USE_PROXY_RESOLVER", "beckon-test", TRUE);
  g_io_extension_point_register (G_PROXY_RESOLVER_EXTENSION_POINT_NAME);
  g_io_extension_point_implement (G_PROXY_RESOLVER_EXTENSION_POINT_NAME, TEST_TYPE_PROXIES, "beckon-test", 1000);
  g_assert_true (TEST_IS_PROXIES (g_proxy_resolver_get_default ()));
}
