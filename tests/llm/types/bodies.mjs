// SPDX-License-Identifier: GPL-3.0-or-later
// bodies.mjs FOLDER: writes FOLDER/NAME.ts for each FOLDER/NAME.jsonl, where every body is declared to be what the
// provider's own library sends, so that the compiler says which members are missing, too many or of another type.
import fs from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];

// A library's enumerations are strings on the wire, where Google's own examples have them in small letters.
const loose = `type Loose<T> = T extends string ? \`\${T}\` | Lowercase<T> : T extends (infer U)[] ? Loose<U>[]
  : T extends object ? { [K in keyof T]: Loose<T[K]> } : T;\n`;

// Google's library has a shape of its own, which it turns into that of the wire.
const asGoogleCalls = ({ contents, generationConfig, ...config }) =>
  ({ model: 'm', contents, config: { ...config, ...generationConfig } });

const protocols = {
  anthropic: {
    head: "import Anthropic from '@anthropic-ai/sdk';\n\n"
      + 'type Claude = Anthropic.Messages.MessageCreateParamsStreaming;\n'
      // Version 2023-06-01 has a temperature, for older models; the libraries speak a later one. DeepSeek counts no budget.
      + "type Thinking = Claude['thinking'] | { type: 'enabled' };\n"
      + "type Body = Omit<Claude, 'thinking'> & { temperature?: number; thinking?: Thinking };\n",
  },
  chat: {
    head: "import OpenAI from 'openai';\ntype Chat = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;\n"
      // DeepSeek's, and others' after it.
      + "type Message = Chat['messages'][number] & { reasoning_content?: string };\n"
      // OpenRouter's.
      + "type Tool = NonNullable<Chat['tools']>[number] | { type: 'openrouter:web_search' };\n"
      + "type Body = Omit<Chat, 'messages' | 'tools'> & { messages: Message[]; tools?: Tool[];\n"
      + "  thinking?: { type: 'enabled' | 'disabled' } };\n",
  },
  responses: {
    head: "import OpenAI from 'openai';\ntype Responses = OpenAI.Responses.ResponseCreateParamsStreaming;\n"
      // The words of another provider's model come without an id, as the server takes them.
      + "type Words = Omit<OpenAI.Responses.ResponseOutputMessage, 'id' | 'status'> & { id?: string; status?: string };\n"
      // OpenRouter's.
      + "type Tool = OpenAI.Responses.Tool | { type: 'openrouter:web_search' };\n"
      + "type Item = OpenAI.Responses.ResponseInputItem | Words;\n"
      + "type Body = Omit<Responses, 'input' | 'tools'> & { input: Item[]; tools?: Tool[] };\n",
  },
  gemini: {
    head: `import { GenerateContentParameters } from '@google/genai';\n${loose}type Body = Loose<GenerateContentParameters>;\n`,
    shape: asGoogleCalls,
  },
  ollama: {
    head: "import { ChatRequest, Message, ToolCall } from 'ollama';\n"
      // Which the server has, and its library for JavaScript not yet.
      + "type Spoken = Omit<Message, 'tool_calls'> & { tool_calls?: (ToolCall & { id?: string })[]; tool_call_id?: string };\n"
      + "type Body = Omit<ChatRequest, 'messages'> & { stream: true; messages: Spoken[] };\n",
  },
};

for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  const name = path.basename(file, '.jsonl');
  const { head, shape = (body) => body } = protocols[name.split('-')[0]];
  const bodies = new Set(fs.readFileSync(path.join(folder, file), 'utf8').split('\n').filter((line) => line !== ''));
  const lines = [...bodies].map((line, i) => `export const body${i}: Body = ${JSON.stringify(shape(JSON.parse(line)))};`);
  fs.writeFileSync(path.join(folder, `${name}.ts`), head + lines.join('\n') + '\n');
  console.log(`${name}: ${bodies.size} bodies`);
}
