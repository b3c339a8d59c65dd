/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FILE_CHIP (beckon_file_chip_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFileChip, beckon_file_chip, BECKON, FILE_CHIP, AdwBin)

/** A draft's attached file. Signal `removed`: the person does not want it. A click on it shows it whole. */
GtkWidget *beckon_file_chip_new (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** Shows a file being read. @name: of the file. */
GtkWidget *beckon_file_chip_new_reading (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** %NULL while it is being read. */
BeckonPart *beckon_file_chip_get_part (BeckonFileChip *chip);

G_END_DECLS
