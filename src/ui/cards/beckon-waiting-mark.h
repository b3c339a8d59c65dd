/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WAITING_MARK (beckon_waiting_mark_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWaitingMark, beckon_waiting_mark, BECKON, WAITING_MARK, AdwBin)

/**
 * BeckonWaitingMark:
 *
 * The place of a call in the transcript while its card waits elsewhere. It activates `conversation.show-card` with the id of
 * @request.
 */
GtkWidget *beckon_waiting_mark_new (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
