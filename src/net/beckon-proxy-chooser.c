/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-proxy-chooser.h"

#include "base/beckon-finish.h"
#include "base/beckon-origin.h"

struct _BeckonProxyChooser
{
  GObject parent_instance;

  GProxyResolver *others; /* (owned) (nullable) */
};

static void beckon_proxy_chooser_resolver_init (GProxyResolverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonProxyChooser, beckon_proxy_chooser, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER, beckon_proxy_chooser_resolver_init))

static char **
make_direct (void)
{
  static const char *const direct[] = { "direct://", NULL };

  return g_strdupv ((char **) direct);
}

static GProxyResolver *
get_others (BeckonProxyChooser *self)
{
  return self->others != NULL ? self->others : g_proxy_resolver_get_default ();
}

static gboolean
is_supported (GProxyResolver *resolver)
{
  return TRUE;
}

static char **
look_up (GProxyResolver *resolver, const char *uri, GCancellable *cancellable, GError **error)
{
  if (beckon_uri_is_loopback (uri))
    return make_direct ();
  return g_proxy_resolver_lookup (get_others (BECKON_PROXY_CHOOSER (resolver)), uri, cancellable, error);
}

static void
proxy_chooser_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GError *error = NULL;
  char **proxies = g_proxy_resolver_lookup_finish (G_PROXY_RESOLVER (source), result, &error);

  if (proxies != NULL)
    g_task_return_pointer (task, proxies, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, error);
}

static void
look_up_async (GProxyResolver *resolver, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
               gpointer user_data)
{
  GTask *task = g_task_new (resolver, cancellable, callback, user_data);

  g_task_set_source_tag (task, look_up_async);
  if (!beckon_uri_is_loopback (uri))
    {
      g_proxy_resolver_lookup_async (get_others (BECKON_PROXY_CHOOSER (resolver)), uri, cancellable, proxy_chooser_on_looked_up,
                                     task);
      return;
    }
  g_task_return_pointer (task, make_direct (), (GDestroyNotify) g_strfreev);
  g_object_unref (task);
}

static BECKON_FINISH_POINTER (char **, look_up, GProxyResolver)

static void
beckon_proxy_chooser_resolver_init (GProxyResolverInterface *iface)
{
  iface->is_supported = is_supported;
  iface->lookup = look_up;
  iface->lookup_async = look_up_async;
  iface->lookup_finish = look_up_finish;
}

static void
beckon_proxy_chooser_dispose (GObject *object)
{
  g_clear_object (&BECKON_PROXY_CHOOSER (object)->others);

  G_OBJECT_CLASS (beckon_proxy_chooser_parent_class)->dispose (object);
}

static void
beckon_proxy_chooser_class_init (BeckonProxyChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_proxy_chooser_dispose;
}

static void
beckon_proxy_chooser_init (BeckonProxyChooser *self)
{
}

BeckonProxyChooser *
beckon_proxy_chooser_new (GProxyResolver *others)
{
  BeckonProxyChooser *self = g_object_new (BECKON_TYPE_PROXY_CHOOSER, NULL);

  g_set_object (&self->others, others);
  return self;
}
