/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/* Makes an allocation fail, of the program or of any library. Linked into a test program, its functions come before those of
 * the C library. */

/** Nonzero if it can, which it cannot under a sanitizer, or with another C library. */
int beckon_memory_can_fail (void);

/** Lets the allocation after @skip others fail; a negative @skip ends it. */
void beckon_memory_fail (int64_t skip);

/** How many allocations there were since. */
int64_t beckon_memory_get_n (void);
