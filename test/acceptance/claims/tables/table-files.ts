import assert from 'node:assert/strict';
import { readParquet } from '../../../support/tables/parquet.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { makeTable, map, once } from '../../support/datasets.ts';
import { readObservations } from '../../support/observations.ts';
import { sharedTable, sharedVector, unmappedTable } from '../../support/shared.ts';

const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1);

/** A table with a duplicate code, an unknown code, and texts that spreadsheets treat as formulas. */
const oddTable = once(async (client) => {
  const { id } = await makeTable(client, [
    { kato: '710000000', '=2020': '=1+1', 'a,"b"': 1 },
    { kato: '990000000', '=2020': '@x', 'a,"b"': 'да, "нет"' },
    { kato: '110000000', '=2020': 0.1, 'a,"b"': '-' },
    { kato: '710000000', '=2020': 1e21, 'a,"b"': null },
  ]);
  return await map(client, id, 'kato', [
    { column: 'a,"b"', start_date: '2021-01-01' },
    { column: '=2020', start_date: '2020-01-01', end_date: '2020-12-31' },
  ]);
});

claim(
  ['D7 table files'],
  'a table is downloaded wide as it came in, and long with a row for each value',
  async (client) => {
    const path = `/datasets/${(await sharedTable(client)).id}/observations.csv`;
    const wide = await client.expect(200, 'GET', `${path}?lang=en`);
    assert.match(wide.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
    assert.match(wide.headers.get('content-disposition') ?? '', /^attachment; .*\.csv/);
    assert.deepEqual(linesOf(wide.text), [
      'kato,name,y2022,y2023',
      '110000000,Akmola,788,789.5',
      '710000000,Astana (city),1354.5,',
      '750000000,Almaty (city),н/д,2.25',
    ]);
    const long = await client.expect(200, 'GET', `${path}?shape=long`, {
      headers: { 'accept-language': 'ru' },
    });
    assert.equal(long.headers.get('content-language'), 'ru');
    assert.deepEqual(linesOf(long.text), [
      'kato_code,name,start_date,end_date,value,value_text,land_since',
      '110000000,Акмолинская,2022-12-31,,788,,',
      '110000000,Акмолинская,2023-01-01,2023-12-31,789.5,,',
      '710000000,Астана,2022-12-31,,1354.5,,',
      '710000000,Астана,2023-01-01,2023-12-31,,,',
      '750000000,Алматы,2022-12-31,,,н/д,',
      '750000000,Алматы,2023-01-01,2023-12-31,2.25,,',
    ]);
  },
);

claim(
  ['D7 table files breaks'],
  'a long table names the day on which the land of a unit changed between its dates, also under an older code, and no other day',
  async (client) => {
    const landSince = async (columns: Parameters<typeof map>[3]) => {
      const codes = ['511011100', '635800000', '750000000', '990000000'];
      const rows = codes.map((kato) => ({ kato, a: 1, b: 2 }));
      const { id } = await makeTable(client, rows);
      await map(client, id, 'kato', columns);
      const { text } = await client.expect(200, 'GET', `/datasets/${id}/observations.csv?shape=long`);
      const lines = linesOf(text).map((line) => line.split(','));
      const place = lines[0]?.indexOf('land_since') ?? -1;
      return lines.slice(1).map((line) => [line[0], line[2], line[place]]);
    };
    const around = await landSince([
      { column: 'a', start_date: '2020-01-01', end_date: '2020-12-31' },
      { column: 'b', start_date: '2022-01-01', end_date: '2022-12-31' },
    ]);
    assert.deepEqual(
      around.filter(([, , day]) => day !== ''),
      [
        ['511011100', '2020-01-01', '2022-08-01'],
        ['511011100', '2022-01-01', '2022-08-01'],
        ['635800000', '2020-01-01', '2022-06-07'],
        ['635800000', '2022-01-01', '2022-06-07'],
      ],
    );
    assert.equal(around.length, 8);
    const after = await landSince([
      { column: 'a', start_date: '2022-08-01' },
      { column: 'b', start_date: '2023-01-01' },
    ]);
    assert.deepEqual(new Set(after.map(([, , day]) => day)), new Set(['']));
  },
);

claim(
  ['D7 table files texts'],
  'no row is lost, no text is a formula, and a number has all its digits',
  async (client) => {
    const { id } = await oddTable(client);
    const { text } = await client.expect(200, 'GET', `/datasets/${id}/observations.csv`);
    assert.deepEqual(
      linesOf(text).map((line) => line.replace(/,[^,"]*,/, ',…,')),
      [
        `kato,…,"a,""b""",'=2020`,
        `710000000,…,1,'=1+1`,
        `990000000,…,"да, ""нет""",'@x`,
        `110000000,…,'-,0.1`,
        '710000000,…,,1e+21',
      ],
    );
    const workbook = await client.expect(200, 'GET', `/datasets/${id}/observations.xlsx`);
    assert.match(workbook.headers.get('content-type') ?? '', /spreadsheetml/);
    assert.equal(workbook.text.slice(0, 2), 'PK');
  },
);

claim(
  ['D7 table files ETag', 'D7 made files'],
  'a table as a file has a strong ETag, which is that of its content, language and encoding',
  async (client) => {
    const { id } = await sharedTable(client);
    for (const form of ['csv', 'xlsx', 'parquet']) {
      const path = `/datasets/${id}/observations.${form}`;
      const { headers, bytes } = await fetchBytes(client, 200, path);
      assert.match(headers.etag ?? '', /^"[^"]+"$/);
      assert.ok((await fetchBytes(client, 200, path)).bytes.equals(bytes));
      const head = await fetchBytes(client, 200, path, { method: 'HEAD' });
      assert.deepEqual([head.headers.etag, head.bytes.length], [headers.etag, 0]);
      await fetchBytes(client, 304, path, { headers: { 'if-none-match': headers.etag ?? '' } });
      await client.refused(412, 'GET', path, { headers: { 'if-match': '"other"' } });
      const size = bytes.length;
      assert.deepEqual(
        [head, await fetchBytes(client, 200, path)].map((each) => each.headers['content-length']),
        [String(size), String(size)],
      );
      const part = await fetchBytes(client, 206, path, { headers: { range: 'bytes=2-5' } });
      assert.ok(part.bytes.equals(bytes.subarray(2, 6)));
      assert.equal(part.headers['content-range'], `bytes 2-5/${size}`);
      const kazakh = await fetchBytes(client, 200, `${path}?lang=kk`);
      assert.notEqual(kazakh.headers.etag, headers.etag);
    }
    const path = `/datasets/${id}/observations.csv`;
    const plain = await fetchBytes(client, 200, path);
    const packed = await fetchBytes(client, 200, path, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.notEqual(packed.headers.etag, plain.headers.etag);
  },
);

claim(['D7 table files refusals'], 'only ready tables are downloaded', async (client) => {
  const vector = await sharedVector(client);
  const unmapped = await unmappedTable(client);
  for (const form of ['csv', 'xlsx', 'parquet']) {
    await client.refused(422, 'GET', `/datasets/${vector.id}/observations.${form}`);
    await client.refused(409, 'GET', `/datasets/${unmapped.id}/observations.${form}`);
    await client.refused(404, 'GET', `/datasets/00000000-0000-4000-8000-000000000000/observations.${form}`);
    await client.refused(400, 'GET', `/datasets/${vector.id}/observations.${form}?shape=round`);
  }
});

const day = (date: string) => new Date(`${date}T00:00:00Z`);

claim(
  ['D7 table files parquet'],
  'a table is Parquet with types: a column of numbers and texts becomes two, and each number is that of the JSON',
  async (client) => {
    const { id } = await oddTable(client);
    const path = `/datasets/${id}/observations.parquet`;
    const answer = await fetchBytes(client, 200, path);
    assert.equal(answer.headers['content-type'], 'application/vnd.apache.parquet');
    const wide = await readParquet(answer.bytes);
    assert.deepEqual(wide.columns, [
      ['kato', 'UTF8'],
      ['name', 'UTF8'],
      ['a,"b"', 'DOUBLE'],
      ['a,"b"_text', 'UTF8'],
      ['=2020', 'DOUBLE'],
      ['=2020_text', 'UTF8'],
    ]);
    assert.deepEqual(
      wide.rows.map((row) => ['kato', 'a,"b"', 'a,"b"_text', '=2020', '=2020_text'].map((name) => row[name])),
      [
        ['710000000', 1, null, null, '=1+1'],
        ['990000000', null, 'да, "нет"', null, '@x'],
        ['110000000', null, '-', 0.1, null],
        ['710000000', null, null, 1e21, null],
      ],
    );
    const long = await readParquet((await fetchBytes(client, 200, `${path}?shape=long`)).bytes);
    const listed = await readObservations(client, id);
    assert.deepEqual(
      long.rows.map(({ kato_code, start_date, end_date, value, value_text }) => ({
        kato_code,
        start_date,
        end_date,
        value,
        value_text,
      })),
      listed.map(({ kato_code, start_date, end_date, value, value_text }) => ({
        kato_code,
        start_date: day(start_date),
        end_date: end_date === null ? null : day(end_date),
        value,
        value_text,
      })),
    );
  },
);

claim(
  ['D7 observations format', 'D7 table files code'],
  'observations come as CSV and as Parquet where a client asks for that, by query or header, and of one code alone',
  async (client) => {
    const { id } = await sharedTable(client);
    const path = `/datasets/${id}/observations`;
    const whole = await client.expect(200, 'GET', `${path}.csv?shape=long&lang=en`);
    for (const [query, accept] of [
      ['?format=csv', '*/*'],
      ['?page_size=1', 'text/csv, application/json;q=0.5'],
      ['?page=9&page_size=1&format=csv', 'application/json'],
    ] as const) {
      const { text, headers } = await client.expect(200, 'GET', path + query, { headers: { accept } });
      assert.equal(text, whole.text);
      assert.match(headers.get('content-type') ?? '', /^text\/csv/);
      assert.match(headers.get('vary') ?? '', /\bAccept\b/);
    }
    const parquet = await fetchBytes(client, 200, path, {
      headers: { accept: 'application/vnd.apache.parquet' },
    });
    assert.equal((await readParquet(parquet.bytes)).rows.length, 6);
    for (const accept of ['*/*', 'application/json', 'text/csv;q=0.1, application/json', 'text/html']) {
      const { headers } = await client.expect(200, 'GET', path, { headers: { accept } });
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
    }
    await client.refused(400, 'GET', `${path}?format=xml`);
    const one = await client.expect(200, 'GET', `${path}?format=csv&kato_code=710000000`);
    const { headers: all } = await client.expect(200, 'GET', `${path}?format=csv`);
    assert.deepEqual(
      linesOf(one.text).slice(1),
      linesOf(whole.text).filter((line) => line.startsWith('710000000')),
    );
    assert.notEqual(one.headers.get('etag'), all.get('etag'));
    const none = await client.expect(
      200,
      'GET',
      `${path}.csv?kato_code=${encodeURIComponent("1' or '1'='1")}`,
    );
    assert.equal(linesOf(none.text).length, 1);
    const wide = await client.expect(200, 'GET', `${path}.csv?kato_code=110000000`);
    assert.deepEqual(
      linesOf(wide.text)
        .slice(1)
        .map((line) => line.split(',')[0]),
      ['110000000'],
    );
  },
);

checkedElsewhere('src/tables/export/table-files.test.ts', {
  'another mapping meanwhile changes nothing in what is being sent': ['D7 table files snapshot'],
});

checkedElsewhere('src/tables/export/exports.test.ts', {
  'ends what is written for it alone, and what the database does for that': ['D7 table files snapshot'],
  'do not delay a small file, even for the same address, while they wait for their turn': [
    'D7 made files turns',
  ],
  'hold no connection and no snapshot once their files are written, and all of them have theirs': [
    'D7 made files turns',
  ],
  'says what is wrong in a page, in the language of the reader, and JSON to all others': ['D7 navigation'],
  'refuses a file that is too large, with a sentence, and leaves nothing of it': ['D7 made files bounds'],
});

checkedElsewhere('src/tables/tables.test.ts', {
  'remarks reach observations, CSV and Parquet; a conversion is on record': [
    'D7 mapping measures',
    'D7 mapping unit',
    'D7 remarks',
    'D7 remark files',
  ],
});
