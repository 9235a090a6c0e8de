import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from './language.ts';

test('the language of an answer is the one that the client prefers, and English otherwise', () => {
  const cases: readonly (readonly [header: string | undefined, language: string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['ru', 'ru'],
    ['kk', 'kk'],
    ['RU-kz', 'ru'],
    ['kk-Cyrl-KZ', 'kk'],
    ['ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'ru'],
    ['en-GB,en;q=0.9,ru;q=0.8', 'en'],
    ['en;q=0.2, ru;q=0.5, kk;q=0.8', 'kk'],
    ['ru;q=0', 'en'],
    ['de, fr;q=0.5', 'en'],
    ['de, ru;q=0.3', 'ru'],
    ['*, ru;q=0.1', 'en'],
    ['not a language; at all', 'en'],
  ];
  for (const [header, language] of cases) assert.equal(languageOf(header), language, header);
});
