/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-private.h"

const char beckon_json_letters[256] = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define WIDE __attribute__ ((target ("avx2")))
#define STEP 64

/* The bits of the bytes that are not plain. As signed numbers, the bytes of longer characters are less than a space, too. */
WIDE static inline guint64
find_special (__m256i bytes)
{
  const __m256i marks = _mm256_or_si256 (_mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('"')),
                                         _mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('\\')));

  return (guint32) _mm256_movemask_epi8 (_mm256_or_si256 (marks, _mm256_cmpgt_epi8 (_mm256_set1_epi8 (0x20), bytes)));
}

WIDE static inline __m256i
load (const char *at)
{
  return _mm256_loadu_si256 ((const __m256i *) at);
}

WIDE static const char *
skip_wide (const char *at, const char *end)
{
  /* The letter of an escape may be the first byte of the next step. */
  while (end - at > STEP)
    {
      guint64 special = find_special (load (at)) | find_special (load (at + STEP / 2)) << STEP / 2;
      const char *next = at + STEP;

      while (special != 0)
        {
          int place = __builtin_ctzll (special);

          if (!beckon_json_is_short_escape (at + place))
            return at + place;
          special &= ~(G_GUINT64_CONSTANT (3) << place);
          if (place == STEP - 1)
            next++;
        }
      at = next;
    }
  return at;
}

WIDE static inline void
copy_step (const char *at, char *to)
{
  _mm256_storeu_si256 ((__m256i *) to, load (at));
  _mm256_storeu_si256 ((__m256i *) (to + STEP / 2), load (at + STEP / 2));
}

/* All of a step is copied; what stands behind an escape in it once more, to where it belongs. So where the next step is depends
 * on none of them, and the processor need not wait for one to begin the other. */
WIDE static const char *
copy_wide (const char *at, const char *end, char **to)
{
  char *out = *to;

  while (end - at > 2 * STEP)
    {
      const char *step = at;
      guint64 special = find_special (load (at)) | find_special (load (at + STEP / 2)) << STEP / 2;

      copy_step (at, out);
      while (special != 0)
        {
          const char *escape = step + __builtin_ctzll (special);

          out += escape - at;
          at = escape;
          if (!beckon_json_is_short_escape (escape))
            {
              *to = out;
              return at;
            }
          *out++ = beckon_json_letters[(guchar) escape[1]];
          at += 2;
          copy_step (at, out);
          special &= ~(G_GUINT64_CONSTANT (3) << (escape - step));
        }
      if (at < step + STEP)
        {
          out += step + STEP - at;
          at = step + STEP;
        }
    }
  *to = out;
  return at;
}

const char *
beckon_json_skip_text (const char *at, const char *end)
{
  return __builtin_cpu_supports ("avx2") ? skip_wide (at, end) : at;
}

const char *
beckon_json_copy_text (const char *at, const char *end, char **to)
{
  return __builtin_cpu_supports ("avx2") ? copy_wide (at, end, to) : at;
}

#else

const char *
beckon_json_skip_text (const char *at, const char *end)
{
  return at;
}

const char *
beckon_json_copy_text (const char *at, const char *end, char **to)
{
  return at;
}

#endif
