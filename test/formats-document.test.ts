import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFormats, sentenceCodesOf, templatesOf } from '../scripts/formats/document.ts';
import { sectionOfArea, sentencesOfParts, warningSentences } from '../scripts/formats/sections.ts';
import { WarningCode } from '../src/geo/findings.ts';
import { english } from '../src/messages/languages/english.ts';
import { readProjectFile } from './support/project.ts';

const page = describeFormats();
const rows = Array.from(page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm), ([, code = '', text = '']) => ({
  code,
  text,
}));

test('the page is what `npm run docs` writes', () => {
  assert.equal(readProjectFile('docs/formats.md'), page);
});

test('every warning stands on the page once, with its sentences', () => {
  const codes = rows.map(({ code }) => code).filter((code) => WarningCode.safeParse(code).success);
  assert.deepEqual(codes.toSorted(), WarningCode.options.toSorted());
  for (const code of WarningCode.options) assert.ok(warningSentences[code].length > 0, code);
});

test('every sentence that warns is that of one warning', () => {
  const areas = Object.keys(english).filter((area) => area.endsWith('_warning'));
  assert.ok(areas.length > 5);
  assert.deepEqual(
    Object.values(warningSentences).flat().toSorted(),
    areas.flatMap(sentenceCodesOf).toSorted(),
  );
});

test('every sentence that refuses a file stands on the page once', () => {
  const areas = Object.entries(sectionOfArea).flatMap(([area, section]) => (section === null ? [] : [area]));
  const codes = rows.map(({ code }) => code).filter((code) => code.includes('.'));
  assert.deepEqual(codes.toSorted(), areas.flatMap(sentenceCodesOf).toSorted());
});

test('a part of a sentence names a sentence that stands on the page', () => {
  const codes = new Set(rows.map(({ code }) => code));
  const places = Object.entries(sentencesOfParts).filter(([area]) => area !== 'file_fault');
  for (const [area, sentences = []] of places)
    for (const sentence of sentences) assert.ok(codes.has(sentence), `${area}: ${sentence}`);
});

test('a sentence of one and a sentence of many both stand on the page', () => {
  const { text = '' } = rows.find(({ code }) => code === 'heights_filled') ?? {};
  assert.match(text, /^… features lack heights .*<br>Feature … lacks heights/);
});

test('no sentence on the page lacks its words', () => {
  for (const { code, text } of rows)
    assert.match(text, /\p{L}{2}(?!.*(?:undefined|NaN\b(?! or)|\[object|function))/u, code);
});

test('a template has an ellipsis for each fact, whatever its sentence does with it', () => {
  const sentence = (rows: number, names: readonly string[], { name }: { readonly name: string }): string =>
    `${rows === 1 ? 'one row' : `${rows.toLocaleString('en')} rows`}, ${names.slice(0, 5).join(', ')}, ${rows * 2}, ${name.trim()}`;
  assert.deepEqual(templatesOf(sentence), ['… rows, …, …, …', 'one row, …, 2, …']);
  assert.deepEqual(templatesOf('as it is'), ['as it is']);
});
