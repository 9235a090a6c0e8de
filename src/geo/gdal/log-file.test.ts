import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Message } from '../../lib/message.ts';
import { translate } from '../../messages/languages/translate.ts';
import { createWarningTally } from './log-file.ts';

function told(...entries: readonly string[]): readonly string[] {
  const tally = createWarningTally();
  entries.forEach(tally.add);
  return tally.result().map(({ message }) => message);
}

test('each text is told once, with how often it came', () => {
  assert.deepEqual(told('Warning 1: a', 'Warning 1: b', 'Warning 6: a', 'ERROR 1: c'), [
    'GDAL also reports (2 times): a',
    'GDAL also reports: b',
  ]);
  const tally = createWarningTally();
  for (const entry of ['Warning 1: a', 'Warning 1: a']) tally.add(entry);
  const [warning] = tally.result();
  const message = new Message(warning?.message ?? '', warning?.sentence);
  assert.equal(translate(message, 'ru'), 'GDAL также сообщает (2 раза): a');
  assert.equal(translate(message, 'kk'), 'GDAL тағы хабарлайды (2 рет): a');
});

test('nothing of this machine is in it', () => {
  const texts = told(
    "Warning 1: GPKG: bad application_id=0x00000000 on '/var/tmp/scratch/a-b/input.gpkg'",
    'Warning 1: /tmp/x/input.tif: TIFFReadDirectory:Bogus "StripByteCounts" field',
    'Warning 1: TIFFReadDirectory:Bogus "StripByteCounts" field',
    String.raw`Warning 1: cannot open C:\data\a.shx (see https://example.com/a?b=c) at 0x7f0012345678`,
  );
  assert.deepEqual(texts, [
    "GDAL also reports: GPKG: bad application_id=0x00000000 on 'the file'",
    'GDAL also reports (2 times): TIFFReadDirectory:Bogus "StripByteCounts" field',
    'GDAL also reports: cannot open the file (see …) at …',
  ]);
});

test('what the report says by itself is not repeated', () => {
  assert.deepEqual(
    told(
      'Warning 1: Self-intersection at or near point 71 51',
      "Warning 1: Field format 'character varying(9)' not supported",
      "Warning 1: geometry column 'kato' of type 'character varying(9)' ignored",
      'Warning 1: Too few points in geometry component at or near point 0 0',
      "Warning 1: This version of GeoPackage user_version=0x000028A0 (10400, v1.4.0) on 'x' may only be partially supported",
    ),
    [],
  );
});

test('a file with thousands of them has a short report, and none is forgotten', () => {
  const tally = createWarningTally();
  for (let number = 0; number < 5000; number += 1) tally.add(`Warning 1: row ${number} ${'x'.repeat(1000)}`);
  const messages = tally.result().map(({ message }) => message);
  assert.equal(messages.length, 21);
  assert.equal(messages.at(-1), 'GDAL has 4980 more warnings, in other words.');
  assert.ok(messages.every(({ length }) => length < 400));
});
