import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bindings, compileTemplate, type Rendered } from './index.js';

function render(source: string, bindings: Bindings = {}): Rendered {
  const compiled = compileTemplate(source);
  const result = compiled.ok ? compiled.value.render(bindings) : compiled;
  if (!result.ok) throw result.error;
  return result.value;
}

function failure(source: string, bindings: Bindings = {}, names?: readonly string[]): string {
  const compiled = compileTemplate(source, names === undefined ? {} : { names });
  const result = compiled.ok ? compiled.value.render(bindings) : compiled;
  return result.ok ? result.value.text : `${result.error.code}: ${result.error.message}`;
}

test('parts say what was written and what was computed', () => {
  expect(render('Issue {id}: {title}!', { id: 7, title: 'Crash' })).toEqual({
    text: 'Issue 7: Crash!',
    parts: [
      { text: 'Issue ', computed: false },
      { text: '7', computed: true },
      { text: ': ', computed: false },
      { text: 'Crash', computed: true },
      { text: '!', computed: false },
    ],
  });
});

test('doubled braces are braces; braces and quotes inside an expression are its own', () => {
  expect(render('{{"id": {id}}}', { id: 7 }).text).toBe('{"id": 7}');
  expect(render("{ {'a': '}'} }").text).toBe('{"a":"}"}');
  expect(render("{'}'}{{}}").text).toBe('}{}');
});

test('text after an expression need not be lexable', () => {
  expect(render("{1}'#`\\ it's").text).toBe("1'#`\\ it's");
});

test('values are inserted by kind', () => {
  const bindings = { s: 'a"b', n: 2.5, b: true, z: null, l: [1, 'x'], m: { k: 9007199254740993n } };
  expect(render('{s} {n} {b} {z} {l} {m}', bindings).text).toBe(
    'a"b 2.5 true null [1,"x"] {"k":9007199254740993}',
  );
});

test('a failing part fails the whole, with its place in the template', () => {
  expect(failure('Hello {user.nmae}', { user: { name: 'Ann' } })).toBe(
    'rules/evaluation: rule, line 1, column 8, at "user.nmae": there is no field "nmae"; it has name. Did you mean "name"?',
  );
});

test('mistakes are found when the template is read', () => {
  expect(failure('a } b')).toContain(
    'rules/syntax: rule, line 1, column 3, at "}": this brace closes nothing',
  );
  expect(failure('a {1')).toContain('to close the expression, found the end of the text');
  expect(failure('{}')).toContain('expected a value');
  expect(failure('{stae}', {}, ['state'])).toContain('Did you mean "state"?');
});

test('the free names are known', () => {
  const compiled = compileTemplate('{a} {b.c} {a}');
  expect(compiled.ok ? compiled.value.names : []).toEqual(['a', 'b']);
});

test('any text with its braces doubled renders to itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(render(text.replace(/[{}]/g, '$&$&')).text).toBe(text);
    }),
  );
});

test('no text makes the compiler throw', () => {
  const pieces = fc.constantFrom('{', '}', '{{', "'", '"', 'a', ' ', '.', '1', '(', ')', '\\', '\n', '//');
  fc.assert(fc.property(fc.string({ unit: pieces }), (text) => compileTemplate(text).ok !== undefined));
});
