import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { createServiceClient } from '../client/service-client.ts';
import type { Config } from '../config.ts';
import { runDemo } from '../demo/demo.ts';
import { baseUrlOf, requireService } from './base-url.ts';

/** Takes the example files through a running service and prints what came out. */
export async function demo(
  config: Config,
  _log: Logger,
  signal: AbortSignal,
  args: readonly string[],
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { 'base-url': { type: 'string' } } });
  const client = createServiceClient(baseUrlOf(values['base-url'], config), signal);
  await requireService(client);
  await runDemo({ client, print: (line) => process.stdout.write(`${line}\n`) });
}
