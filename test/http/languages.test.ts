import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { startWorker } from '../../src/jobs/worker.ts';
import { createJobHandlers } from '../../src/runtime/worker/handlers.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, type Refusal, send, sendForm, setState } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { openGdalEngine } from '../support/geo/engine.ts';

const log = pino({ level: 'silent' });
const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db, pool, objectStore, messageQueue } = app.services;
const category = await insertCategory(db);
const scratchRoot = await mkdtemp(join(tmpdir(), 'steppe-test-'));
const engine = await openGdalEngine({ deadlineSeconds: 120, log });
const worker = startWorker({
  db,
  objectStore,
  messageQueue,
  handlers: createJobHandlers({ db, pool, objectStore, engine }),
  concurrency: 2,
  scratchRoot,
  log,
  timing: { pollEveryMs: 100 },
});
after(async () => {
  await worker.stop();
  await rm(scratchRoot, { recursive: true });
});

interface Report {
  readonly failure: { readonly code: string; readonly facts: readonly unknown[] } | null;
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly sentence?: object;
  }[];
}
interface State {
  readonly status: string;
  readonly parse_error: string | null;
}

const nobody = '/datasets/0190c8f0-0000-7000-8000-00000000000a';
const inLanguage = async <T>(language: string, path: string) =>
  await send<T>(app, path, { headers: { 'accept-language': language } });

/** Uploads a file and waits until a worker has processed it. */
async function process(name: string, content: string, fileType = 'vector'): Promise<string> {
  const { body, text } = await sendForm(app, '/datasets', [
    ['file_type', fileType],
    ['category_id', category],
    ['file', new File([content], name)],
  ]);
  assert.ok(typeof body.id === 'string', text);
  let known = 'pending';
  while (['pending', 'processing', 'parsing'].includes(known)) {
    // oxlint-disable-next-line no-await-in-loop -- each poll waits for the next change
    const { body: state } = await send<State>(app, `/datasets/${body.id}/status?current=${known}`);
    known = state.status;
  }
  return body.id;
}

describe('a refusal is in the language that the client prefers:', () => {
  const bodies: readonly (readonly [language: string, path: string, body: Refusal])[] = [
    ['ru', nobody, { error: 'такого набора данных нет' }],
    ['kk-KZ', nobody, { error: 'мұндай деректер жиыны жоқ' }],
    ['en', nobody, { error: 'no such dataset' }],
    ['de', nobody, { error: 'no such dataset' }],
    ['ru', '/datasets?page=0', { error: 'page: должно быть целым числом от 1 до 9007199254740991' }],
    ['kk', '/datasets?automated=1', { error: 'automated: true немесе false болуы тиіс' }],
    ['ru', '/nowhere', { error: 'по этому пути ничего нет' }],
  ];
  for (const [language, path, expected] of bodies) {
    test(`${path} in ${language}`, async () => {
      const { body, headers } = await inLanguage<Refusal>(language, path);
      assert.deepEqual(body, expected);
      assert.equal(headers.get('content-language'), { ru: 'ru', 'kk-KZ': 'kk', kk: 'kk' }[language] ?? 'en');
      assert.match(headers.get('vary') ?? '', /\bAccept-Language\b/);
    });
  }

  test('fields of a form', async () => {
    const form = new FormData();
    form.append('file_type', 'map');
    const init = { method: 'POST', body: form, headers: { 'accept-language': 'ru' } };
    const { status, body } = await send<Refusal>(app, '/datasets', init);
    assert.equal(status, 422);
    assert.deepEqual(body.errors, {
      file_type: 'должно быть одним из значений: vector_with_kato, vector, raster',
      category_id: 'обязательное поле',
      file: 'обязательное поле',
    });
  });

  test('a file with advice', async () => {
    const form = new FormData();
    for (const [name, value] of [['file_type', 'vector'] as const, ['category_id', category] as const])
      form.append(name, value);
    form.append('file', new File(['x'], 'map.rar'));
    const init = { method: 'POST', body: form, headers: { 'accept-language': 'kk' } };
    const { body } = await send<Refusal>(app, '/datasets', init);
    assert.match(
      body.errors?.['file'] ?? '',
      /^мына кеңейтімдердің бірі болуы тиіс: .*; оны \.zip мұрағатына салыңыз$/,
    );
  });
});

test('the warnings of a report are in the language that the client prefers', async () => {
  const crossed = [
    [
      [70, 50],
      [71, 51],
      [71, 50],
      [70, 51],
      [70, 50],
    ],
  ];
  const geometry = { type: 'Polygon', coordinates: crossed };
  const features = [{ type: 'Feature', properties: { name: 'x' }, geometry }];
  const crs = { type: 'name', properties: { name: 'nobody knows' } };
  const id = await process('crossed.geojson', JSON.stringify({ type: 'FeatureCollection', crs, features }));
  const messages = async (language: string) => {
    const { body } = await inLanguage<Report>(language, `/datasets/${id}/report`);
    return Object.fromEntries(body.warnings.map(({ code, message }) => [code, message]));
  };
  assert.deepEqual(await messages('ru'), {
    geometry_repaired: 'Исправлен 1 неверный полигон (контур пересекает или касается сам себя).',
    crs_member_ignored:
      'Элемент "crs" файла здесь не распознаётся; все координаты подходят, поэтому они приняты за долготу и широту (WGS 84).',
  });
  const inKazakh = await messages('kk');
  assert.match(inKazakh['geometry_repaired'] ?? '', /^1 жарамсыз полигон түзетілді/);
  const inEnglish = await messages('en');
  assert.match(inEnglish['geometry_repaired'] ?? '', /^One polygon was not valid/);
  const { body } = await send<Report>(app, `/datasets/${id}/report`);
  const repaired = body.warnings.find(({ code }) => code === 'geometry_repaired');
  assert.deepEqual(repaired?.sentence, { code: 'vector_warning.repaired', facts: [1] });
});

describe('the reason of a failure', () => {
  const feature = '{"type":"Feature","properties":{},"geometry":{"type":"Square","coordinates":[]}}';
  const files: readonly (readonly [
    name: string,
    content: string,
    code: string,
    facts: unknown[],
    ru: RegExp,
    kk: RegExp,
  ])[] = [
    [
      'lakes.geojson',
      '{"type":"FeatureCollection","features":[}',
      'json_file.invalid',
      [{ code: 'json.unexpected', facts: ['"}"', { code: 'json_expected.value', facts: [] }] }, 1, 41],
      /^Файл не является верным JSON: в строке 1, столбце 41 стоит "\}" там, где ожидается значение\./,
      /^Файл жарамды JSON емес: 1-жол, 41-баған: мән күтілетін жерде "\}" тұр\./,
    ],
    [
      'squares.geojson',
      `{"type":"FeatureCollection","features":[${feature}]}`,
      'geometry.unknownType',
      ['feature 1', 'Square'],
      /^Геометрия объекта 1 имеет тип «Square», которого нет в GeoJSON\./,
      /^1-нысанның геометриясы GeoJSON ішінде жоқ «Square» түрінде\./,
    ],
    [
      'map.zip',
      'PK\u0003\u0004 and nothing more',
      'archive.damaged',
      [],
      /^Архив нельзя использовать: он повреждён или обрезан\./,
      /^Мұрағат пайдалануға жарамсыз: ол бүлінген немесе толық емес\./,
    ],
  ];
  for (const [name, content, code, facts, ru, kk] of files) {
    test(`of ${name} is stored as code and facts, and told in three languages`, async () => {
      const id = await process(name, content);
      const english = await send<State>(app, `/datasets/${id}`);
      assert.match(english.body.parse_error ?? '', /^[\p{Script=Latin}\P{L}]+$/u);
      assert.equal(english.headers.get('content-language'), 'en');
      const { body: report } = await send<Report>(app, `/datasets/${id}/report`);
      assert.deepEqual(report.failure, { code, facts });
      for (const path of [`/datasets/${id}`, `/datasets/${id}/status`]) {
        const [inRussian, inKazakh] = await Promise.all([
          inLanguage<State>('ru', path),
          inLanguage<State>('kk', path),
        ]);
        assert.match(inRussian.body.parse_error ?? '', ru);
        assert.match(inKazakh.body.parse_error ?? '', kk);
        assert.equal(inKazakh.headers.get('content-language'), 'kk');
      }
    });
  }

  test('that is only known in words stays as it was written', async () => {
    const id = await process('empty.geojson', '{}');
    await setState(app.services, id, { failure: null, parse_error: 'An old sentence.' });
    const { body } = await inLanguage<State>('ru', `/datasets/${id}`);
    assert.equal(body.parse_error, 'An old sentence.');
    const { body: report } = await inLanguage<Report>('ru', `/datasets/${id}/report`);
    assert.equal(report.failure, null);
  });

  test('goes with a retry', async () => {
    const id = await process('empty.geojson', '{}');
    await worker.stop();
    await send(app, `/datasets/${id}/retry`, { method: 'POST' });
    const { body, headers } = await inLanguage<Report>('ru', `/datasets/${id}/report`);
    assert.equal(body.failure, null);
    const dataset = await inLanguage<State>('ru', `/datasets/${id}`);
    assert.deepEqual([dataset.body.parse_error, dataset.headers.get('content-language')], [null, null]);
    assert.equal(headers.get('content-language'), null);
  });
});
