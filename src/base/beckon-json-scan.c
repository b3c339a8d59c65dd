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

WIDE static const char *
copy_wide (const char *at, const char *end, char **to)
{
  char *out = *to;

  while (end - at > STEP)
    {
      const __m256i one = load (at);
      const __m256i two = load (at + STEP / 2);
      guint64 special = find_special (one) | find_special (two) << STEP / 2;
      int n_plain = special != 0 ? __builtin_ctzll (special) : STEP;

      _mm256_storeu_si256 ((__m256i *) out, one);
      _mm256_storeu_si256 ((__m256i *) (out + STEP / 2), two);
      at += n_plain;
      out += n_plain;
      if (special == 0)
        continue;
      if (!beckon_json_is_short_escape (at))
        break;
      *out++ = beckon_json_letters[(guchar) at[1]];
      at += 2;
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
