/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-memory.h"

#include <errno.h>
#include <stdlib.h>

#if defined (__GLIBC__) && !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
#define CAN_FAIL 1
#else
#define CAN_FAIL 0
#endif

static int64_t n_allocations, failing = -1;

int
beckon_memory_can_fail (void)
{
  return CAN_FAIL;
}

void
beckon_memory_fail (int64_t skip)
{
  __atomic_store_n (&n_allocations, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n (&failing, skip, __ATOMIC_SEQ_CST);
}

int64_t
beckon_memory_get_n (void)
{
  return __atomic_load_n (&n_allocations, __ATOMIC_SEQ_CST);
}

#if CAN_FAIL

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *memory, size_t size);

static int
fails (void)
{
  int64_t at = __atomic_load_n (&failing, __ATOMIC_SEQ_CST);
  int64_t n = __atomic_fetch_add (&n_allocations, 1, __ATOMIC_SEQ_CST);

  if (n != at)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *
malloc (size_t size)
{
  return fails () ? NULL : __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return fails () ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  return fails () ? NULL : __libc_realloc (memory, size);
}

#endif
