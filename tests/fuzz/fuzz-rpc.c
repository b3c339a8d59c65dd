/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rpc/beckon-rpc-message.h"

#include "base/beckon-json.h"
#include "fuzz.h"

#include <string.h>

/* A parsed message is printed as one line, which parses to the same message; a fault has an error. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *response_id = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRpcMessage) message = beckon_rpc_message_parse ((const char *) data, size, &response_id, &error);
  g_autofree char *printed = message != NULL ? beckon_rpc_message_print (message) : NULL;
  g_autoptr (BeckonRpcMessage) again = NULL;
  g_autofree char *printed_again = NULL;

  g_assert_true ((message == NULL) == (error != NULL));
  g_assert_true (response_id == NULL || (message == NULL && beckon_json_check (response_id, -1, NULL)));
  if (message == NULL)
    return 0;

  g_assert_null (strpbrk (printed, "\r\n"));
  again = beckon_rpc_message_parse (printed, strlen (printed), NULL, NULL);
  g_assert_nonnull (again);
  g_assert_cmpint (again->kind, ==, message->kind);
  g_assert_cmpstr (again->id, ==, message->id);
  g_assert_cmpstr (again->method, ==, message->method);
  g_assert_cmpint (again->code, ==, message->code);
  g_assert_cmpstr (again->text, ==, message->text);
  printed_again = beckon_rpc_message_print (again);
  g_assert_cmpstr (printed_again, ==, printed);
  return 0;
}
