import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import type { Affine } from '../../../src/geo/raster-reader.ts';
import { writeRaster } from '../../support/geo/geotiffs.ts';
import { createLandscapeClient } from '../../support/landscape/landscape.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { startService } from '../../support/service.ts';

/** Schemas of ISO 19139 and GML as files, libxml2, and a reader of RDF. */
const folder = installPythonTools({
  name: 'records',
  packages: ['lxml==6.1.3', 'rdflib==7.6.0', 'pyparsing==3.3.3', 'ckanext-iso19115==0.2.4'],
  isWhole: true,
});

interface Seen {
  readonly faults: readonly (readonly string[])[];
  readonly catalogues: number;
  readonly datasets: number;
  readonly distributions: number;
  readonly boxes: number;
  readonly periods: number;
}

function look(records: readonly string[], catalogues: readonly string[]): Seen {
  const program = join(import.meta.dirname, 'records-program.py');
  const input = JSON.stringify({ records, catalogues });
  return JSON.parse(execFileSync(join(folder, 'python'), [program], { input, encoding: 'utf8' }));
}

const { baseUrl } = await closeAfterTests(
  startService({ env: { METADATA_ORGANISATION: 'Комитет', METADATA_EMAIL: 'gis@land.example' } }),
);
const client = createLandscapeClient(baseUrl);
const files = await temporaryFolder();
const text = async (path: string) => {
  const answer = await fetch(`${baseUrl}${path}`);
  assert.equal(answer.status, 200, path);
  return await answer.text();
};
const exampleFile = async (name: string) =>
  new File([await readFile(join(projectRoot, 'examples', name))], name);

test('every record is valid by the schemas, and all pages of the catalogue are one catalogue of DCAT', async () => {
  const category = await client.createCategory('records');
  const settled = async (id: string, wanted: string) =>
    await eventually(wanted, async () => (await client.status(id)).status === wanted);
  const rasterFile = async (name: string, affine: Affine, system: { readonly epsg?: number }) => {
    const path = join(files, name);
    writeRaster(path, {
      width: 30,
      height: 20,
      dataType: 'Byte',
      affine,
      ...system,
      value: (column) => column,
    });
    return new File([await readFile(path)], name);
  };
  const table = await client.upload(
    category,
    'vector_with_kato',
    await exampleFile('population-by-region.geojson'),
  );
  const nowhere = await client.upload(
    category,
    'raster',
    await rasterFile('nowhere.tif', [0, 1, 0, 0, 0, -1], {}),
  );
  const across = await client.upload(
    category,
    'raster',
    await rasterFile('across.tif', [170, 1, 0, 60, 0, -0.5], { epsg: 4326 }),
  );
  const broken = await client.upload(category, 'raster', new File(['II*\0 none'], 'broken.tif'));
  await settled(table, 'awaiting_mapping');
  const waiting = await text(`/datasets/${table}/metadata.xml`);
  await client.map(table, {
    kato_column: 'kato',
    year_columns: [{ column: '2023', start_date: '2023-12-31' }],
  });
  await settled(table, 'ready');
  await settled(nowhere, 'ready');
  await settled(across, 'ready');
  await settled(broken, 'failed');
  const fields = {
    organisation: 'Институт <почв> & "воды" \u0001',
    email: 'data@soil.example',
    licence: 'https://creativecommons.org/licenses/by/4.0/',
    topic_category: 'farming',
    lineage: 'Digitised\nin 1987',
    purpose: ']]>',
    scale_denominator: 300_000,
    keywords: ['почвы', '<b>'],
  };
  const put = { method: 'PUT', body: JSON.stringify(fields) };
  assert.equal((await client.json(`/datasets/${across}/metadata`, put)).status, 200);
  const patch = JSON.stringify({ name: 'a <b> & \u0002', start_date: '2020-01-01', unit: '<m>' });
  await client.json(`/datasets/${across}`, { method: 'PATCH', body: patch });
  await client.fillAll();
  const run = await client.run();
  const outputs = (run.nodes ?? []).flatMap((node) => (node.outputs ?? []).map(({ dataset_id: id }) => id));
  const ids = [table, nowhere, across, broken, ...outputs];
  const records = await Promise.all(
    ids.flatMap((id) =>
      ['ru', 'kk', 'en'].map((language) => text(`/datasets/${id}/metadata.xml?lang=${language}`)),
    ),
  );
  const pages: string[] = [];
  for (let path: string | undefined = '/catalog.jsonld?page_size=7'; path !== undefined;) {
    const page = await text(path);
    pages.push(page);
    const next = JSON.parse(page)['hydra:view']['hydra:next']?.['@id'];
    path = typeof next === 'string' ? next.slice(baseUrl.length) : undefined;
  }
  const damaged = waiting
    .replace('<gmd:hierarchyLevel>', '<gmd:level>')
    .replace('</gmd:hierarchyLevel>', '</gmd:level>');
  const seen = look([damaged, waiting, ...records], pages);
  const [ofDamaged = [], ...others] = seen.faults;
  assert.match(ofDamaged.join(), /level/);
  assert.deepEqual(others.flat(), []);
  const ready = await client.json<{ total: number }>('/datasets?status=ready&page_size=1');
  const { datasets, catalogues, distributions, boxes, periods } = seen;
  assert.deepEqual([catalogues, datasets, distributions], [1, ready.body.total, ready.body.total]);
  // A table by KATO and a raster without a CRS have no box in the catalogue.
  assert.deepEqual([boxes, periods >= 1], [ready.body.total - 2, true]);
  const zoning = records.find((record) => record.includes('functional-zoning.tif')) ?? records.at(-1) ?? '';
  assert.match(zoning, /<gmd:LI_Source>.*SHA-256 [0-9a-f]{64}/s);
  assert.match(zoning, new RegExp(run.id));
});
