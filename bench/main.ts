import { compare, compareAll, comparisons } from './compare.ts';
import { benchConsoleMemory } from './console/memory.ts';
import { benchConsole } from './console/times.ts';
import { guard } from './guard.ts';
import { benchLandscape } from './landscape.ts';
import { benchRunMemory } from './run-memory.ts';
import { benchSlowReaders } from './slow-readers.ts';
import { benchSpread } from './spread.ts';

/** `npm run bench -- NAME` measures one figure; `compare [FOLDER]` makes the table of all comparisons. */
const [name = '', folder] = process.argv.slice(2);

const benches: Readonly<Record<string, () => Promise<void>>> = {
  compare: async () => await compareAll(folder),
  console: benchConsole,
  'console-memory': benchConsoleMemory,
  guard,
  landscape: benchLandscape,
  'run-memory': benchRunMemory,
  'slow-readers': benchSlowReaders,
  spread: async () => await benchSpread(process.argv.slice(3)),
  ...Object.fromEntries(
    Object.entries(comparisons).map(([name, rowsOf]) => [name, async () => await compare(rowsOf)]),
  ),
};

const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined) {
  console.error(`Which figure? npm run bench -- ${Object.keys(benches).join(' | ')}`);
  process.exitCode = 1;
} else {
  await bench();
}
