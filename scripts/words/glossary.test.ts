import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readProjectFile } from '../../test/support/project.ts';
import { bannedIn, type Language, readBanned } from './glossary.ts';

const glossary = readProjectFile('docs/glossary.md');
const banned = readBanned(glossary);
const foundIn = (source: string, language: Language) =>
  bannedIn(source, language, banned)
    .map(({ line, found }) => `${line} ${found}`)
    .toSorted();

describe('the glossary', () => {
  test('has terms in three languages, each once and in order', () => {
    const [terms = ''] = glossary.split('\n## ');
    const rows = [...terms.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].slice(1);
    const names = rows.map(([, english = '']) => english.toLowerCase());
    assert.ok(names.length > 90, `${names.length}`);
    assert.deepEqual(names, [...new Set(names)].toSorted());
  });

  test('finds a synonym wherever a sentence has it', () => {
    const source = [
      'export const ru = {',
      '  // Служба is what the page calls it.',
      "  away: 'Служба недоступна',",
      '  sent: (count: number) => `служб ${count}: Исходные данные, входы и сервис`,',
      '};',
    ].join('\n');
    assert.deepEqual(foundIn(source, 'ru'), ['3 Служба', '4 Исходные данные', '4 входы', '4 служб']);
    assert.deepEqual(foundIn(source, 'kk'), []);
    assert.deepEqual(foundIn("const a = 'аймақтарға бөлуді бағалау, 1-кезең, кезең';", 'kk'), [
      '1 -кезең',
      '1 аймақтарға бөлуді',
    ]);
    assert.deepEqual(foundIn("const a = 'the area, the digest and the digests';", 'en'), ['1 digest']);
  });

  test('bans words in each language', () => {
    for (const language of ['en', 'ru', 'kk'] as const)
      assert.ok(banned.filter((each) => each.language === language).length > 5, language);
  });
});
