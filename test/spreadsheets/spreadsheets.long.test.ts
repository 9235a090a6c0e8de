import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { DistrictMatches } from '../../src/units/names/names-schema.ts';
import { MappingSuggestion } from '../../src/tables/match/match-schema.ts';
import { createClient } from '../support/client.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { spreadsheets } from './all.ts';
import { askedRows, isAbout, keyOf, plain, type Read, readSheet } from './reading.ts';
import type { Spreadsheet } from './truth.ts';

const service = await closeAfterTests(startService());
const client = createClient(service.baseUrl);
const category = await client.createCategory('spreadsheets');
const Series = z.object({
  dates: z.array(z.object({ start_date: z.string(), end_date: z.string().nullable() })),
  units: z.array(
    z.object({ kato_code: z.string(), values: z.array(z.union([z.number(), z.string()]).nullable()) }),
  ),
});

suite('a spreadsheet becomes the map that a person sees in it', { concurrency: 6 }, () => {
  for (const spreadsheet of spreadsheets) {
    test(`${spreadsheet.name} (${spreadsheet.layout})`, async () => {
      const { file, bytes, correction, truth } = spreadsheet;
      const read = await readSheet(bytes(), file, correction);
      const id = await send(read, await codesOf(read, spreadsheet), file);
      await untilStatus(id, 'awaiting_mapping');
      await client.map(id, await mappingOf(id, spreadsheet));
      await untilStatus(id, 'ready');
      const { dates, units } = Series.parse((await client.json(`/datasets/${id}/series`)).body);
      const order = truth.times.map(({ start_date, end_date }) =>
        dates.findIndex((date) => date.start_date === start_date && date.end_date === end_date),
      );
      assert.equal(dates.length, truth.times.length);
      assert.deepEqual(
        new Map(units.map(({ kato_code, values }) => [kato_code, order.map((at) => values[at] ?? null)])),
        new Map(
          truth.rows
            .map(({ code, values }): [string, (number | null)[]] => [code, [...values]])
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      );
    });
  }
});

/** Current codes row by row, where the table does not contain them. */
async function codesOf(read: Read, { correction, truth }: Spreadsheet) {
  const rows = askedRows(read);
  const body = JSON.stringify({ rows });
  const answer = await client.json('/districts/match', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const { matches } = DistrictMatches.parse(answer.body);
  const chosen = truth.rows.find(({ label }) => label === correction?.unit)?.code;
  const values = matches.map(({ status, kato }) => (status === 'doubtful' ? (chosen ?? null) : kato));
  const isKnown =
    keyOf(read.table)?.role === 'code' &&
    values.every((kato, at) => kato === null || kato === rows[at]?.name);
  return isKnown ? undefined : { column: 'Код', values };
}

/** Sends the file that the page would send. */
async function send(
  { session, isLong }: Read,
  codes: Awaited<ReturnType<typeof codesOf>>,
  file: string,
): Promise<string> {
  const name = plain(file.replace(/\.[^.]*$/, ''));
  const finished = await session.finish({ isWide: isLong, codes, name, maxBytes: 10_000_000 });
  return await client.upload(
    category,
    'vector_with_kato',
    new File([finished.file], `${name}.${finished.extension}`),
  );
}

/** Returns the mapping that the service suggests, with the user's correction. */
async function mappingOf(id: string, { correction, truth }: Spreadsheet) {
  const suggestion = MappingSuggestion.parse((await client.json(`/datasets/${id}/mapping/suggestion`)).body);
  const wanted = suggestion.columns.filter(
    ({ name, role }) =>
      role !== 'kato' && (correction?.indicator === undefined || isAbout(name, correction.indicator)),
  );
  if (correction?.time !== undefined) {
    const column = wanted.find(({ numbers }) => numbers > 0)?.name;
    return { kato_column: suggestion.kato_column, year_columns: [{ column, ...correction.time }] };
  }
  const columns =
    correction?.indicator === undefined
      ? suggestion.year_columns
      : wanted.flatMap(({ name, period }) =>
          period === null ? [] : [{ column: name, start_date: period.start_date, end_date: period.end_date }],
        );
  const times = columns.map(({ start_date, end_date }) => `${start_date} ${end_date ?? null}`);
  assert.deepEqual(
    times.toSorted(),
    truth.times.map(({ start_date, end_date }) => `${start_date} ${end_date}`).toSorted(),
  );
  return { kato_column: suggestion.kato_column, year_columns: columns };
}

async function untilStatus(id: string, wanted: string): Promise<void> {
  await eventually(wanted, async () => {
    const { status, parse_error: reason } = await client.status(id);
    assert.notEqual(status, 'failed', reason ?? '');
    return status === wanted ? true : undefined;
  });
}
