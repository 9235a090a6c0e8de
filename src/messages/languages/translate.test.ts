import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Message, type Sentence } from '../../lib/message.ts';
import { english } from './english.ts';
import { archiveProblems } from '../packages/english.ts';
import { featureFaults, geojsonProblems, vectorWarnings } from '../vector/english.ts';
import { kazakh } from './kazakh.ts';
import { counted, form } from '../base/russian-wording.ts';
import { russian } from './russian.ts';
import { type Language, translate } from './translate.ts';
import { runFaults } from '../runs/english.ts';
import { tableWarnings } from '../tables/english.ts';

const namesOf = (areas: Readonly<Record<string, object>>): string[] =>
  Object.entries(areas)
    .flatMap(([area, table]) => Object.keys(table).map((name) => `${area}.${name}`))
    .toSorted();

const both = (message: Message) => [translate(message, 'ru'), translate(message, 'kk')];
const asItIs = (sentence: Sentence | undefined, language: Language) =>
  translate(new Message('As it is.', sentence), language);

describe('every sentence', () => {
  for (const [language, table] of Object.entries({ russian, kazakh })) {
    test(`is there in ${language}, and none that English does not have`, () => {
      assert.deepEqual(namesOf(table), namesOf(english));
    });
    test(`without facts is in the letters of ${language}`, () => {
      const translated: Readonly<Record<string, object>> = table;
      for (const [area, names] of Object.entries(english)) {
        const own: Readonly<Record<string, unknown>> = { ...translated[area] };
        for (const [name, text] of Object.entries(names)) {
          if (!(text instanceof Message)) continue;
          assert.match(String(own[name]), /\p{Script=Cyrillic}/u, `${area}.${name}`);
        }
      }
    });
  }
});

describe('a sentence', () => {
  test('with a phrase as a fact is in one language as a whole', () => {
    const { message, sentence } = geojsonProblems.wrongFeature(featureFaults.wrongMember('geometry'), 7);
    assert.deepEqual(both(new Message(message, sentence)), [
      'Файл не является GeoJSON: объект 7 содержит "geometry", который не является ни объектом, ни null. Экспортируйте данные заново как GeoJSON (RFC 7946).',
      'Файл GeoJSON емес: 7-нысан — ішіндегі "geometry" объект те, null де емес. Деректерді GeoJSON (RFC 7946) ретінде қайта экспорттаңыз.',
    ]);
  });

  test('keeps a name from a file that equals a phrase of the service', () => {
    const [russian, kazakh] = both(tableWarnings.rowsWithoutCode('is required', { read: 3, skipped: 1 }));
    assert.match(String(russian), /«is required»/);
    assert.match(String(kazakh), /«is required»/);
  });

  test('survives being stored as JSON', () => {
    const { message, sentence } = archiveProblems.tooManyFiles(1000);
    const stored = JSON.parse(JSON.stringify(sentence));
    assert.equal(sentence?.code, 'archive.tooManyFiles');
    assert.match(
      translate(new Message(message, stored), 'ru'),
      /^Архив нельзя использовать: в нём больше 1\s000 файлов\./u,
    );
  });

  test('counts as its language does', () => {
    const texts = [1, 2, 5, 21].map((count) => vectorWarnings.repaired(count));
    assert.deepEqual(
      texts.map((text) => both(text)[0]?.split(' (')[0]),
      [
        'Исправлен 1 неверный полигон',
        'Исправлено 2 неверных полигона',
        'Исправлено 5 неверных полигонов',
        'Исправлен 21 неверный полигон',
      ],
    );
    assert.equal(counted(11, 'файл', 'файла', 'файлов'), '11 файлов');
    assert.equal(form(1.5, { one: 'a', few: 'b', many: 'c', other: 'd' }), 'd');
    const [, inKazakh] = both(tableWarnings.rowsWithoutCode('kato', { read: 3, skipped: 1 }));
    assert.equal(inKazakh, '3 жолдың 1 жолында «kato» бағанында код жоқ; ол өткізіп жіберілді.');
  });

  test('names groups of the graph by their titles, and others by their codes', () => {
    const groups = ['landscape-in-dem', 'landscape-34-functional-zoning', 'landscape-in-constructor'];
    assert.deepEqual(both(runFaults.atNode('01', runFaults.noReadyRaster(groups))), [
      '01: нет готового растра для входных данных: «Высота над уровнем моря», «Функциональное зонирование», «landscape-in-constructor»',
      '01: мына кіріс деректер үшін дайын растр жоқ: «Теңіз деңгейінен биіктік», «Функционалдық аймақтау», «landscape-in-constructor»',
    ]);
  });

  test('is in English where nothing else is known of it', () => {
    const unknown = [undefined, { code: 'nothing.here', facts: [] }, { code: 'constructor.name', facts: [] }];
    for (const sentence of unknown) assert.equal(asItIs(sentence, 'ru'), 'As it is.');
  });

  test('is in English where the facts are not those of its code', () => {
    assert.equal(asItIs({ code: 'archive.link', facts: [{ a: 1 }] }, 'kk'), 'As it is.');
  });
});
