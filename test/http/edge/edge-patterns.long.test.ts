import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { readProjectFile } from '../../support/project.ts';
import { sourceFiles } from '../../support/source-tree.ts';

/** A linear pattern takes a moment for this many characters, and some seconds on a busy machine; a quadratic one takes minutes. */
const characters = 200_000;
const secondsForEach = 30;

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Finds every regular expression in the sources, in the form that the formatter writes. */
function findPatterns(): readonly Pattern[] {
  const literal =
    /(?<=[=(,:!?[{]\s*|\n\s+)\/(?![/*])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[.,;)\]\s])/g;
  return sourceFiles.flatMap((file) =>
    Array.from(readProjectFile(file).matchAll(literal), ([, source = '', flags = '']) => ({
      file,
      source,
      flags,
    })),
  );
}

/** Strings that make a pattern try everything: its own characters over and over, and an end that it does not want. */
function attacksOn({ source }: Pattern): readonly string[] {
  const own = [...new Set(source.replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?|[\\^$.*+?()[\]{}|]/g, ''))].slice(
    0,
    24,
  );
  const usual = ['a', '0', ' ', '\t', '"', '\\', '-', ';', '=', '\n', '\r\n', 'é', '😀', '/', ':'];
  const single = [...new Set([...own, ...usual])];
  const pairs = single.slice(0, 8).flatMap((first) => single.slice(0, 8).map((second) => first + second));
  const words = [...source.matchAll(/[\w"=; \\-]{2,}/g)].map(([word]) => word).slice(0, 8);
  return [...single, ...pairs, ...words, '\\"', '"\\', ';a="', 'a-', '[]', '""'];
}

/** Runs a pattern on each attack in a thread that `terminate` can end. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { source, flags, attacks, characters } = workerData;
  const pattern = new RegExp(source, flags);
  for (const pump of attacks) {
    const long = pump.repeat(Math.ceil(characters / pump.length));
    for (const text of [long + '!', '"' + long, ';' + long, long + '\\u0000\\n']) text.search(pattern);
  }
  parentPort.postMessage('done');
`;

async function isSwift(pattern: Pattern): Promise<boolean> {
  const workerData = { ...pattern, attacks: attacksOn(pattern), characters };
  const worker = new Worker(program, { eval: true, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  worker.once('message', () => resolve(true)).once('error', reject);
  const late = setTimeout(() => resolve(false), secondsForEach * 1000);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}

test('the patterns of the sources are found, each by itself', () => {
  const sources = findPatterns().map(({ source }) => source);
  assert.ok(sources.length >= 60, String(sources.length));
  for (const known of [
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    String.raw`^\s*bytes=\s*(\d*)-(\d*)\s*$`,
    String.raw`(?:W\/)?("[^"]*")`,
  ]) {
    assert.ok(sources.includes(known), known);
  }
});

test('a pattern that takes a square of the time is noticed', { timeout: 300_000 }, async () => {
  assert.equal(await isSwift({ file: '', source: String.raw`"(?:[^"\\]|\\.)*"`, flags: 'gs' }), false);
});

/** Patterns that may take longer, and the reason why they receive only short texts. */
const onShortText: ReadonlyMap<string, string> = new Map([
  ['src/geo/child/raster/image/description.ts', 'the name of a data type, out of a list'],
  [
    'src/geo/formats/shapefile/field-names.ts',
    'JSON as GDAL writes it: every string has an end, and a dbf text 254 bytes',
  ],
  ['src/table/cells.ts', 'a number of at most 400 characters'],
  ['src/units/names/spelling.ts', 'a name of at most 160 characters'],
]);

test(
  'no pattern of the sources takes more than a step for each character',
  { timeout: 900_000 },
  async () => {
    const slow: string[] = [];
    for (const pattern of findPatterns()) {
      if (onShortText.has(pattern.file)) continue;
      if (!(await isSwift(pattern))) slow.push(`${pattern.file} /${pattern.source}/${pattern.flags}`);
    }
    assert.deepEqual(slow, []);
  },
);
