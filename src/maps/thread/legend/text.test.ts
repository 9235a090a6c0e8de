import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { faceOf } from './font.ts';
import { cleanText, lettersOf, widthOf, wrapText } from './text.ts';

const letters = lettersOf('text', 1);

test('the atlas is small', () => {
  assert.ok(statSync(new URL('golos-text.bin', import.meta.url)).size < 150_000);
});

test('every letter that names are written with has a picture of its own, at each size', () => {
  const alphabet =
    'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяӘәҒғҚқҢңӨөҰұҮүҺһІі' +
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' +
    '.,:;!?\'"()[]{}/\\|@#$%^&*+-=_~`–—…°²³≤≥<>×№«»₸±µ·−≈≠‰⁻¹₂₄';
  for (const role of ['text', 'title'] as const) {
    for (const scale of [1, 2] as const) {
      const face = faceOf(role, scale);
      const box = face.glyphOf('\ufffd');
      assert.ok(box !== undefined);
      const without = [...alphabet].filter((character) => [undefined, box].includes(face.glyphOf(character)));
      assert.deepEqual(without, [], `${role} at ${scale}`);
      for (const character of [...alphabet, '\ufffd']) {
        const pictures = face.glyphOf(character)?.pictures ?? [];
        assert.ok(
          pictures.every(
            ({ alpha, width, height }) => alpha.length === width * height && alpha.some((part) => part > 10),
          ),
          character,
        );
      }
      // Other letters stand for nothing else.
      for (const character of ['日', '😀', 'ع', '\ufffd']) assert.equal(face.glyphOf(character), box);
    }
  }
});

test('letters at twice the pixels are as wide', () => {
  const line = 'Ауыл шаруашылығы жерлері, 1 234,5 га';
  const [single, double] = [widthOf(line, letters), widthOf(line, lettersOf('text', 2))];
  assert.ok(Math.abs(single - double) < 0.5, `${single} and ${double}`);
});

test('text becomes one line of composed letters, 200 at most', () => {
  assert.equal(cleanText('  a\tb\r\n c\u0007d \u200b\u202ee\ufeff '), 'a b c d e');
  assert.equal(cleanText('й'.normalize('NFD')), 'й');
  assert.equal(cleanText('1\u2009000\u00a0м'), '1\u202f000\u00a0м');
  assert.equal(cleanText('ә'.repeat(200)), 'ә'.repeat(200));
  assert.equal(cleanText('ә'.repeat(201)), `${'ә'.repeat(199)}…`);
  assert.equal(Array.from(cleanText('😀'.repeat(100_000))).length, 200);
});

test('lines end at spaces, within a long word, never at a space that binds', () => {
  const width = widthOf('Тёмно-каштановые', letters);
  const wrapped = (text: string, maxLines = 9) => wrapText(text, letters, { width, maxLines });
  assert.deepEqual(wrapped('Тёмно-каштановые почвы'), ['Тёмно-каштановые', 'почвы']);
  assert.deepEqual(wrapped('более чем 1\u00a0234\u00a0567'), ['более чем', '1\u00a0234\u00a0567']);
  const broken = wrapped('Ж'.repeat(40));
  assert.equal(broken.join(''), 'Ж'.repeat(40));
  assert.ok(broken.every((line) => line !== '' && widthOf(line, letters) <= width));
  assert.deepEqual(wrapped(''), ['']);
});

test('what does not fit into its lines ends with …', () => {
  const width = widthOf('слово слово', letters);
  const lines = wrapText('слово '.repeat(9), letters, { width, maxLines: 2 });
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /^слово сл?о?…$/);
  assert.ok(widthOf(lines[1] ?? '', letters) <= width);
});
