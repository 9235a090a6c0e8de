/** `npm run demo` and `npm run survey`: clients of a running service. */
import { defineCommand } from '../src/commands/command.ts';
import { runTool } from '../src/commands/run-command.ts';
import { runDemo } from './demo.ts';
import { reachService } from './reach-service.ts';
import { survey } from './survey-command.ts';

const demo = defineCommand({
  name: 'demo',
  summary: 'take the example files through a running service',
  usage: `Usage: npm run demo [-- --base-url URL]

Uploads three real files, runs the Landscape Program on a running service, and prints the results with their addresses. Run
again, it uploads the three files again and reuses the rest. A service that requires tokens takes the one in STEPPE_TOKEN.`,
  isQuiet: true,
  options: { 'base-url': { type: 'string' } },
  async run({ values, ...context }) {
    const client = await reachService(values['base-url'], context);
    await runDemo({ client, print: (line) => process.stdout.write(`${line}\n`) });
  },
});

const [name, ...args] = process.argv.slice(2);
process.exit(await runTool(name === survey.name ? survey : demo, args));
