import { join } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import type { Command } from '../../../src/commands/command.ts';
import { readConfig } from '../../../src/config.ts';

type Settings = Readonly<Record<string, string>>;

/** URL of a database that is reached through a socket. */
export function databaseUrl({ host, port, user, database }: pg.ClientConfig): string {
  const where = new URLSearchParams({ host: host ?? '', ...(port && { port: `${port}` }), user: user ?? '' });
  return `postgres:///${database}?${where.toString()}`;
}

/** Settings of a role or command on an existing database, with a store in DATA_DIR. */
export function settingsOn(target: pg.ClientConfig, dataDir: string): Settings {
  const url = databaseUrl(target);
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    MESSAGE_QUEUE_URL: url,
    OBJECT_STORE_URL: pathToFileURL(join(dataDir, 'objects')).href,
    HTTP_PORT: '0',
  };
}

/** Runs a command in this process with only these settings; rejects as the command does. */
export async function runHere(command: Command, args: readonly string[], settings: Settings) {
  const config = readConfig(settings);
  const context = { config, log: pino({ level: 'silent' }), shutdown: new AbortController().signal };
  return await captureOutput(async () => (await command.read(args)(context)) ?? 0);
}

/** Runs `work` in this process; returns its exit code and its output. */
export async function captureOutput(work: () => Promise<number>) {
  let [stdout, output] = ['', ''];
  const replace = (stream: 'stdout' | 'stderr') => {
    const write = process[stream].write.bind(process[stream]);
    return mock.method(process[stream], 'write', (said: string | Buffer) => {
      if (typeof said !== 'string') return write(said); // the remaining output belongs to the test runner
      if (stream === 'stdout') stdout += said;
      output += said;
      return true;
    });
  };
  const replaced = [replace('stdout'), replace('stderr')];
  try {
    const code = await work();
    return { code, stdout, output };
  } finally {
    for (const { mock: each } of replaced) each.restore();
  }
}
