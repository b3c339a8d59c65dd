/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-words.h"

#include <string.h>

/* A message in so many is Chinese, and one in so many of the others has some Chinese in it. */
#define CHINESE_IN 4
#define MIXED_IN 10

static const char *const common[] = {
  "the",    "to",    "of",     "and",    "a",     "in",    "is",     "that",   "for",   "it",     "with",   "on",
  "this",   "you",   "as",     "be",     "are",   "not",   "or",     "by",     "can",   "from",   "if",     "at",
  "we",     "file",  "will",   "an",     "have",  "use",   "all",    "when",   "then",  "one",    "but",    "has",
  "your",   "which", "time",   "no",     "there", "was",   "they",   "code",   "line",  "add",    "set",    "run",
  "so",     "what",  "error",  "should", "do",    "only",  "new",    "name",   "how",   "value",  "test",   "first",
  "server", "list",  "data",   "make",   "more",  "need",  "like",   "after",  "would", "change", "before", "using",
  "path",   "start", "here",   "where",  "build", "call",  "check",  "number", "page",  "open",   "read",   "write",
  "still",  "ask",   "answer", "again",  "point", "other", "folder", "into",   "over",  "same",   "each",   "than",
};

static const char *const syllables[] = {
  "ba", "ke", "mi", "lo", "tu", "ra", "ne", "si", "po", "gu", "da", "fe", "vi", "ho", "zu", "la", "te", "ri", "so", "mu",
  "cha", "shi", "tro", "plen", "gra", "stor", "vel", "quin", "dex", "mar", "nol", "per", "kan", "dis", "ver", "ton",
};

/* The most common characters, then words of two of them that a person looks for; the rest is taken from where they are. */
static const char *const characters[] = {
  "的", "一", "是", "不", "了", "在", "有", "我", "他", "这", "个", "们", "中", "来", "上", "大", "为", "和", "国", "地",
  "到", "以", "说", "时", "要", "就", "出", "会", "可", "也", "你", "对", "生", "能", "而", "子", "那", "得", "于", "着",
  "部署", "文件", "服务器", "设置", "问题", "数据", "测试", "运行", "错误", "时间", "用户", "代码", "检查", "目录",
};

struct _HistoryWords
{
  guint64 state;
  double english[HISTORY_WORDS_ENGLISH];
  double chinese[HISTORY_WORDS_CHINESE];
  gboolean only_english;
};

/* The n-th word comes up as often as 1 / n. */
static void
fill (double *sums, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sums[i] = sum += 1.0 / (i + 2.7);
}

HistoryWords *
history_words_new (guint64 seed)
{
  HistoryWords *self = g_new0 (HistoryWords, 1);

  self->state = seed * 0x9e3779b97f4a7c15u + 0x1234567u;
  fill (self->english, HISTORY_WORDS_ENGLISH);
  fill (self->chinese, HISTORY_WORDS_CHINESE);

  return self;
}

void
history_words_free (HistoryWords *self)
{
  g_free (self);
}

static guint64
next (HistoryWords *self)
{
  self->state ^= self->state << 13;
  self->state ^= self->state >> 7;
  self->state ^= self->state << 17;

  return self->state;
}

guint
history_words_number (HistoryWords *self, guint end)
{
  return (guint) ((next (self) >> 16) % end);
}

static guint
pick (HistoryWords *self, const double *sums, guint n)
{
  double wanted = (double) (next (self) >> 11) / 9007199254740992.0 * sums[n - 1];
  guint first = 0, last = n - 1;

  while (first < last)
    {
      guint middle = (first + last) / 2;

      if (sums[middle] < wanted)
        first = middle + 1;
      else
        last = middle;
    }

  return first;
}

static void
append_english (GString *text, guint rank)
{
  guint n = G_N_ELEMENTS (syllables);

  if (rank < G_N_ELEMENTS (common))
    {
      g_string_append (text, common[rank]);
      return;
    }
  g_string_append (text, syllables[rank % n]);
  g_string_append (text, syllables[rank / n % n]);
  if (rank / n / n > 0)
    g_string_append (text, syllables[rank / n / n % n]);
  g_string_append (text, rank % 3 == 0 ? "ing" : rank % 3 == 1 ? "er" : "x");
}

static void
append_chinese (GString *text, guint rank)
{
  if (rank < G_N_ELEMENTS (characters))
    g_string_append (text, characters[rank]);
  else
    g_string_append_unichar (text, (gunichar) (0x4e00 + (rank * 7) % 20000));
}

char *
history_words_english (guint rank)
{
  GString *text = g_string_new (NULL);

  append_english (text, rank);

  return g_string_free (text, FALSE);
}

char *
history_words_chinese (guint rank)
{
  GString *text = g_string_new (NULL);

  append_chinese (text, rank);

  return g_string_free (text, FALSE);
}

static void
append_word (HistoryWords *self, GString *text, gboolean chinese)
{
  guint end = history_words_number (self, 14);

  if (chinese)
    {
      append_chinese (text, pick (self, self->chinese, HISTORY_WORDS_CHINESE));
      g_string_append (text, end == 0 ? "，" : end == 1 ? "。" : "");
      return;
    }
  append_english (text, pick (self, self->english, HISTORY_WORDS_ENGLISH));
  g_string_append (text, end == 0 ? ", " : end == 1 ? ". " : " ");
}

void
history_words_use_english (HistoryWords *self)
{
  self->only_english = TRUE;
}

char *
history_words_write (HistoryWords *self, gsize length)
{
  GString *text = g_string_sized_new (length + 16);
  gboolean chinese = !self->only_english && history_words_number (self, CHINESE_IN) == 0;
  gboolean mixed = !self->only_english && !chinese && history_words_number (self, MIXED_IN) == 0;

  while (text->len < length)
    append_word (self, text, chinese || (mixed && text->len > length / 2));
  while (length > 0 && ((guchar) text->str[length] & 0xc0) == 0x80)
    length--;
  g_string_truncate (text, length);
  if (length > 0 && text->str[length - 1] == ' ')
    text->str[length - 1] = '.';

  return g_string_free (text, FALSE);
}
