import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mutatedFile } from '../test/hostile/mutate/mutated-file.ts';
import { readOriginals, readOwnOriginals } from '../test/hostile/mutate/originals.ts';

const usage = `Usage: npm run mutate -- FOLDER [--count 5000] [--seed 1] [--first 0] [--from FOLDER]

Writes damaged files into FOLDER, for npm run survey: TIFF, GeoPackage, zip, GeoJSON and SLD, made from the small files of
the project, or from those of the folder --from. A file's name tells its seed, its number and what it was made from: the
same seed and number make the same file again.`;

const options = {
  count: { type: 'string', default: '5000' },
  seed: { type: 'string', default: '1' },
  first: { type: 'string', default: '0' },
  from: { type: 'string' },
} as const;

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [folder, ...rest] = positionals;
const [count, seed, first] = [values.count, values.seed, values.first].map(Number);
if (folder === undefined || rest.length > 0 || !isCount(count) || !isCount(seed) || !isCount(first)) {
  console.error(usage);
  process.exit(1);
}
const originals =
  values.from === undefined ? await readOwnOriginals() : await readOriginals(resolve(values.from));
if (originals.length === 0) throw new Error(`${values.from} holds no file that could be mutated`);

await mkdir(folder, { recursive: true });
let written = 0;
for (let index = first; index < first + count; index += 1) {
  const { name, bytes } = mutatedFile(originals, seed, index);
  await writeFile(join(folder, name), bytes);
  written += bytes.length;
}
console.log(
  `${count} files, ${Math.round(written / 1e6)} MB, from ${originals.length} originals, in ${folder}`,
);

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
