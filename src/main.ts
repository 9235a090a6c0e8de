import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { compiledModules } from './lib/compiled-modules.ts';

/**
 * Keeps the part of the heap where objects are born as small as it starts. Streaming makes many short-lived buffers,
 * whose bytes lie outside of the heap and are freed only when it is full: with V8's usual growth to 32 MiB an upload
 * of any size holds some 70 MiB more than it needs, and is not faster. `npm run bench -- upload` shows it. This comes
 * first, because loading the rest would let the young heap grow, and it never shrinks.
 */
setFlagsFromString('--semi-space-growth-factor=1');

enableCompileCache(compiledModules);

const { runCommand } = await import('./commands/run-command.ts');
process.exit(await runCommand(process.argv.slice(2)));
