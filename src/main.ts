import { keepCompiledModules } from './main/compile-cache.ts';
import { keepYoungHeapSmall } from './main/young-heap.ts';

// First of all: loading the rest would let the young heap grow, and it never shrinks.
keepYoungHeapSmall();
keepCompiledModules();
const { runCommand } = await import('./main/run-command.ts');
process.exit(await runCommand(process.argv.slice(2)));
