/** Runs the tests of one layer and prints, as JSON, the names of those that failed and passed. */
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('./layers.test.ts', import.meta.url));
const [failed, passed]: [string[], string[]] = [[], []];
const results = run({ files: [file], testNamePatterns: [`^${process.argv[2] ?? ''} `] });
results.on('test:fail', ({ name, nesting }) => nesting > 0 && failed.push(name));
results.on('test:pass', ({ name, nesting }) => nesting > 0 && passed.push(name));
for await (const _event of results);
process.stdout.write(JSON.stringify({ failed, passed }));
