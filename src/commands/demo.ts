import { runDemo } from '../clients/demo/demo.ts';
import { defineCommand } from './command.ts';
import { reachService } from './reach-service.ts';

const usage = `Usage: npm run demo [-- --base-url URL]

Takes three real files and the Landscape Program through a running service, and prints what came out and where it is. Run
again, it uploads the three files again and reuses the rest. A service that asks for tokens finds one in STEPPE_TOKEN.`;

/** Takes the example files through a running service and prints what came out. */
export const demo = defineCommand({
  name: 'demo',
  summary: 'take the example files through a running service',
  usage,
  isQuiet: true,
  options: { 'base-url': { type: 'string' } },
  async run({ values, ...context }) {
    const client = await reachService(values['base-url'], context);
    await runDemo({ client, print: (line) => process.stdout.write(`${line}\n`) });
  },
});
