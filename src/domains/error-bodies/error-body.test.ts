import { expect, test } from 'vitest';
import { parseJson } from '../../core/index.js';
import { ERROR_CAUSES, ERROR_FAMILIES, errorBody } from './error-body.js';

const DETAILS = {
  message: 'no such thing',
  resource: 'issue',
  id: '42',
  field: 'title',
  retryAfterSeconds: 7,
};

test('every family has a body for every cause, JSON without places left over, the same each time', () => {
  expect(ERROR_FAMILIES.length).toBeGreaterThan(15);
  for (const family of ERROR_FAMILIES) {
    for (const cause of ERROR_CAUSES) {
      const body = errorBody(family, cause, DETAILS);
      expect(errorBody(family, cause, DETAILS)).toEqual(body);
      if (family !== 'plain') expect(parseJson(body.text).ok).toBe(true);
      expect(body.text).not.toMatch(/\{\w+\}/);
      expect(body.status).toBeGreaterThanOrEqual(200);
    }
  }
});

test('an error reads as the API writes it', () => {
  const body = (family: string, cause: (typeof ERROR_CAUSES)[number]) => errorBody(family, cause, DETAILS);
  expect(body('slack', 'rate-limit')).toEqual({
    status: 429,
    text: '{"ok":false,"error":"ratelimited"}',
    retryAfterSeconds: 7,
  });
  expect(body('stripe', 'not-found').text).toBe(
    '{"error":{"code":"resource_missing","message":"No such issue: \'42\'","param":"title","type":"invalid_request_error"}}',
  );
  expect(body('github', 'conflict')).toMatchObject({ status: 422 });
  expect(body('problem', 'conflict').text).toBe(
    '{"type":"about:blank","title":"Conflict","status":409,"detail":"no such thing"}',
  );
  expect(body('discord', 'rate-limit').text).toContain('"retry_after":7');
  expect(body('plain', 'permission')).toEqual({ status: 403, text: 'no such thing', retryAfterSeconds: 7 });
});

test('what a message holds is data: places inside it stay as they are', () => {
  const { text } = errorBody('problem', 'validation', { message: '{status} "quoted" {nothing}' });
  expect(parseJson(text)).toEqual({
    ok: true,
    value: {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: '{status} "quoted" {nothing}',
    },
  });
});
