import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Client, Part } from '../client.ts';
import { unique, unreadable } from '../support/catalogue.ts';
import type { Dataset } from '../support/datasets.ts';
import { assertError } from '../support/errors.ts';
import { nodes } from '../support/graph.ts';
import { listSlots } from '../support/landscape.ts';
import { exchange, request } from '../support/raw.ts';
import { formType } from '../../support/raw-http.ts';

const path = '/landscape/slots/landscape-in-precipitation';
const tiff = unreadable.raster;

/** Sends a form that must be refused for this part, and for nothing else. */
async function refuse(
  { invalid }: Client,
  form: Readonly<Record<string, string | File>>,
  ...parts: string[]
) {
  await invalid(parts, 'POST', path, { form });
}

claim(
  ['4.5 POST slots 422', '4.5 POST slots file', 'L8.2 422'],
  'an upload without a file is refused',
  async (client) => {
    await refuse(client, { name: 'nothing' }, 'file');
  },
);

claim(
  ['4.5 POST slots file', 'L8.2 422'],
  'a file that is not named .tif or .tiff is refused',
  async (client) => {
    for (const name of ['dem.png', 'dem', 'dem.tif.gz', 'dem.geojson', 'dem.zip', 'tif']) {
      await refuse(client, { file: new File([tiff], name) }, 'file');
    }
  },
);

claim(['4.5 POST slots file', 'L8.2 422'], 'the extension may be written in any case', async ({ expect }) => {
  for (const name of ['dem.TIF', 'dem.Tiff', 'dem.tiff']) {
    await expect(201, 'POST', path, { form: { file: new File([tiff], name) } });
  }
});

claim(
  ['4.5 POST slots file', 'L8.2 bytes', 'L8.2 content'],
  'the four beginnings of a TIFF are accepted, whatever follows them',
  async ({ expect }) => {
    for (const bytes of ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']) {
      await expect(201, 'POST', path, { form: { file: new File([bytes, 'anything'], 'magic.tif') } });
    }
  },
);

claim(
  ['4.5 POST slots file', 'L8.2 bytes', 'L8.2 422'],
  'any other beginning is refused, and so is an empty file',
  async (client) => {
    const beginnings = [
      '',
      'II',
      'II*',
      'II*\u0001',
      'II\0*',
      'MM*\0',
      'MM\0,',
      'IM*\0',
      'PK\u0003\u0004',
      '{}',
    ];
    for (const bytes of beginnings) {
      await refuse(client, { file: new File([bytes], 'magic.tif') }, 'file');
    }
  },
);

claim(
  ['4.5 POST slots start_date', '4.5 POST slots end_date', '4.5 POST slots 422', 'L8.2 422'],
  'a date that is none is refused under its name',
  async (client) => {
    for (const date of [
      '2024-02-30',
      '2024-13-01',
      '2024-1-1',
      '01.01.2024',
      '2024',
      '2024-01-01T00:00:00Z',
      '0000-01-01',
    ]) {
      await refuse(client, { file: tiff, start_date: date }, 'start_date');
      await refuse(client, { file: tiff, end_date: date }, 'end_date');
    }
  },
);

claim(
  ['4.5 POST slots end_date', 'L8.2 422'],
  'a period that ends before it starts is an error on end_date; one of a single day is none',
  async (client) => {
    await refuse(client, { file: tiff, start_date: '0101-01-02', end_date: '0101-01-01' }, 'end_date');
    const form = { file: tiff, start_date: '0101-01-01', end_date: '0101-01-01' };
    await client.expect(201, 'POST', path, { form });
  },
);

claim(
  ['4.5 POST slots name', 'D6 slot rules'],
  'a name may have 255 characters; one that is blank or longer is refused',
  async (client) => {
    await refuse(client, { file: tiff, name: '   ' }, 'name');
    await refuse(client, { file: tiff, name: 'ж'.repeat(256) }, 'name');
    await client.expect(201, 'POST', path, { form: { file: tiff, name: 'ж'.repeat(255) } });
  },
);

claim(
  ['4.5 POST slots 422', 'D6 slot rules'],
  'all that is wrong with an upload is said at once',
  async (client) => {
    const form = { file: new File(['no'], 'no.png'), name: ' ', start_date: 'x', end_date: 'y' };
    await refuse(client, form, 'file', 'name', 'start_date', 'end_date');
  },
);

claim(['D6 slot rules', '4.5 POST slots 422'], 'a part that is known is sent once', async ({ invalid }) => {
  for (const [name, value] of [
    ['name', 'twice'],
    ['start_date', '0101-01-01'],
    ['end_date', '0101-01-01'],
    ['file', tiff],
  ] as const) {
    const twice = [[name, value] as const, [name, value] as const];
    const parts = name === 'file' ? twice : [...twice, ['file', tiff] as const];
    await invalid([name], 'POST', path, { parts });
  }
});

claim(
  ['4.5 POST slots 422', 'D6 slot rules'],
  'an upload that is refused leaves nothing behind',
  async (client) => {
    const name = unique('refused');
    await refuse(client, { name, file: tiff, end_date: 'never' }, 'end_date');
    await refuse(client, { name, file: new File(['no'], `${name}.tif`) }, 'file');
    assert.equal((await client.get<{ total: number }>(`/datasets?q=${name}`)).total, 0);
  },
);

claim(
  ['4.5 POST slots 404', 'L8.2 404'],
  'a code that no slot has is 404, be it that of an output or of another group',
  async ({ expect }) => {
    const others = [
      'nothing',
      'landscape',
      'landscape-in-',
      'dem',
      'LANDSCAPE-IN-DEM',
      'landscape-in-dem%20',
    ];
    for (const code of [...others, ...nodes.map(({ group }) => group)]) {
      const answer = await expect(404, 'POST', `/landscape/slots/${code}`, { form: { file: tiff } });
      assertError(answer);
    }
  },
);

claim(
  ['4.5 POST slots 400', 'L8.2 400'],
  'a body that is no form, or a broken one, is 400, whether there is such a slot or not',
  async ({ refused }) => {
    const type = 'multipart/form-data; boundary=edge';
    for (const code of ['landscape-in-precipitation', 'nothing']) {
      const to = `/landscape/slots/${code}`;
      await refused(400, 'POST', to);
      await refused(400, 'POST', to, { json: { file: 'II*' } });
      await refused(400, 'POST', to, { body: 'x', headers: { 'content-type': 'multipart/form-data' } });
      const body =
        '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.tif"\r\n\r\nII*\0 and then';
      await refused(400, 'POST', to, { body, headers: { 'content-type': type } });
    }
  },
);

claim(
  ['4.5 POST slots 404'],
  'an unknown slot is 404 also when the form is not valid',
  async ({ expect }) => {
    const answer = await expect(404, 'POST', '/landscape/slots/nothing', {
      form: { name: ' ', end_date: 'x' },
    });
    assertError(answer);
  },
);

claim(
  ['4.5 GET slots'],
  'slots are read and written under their paths, and nothing else',
  async ({ ask }) => {
    const lists = await ask('DELETE', '/landscape/slots');
    assert.deepEqual([lists.status, lists.headers.get('allow')?.includes('GET')], [405, true]);
    const one = await ask('GET', '/landscape/slots/landscape-in-dem');
    assert.deepEqual([one.status, one.headers.get('allow')?.includes('POST')], [405, true]);
  },
);

claim(['D6 slot rules'], 'the order of the parts is free', async (client) => {
  const file: Part = ['file', tiff];
  const named: Part = ['name', 'ordered'];
  const dated: Part = ['end_date', '0101-01-01'];
  for (const parts of [
    [file, named, dated],
    [dated, file, named],
  ]) {
    const { name, end_date } = await client.read<Dataset>(201, 'POST', path, { parts });
    assert.deepEqual([name, end_date], ['ordered', '0101-01-01']);
  }
  assert.equal((await listSlots(client)).length, 13);
});

claim(
  ['D6 slot rules', 'L8.2 413'],
  'an upload that says to be larger than anything is 413',
  async ({ baseUrl }) => {
    const headers = [`content-type: ${formType['content-type']}`, 'content-length: 1000000000000000'];
    assertError(await exchange(baseUrl, 413, [request(baseUrl, `POST ${path}`, headers)]));
  },
);

checkedElsewhere('test/landscape/service/groups.test.ts', {
  'each of them that is missing is missed by those who list it, until there is one with its code': [
    '4.5 GET slots 404',
    '4.5 GET results 404',
    '4.5 POST slots 404',
  ],
});
