/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PUBLIC_ADDRESS (beckon_public_address_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPublicAddress, beckon_public_address, BECKON, PUBLIC_ADDRESS, GNetworkAddress)

/**
 * BeckonPublicAddress:
 *
 * A host that is connected to only at addresses of the public internet: not this computer, not its network, not the
 * neighbours' services. It is looked at what the name resolves to when it is connected, so that no answer that changes leads
 * elsewhere.
 */
GSocketConnectable *beckon_public_address_new (const char *host, guint16 port) G_GNUC_WARN_UNUSED_RESULT;

/** The words for a model whose address is not one of the public internet. */
#define BECKON_PUBLIC_ADDRESS_REFUSAL \
  "This address is on the user's own computer or network, which fetch_url does not reach. run_command with local_network " \
  "does; the user is asked."

/** Whether @host, a name or a literal address, is this computer or on its network. Names are not looked up. */
gboolean beckon_public_address_names_private (const char *host);

/** Whether @address is one of the public internet. */
gboolean beckon_public_address_is_public (GInetAddress *address);

G_END_DECLS
