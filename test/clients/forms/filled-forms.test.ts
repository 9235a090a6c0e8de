import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import type { FilledForm, FormLayout, FormTemplate } from '../../../src/forms/form-schema.ts';
import { createClient } from '../../support/client.ts';
import { eventually } from '../../support/processes.ts';
import { makeMemoryFolder } from '../../support/memory-folder.ts';
import { startService } from '../../support/service.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';

const run = promisify(execFile);
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const tools = { name: 'openpyxl', packages: ['openpyxl==3.1.5', 'odfpy==1.4.1'] } as const;

const rows = [
  ['110000000', 10, 1234.5],
  ['150000000', 20, '=1+1'],
  ['750000000', -30, 3],
  ['790000000', 40, null],
] as const;
const table = {
  type: 'FeatureCollection',
  features: rows.map(([kato, y2023, y2024]) => ({
    type: 'Feature',
    geometry: null,
    properties: { kato, y2023, y2024 },
  })),
};
const columns = [
  { column: 'y2023', start_date: '2023-01-01', end_date: '2023-12-31' },
  { column: 'y2024', start_date: '2024-01-01', end_date: '2024-12-31' },
];

/** Fields of the templates that get the values of 2024; all others get those of 2023. */
const isNewer = (template: string, id: string): boolean =>
  /^[ah]/.test(template)
    ? id.includes('!C')
    : /^[bi]/.test(template)
      ? id.includes('!D')
      : /arable|!B5/.test(id) && !/^[de]/.test(template);

test('LibreOffice, openpyxl and odfpy open ten filled forms with their formulas computed and their formats kept', async () => {
  installDebianPackages(['libreoffice-calc-nogui']);
  const python = join(installPythonTools(tools), 'python');
  const folder = await makeMemoryFolder('steppe-test-');
  await using service = await startService();
  const client = createClient(service.baseUrl);
  try {
    await run(python, [program('make-templates.py'), folder]);
    const category = await client.createCategory('registers');
    const dataset = await client.upload(
      category,
      'vector_with_kato',
      new File([JSON.stringify(table)], 'register.geojson'),
      { name: 'Register' },
    );
    const status = async (wanted: string) =>
      await eventually(wanted, async () => (await client.status(dataset)).status === wanted || undefined);
    await status('awaiting_mapping');
    await client.map(dataset, { kato_column: 'kato', year_columns: columns });
    await status('ready');
    const group = await client.json<{ id: string }>('/dataset-groups', {
      method: 'POST',
      body: JSON.stringify({ code: 'forms', name: 'Forms' }),
    });
    const names = Object.keys(JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8')));
    assert.equal(names.length, 10);
    for (const name of names) {
      const form = new FormData();
      form.append('file', new File([await readFile(join(folder, name))], name));
      const added = await client.json<FormTemplate>(`/dataset-groups/${group.body.id}/templates`, {
        method: 'POST',
        body: form,
      });
      assert.equal(added.status, 201, JSON.stringify(added.body));
      const path = `/form-templates/${added.body.id}`;
      const layout = await client.json<FormLayout>(`${path}/layout?wait=60`);
      assert.equal(layout.status, 200, `${name} ${JSON.stringify(layout.body)}`);
      const fields = layout.body.fields
        .filter(({ formulas, cells }) => formulas < cells)
        .map(({ id }) => ({
          field: id,
          source: {
            kind: 'table',
            dataset_id: dataset,
            start_date: isNewer(name, id) ? '2024-01-01' : '2023-01-01',
          },
        }));
      const filled = await client.json<FilledForm>(`${path}/forms?wait=60&lang=ru`, {
        method: 'POST',
        body: JSON.stringify({ fields, unit: '790000000', overwrite: name === 'e.xlsx' }),
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(filled.status, 200, `${name} ${JSON.stringify(filled.body)}`);
      for (const { kato, reason, message } of filled.body.left_out.cells)
        assert.deepEqual(
          [kato, reason, message],
          ['790000000', 'no_value', 'в источнике нет значения для этой территории'],
        );
      const answer = await fetch(service.baseUrl + filled.body.file);
      assert.equal(answer.status, 200);
      const [stem = '', extension = ''] = name.split('.');
      await writeFile(join(folder, `${stem}.filled.${extension}`), Buffer.from(await answer.arrayBuffer()));
    }
    const { stdout } = await run(python, [program('check-forms.py'), folder]);
    assert.equal(stdout, '10 forms are right\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});
