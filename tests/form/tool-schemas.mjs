// SPDX-License-Identifier: GPL-3.0-or-later
// Writes tool-schemas.json: the schemas of every tool of MCP's reference servers, as the servers say them. Run it in a folder
// where these are installed by npm: @modelcontextprotocol/server-everything, -filesystem, -memory, -sequential-thinking.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import fs from 'node:fs';

const lines = [];
for (const server of ['everything', 'filesystem', 'memory', 'sequential-thinking']) {
  const client = new Client({ name: 'beckon', version: '0' });
  const program = `node_modules/@modelcontextprotocol/server-${server}/dist/index.js`;
  await client.connect(new StdioClientTransport({ command: 'node', args: [program, process.cwd()] }));
  const { version } = client.getServerVersion();
  for (const tool of (await client.listTools()).tools)
    lines.push(JSON.stringify({ server, version, tool: tool.name, schema: tool.inputSchema }));
  await client.close();
}
fs.writeFileSync('tool-schemas.json', '[\n' + lines.join(',\n') + '\n]\n');
