/**
 * Samples of the swe domain for the suites that run over all domains. All are made up here.
 */
import fc from 'fast-check';
import type { JsonObject, ToolCall } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import type { ToolActionSpace } from '../mcp/prompt.js';
import type { ResultBlock, SweResult } from './result-block.js';
import { sweFormat } from './swe-format.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('```bash\nls\n```', '</function>', 'a\nb'),
);
const action = fc
  .tuple(
    fc.constantFrom('bash', 'Read', 'Edit', 'run_shell_command'),
    fc.dictionary(fc.string({ minLength: 1 }), text),
  )
  .map(([name, args]): ToolCall => ({ kind: 'tool-call', name, arguments: args as JsonObject }));

const words = fc.stringMatching(/^[a-z (){};=]{0,20}$/);
const numbered = fc.tuple(fc.nat({ max: 900 }), fc.array(words, { minLength: 2, maxLength: 5 })).map(
  ([first, lines]): ResultBlock => ({
    kind: 'lines',
    lines: lines.map((line, index) => {
      const number = first + index + 1;
      return { before: ' '.repeat(6 - String(number).length), number, mark: '\t', text: line };
    }),
  }),
);
const matches = fc.array(words, { minLength: 1, maxLength: 3 }).map(
  (lines): ResultBlock => ({
    kind: 'matches',
    matches: lines.map((line, index) => ({
      path: 'src/app.ts',
      number: index * 7 + 1,
      mark: ':',
      text: line,
    })),
  }),
);
const exit = fc
  .nat({ max: 255 })
  .map((code): ResultBlock => ({ kind: 'exit', code, line: `Exit code ${code}` }));
const plain = fc
  .array(
    words.map((one) => `x${one}`),
    { minLength: 1, maxLength: 3 },
  )
  .map((lines): ResultBlock => ({ kind: 'text', lines }));

const observations: fc.Arbitrary<SweResult> = fc.oneof(
  fc.tuple(exit, plain, numbered).map((blocks) => ({ blocks })),
  fc.tuple(plain, matches).map((blocks) => ({ blocks })),
  fc.string({ unit: 'binary' }).map((written) => sweFormat.parseObservation(written)),
);

/** What the suites need to know about the swe domain. */
export const sweSamples: DomainSamples<SweResult, ToolActionSpace> = {
  format: sweFormat,
  actions: action,
  observations,
  actionTexts: [
    '{"name":"read_file","arguments":{"file_path":"/app/main.py"}}',
    '### Turn 3\n\n**Action:**\n```json\n{"name": "Edit", "arguments": {"file_path": "a.ts", "old_string": "x\\ny", "new_string": "z"}}\n```\n',
    "I look around.\n\n```bash\nls -la | grep '{'\n```\n",
    '<function=str_replace_editor>\n<parameter=command>view</parameter>\n<parameter=path>/app</parameter>\n<parameter=view_range>[1, 5]</parameter>\n</function>',
    '<execute_bash>\ngit diff\n</execute_bash>',
  ],
  observationTexts: [
    "The file /app/a.ts has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     9\tconst a = 1;\n    10\tconst b = 2;\n",
    '   124→\t}\n   125→\n   126→\tif (x) {',
    '**Environment Observation:**\nFound 2 matches for pattern "TODO" in path "src":\n---\nFile: src/a.ts\nL12: // TODO one\nL40: // TODO two\n---',
    'src/a.ts-11-before\nsrc/a.ts:12:hit\nsrc/b.ts:3:hit',
    'diff --git a/a.txt b/a.txt\nindex 20edef5..5857437 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\nthe end',
    '<returncode>1</returncode>\n<output>\ncat: x: No such file or directory\n</output>',
    'Command: npm test\nDirectory: (root)\nOutput: 3 passed in 0.12s\nError: (none)\nExit Code: 0\nSignal: 0\nProcess Group PGID: 4242',
    '/app/src/a.ts\n/app/src/b.ts',
    '{"todos":[{"id":"1","content":"look","status":"done"}]}',
  ],
  actionSpace: { tools: [{ name: 'Bash', description: 'Runs a command', inputSchema: { type: 'object' } }] },
};
