import { keepCompiledModules } from './process/compile-cache.ts';
import { keepYoungHeapSmall } from './process/young-heap.ts';

// First of all: loading the rest would let the young heap grow, and it never shrinks.
keepYoungHeapSmall();
keepCompiledModules();
const { runCommand } = await import('./cli/run-command.ts');
process.exit(await runCommand(process.argv.slice(2)));
