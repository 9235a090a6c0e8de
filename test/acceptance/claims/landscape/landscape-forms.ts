import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { workbook } from '../../../support/tables/workbooks.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { firstRun } from '../../support/landscape.ts';
import { made, sumOf } from '../../support/made.ts';

interface Balance {
  readonly codes: readonly number[];
  readonly units: readonly { readonly kato: string; readonly functional: readonly number[] }[];
}

/** Text of a member of a workbook. */
async function textOf(bytes: Buffer, name: string): Promise<string> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of archive.eachEntry())
    if (entry.fileName === name) return (await buffer(await archive.openReadStreamPromise(entry))).toString();
  throw new Error(`there is no ${name}`);
}

claim(['D7 forms', 'D7 forms left out'], 'a form is filled with the zones of a run', async (client) => {
  const run = await firstRun(client);
  const { codes, units } = (
    await made(client, `/landscape/runs/${run.id}/balance?by=region`)
  ).read<Balance>();
  const [unit] = units;
  assert.ok(unit !== undefined);
  const rows = [
    ['Код', 'Зона 1', 'Прочее'],
    [unit.kato, null, null],
    ['019999999', null, null],
  ];
  const { id: group } = await makeGroup(client);
  const file = new File([workbook([{ name: 'Баланс', rows }])], 'balance.xlsx');
  const path = `/dataset-groups/${group}/templates`;
  const { id } = (await client.expect(201, 'POST', path, { form: { file } })).read<{ id: string }>();
  const source = { kind: 'balance', run_id: run.id, of: 'codes', codes: [...codes] };
  const json = { fields: [{ field: 'Баланс!B2', source }] };
  const form = (await made(client, `/form-templates/${id}/forms`, 'POST', { json })).read<{
    file: string;
    left_out: { rows: readonly { text: string }[]; fields: readonly { field: string }[] };
  }>();
  assert.deepEqual(
    form.left_out.rows.map(({ text }) => text),
    ['019999999'],
  );
  assert.deepEqual(
    form.left_out.fields.map(({ field }) => field),
    ['Баланс!C2'],
  );
  const { bytes } = await fetchBytes(client, 200, form.file);
  assert.ok((await textOf(bytes, 'xl/worksheets/sheet1.xml')).includes(`<v>${sumOf(unit.functional)}</v>`));
});

checkedElsewhere('src/forms/forms.long.test.ts', {
  'is kept with a group, and tells what can be filled': ['D7 forms templates'],
  'is filled with the figures of the service, and lists what is not filled': [
    'D7 forms',
    'D7 forms left out',
  ],
  'is refused with a sentence if it is not a workbook, or one that could run': ['D7 forms refusals'],
  'is not filled from what does not exist': ['D7 forms refusals'],
  'goes with its group': ['D7 forms templates'],
});
