import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { send } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
  };
  readonly parameters?: readonly { readonly schema: QuerySchema }[];
}
interface QuerySchema {
  readonly format?: string;
  readonly pattern?: string;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const app = await closeAfterTests(startTestApp());
const description = (await send<Description>(app, '/openapi.json')).body;

function operation(name: string): Operation {
  const [method = '', path = ''] = name.split(' ');
  const found = description.paths[path]?.[method];
  assert.ok(found, name);
  return found;
}

describe('/openapi.json', () => {
  test('gives every operation a summary, and an id of its own', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    assert.ok(operations.every(({ operationId, summary }) => operationId && summary));
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  });

  test('describes forms as multipart with a binary file', () => {
    for (const name of [
      'post /datasets',
      'post /datasets/{id}/sld',
      'post /dataset-groups/{id}/sld',
      'post /landscape/slots/{code}',
    ]) {
      const schema = operation(name).requestBody?.content['multipart/form-data']?.schema;
      assert.match(JSON.stringify(schema), /"file":\{[^}]*"format":"binary"/, name);
    }
  });

  test('requires every body but bytes of uploads and those that say what a run shall be', () => {
    const optional = Object.values(description.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId, requestBody }) =>
        requestBody?.required === false ? [operationId] : [],
      ),
    );
    assert.deepEqual(optional, [
      'startUpload',
      'appendToUpload',
      'createLandscapeRun',
      'planLandscapeRun',
      'estimateLandscapeGaps',
      'renewWebhookSecret',
    ]);
    assert.equal(operation('post /categories').requestBody?.required, true);
    assert.doesNotMatch(JSON.stringify(description), /"x-/);
  });

  test('says that params may be left out of a run, and that none is missing from what comes back', () => {
    const { LandscapeParams: sent, LandscapeParamsInput: asked } = description.components.schemas;
    assert.doesNotMatch(JSON.stringify(asked), /"required"/);
    assert.match(JSON.stringify(asked), /"window_size":\{[^}]*"default":2048/);
    assert.match(JSON.stringify(sent), /"required":\["window_size","tie_priority",/);
  });

  test('says which text is refused', () => {
    const { schema } = operation('post /categories').requestBody?.content['application/json'] ?? {};
    const [name, description] = ['name', 'description'].map((field) => {
      const [, pattern = ''] =
        new RegExp(`"${field}":{[^}]*"pattern":("[^"]*")`).exec(JSON.stringify(schema)) ?? [];
      return new RegExp(JSON.parse(pattern), 'u');
    });
    assert.ok(name?.test('Қала') && !name.test(' \t') && !name.test('a\u0000'));
    assert.ok(description?.test('') && !description.test('a\u0000'));
  });

  test('says what a change, a run and a date must be beyond the type of each field', () => {
    const { DatasetPatch, LandscapeParamsInput } = description.components.schemas;
    assert.match(JSON.stringify(DatasetPatch), /"anyOf":\[\{"required":\["category_id"\]\},/);
    assert.match(JSON.stringify(LandscapeParamsInput), /"tie_priority":.*"uniqueItems":true/);
    const run = JSON.stringify(operation('post /landscape/runs').requestBody);
    assert.match(run, /"overrides":.*"propertyNames":\{[^}]*"enum":\[[^\]]*"landscape-in-dem"/);
    const dates = (operation('get /datasets').parameters ?? []).flatMap(({ schema }) =>
      schema.format === 'date' ? [new RegExp(schema.pattern ?? '', 'u')] : [],
    );
    assert.equal(dates.length, 4);
    for (const date of dates) {
      assert.ok(date.test('0001-01-01') && date.test('2024-02-29') && date.test('9999-12-31'));
      assert.ok(!date.test('0000-01-01') && !date.test('2023-02-29') && !date.test('10000-01-01'));
    }
  });

  test('describes extents as lists of four numbers', () => {
    const { ImportReport } = description.components.schemas;
    const four = '{"type":"array","items":{"type":"number"},"minItems":4,"maxItems":4}';
    assert.ok(
      JSON.stringify(ImportReport).includes(`"extent":{"anyOf":[${four},`),
      JSON.stringify(ImportReport),
    );
  });

  test('has no tuples, which tools of OpenAPI do not read: lists of a fixed length stand for them', () => {
    assert.deepEqual(/.{0,200}"prefixItems".{0,50}/.exec(JSON.stringify(description)), null);
  });

  test('names its schemas, and every reference leads to one', () => {
    const { schemas } = description.components;
    for (const name of [
      'Category',
      'Dataset',
      'DatasetSummary',
      'DatasetGroup',
      'DatasetGroupPage',
      'Error',
      'LandscapeDatasetRef',
      'LandscapeParams',
      'LandscapeResult',
      'LandscapeRun',
      'LandscapeRunNode',
      'LandscapeRunPage',
      'LandscapeSlot',
    ]) {
      assert.ok(name in schemas, name);
    }
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    for (const [, name = ''] of references) assert.ok(name in schemas, name);
    const used = new Set(references.map(([, name]) => name));
    assert.deepEqual(
      Object.keys(schemas).filter((name) => !used.has(name)),
      [],
    );
  });
});

describe('/docs', () => {
  test('is a page that fetches nothing from elsewhere', async () => {
    const page = await send(app, '/docs');
    assert.equal(page.status, 200);
    assert.match(page.text, /<title>Steppe<\/title>/);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
    assert.ok(sources.length > 3);
    for (const source of sources) {
      assert.match(source, /^\/docs\//);
      assert.equal((await send(app, source)).status, 200, source);
    }
    assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /https?:|upgrade|\./);
    assert.match((await send(app, '/docs/static/swagger-initializer.js')).text, /"validatorUrl":null/);
  });
});
