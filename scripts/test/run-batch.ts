import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { orderOnly } from '../../test/support/batch.ts';
import { projectRoot } from '../../test/support/project.ts';
import type { Batch } from './choose.ts';
import type { Seconds } from './times.ts';

/** Test files make much that they soon forget: with room for it a fifth of their time is not spent on looking through it. */
const heapArguments = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const reasonLines = 12;

/** Creates what runs batches of test files, each in a process of its own, and keeps what came of them. */
export function createBatchRunner({
  folder,
  report,
  signal,
  timeoutMinutes,
}: {
  /** For the programs of the processes. */
  readonly folder: string;
  /** Told of all events of a batch once it has ended. */
  readonly report: (event: TestEvent) => void;
  readonly signal: AbortSignal;
  readonly timeoutMinutes: number;
}) {
  const seconds = new Map<string, number>();
  const totals = { tests: 0, failed: 0 };
  /** Failed tests with their reasons, for the end of the output. */
  const failed: string[] = [];
  /** The files by the path of the program that runs each alone. */
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

  /** The file that runs a batch. */
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
    /** Seconds of the clock by file. */
    seconds,
    totals,
    failed,
    /** Processor time by file, from what processes noted: a file of a batch by its name, one that is alone by its program. */
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

/** The first lines of an error; none for a suite whose tests say it. */
function reasonOf(error: unknown): string | undefined {
  const { failureType, cause }: { failureType?: unknown; cause?: unknown } = Object(error);
  if (failureType === 'subtestsFailed') return undefined;
  return inspect(cause ?? error)
    .split('\n')
    .slice(0, reasonLines)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** A figure of one batch, such as `pass 3`; those of all batches come at the end. */
function isFigure({ type, data }: TestEvent): boolean {
  return (
    type === 'test:diagnostic' &&
    data.nesting === 0 &&
    /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)
  );
}

/** An event of a test that passed and only keeps order between files. */
function isForOrder({ type, data }: TestEvent): boolean {
  return type !== 'test:fail' && data !== undefined && 'name' in data && data.name.startsWith(orderOnly);
}
