/** Writes a file into a spool in the given folder, on a disk without enough space, and prints the outcome. */
import { Problem } from '../../src/lib/errors.ts';
import { MiB } from '../../src/lib/units.ts';
import { createSpool } from '../../src/spool/spool.ts';

const spool = createSpool({ folder: process.argv[2] ?? '' });
const piece = Buffer.alloc(MiB);
try {
  using file = await spool.take({
    key: 'a',
    client: 'a',
    async *source() {
      for (let i = 0; i < 32; i += 1) yield piece;
    },
    charge: () => undefined,
    isLong: async () => false,
    until: 'whole',
    signal: new AbortController().signal,
  });
  process.stdout.write(`written: ${file.sizeBytes}`);
} catch (error) {
  const { files, bytes } = spool.facts();
  const said = error instanceof Problem ? `${error.code}: ${error.message}` : String(error);
  process.stdout.write(`${said} ${JSON.stringify({ files, bytes })}`);
}
