import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { makeTable, map, once } from '../support/datasets.ts';
import { sharedTable, sharedVector, unmappedTable } from '../support/shared.ts';

const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1);

/** A code that is there twice, one that no unit has, and texts that spreadsheets take for formulas. */
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
  ['D7 table files ETag'],
  'a table as a file has a strong ETag, which is that of its content, language and encoding',
  async (client) => {
    const { id } = await sharedTable(client);
    for (const form of ['csv', 'xlsx']) {
      const path = `/datasets/${id}/observations.${form}`;
      const { headers, bytes } = await fetchBytes(client, 200, path);
      assert.match(headers.etag ?? '', /^"[^"]+"$/);
      assert.ok((await fetchBytes(client, 200, path)).bytes.equals(bytes));
      const head = await fetchBytes(client, 200, path, { method: 'HEAD' });
      assert.deepEqual([head.headers.etag, head.bytes.length], [headers.etag, 0]);
      await fetchBytes(client, 304, path, { headers: { 'if-none-match': headers.etag ?? '' } });
      await client.refused(412, 'GET', path, { headers: { 'if-match': '"other"' } });
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
  for (const form of ['csv', 'xlsx']) {
    await client.refused(422, 'GET', `/datasets/${vector.id}/observations.${form}`);
    await client.refused(409, 'GET', `/datasets/${unmapped.id}/observations.${form}`);
    await client.refused(404, 'GET', `/datasets/00000000-0000-4000-8000-000000000000/observations.${form}`);
    await client.refused(400, 'GET', `/datasets/${vector.id}/observations.${form}?shape=round`);
  }
});

checkedElsewhere('test/http/table-files.test.ts', {
  'another mapping meanwhile changes nothing in what is being sent': ['D7 table files snapshot'],
  'a client that goes away ends what the database does for it': ['D7 table files snapshot'],
});
