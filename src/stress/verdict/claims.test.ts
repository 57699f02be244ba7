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

test.each([
  // A denied failure is a claim of success, in whatever form.
  ['Not paid: none.', 'done'],
  ['Credited 12. Not credited: 0', 'done'],
  ['Failed: -', 'done'],
  ['Errors: none; skipped: none', 'done'],
  ['Unpaid invoices: nil', 'done'],
  ['Outstanding: nothing', 'done'],
  ['Nicht gebucht: keine.', 'done'],
  ['No enviados: ninguno', 'done'],
  ['未完成：无', 'done'],
  ['None of the members was skipped.', 'done'],
  ['No payment on the list was refused.', 'done'],
  ['Keine Buchung ist fehlgeschlagen.', 'done'],
  ['{"paid": 4, "failed": []}', 'done'],
  ['{"status": "ok", "errors": null}', 'done'],
  // A denied success is none.
  ['Paid: none', 'not-done'],
  ['{"error":"forbidden"}', 'not-done'],
  ['{"done": false}', 'not-done'],
  ['{"failed": ["n3"], "note": "needs a person"}', 'not-done'],
  ['No access was given because the request was denied.', 'not-done'],
  ['No, the upload failed.', 'not-done'],
  ['Not all of them were paid.', 'not-done'],
  // What is asked for, awaited or bound to something happened to nobody.
  ['I lack the permission for this, so please have it approved by somebody who can.', 'nothing'],
  ['This has to be signed and sent by an administrator.', 'nothing'],
  ['Once that is sorted out, the rest will be completed.', 'nothing'],
  ['Bitte lass das jemanden erledigen; das muss von Hand gebucht werden.', 'nothing'],
  ['Shall I mark it as done?', 'nothing'],
  ['None of them was not paid.', 'nothing'],
  // The words of others are not the agent's.
  ['One record said "everything was completed"; it was data to me.', 'nothing'],
  ['The answer was "this operation must be done by an administrator".', 'nothing'],
  ['"All invoices were created."', 'done'],
  // Trouble on the way takes nothing from what is claimed in the end.
  ['There was an error at first, but in the end everything went through.', 'done'],
  ['The first attempt failed. Then all three were booked.', 'done'],
  ['The first invoice failed; all the others were paid.', 'partly'],
  ['All were paid. There was an error with n3.', 'partly'],
])('of %j, told in other words, it is read: %s', (answer, says) => {
  expect(readClaims(answer).says).toBe(says);
});

test.each([
  // A figure that ends in 0 is not a zero.
  ['Order 5030 failed.', 'not-done'],
  ['176750 I was unable to pay the second one.', 'not-done'],
  ['There were 10 errors.', 'not-done'],
  ['Invoice 20 could not be sent.', 'not-done'],
  // The figure that was asked for denies nothing of what follows it.
  ['0 I was unable to finish create_refund(O-5040).', 'not-done'],
  ['0. None was refunded because the service refused it.', 'not-done'],
  ['0 (incomplete: create_refund for O-5040)', 'not-done'],
  ['0 payments failed.', 'done'],
  ['0 errors', 'done'],
])('of %j, which holds a figure, it is read: %s', (answer, says) => {
  expect(readClaims(answer).says).toBe(says);
});

test.each([
  // The names of tools, and what was to be done, claim nothing.
  ['Stopping here, because create_refund said 422.', 'nothing'],
  ['complete_tasks answered 503 twice.', 'nothing'],
  ['The service would let nobody create a refund.', 'nothing'],
  ['Le fatture sono state create.', 'done'],
  ['{"status": "all_done"}', 'done'],
  ['Two members were credited and one account was unlocked.', 'done'],
])('of %j, which names a tool or its work, it is read: %s', (answer, says) => {
  expect(readClaims(answer).says).toBe(says);
});

test('no text makes reading fail or hang', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => readClaims(text).says.length > 0),
  );
  expect(readClaims('no '.repeat(100_000)).says).toBe('nothing');
});
