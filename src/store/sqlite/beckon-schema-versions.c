/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The shape of the file and how it came to be.
 *
 * What must never happen is forbidden here and not only in the code above: a call has at most one result (a part is unique in
 * its call and kind), a request at most one settlement (its primary key), a call starts with a permit of its own, a
 * conversation has at most one open run (a partial unique index), a line of the provenance is neither changed nor taken away
 * while its conversation is there.
 *
 * The text of a reply that streams is not rewritten with every piece: pieces go to `chunk`, and the upkeep joins them with
 * their part when the message is over. A reader of a part reads its text and then its chunks. Text of parts is a BLOB,
 * because it is kept as it came, NUL and invalid bytes included.
 */

#include "beckon-config.h"

#include "beckon-schema.h"

static const char first_version[] =
  "CREATE TABLE profile ("
  "  id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, base_url TEXT NOT NULL, model TEXT NOT NULL,"
  "  rounds INTEGER NOT NULL"
  ") STRICT, WITHOUT ROWID;"

  "CREATE TABLE conversation ("
  "  id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, title TEXT NOT NULL,"
  "  profile TEXT, draft TEXT NOT NULL DEFAULT ''"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX conversation_by_time ON conversation (updated_at DESC, id DESC);"

  "CREATE TABLE message ("
  "  id TEXT PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE,"
  "  seq INTEGER NOT NULL CHECK (seq >= 0), role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),"
  "  status TEXT NOT NULL CHECK (status IN ('complete', 'streaming', 'cut-off', 'stopped', 'failed')),"
  "  created_at INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cached INTEGER NOT NULL,"
  "  UNIQUE (conversation, seq)"
  ") STRICT, WITHOUT ROWID;"

  "CREATE TABLE call ("
  "  id TEXT PRIMARY KEY, message TEXT NOT NULL REFERENCES message ON DELETE CASCADE, provider_id TEXT,"
  "  tool TEXT NOT NULL, arguments TEXT NOT NULL, fault TEXT, read_only INTEGER NOT NULL,"
  "  state TEXT NOT NULL CHECK (state IN ('proposed', 'awaiting', 'decided', 'started', 'done', 'unknown', 'cancelled')),"
  "  started_at INTEGER NOT NULL, finished_at INTEGER NOT NULL"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX call_by_message ON call (message);"

  /* A result has no place of its own: it belongs to its call. */
  "CREATE TABLE part ("
  "  id INTEGER PRIMARY KEY, message TEXT NOT NULL REFERENCES message ON DELETE CASCADE, place INTEGER,"
  "  kind TEXT NOT NULL CHECK (kind IN ('text', 'reasoning', 'call', 'opaque', 'result')), origin TEXT,"
  "  call TEXT REFERENCES call ON DELETE CASCADE, is_error INTEGER NOT NULL, text BLOB NOT NULL,"
  "  UNIQUE (message, place), UNIQUE (call, kind),"
  "  CHECK ((call IS NOT NULL) = (kind IN ('call', 'result'))), CHECK ((place IS NULL) = (kind = 'result'))"
  ") STRICT;"

  "CREATE TABLE chunk ("
  "  part INTEGER NOT NULL REFERENCES part ON DELETE CASCADE, seq INTEGER NOT NULL, text BLOB NOT NULL,"
  "  PRIMARY KEY (part, seq)"
  ") STRICT, WITHOUT ROWID;"

  "CREATE TABLE request ("
  "  id TEXT PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE,"
  "  message TEXT REFERENCES message ON DELETE CASCADE, call TEXT REFERENCES call ON DELETE CASCADE,"
  "  kind TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, draft TEXT, asked_at INTEGER NOT NULL"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX request_pending ON request (conversation) WHERE state = 'pending';"
  "CREATE INDEX request_by_conversation ON request (conversation);"
  "CREATE INDEX request_by_message ON request (message);"
  "CREATE INDEX request_by_call ON request (call);"

  "CREATE TABLE settlement ("
  "  request TEXT PRIMARY KEY REFERENCES request ON DELETE CASCADE, state TEXT NOT NULL, answer TEXT, arguments TEXT,"
  "  front_end TEXT NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL, CHECK (state <> 'pending')"
  ") STRICT, WITHOUT ROWID;"

  "CREATE TABLE run ("
  "  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
  "  conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE, profile TEXT NOT NULL, phase TEXT NOT NULL,"
  "  open INTEGER NOT NULL, detail TEXT, round INTEGER NOT NULL, round_limit INTEGER NOT NULL,"
  "  retry_at INTEGER NOT NULL, lease TEXT,"
  "  CHECK (open = (phase IN ('queued', 'requesting', 'retry-wait', 'receiving', 'calling', 'waiting'))),"
  "  CHECK (open OR lease IS NULL)"
  ") STRICT;"
  "CREATE INDEX run_by_conversation ON run (conversation);"
  "CREATE UNIQUE INDEX run_open ON run (conversation) WHERE open;"

  /* No index: a line is written while a decision waits to take effect, and read when none does. */
  "CREATE TABLE provenance ("
  "  seq INTEGER PRIMARY KEY, conversation TEXT NOT NULL, call TEXT, event TEXT NOT NULL,"
  "  data TEXT NOT NULL, at INTEGER NOT NULL"
  ") STRICT;"
  "CREATE TRIGGER provenance_is_not_changed BEFORE UPDATE ON provenance"
  "  BEGIN SELECT RAISE (ABORT, 'provenance is append-only'); END;"
  "CREATE TRIGGER provenance_is_not_removed BEFORE DELETE ON provenance"
  "  WHEN EXISTS (SELECT 1 FROM conversation WHERE id = OLD.conversation)"
  "  BEGIN SELECT RAISE (ABORT, 'provenance is append-only'); END;"

  "PRAGMA application_id = 0x42656b6e;";

/* The index (see beckon-search-index.c) has a text of its own per part and per title. The triggers only note what is to be
 * done to it: SQLite lets no trigger of a file that is not trusted write to a virtual table. */
static const char second_version[] =
  "ALTER TABLE conversation ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE conversation ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE conversation ADD COLUMN deleted_at INTEGER;"
  "CREATE INDEX conversation_deleted ON conversation (deleted_at) WHERE deleted_at IS NOT NULL;"

  /* A conversation has no number, and the index needs one. */
  "CREATE TABLE title ("
  "  id INTEGER PRIMARY KEY, conversation TEXT NOT NULL UNIQUE REFERENCES conversation ON DELETE CASCADE"
  ") STRICT;"
  "CREATE TABLE unindexed_title ("
  "  conversation TEXT PRIMARY KEY REFERENCES conversation ON DELETE CASCADE"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE unindexed_text (part INTEGER PRIMARY KEY REFERENCES part ON DELETE CASCADE) STRICT;"
  "CREATE TABLE removed_title (id INTEGER PRIMARY KEY) STRICT;"
  "CREATE TABLE removed_text (part INTEGER PRIMARY KEY) STRICT;"
  "CREATE VIRTUAL TABLE search_title USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');"
  "CREATE VIRTUAL TABLE search_text USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');"

  "CREATE TRIGGER title_begins AFTER INSERT ON conversation WHEN NEW.title <> ''"
  "  BEGIN INSERT INTO unindexed_title VALUES (NEW.id) ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER title_changes AFTER UPDATE OF title ON conversation WHEN NEW.title <> OLD.title"
  "  BEGIN INSERT INTO unindexed_title VALUES (NEW.id) ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER title_ends AFTER DELETE ON title"
  "  BEGIN INSERT INTO removed_title VALUES (OLD.id) ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER text_begins AFTER INSERT ON part"
  "  WHEN NEW.kind = 'text' AND (SELECT status FROM message WHERE id = NEW.message) <> 'streaming'"
  "  BEGIN INSERT INTO unindexed_text VALUES (NEW.id) ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER text_is_whole AFTER UPDATE OF status ON message"
  "  WHEN OLD.status = 'streaming' AND NEW.status <> 'streaming'"
  "  BEGIN INSERT INTO unindexed_text SELECT id FROM part WHERE message = NEW.id AND kind = 'text'"
  "    ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER text_ends AFTER DELETE ON part WHEN OLD.kind = 'text'"
  "  BEGIN INSERT INTO removed_text VALUES (OLD.id) ON CONFLICT DO NOTHING; END;"

  "INSERT INTO unindexed_title SELECT id FROM conversation WHERE title <> '';"
  "INSERT INTO unindexed_text SELECT p.id FROM part p JOIN message m ON m.id = p.message"
  "  WHERE p.kind = 'text' AND m.status <> 'streaming';";

/* The order of conversations is that of their last writing, not that of a clock that may have been set back. `gone` remembers
 * for a while what was deleted for good, so that no other process puts it there again with what it was just writing. */
static const char third_version[] =
  "ALTER TABLE conversation ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE conversation ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE conversation ADD COLUMN named_by TEXT NOT NULL DEFAULT 'person'"
  "  CHECK (named_by IN ('message', 'model', 'person'));"
  "ALTER TABLE conversation ADD COLUMN origin TEXT;"
  "ALTER TABLE conversation ADD COLUMN origin_message TEXT;"
  "UPDATE conversation SET sequence = o.place"
  "  FROM (SELECT id, row_number () OVER (ORDER BY updated_at, id) AS place FROM conversation) AS o"
  "  WHERE o.id = conversation.id;"
  "DROP INDEX conversation_by_time;"
  "CREATE INDEX conversation_by_sequence ON conversation (sequence DESC);"

  "CREATE TABLE gone (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
  "CREATE TRIGGER conversation_ends AFTER DELETE ON conversation"
  "  BEGIN INSERT INTO gone VALUES (OLD.id, unixepoch ()) ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER conversation_begins AFTER INSERT ON conversation"
  "  BEGIN DELETE FROM gone WHERE id = NEW.id; END;"

  /* An image is bytes with their type. A check cannot be changed, so the table is built anew, and its triggers with it. */
  "CREATE TABLE part_new ("
  "  id INTEGER PRIMARY KEY, message TEXT NOT NULL REFERENCES message ON DELETE CASCADE, place INTEGER,"
  "  kind TEXT NOT NULL CHECK (kind IN ('text', 'reasoning', 'call', 'opaque', 'image', 'result')), origin TEXT,"
  "  call TEXT REFERENCES call ON DELETE CASCADE, is_error INTEGER NOT NULL, text BLOB NOT NULL, media_type TEXT,"
  "  UNIQUE (message, place), UNIQUE (call, kind),"
  "  CHECK ((call IS NOT NULL) = (kind IN ('call', 'result'))), CHECK ((place IS NULL) = (kind = 'result')),"
  "  CHECK ((media_type IS NOT NULL) = (kind = 'image'))"
  ") STRICT;"
  "INSERT INTO part_new SELECT id, message, place, kind, origin, call, is_error, text, NULL FROM part;"
  "DROP TABLE part;"
  "ALTER TABLE part_new RENAME TO part;"
  "CREATE TRIGGER text_begins AFTER INSERT ON part"
  "  WHEN NEW.kind = 'text' AND (SELECT status FROM message WHERE id = NEW.message) <> 'streaming'"
  "  BEGIN INSERT INTO unindexed_text VALUES (NEW.id) ON CONFLICT DO NOTHING; END;"
  "CREATE TRIGGER text_ends AFTER DELETE ON part WHEN OLD.kind = 'text'"
  "  BEGIN INSERT INTO removed_text VALUES (OLD.id) ON CONFLICT DO NOTHING; END;"

  /* The last rule that fits decides, so they have an order. No conversation and no folder: everywhere. */
  "CREATE TABLE rule ("
  "  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT, server TEXT, arguments TEXT, folder TEXT,"
  "  conversation TEXT REFERENCES conversation ON DELETE CASCADE,"
  "  verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'ask', 'deny')), created_at INTEGER NOT NULL,"
  "  expires_at INTEGER NOT NULL DEFAULT 0, uses INTEGER NOT NULL DEFAULT 0, used_at INTEGER NOT NULL DEFAULT 0,"
  "  CHECK (tool IS NOT NULL OR server IS NOT NULL)"
  ") STRICT;"
  "CREATE INDEX rule_by_conversation ON rule (conversation) WHERE conversation IS NOT NULL;"

  /* The oldest files have it with other columns. */
  "DROP INDEX request_pending;"
  "CREATE INDEX request_pending ON request (conversation) WHERE state = 'pending';";

/* Headers and what follows whom are a line each. A profile that is gone may come back, so that nothing refers to one. */
static const char fourth_version[] =
  "ALTER TABLE profile ADD COLUMN context_window INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE profile ADD COLUMN temperature REAL NOT NULL DEFAULT -1;"
  "ALTER TABLE profile ADD COLUMN output_limit INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE profile ADD COLUMN headers TEXT NOT NULL DEFAULT '';"
  "ALTER TABLE profile ADD COLUMN extra_body TEXT NOT NULL DEFAULT '';"
  "ALTER TABLE profile ADD COLUMN system_prompt TEXT NOT NULL DEFAULT '';"
  "ALTER TABLE profile ADD COLUMN price_input REAL NOT NULL DEFAULT 0;"
  "ALTER TABLE profile ADD COLUMN price_cached REAL NOT NULL DEFAULT 0;"
  "ALTER TABLE profile ADD COLUMN price_output REAL NOT NULL DEFAULT 0;"
  "ALTER TABLE profile ADD COLUMN currency TEXT NOT NULL DEFAULT '';"
  "ALTER TABLE profile ADD COLUMN fallbacks TEXT NOT NULL DEFAULT '';"

  "ALTER TABLE conversation ADD COLUMN folder TEXT;"
  "ALTER TABLE conversation ADD COLUMN mode TEXT NOT NULL DEFAULT 'changes'"
  "  CHECK (mode IN ('everything', 'changes', 'outside'));"

  /* That one call may run, once and with these bytes: the SHA-256 of its arguments. It is the answered request's id, or that of
   * what policy decided by itself. Without one nothing starts. */
  "CREATE TABLE permit ("
  "  id TEXT PRIMARY KEY, call TEXT NOT NULL REFERENCES call ON DELETE CASCADE, digest TEXT NOT NULL,"
  "  given_at INTEGER NOT NULL, used_at INTEGER"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX permit_by_call ON permit (call);"
  "CREATE TRIGGER call_starts BEFORE UPDATE OF state ON call WHEN NEW.state = 'started' AND OLD.state <> 'started'"
  "  AND NOT EXISTS (SELECT 1 FROM permit WHERE call = NEW.id AND used_at = NEW.started_at)"
  "  BEGIN SELECT RAISE (ABORT, 'a call starts with a permit'); END;"

  /* File contents before a change; no bytes if the file was not there, or was put back. They stand last, so that nothing else
   * of the row has to be looked for behind them. */
  "CREATE TABLE file_copy ("
  "  id INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE REFERENCES call ON DELETE CASCADE,"
  "  folder TEXT NOT NULL, path TEXT NOT NULL, after_hash TEXT NOT NULL, made_at INTEGER NOT NULL,"
  "  undone_at INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL, before BLOB"
  ") STRICT;"

  /* Notes that the model was asked to save; the person may change each. */
  "CREATE TABLE note ("
  "  id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, text TEXT NOT NULL"
  ") STRICT, WITHOUT ROWID;"

  /* A plan belongs to the call that proposed it, from its acceptance on. Each step that is begun is a call that has no part:
   * the model did not make it. */
  "CREATE TABLE plan ("
  "  call TEXT PRIMARY KEY REFERENCES call ON DELETE CASCADE, document TEXT NOT NULL, revision INTEGER NOT NULL"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE step ("
  "  call TEXT PRIMARY KEY REFERENCES call ON DELETE CASCADE, plan TEXT NOT NULL REFERENCES plan ON DELETE CASCADE,"
  "  step TEXT NOT NULL, outcome TEXT CHECK (outcome IN ('skipped', 'replaced', 'replan'))"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX step_by_plan ON step (plan);"

  /* Millionths of the currency that the profile named when it was asked; -1: not known. */
  "ALTER TABLE message ADD COLUMN cost INTEGER NOT NULL DEFAULT -1;";

/* Overrides of a tool's argument by a person; the server of a built-in one is ''. The index finds a tool's earlier calls. */
static const char fifth_version[] =
  "CREATE TABLE parameter ("
  "  tool TEXT NOT NULL, server TEXT NOT NULL, name TEXT NOT NULL,"
  "  access TEXT NOT NULL CHECK (access IN ('editable', 'read-only', 'masked', 'hidden')), pinned TEXT, allowed TEXT,"
  "  changed_at INTEGER NOT NULL, PRIMARY KEY (tool, server, name),"
  "  CHECK (access <> 'editable' OR pinned IS NOT NULL OR allowed IS NOT NULL)"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX call_by_tool ON call (tool);"

  /* The arguments after overrides, and which are redacted. */
  "ALTER TABLE call ADD COLUMN settled TEXT;"
  "ALTER TABLE call ADD COLUMN concealed TEXT;"

  /* Attachments of a draft; when it is sent, they become parts of the message. */
  "CREATE TABLE draft_file ("
  "  id INTEGER PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE, place INTEGER NOT NULL,"
  "  origin TEXT NOT NULL, media_type TEXT, text BLOB NOT NULL, UNIQUE (conversation, place)"
  ") STRICT;"

  /* Messages are a tree: each follows its parent, '' for none. Of those that follow the same one, one is chosen; from the
   * first along those that are chosen goes what is shown, which is active, and in which places are unique. See
   * beckon-branches.h. That a parent is there is not asked for: a long chain would be more than a cascade goes through. */
  "CREATE TABLE message_new ("
  "  id TEXT PRIMARY KEY, conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE,"
  "  seq INTEGER NOT NULL CHECK (seq >= 0), role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),"
  "  status TEXT NOT NULL CHECK (status IN ('complete', 'streaming', 'cut-off', 'stopped', 'failed')),"
  "  created_at INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cached INTEGER NOT NULL,"
  "  cost INTEGER NOT NULL DEFAULT -1, parent TEXT NOT NULL DEFAULT '', chosen INTEGER NOT NULL DEFAULT 1,"
  "  active INTEGER NOT NULL DEFAULT 1, deleted_at INTEGER, moved_from TEXT,"
  "  CHECK (NOT active OR (chosen AND deleted_at IS NULL))"
  ") STRICT, WITHOUT ROWID;"
  "INSERT INTO message_new (id, conversation, seq, role, status, created_at, input, output, cached, cost, parent)"
  " SELECT id, conversation, seq, role, status, created_at, input, output, cached, cost,"
  "  lag (id, 1, '') OVER (PARTITION BY conversation ORDER BY seq) FROM message;"
  "DROP TABLE message;"
  "ALTER TABLE message_new RENAME TO message;"
  "CREATE UNIQUE INDEX message_active ON message (conversation, seq) WHERE active;"
  "CREATE INDEX message_by_parent ON message (conversation, parent);"
  "CREATE INDEX message_left ON message (conversation, parent) WHERE NOT chosen;"
  "CREATE INDEX message_deleted ON message (deleted_at) WHERE deleted_at IS NOT NULL;"
  "CREATE TRIGGER text_is_whole AFTER UPDATE OF status ON message"
  "  WHEN OLD.status = 'streaming' AND NEW.status <> 'streaming'"
  "  BEGIN INSERT INTO unindexed_text SELECT id FROM part WHERE message = NEW.id AND kind = 'text'"
  "    ON CONFLICT DO NOTHING; END;"

  /* Counts the changes of what is shown. */
  "ALTER TABLE conversation ADD COLUMN path INTEGER NOT NULL DEFAULT 0;"

  /* How long the model reasoned, in microseconds. */
  "ALTER TABLE part ADD COLUMN duration INTEGER NOT NULL DEFAULT 0;"
  /* The cost's currency, because costs in different ones can't be added; and server facts of the model. */
  "ALTER TABLE message ADD COLUMN currency TEXT NOT NULL DEFAULT '';"
  "ALTER TABLE profile ADD COLUMN facts TEXT NOT NULL DEFAULT '';";

/* The pictures that came with a result. The bytes stand last, so that nothing else of the row has to be looked for behind
 * them. */
static const char sixth_version[] =
  "CREATE TABLE result_image ("
  "  id INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES call ON DELETE CASCADE,"
  "  place INTEGER NOT NULL CHECK (place >= 0), origin TEXT, media_type TEXT NOT NULL, bytes BLOB NOT NULL,"
  "  UNIQUE (call, place)"
  ") STRICT;";

/* Secrets are looked for before each tool starts. A copy of a file that holds one is withheld. A call's exit status, and how
 * many bytes of its result are output; behind them stands how it ended. From where a conversation was imported, so that it
 * is so once. That a person wants a run to stop which another process drives, and that a model is still to be asked for a
 * title. */
static const char seventh_version[] =
  "CREATE INDEX settlement_secret ON settlement (request) WHERE instr (answer, 'secret:') > 0;"
  "ALTER TABLE file_copy ADD COLUMN withheld INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE call ADD COLUMN exit_status INTEGER;"
  "ALTER TABLE call ADD COLUMN output_length INTEGER;"
  "ALTER TABLE conversation ADD COLUMN source TEXT;"
  "CREATE UNIQUE INDEX conversation_source ON conversation (source) WHERE source IS NOT NULL;"
  "ALTER TABLE run ADD COLUMN stop_asked INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE conversation ADD COLUMN wants_title INTEGER NOT NULL DEFAULT 0;"
  "CREATE INDEX conversation_untitled ON conversation (sequence) WHERE wants_title;"
  "ALTER TABLE note ADD COLUMN from_run INTEGER NOT NULL DEFAULT 0;"
  "UPDATE note SET from_run = 1;";

/* How much the model of a conversation reasons. The landings of commands. A copy knows which folders were made for its file.
 * What requests begin with. */
static const char eighth_version[] =
  "ALTER TABLE conversation ADD COLUMN effort TEXT NOT NULL DEFAULT 'default'"
  "  CHECK (effort IN ('default', 'off', 'low', 'medium', 'high', 'max'));"
  "ALTER TABLE file_copy ADD COLUMN folders INTEGER NOT NULL DEFAULT 0;"

  /* Changes that a command made on its view of the folder, and how far they have come; the files themselves lie in a private
   * folder of this computer. The result is the command's while it is not the call's. The landing at the end of a call has the
   * name of the call; those before it have names of their own. */
  "CREATE TABLE landing ("
  "  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, call TEXT NOT NULL REFERENCES call ON DELETE CASCADE,"
  "  folder TEXT NOT NULL, place TEXT NOT NULL,"
  "  state TEXT NOT NULL CHECK (state IN ('waiting', 'decided', 'landed', 'undone')), base INTEGER NOT NULL,"
  "  is_failure INTEGER NOT NULL, exit_status INTEGER NOT NULL, output_length INTEGER NOT NULL,"
  "  made_at INTEGER NOT NULL, undone_at INTEGER NOT NULL DEFAULT 0, kept_bytes INTEGER NOT NULL DEFAULT 0,"
  "  is_gone INTEGER NOT NULL DEFAULT 0, changes TEXT NOT NULL, output BLOB"
  ") STRICT;"
  "CREATE INDEX landing_by_call ON landing (call);"
  "CREATE INDEX landing_decided ON landing (id) WHERE state = 'decided';"

  /* Calls whose changes are being undone, or made again, in this order, and by which process: written before anything is moved.
   * The file of a file tool is there as it stood in the folder. */
  "CREATE TABLE undoing ("
  "  id INTEGER PRIMARY KEY, call TEXT NOT NULL UNIQUE REFERENCES call ON DELETE CASCADE,"
  "  is_redo INTEGER NOT NULL, front_end TEXT NOT NULL, lease TEXT NOT NULL, now BLOB"
  ") STRICT;"

  /* The prefix of a conversation's requests, by profile; how far the last of them went; and the changes since that a model was
   * told behind a message. See domain/beckon-prefix.h. */
  "CREATE TABLE prefix ("
  "  conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE, profile TEXT NOT NULL,"
  "  number INTEGER NOT NULL CHECK (number > 0), reason TEXT NOT NULL CHECK (reason <> ''), system TEXT NOT NULL,"
  "  tools TEXT NOT NULL, facts TEXT NOT NULL, cut_through INTEGER NOT NULL, most_of_a_result INTEGER NOT NULL,"
  "  bare_through INTEGER NOT NULL, is_bound INTEGER NOT NULL, summarized INTEGER NOT NULL,"
  "  PRIMARY KEY (conversation, profile)"
  ") STRICT;"
  "CREATE TABLE prefix_sent ("
  "  conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE, profile TEXT NOT NULL, n INTEGER NOT NULL,"
  "  hash INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (conversation, profile)"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE told ("
  "  message TEXT PRIMARY KEY REFERENCES message ON DELETE CASCADE, facts TEXT NOT NULL, text TEXT NOT NULL"
  ") STRICT, WITHOUT ROWID;";

static const char ninth_version[] =
  /* The program that prints the key, and the server that it is for. */
  "ALTER TABLE profile ADD COLUMN key_command TEXT NOT NULL DEFAULT '';"
  "ALTER TABLE profile ADD COLUMN key_origin TEXT NOT NULL DEFAULT '';"
  /* Whether the provider may search the web itself. */
  "ALTER TABLE profile ADD COLUMN web_search INTEGER NOT NULL DEFAULT 0;";

/* Messages that are sent when a turn ends, or at its next round boundary; each becomes a message of the same id. Who asks a
 * request, where that is not the run. */
static const char tenth_version[] =
  "CREATE TABLE queued_message ("
  "  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
  "  conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE, sends_now INTEGER NOT NULL, text TEXT NOT NULL"
  ") STRICT;"
  "CREATE INDEX queued_by_conversation ON queued_message (conversation);"
  "CREATE TABLE queued_file ("
  "  id INTEGER PRIMARY KEY, message TEXT NOT NULL REFERENCES queued_message (id) ON DELETE CASCADE,"
  "  place INTEGER NOT NULL, origin TEXT NOT NULL, media_type TEXT, text BLOB NOT NULL, UNIQUE (message, place)"
  ") STRICT;"
  "ALTER TABLE request ADD COLUMN asked_by TEXT;"

  /* When its person last saw it in a window; 0 for never. */
  "ALTER TABLE conversation ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;"

  /* The audit log shows what was logged of each call. */
  "CREATE INDEX provenance_by_call ON provenance (call);"

  /* Servers of tools (MCP), as a person set them up, and what is known of each from its last use. */
  "CREATE TABLE server ("
  "  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, prefix TEXT NOT NULL UNIQUE, config TEXT NOT NULL,"
  "  is_on INTEGER NOT NULL, created_at INTEGER NOT NULL, listed_at INTEGER NOT NULL DEFAULT 0"
  ") STRICT, WITHOUT ROWID;"
  "CREATE TABLE server_state ("
  "  id INTEGER PRIMARY KEY, server TEXT NOT NULL UNIQUE REFERENCES server ON DELETE CASCADE,"
  "  definitions TEXT, previous TEXT, error TEXT, log TEXT"
  ") STRICT;"

  /* Decisions on what folders bring for the agent: on the contents with that hash. */
  "CREATE TABLE folder_trust ("
  "  folder TEXT PRIMARY KEY, hash TEXT NOT NULL, extras TEXT NOT NULL, is_trusted INTEGER NOT NULL, at INTEGER NOT NULL"
  ") STRICT;";

static const char eleventh_version[] =
  /* Answers to a server are sent once: those that were handed over are marked before the retry leaves. */
  "ALTER TABLE request ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;"
  "UPDATE request SET delivered = 1 WHERE state <> 'pending';"

  /* Instructions of a server, for models, its prompts and its resources. */
  "ALTER TABLE server_state ADD COLUMN instructions TEXT;"
  "ALTER TABLE server_state ADD COLUMN prompts TEXT;"
  "ALTER TABLE server_state ADD COLUMN resources TEXT;"

  /* Accounts of text channels, as a person set them up; how far each has received; who drives it; the code that pairs. */
  "CREATE TABLE channel ("
  "  id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL UNIQUE, config TEXT NOT NULL, profile TEXT, folder TEXT,"
  "  mode TEXT NOT NULL, is_on INTEGER NOT NULL, approves INTEGER NOT NULL, quiet_from INTEGER NOT NULL,"
  "  quiet_to INTEGER NOT NULL, created_at INTEGER NOT NULL, cursor TEXT, lease TEXT,"
  "  pair_code TEXT, pair_until INTEGER NOT NULL DEFAULT 0, pair_tries INTEGER NOT NULL DEFAULT 0"
  ") STRICT, WITHOUT ROWID;"
  /* The one person who may speak on it. */
  "CREATE TABLE channel_peer ("
  "  channel TEXT PRIMARY KEY REFERENCES channel ON DELETE CASCADE, address TEXT NOT NULL, name TEXT NOT NULL,"
  "  paired_at INTEGER NOT NULL, conversation TEXT REFERENCES conversation ON DELETE SET NULL, context TEXT,"
  "  heard_at INTEGER NOT NULL DEFAULT 0, told TEXT"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX channel_peer_by_conversation ON channel_peer (conversation);"
  /* Messages that came: known by their ids, so that none counts twice; with their words until they were handled. */
  "CREATE TABLE channel_inbound ("
  "  number INTEGER PRIMARY KEY, channel TEXT NOT NULL REFERENCES channel ON DELETE CASCADE, message TEXT NOT NULL,"
  "  address TEXT NOT NULL, body TEXT, target TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (channel, message)"
  ") STRICT;"
  "CREATE INDEX channel_inbound_open ON channel_inbound (channel) WHERE body IS NOT NULL;"
  /* Messages that leave, stored before they do. The code of their buttons names the request. */
  "CREATE TABLE channel_message ("
  "  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
  "  channel TEXT NOT NULL REFERENCES channel ON DELETE CASCADE, address TEXT NOT NULL,"
  "  conversation TEXT REFERENCES conversation ON DELETE CASCADE, request TEXT REFERENCES request ON DELETE CASCADE,"
  "  item INTEGER NOT NULL, code TEXT UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL, choices TEXT, edits TEXT, remote TEXT,"
  "  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed')), is_asked_for INTEGER NOT NULL,"
  "  is_closed INTEGER NOT NULL, tries INTEGER NOT NULL, next_at INTEGER NOT NULL, made_at INTEGER NOT NULL,"
  "  sent_at INTEGER NOT NULL DEFAULT 0"
  ") STRICT;"
  "CREATE INDEX channel_message_open ON channel_message (channel) WHERE state IN ('queued', 'sending');"
  "CREATE INDEX channel_message_asking ON channel_message (channel) WHERE NOT is_closed AND request IS NOT NULL;"
  "CREATE INDEX channel_message_by_conversation ON channel_message (conversation);"
  "CREATE INDEX channel_message_by_request ON channel_message (request);"

  /* Questions that the model did not wait for: from asking on until their answer, or their end, is a message of the history. */
  "ALTER TABLE request ADD COLUMN due INTEGER NOT NULL DEFAULT 0;"
  "CREATE INDEX request_due ON request (conversation) WHERE due;"

  /* Last answers to questions in a folder: see request/beckon-question-key.h. Each goes with the request it came from. */
  "CREATE TABLE remembered_answer ("
  "  folder TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL REFERENCES request ON DELETE CASCADE,"
  "  question TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (folder, key)"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX remembered_by_request ON remembered_answer (request);"

  /* Requests that end with a process, by its lease: a tool that runs there waits for the answer. */
  "ALTER TABLE request ADD COLUMN waiter TEXT;"

  /* How a text channel is in the process that drives it, since when, and what last went wrong there, for all others to show. */
  "ALTER TABLE channel ADD COLUMN state TEXT;"
  "ALTER TABLE channel ADD COLUMN state_at INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE channel ADD COLUMN problem TEXT;"
  "ALTER TABLE channel ADD COLUMN problem_at INTEGER NOT NULL DEFAULT 0;"
  /* The peer of until now, as long as the server has not been told. */
  "ALTER TABLE channel ADD COLUMN parted TEXT;"

  /* Forms that a tool asked while it ran are about no call: they are read with the calls of their conversation. */
  "CREATE INDEX request_form ON request (conversation) WHERE kind = 'form' AND call IS NULL;";

/* A server in a sandbox changes its folder only where its person allows it. Servers that a person set up so far keep on doing
 * it, so that none of them fails unseen; those that came with a folder stop. */
#define LET_SERVERS_WRITE \
  "UPDATE server SET config = json_set (config, '$.write', json ('true'))" \
  " WHERE CASE WHEN json_valid (config)" \
  "   THEN json_extract (config, '$.sandbox') IS 1 AND json_extract (config, '$.cameWith') IS NULL ELSE 0 END;"

static const char twelfth_version[] = LET_SERVERS_WRITE;

static const BeckonMigration migrations_released[] = {
  { first_version },
  { second_version },
  { third_version },
  { fourth_version },
  { fifth_version },
  { sixth_version },
  { seventh_version },
  { eighth_version },
  { ninth_version },
  { tenth_version },
  { eleventh_version },
  { twelfth_version },
};

const BeckonMigration *
beckon_schema_get_migrations (guint *n_migrations)
{
  *n_migrations = G_N_ELEMENTS (migrations_released);

  return migrations_released;
}

gboolean
beckon_schema_update_rows (BeckonDatabase *database, gint64 version, GError **error)
{
  return version < 1 || version > 11 || beckon_database_script (database, LET_SERVERS_WRITE, error);
}
