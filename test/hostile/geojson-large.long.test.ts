import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { MiB } from '../../src/lib/units.ts';
import { openTestEngine } from '../support/geo/engine.ts';
import { createAsking } from '../support/hostile/hostile-vectors.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const corners = 10_000;
const feature = (geometry: string) => `{"type":"Feature","properties":{},"geometry":${geometry}}`;

/** A wavy line along a parallel, which does not cross those on other parallels. */
function positions(latitude: number): string {
  return Array.from({ length: corners }, (_, at) => `[${at / 100},${latitude + (at % 2) / 100}]`).join();
}

function* lines(count: number): Generator<string> {
  yield '{"type":"FeatureCollection","features":[';
  for (let index = 0; index < count; index += 1) {
    const line = `{"type":"LineString","coordinates":[${positions(index / 20)}]}`;
    yield (index === 0 ? '' : ',') + feature(line);
  }
  yield ']}';
}

function* longLine(parts: number): Generator<string> {
  const [before = '', behind = ''] = feature('{"type":"LineString","coordinates":[HERE]}').split('HERE');
  yield before;
  for (let index = 0; index < parts; index += 1) yield (index === 0 ? '' : ',') + positions(index / 20);
  yield behind;
}

function* longProperty(bytes: number): Generator<string> {
  yield '{"type":"Feature","properties":{"a":"';
  for (let left = bytes; left > 0; left -= MiB) yield 'x'.repeat(MiB);
  yield '"},"geometry":{"type":"Point","coordinates":[1,2]}}';
}

const engine = await closeAfterTests(openTestEngine({ memoryBytes: 512 * MiB }));

describe('A GeoJSON file that needs more memory than 512 MiB is told what is too large:', () => {
  async function refused(text: Generator<string>, sentence: RegExp): Promise<void> {
    const path = join(engine.folder, 'input.geojson');
    await pipeline(Readable.from(text), createWriteStream(path));
    await createAsking(engine).refused(path, sentence);
  }

  test('one line of millions of positions', async () => {
    await refused(
      longLine(200),
      /^The geometry of feature 1 is longer than the 2\d MiB for which there is memory\. Split/,
    );
  });

  test('millions of positions in many lines', async () => {
    await refused(
      lines(340),
      /^The lines of the file take more than the \d\d MiB for which there is memory\. Simplify/,
    );
  });

  test('one property of more than GDAL would take', async () => {
    await refused(longProperty(201 * MiB), /one value is larger than 200 MiB\. Simplify it/);
  });
});
