import { copyFile, mkdir, readFile, stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MiB } from '../../common/units.ts';

const maxLogBytes = 16 * MiB;
const tailBytes = 4096;

/** Makes the log's folder, and puts a log that has grown aside (one old one is kept). PostgreSQL may be writing to it: it appends. */
export async function keepLogSmall(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= maxLogBytes) return;
  await copyFile(path, `${path}.old`);
  await truncate(path);
}

/** What PostgreSQL last complained of, in its own words; for the operator, never for a client. */
export async function lastComplaint(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const complaints = text
    .slice(-tailBytes)
    .split('\n')
    .filter((line) => /(FATAL|PANIC|ERROR):/.test(line));
  return complaints.at(-1)?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '') ?? 'it gave no reason';
}
