/**
 * What every implementation of the port `WorldModel` holds to; each one's test runs this suite over it.
 */
import { expect, test } from 'vitest';
import { isNullStatus, type Prediction, type WorldModel } from '../core/index.js';

/** A world model under test: how to make it, actions it answers, and one it has no answer to. */
export interface WorldModelCase {
  readonly create: () => WorldModel;
  readonly actions: readonly string[];
  readonly unanswerable: string;
}

/** Declares the suite's tests under a name. */
export function testWorldModel(name: string, { create, actions, unanswerable }: WorldModelCase): void {
  const system = { text: '', demonstrations: [] };

  test(`${name}: an observation is null exactly for the null statuses, and spans cover every other`, async () => {
    const live = await create().open();
    for (const action of [...actions, unanswerable]) checkPrediction(await live.step(action));
    checkPrediction(await create().predict({ system, history: [], action: actions[0] ?? '' }));
  });

  test(`${name}: what it cannot answer is a null status with a reason, not a rejection`, async () => {
    const live = await create().open();
    const result = await live.step(unanswerable);
    expect([isNullStatus(result.status), result.observation]).toEqual([true, null]);
    expect(result.reason).toMatch(/\w/);
    expect((await live.step(actions[0] ?? '')).observation).not.toBeNull();
  });

  test(`${name}: predictions and episodes are repeatable and independent of each other`, async () => {
    const model = create();
    const play = async (): Promise<unknown[]> => {
      const live = await model.open({ seed: 3 });
      const texts = [];
      for (const action of actions) texts.push((await live.step(action)).observation);
      return texts;
    };
    const [one, two] = await Promise.all([play(), play()]);
    expect(two).toEqual(one);
    const request = { system, history: [], action: actions[0] ?? '' };
    expect(await model.predict(request)).toEqual(await model.predict(request));
  });

  test(`${name}: turns count from 1, and after the end every step is refused`, async () => {
    const live = await create().open();
    expect((await live.step(actions[0] ?? '')).turn).toBe(1);
    expect(live.done).toBe(false);
    const end = await live.finish('x');
    expect([end.turn, end.done, live.done, end.score !== undefined]).toEqual([2, true, true, true]);
    await expect(live.step(actions[0] ?? '')).rejects.toMatchObject({ code: 'usage/episode-done' });
    await expect(live.finish()).rejects.toMatchObject({ code: 'usage/episode-done' });
  });
}

function checkPrediction({ status, observation, origins }: Prediction): void {
  expect(observation === null).toBe(isNullStatus(status));
  const edges = origins.flatMap(({ start, end }) => [start, end]);
  expect(edges).toEqual([...edges].sort((a, b) => a - b));
  const covered = origins.reduce((sum, { start, end }) => sum + end - start, 0);
  expect(covered).toBe(observation?.length ?? 0);
}
