import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MiB } from '../../../lib/units.ts';
import { fill, openCanvas, takePicture, widthOf, write } from './canvas.ts';
import { cleanText, wrapText } from './text.ts';

const alphabet =
  'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяӘәҒғҚқҢңӨөҰұҮүҺһІі' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' +
  '.,:;!?\'"()[]{}/\\|@#$%^&*+-=_~`–—…°²³≤≥<>×№«»₸±µ·−≈≠‰⁻¹₂₄';

test('the fonts are small, and their licence lies beside them', async () => {
  for (const weight of [400, 600]) {
    const { size } = await stat(new URL(`golos-text-${weight}.woff2`, import.meta.url));
    assert.ok(size < 30_000, String(size));
  }
  const licence = await readFile(new URL('golos-text.LICENSE', import.meta.url), 'utf8');
  assert.match(licence, /Golos Text Project Authors/);
  assert.match(licence, /SIL OPEN FONT LICENSE Version 1\.1/);
});

/** Returns the letters of a line as opacities. */
function drawn(text: string, role: 'text' | 'title'): string {
  const pen = openCanvas({ width: 40, height: 40, scale: 2 });
  write(pen, text, { x: 8, y: 24, role, colour: [0, 0, 0, 255] });
  return Buffer.from(takePicture(pen).pixels.buffer).toString('base64');
}

test('every letter that names are written with has a picture of its own, in both weights', () => {
  for (const character of alphabet) assert.equal(cleanText(character), character);
  const [nothing, box] = [drawn(' ', 'text'), drawn('\ufffd', 'text')]; // the glyph for a missing character
  assert.notEqual(box, nothing);
  const pictures = new Map([...alphabet].map((character) => [character, drawn(character, 'text')]));
  for (const [character, picture] of pictures) {
    assert.ok(picture !== nothing && picture !== box, character);
    assert.notEqual(drawn(character, 'title'), picture, character);
  }
  // Some letters of two alphabets look alike.
  assert.ok(new Set(pictures.values()).size > alphabet.length - 30);
});

test('letters that the fonts lack are question marks, for which no font of the system is asked, and pictures are left out', () => {
  assert.equal(cleanText('日 x ع \ud800 ॐ'), '? x ? ? ?');
  assert.equal(
    cleanText('😀 Пастбища\u2764\ufe0f 2023 👩🏽\u200d🌾 \u{1f1f0}\u{1f1ff} © ™'),
    'Пастбища 2023 © ™',
  );
  assert.equal(cleanText('😀 👍🏽'), '? ??');
  assert.equal(cleanText('x\u202eабв\u2066'), 'xабв');
});

test('letters at twice the pixels are as wide, and where they begin is a part of a pixel', () => {
  const width = widthOf('Ауыл шаруашылығы жерлері, 1 234,5 га', 'text');
  assert.ok(!Number.isInteger(width));
  const columnsOf = (scale: number) => {
    const pen = openCanvas({ width: 300, height: 30, scale });
    fill(pen, { x: 0, y: 0, width: 300, height: 30 }, [255, 255, 255, 255]);
    write(pen, 'Ауыл шаруашылығы жерлері, 1 234,5 га', { x: 0, y: 20, role: 'text', colour: [0, 0, 0, 255] });
    const { pixels, width: pictureWidth } = takePicture(pen);
    const dark = [...pixels.keys()].filter((at) => at % 4 === 0 && (pixels[at] ?? 255) < 128);
    return Math.max(...dark.map((at) => (at / 4) % pictureWidth)) / scale;
  };
  assert.ok(Math.abs(columnsOf(1) - columnsOf(2)) <= 1);
});

test('pictures give their memory back', async () => {
  const before = process.memoryUsage.rss();
  let most = 0;
  // 1.2 GiB in all, for the canvases alone.
  for (let drawn = 0; drawn < 80; drawn += 1) {
    const pen = openCanvas({ width: 2000, height: 2000 });
    fill(pen, { x: 0, y: 0, width: 2000, height: 2000 }, [1, 2, 3, 255]);
    takePicture(pen);
    await nextTurn();
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  assert.ok(most < 700 * MiB, `${Math.round(most / MiB)} MiB`);
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
  const width = widthOf('Тёмно-каштановые', 'text');
  const wrapped = (text: string, maxLines = 9) => wrapText(text, 'text', { width, maxLines });
  assert.deepEqual(wrapped('Тёмно-каштановые почвы'), ['Тёмно-каштановые', 'почвы']);
  assert.deepEqual(wrapped('более чем 1\u00a0234\u00a0567'), ['более чем', '1\u00a0234\u00a0567']);
  const broken = wrapped('Ж'.repeat(40));
  assert.equal(broken.join(''), 'Ж'.repeat(40));
  assert.ok(broken.every((line) => line !== '' && widthOf(line, 'text') <= width));
  assert.deepEqual(wrapped(''), ['']);
});

test('what does not fit into its lines ends with …', () => {
  const width = widthOf('слово слово', 'text');
  const lines = wrapText('слово '.repeat(9), 'text', { width, maxLines: 2 });
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /^слово сл?о?…$/);
  assert.ok(widthOf(lines[1] ?? '', 'text') <= width);
});
