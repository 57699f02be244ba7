/**
 * A real MCP server in a few lines, without any package: two tools over notes that it keeps in memory (stdio,
 * newline-delimited JSON-RPC). For trying `umwelt record` and `umwelt world from-mcp` without a network.
 */
import { createInterface } from 'node:readline';

const notes = [];
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

const tools = [
  {
    name: 'note_create',
    description: 'Create a note',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: (values) => text(notes[notes.push({ id: notes.length + 1, text: values.text }) - 1]),
  },
  {
    name: 'note_list',
    description: 'List all notes',
    inputSchema: { type: 'object', properties: {} },
    run: () => text({ notes, total: notes.length }),
  },
];

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'Notes', version: '1.0.0' },
    instructions: 'Keeps short notes.',
  }),
  'tools/list': () => ({ tools: tools.map(({ run: _run, ...tool }) => tool) }),
  'tools/call': ({ name, arguments: values = {} }) =>
    tools.find((tool) => tool.name === name)?.run(values) ?? {
      content: [{ type: 'text', text: `Unknown tool: ${name}` }],
      isError: true,
    },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const known = Object.hasOwn(methods, method);
  const reply = known
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: `Method not found: ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});
