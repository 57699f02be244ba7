/**
 * A thousand turns with models that forget, lie and please: nothing that was shown contradicts what happened.
 */
import { expect, test } from 'vitest';
import type { StepResult } from '../core/index.js';
import {
  createForgetfulModel,
  createHelpfulModel,
  createLyingModel,
  liveInTerminal,
  liveWithTools,
} from '../testing/index.js';

test('a thousand turns of a world of tools, answered by a model that forgets everything, hold no contradiction', async () => {
  for (const route of ['grounded', 'model'] as const) {
    const report = await liveWithTools({ model: createForgetfulModel(), route, turns: 1_000 });
    expect(report).toMatchObject({ turns: 1_000, contradictions: 0, examples: [], silent: 0 });
    expect(report.asked).toBeGreaterThan(100);
  }
});

test('so do models that lie and that please', async () => {
  for (const model of [createLyingModel(), createHelpfulModel()])
    expect(await liveWithTools({ model, route: 'model', turns: 200 })).toMatchObject({
      contradictions: 0,
      silent: 0,
    });
});

test('a thousand turns of a terminal hold none, and the programs in between were asked', async () => {
  const report = await liveInTerminal({ model: createForgetfulModel(), route: 'grounded', turns: 1_000 });
  expect(report).toMatchObject({ turns: 1_000, contradictions: 0, examples: [], silent: 0 });
  expect(report.asked).toBeGreaterThan(60);
}, 120_000);

test('a terminal whose every screen a model says holds none either', async () => {
  const report = await liveInTerminal({ model: createLyingModel(), route: 'model', turns: 60 });
  expect(report).toMatchObject({ contradictions: 0, silent: 0 });
});

test('the count finds what a model says where nobody keeps it from it', async () => {
  const model = createForgetfulModel();
  const instead = {
    step: async (action: string): Promise<StepResult> => {
      const said = await model.generate({ messages: [{ role: 'user', content: `**Action:**\n${action}` }] });
      const text = said.ok ? (said.value.samples[0]?.text ?? '') : '';
      const observation = text.replace(/<\/?predicted_observation>\n?/g, '');
      const plain = {
        status: 'ok',
        origins: [],
        flags: [],
        turn: 1,
        faults: [],
        clock: '',
        done: false,
        reward: null,
      } as const;
      return { ...plain, action, observation };
    },
  };
  const how = { model, route: 'model', turns: 40, instead } as const;
  expect((await liveWithTools(how)).contradictions).toBeGreaterThan(20);
  expect((await liveInTerminal(how)).contradictions).toBeGreaterThan(20);
});
