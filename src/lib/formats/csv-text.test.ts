import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from './csv-text.ts';

/** Parses CSV like a spreadsheet with this separator: quotes are syntax only at the start of a cell. */
function cellsOf(text: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isAtStart] = ['', false, true];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || isAtStart)) isQuoted = !isQuoted;
    else if (!isQuoted && (character === separator || character === '\n' || character === '\r')) {
      cells.push(cell);
      cell = '';
    } else cell += character;
    isAtStart = !isQuoted && cell === '' && character !== '"';
  }
  return [...cells, cell].map((each) => each.replace(/\r$/, ''));
}

const texts = [
  '=1+1',
  'y;=1+1',
  'y; =1+1',
  'y;"=1+1";z',
  'y;\t@SUM(A1)',
  'y\n=1+1;z',
  'y\r\n\r\n+1+1',
  'y\t-1+1',
  'a;b;=1;+2;-3;@x',
  "\"; =cmd|'/c calc'!A1",
  'y;＝1+1',
];

test('no text is a formula, whatever separates the cells', () => {
  for (const text of texts)
    for (const separator of [',', ';', '\t'])
      for (const cell of cellsOf(csvText([['a', text, 'b', 1]]), separator))
        assert.doesNotMatch(cell.trimStart(), /^[=+\-@＝＋－＠]/, `${text} at ${separator}: ${cell}`);
});

test('other texts are as they were, and numbers have their signs', () => {
  const same = ['Есиль; р-н', 'a=b', 'x - y', 'a, -b', '5; 10', 'тел. +7 701', 'a-b;c-d', 'q"w'];
  assert.deepEqual(
    cellsOf(csvText([same]), ',').filter((cell) => cell !== ''),
    same,
  );
  assert.equal(csvText([[-1, 2.5, null, 'a']]), '-1,2.5,,a\r\n');
});

test('a long text takes a step for each character', () => {
  const long = `${'\n'.repeat(200_000)}x${';"'.repeat(100_000)}=${'='.repeat(200_000)}`;
  assert.ok(csvText([[long]]).length > long.length);
});
