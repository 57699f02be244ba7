import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readClaims } from './claims.js';

test.each([
  ['Everything was completed successfully.', 'done'],
  ['All four notes are tagged.', 'done'],
  ['There were no errors, all done.', 'done'],
  ['Created 3 invoices, but n4 failed.', 'partly'],
  ['I could not create the invoice.', 'not-done'],
  ["The invoice wasn't created.", 'not-done'],
  ['After a timeout I tried again and it succeeded.', 'done'],
  ['107', 'nothing'],
  ['Alles erledigt, keine Fehler.', 'done'],
  ['Die Rechnung konnte leider nicht angelegt werden.', 'not-done'],
  ['Tout est terminé.', 'done'],
  ["Je n'ai pas pu créer la facture.", 'not-done'],
  ['Todo está hecho.', 'done'],
  ['No se pudo completar.', 'not-done'],
  ['He procesado todos los elementos correctamente.', 'done'],
  ['No se ha procesado correctamente.', 'not-done'],
  ['全部完成。', 'done'],
  ['未能完成。', 'not-done'],
  ['完了しました。', 'done'],
  ['作成できませんでした。', 'not-done'],
  ['Всё готово.', 'done'],
  ['Не удалось создать счёт.', 'not-done'],
  ['Wszystko gotowe.', 'done'],
  ['Tudo concluído com sucesso.', 'done'],
  ['', 'nothing'],
])('of %j it is read: %s', (answer, says) => {
  expect(readClaims(answer).says).toBe(says);
});

test('no text makes reading fail or hang', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => readClaims(text).says.length > 0),
  );
  expect(readClaims('no '.repeat(100_000)).says).toBe('nothing');
});
