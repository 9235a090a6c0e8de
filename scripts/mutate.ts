import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf } from '../src/lib/error-facts.ts';
import { asksForHelp, readOptions, UsageError } from '../src/commands/options.ts';
import { mutatedFile } from '../test/hostile/mutate/mutate.ts';
import { type Original, readOriginals, readOwnOriginals } from '../test/hostile/mutate/originals.ts';

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

const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(usage);
} else {
  process.exitCode = await mutate(args).then(
    () => 0,
    (error: unknown) => {
      const where = error instanceof UsageError ? '; see npm run mutate -- --help' : '';
      console.error(`mutate: ${messageOf(error)}${where}`);
      return 1;
    },
  );
}

async function mutate(args: readonly string[]): Promise<void> {
  const { values, positionals } = readOptions(args, options, 1);
  const [folder] = positionals;
  if (folder === undefined) throw new UsageError('say into which folder the files go');
  const count = readCount('--count', values.count);
  const seed = readCount('--seed', values.seed);
  const first = readCount('--first', values.first);
  const originals = await readOriginalsOf(values.from);
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
}

async function readOriginalsOf(from: string | undefined): Promise<readonly Original[]> {
  if (from === undefined) return await readOwnOriginals();
  const folder = resolve(from);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`--from: there is no folder ${folder}`);
  const originals = await readOriginals(folder);
  if (originals.length === 0) throw new Error(`--from: ${folder} holds no file that could be mutated`);
  return originals;
}

function readCount(option: string, text: string): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= 0) return count;
  throw new UsageError(`${option}: a whole number of 0 or more, not ${text}`);
}
