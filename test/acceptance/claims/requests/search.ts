import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { makeCategory, type Page } from '../../support/catalogue.ts';
import { type Dataset, upload } from '../../support/datasets.ts';

const rows = ['D1 q', 'D1 q as it is', 'D1 and', 'D1 unknown value'];

claim(
  rows,
  'q finds a part of name, description or file name in either case, in any script',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    for (const [name, description, filename] of [
      ['Жер бедері Қазақстан', 'SRTM 30 m', 'unreadable.tif'],
      ['Slope', 'Ёлки в СНЕГУ', 'Высоты_2024.TIF'],
      ['Orman straße', '', 'srtm.tiff'],
    ] as const) {
      await upload(client, new File(['II*\0'], filename), { category_id, name, description });
    }
    for (const [q, expected] of Object.entries({
      БЕДЕРІ: ['Жер бедері Қазақстан'],
      қазақ: ['Жер бедері Қазақстан'],
      ёЛКИ: ['Slope'],
      'высоты_2024.tif': ['Slope'],
      srtm: ['Orman straße', 'Жер бедері Қазақстан'],
      STRAßE: ['Orman straße'],
      'slope steep': [],
      '': ['Orman straße', 'Slope', 'Жер бедері Қазақстан'],
    })) {
      const query = new URLSearchParams({ category_id, q }).toString();
      const { data } = await client.get<Page<Dataset>>(`/datasets?${query}`);
      assert.deepEqual(data.map(({ name }) => name).toSorted(), expected, q);
    }
  },
);

/** A name, searches that find it, and searches that do not. */
const names: readonly (readonly [name: string, finding: readonly string[], others: readonly string[]])[] = [
  ['100%', ['%'], ['\\%']],
  ['a_b', ['a_b', '_'], ['%']],
  ['aXb', ['axb'], ['a_b', '[a]', '.*']],
  [String.raw`c:\d`, ['\\'], ['\\\\']],
  ["it's", ["'"], ["''"]],
  ['.*[a]', ['.*', '[A]'], ['b']],
  ['a b', [' ', 'a '], [' a']],
  ['x'.repeat(255), ['x'.repeat(255)], ['x'.repeat(256), '%_'.repeat(2000)]],
];

claim(
  rows,
  'q finds texts untrimmed and of any length, and signs of a database as themselves',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    const { id } = await upload(client, new File(['II*\0'], 'q.tif'), { category_id });
    for (const [name, finding, others] of names) {
      await client.expect(200, 'PATCH', `/datasets/${id}`, { json: { name } });
      for (const q of [...finding, ...others]) {
        const query = new URLSearchParams({ category_id, q }).toString();
        const { total } = await client.get<Page<Dataset>>(`/datasets?${query}`);
        assert.equal(total, finding.includes(q) ? 1 : 0, `${q} in ${name}`);
      }
    }
  },
);
