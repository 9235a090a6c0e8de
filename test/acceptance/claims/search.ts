import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { makeCategory, type Page } from '../support/catalogue.ts';
import { type Dataset, upload } from '../support/datasets.ts';

/** For each set of datasets (name, description, file name) what `q` finds. */
const searches: readonly (readonly [
  text: string,
  datasets: readonly (readonly string[])[],
  found: Readonly<Record<string, readonly string[]>>,
])[] = [
  [
    'a part of name, description or file name in either case, in any script',
    [
      ['Жер бедері Қазақстан', 'SRTM 30 m'],
      ['Slope', 'Ёлки в СНЕГУ', 'Высоты_2024.TIF'],
      ['Orman straße', '', 'srtm.tiff'],
    ],
    {
      БЕДЕРІ: ['Жер бедері Қазақстан'],
      қазақ: ['Жер бедері Қазақстан'],
      снег: ['Slope'],
      ёЛКИ: ['Slope'],
      'высоты_2024.tif': ['Slope'],
      srtm: ['Orman straße', 'Жер бедері Қазақстан'],
      STRAßE: ['Orman straße'],
      'slope steep': [],
    },
  ],
  [
    'signs that mean something to a database as themselves',
    ['100%', '100', 'a_b', 'aXb', String.raw`c:\d`, "it's", '.*', '[a]'].map((name) => [name]),
    {
      '%': ['100%'],
      a_b: ['a_b'],
      '\\': [String.raw`c:\d`],
      "'": ["it's"],
      '.*': ['.*'],
      '[A]': ['[a]'],
      '\\%': [],
    },
  ],
  [
    'texts untrimmed, all when it is empty',
    [['a b', 'd'], ['ab']],
    { '': ['a b', 'ab'], ' ': ['a b'], 'a ': ['a b'], ' a': [] },
  ],
  [
    'long texts',
    [['x'.repeat(255)]],
    { ['x'.repeat(255)]: ['x'.repeat(255)], ['x'.repeat(256)]: [], ['%_'.repeat(2000)]: [] },
  ],
];

for (const [text, datasets, found] of searches) {
  claim(['D1 q', 'D1 q as it is', 'D1 and', 'D1 unknown value'], `q finds ${text}`, async (client) => {
    const { id: category_id } = await makeCategory(client);
    for (const [name = '', description = '', filename = 'unreadable.tif'] of datasets) {
      await upload(client, new File(['II*\0'], filename), { category_id, name, description });
    }
    for (const [q, expected] of Object.entries(found)) {
      const query = new URLSearchParams({ category_id, q }).toString();
      const { data } = await client.get<Page<Dataset>>(`/datasets?${query}`);
      assert.deepEqual(data.map(({ name }) => name).toSorted(), expected, q);
    }
  });
}
