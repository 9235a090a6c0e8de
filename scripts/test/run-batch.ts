import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { orderOnly } from '../../test/support/batch.ts';
import { projectRoot } from '../../test/support/project.ts';
import type { Batch } from './choose.ts';
import type { Seconds } from './times.ts';

/** A larger young generation: test files allocate much short-lived memory, and garbage collection would take a fifth of their time. */
const heapArguments = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const reasonLines = 12;

/** Creates a runner of batches of test files, each in its own process, which collects their results. */
export function createBatchRunner({
  folder,
  report,
  signal,
  timeoutMinutes,
}: {
  /** The folder for the programs of the processes. */
  readonly folder: string;
  /** Called with all events of a batch after its end. */
  readonly report: (event: TestEvent) => void;
  readonly signal: AbortSignal;
  readonly timeoutMinutes: number;
}) {
  const seconds = new Map<string, number>();
  const totals = { tests: 0, failed: 0 };
  /** Failed tests with reasons, printed at the end. */
  const failed: string[] = [];
  /** Files that run alone, by the path of their program. */
  const alone = new Map<string, string>();
  const processorTime = new URL('processor-time.ts', import.meta.url).href;

  async function runBatch(batch: Batch): Promise<boolean> {
    const path = await programOf(batch);
    let failures = 0;
    let onlyForOrder = 0;
    const results = run({
      files: [path],
      execArgv: [...heapArguments, `--import=${processorTime}`],
      timeout: timeoutMinutes * 60_000,
      signal,
    })
      .on('test:fail', ({ name, file = '', details: { error } }) => {
        failures += 1;
        const reason = reasonOf(error);
        if (reason !== undefined) failed.push(`  ${relative(projectRoot, file)}: ${name}\n${reason}`);
      })
      .on('test:pass', ({ name, skip, todo }) => {
        if (name.startsWith(orderOnly)) onlyForOrder += 1;
        if (skip === undefined && todo === undefined) return;
        failures += 1;
        console.error(`not run, which counts as failed: ${name}`);
      })
      .on('test:complete', ({ file = '', nesting, details }) => {
        const name = relative(projectRoot, file);
        if (nesting > 0 || !batch.files.includes(name)) return;
        seconds.set(name, (seconds.get(name) ?? 0) + details.duration_ms / 1000);
      })
      .on('test:summary', ({ file, counts, duration_ms: duration }) => {
        if (file !== undefined) return;
        const only = alone.get(path);
        if (only !== undefined) seconds.set(only, duration / 1000);
        totals.tests += counts.tests - onlyForOrder;
        totals.failed += counts.tests - counts.passed;
      });
    for (const event of await Array.fromAsync(results))
      if (!isFigure(event) && !isForOrder(event)) report(event);
    return failures === 0;
  }

  /** Returns the program that runs a batch. */
  async function programOf({ name, files }: Batch): Promise<string> {
    const [only] = files;
    if (files.length === 1 && only !== undefined) {
      const path = join(projectRoot, only);
      alone.set(path, only);
      return path;
    }
    const path = join(folder, `${name}.mjs`);
    const loader = JSON.stringify(new URL('../../test/support/batch.ts', import.meta.url).href);
    await writeFile(
      path,
      `import { loadTests } from ${loader};\nawait loadTests(${JSON.stringify(files)});\n`,
    );
    return path;
  }

  return {
    run: runBatch,
    /** Elapsed seconds by file. */
    seconds,
    totals,
    failed,
    /** Returns processor time by file: a file of a batch is recorded by its name, one that runs alone by its program. */
    costsOf(noted: Seconds): Seconds {
      return new Map(
        [...noted].flatMap(([name, cost]) => {
          const file = alone.get(name) ?? (name.startsWith('/') ? undefined : name);
          return file === undefined ? [] : [[file, cost] as const];
        }),
      );
    },
  };
}

/** Returns the first lines of an error; undefined for a suite, whose tests have their own errors. */
function reasonOf(error: unknown): string | undefined {
  const { failureType, cause }: { failureType?: unknown; cause?: unknown } = Object(error);
  if (failureType === 'subtestsFailed') return undefined;
  return inspect(cause ?? error)
    .split('\n')
    .slice(0, reasonLines)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** Returns whether an event is a total of one batch, such as `pass 3`; totals of all batches are printed at the end. */
function isFigure({ type, data }: TestEvent): boolean {
  return (
    type === 'test:diagnostic' &&
    data.nesting === 0 &&
    /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)
  );
}

/** Returns whether an event is a passed test that only separates files. */
function isForOrder({ type, data }: TestEvent): boolean {
  return type !== 'test:fail' && data !== undefined && 'name' in data && data.name.startsWith(orderOnly);
}
