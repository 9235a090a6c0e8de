import { type Command, defineBareCommand } from '../commands/command.ts';
import { demo } from '../commands/demo.ts';
import { districts } from '../commands/districts.ts';
import { doctor } from '../commands/doctor/doctor.ts';
import { fsck } from '../commands/fsck.ts';
import { migrate } from '../commands/migrate.ts';
import { serveApi, work, workOfService } from '../commands/roles.ts';
import { serve } from '../commands/serve.ts';
import { survey } from '../commands/survey.ts';
import { token } from '../commands/token.ts';

const threeUrls = 'DATABASE_URL, OBJECT_STORE_URL and MESSAGE_QUEUE_URL say what it works with.';

/** In the order in which they are listed. */
export const commands: readonly Command[] = [
  defineBareCommand({
    name: 'serve',
    summary: 'run the whole service, as npm start does; what runs without a command',
    usage: `Usage: ./steppe serve

Runs the whole service until it is stopped, as npm start does: the api, a worker, and a PostgreSQL of its own unless
DATABASE_URL names another. Settings are environment variables, which README.md lists: HTTP_PORT=8555 npm start`,
    run: async ({ config, log, shutdown }) => await serve(config, log, shutdown),
  }),
  defineBareCommand({
    name: 'api',
    summary: 'run only the HTTP api; needs the three URLs',
    usage: `Usage: ./steppe api\n\nRuns the HTTP api alone until it is stopped. ${threeUrls}`,
    run: serveApi,
  }),
  defineBareCommand({
    name: 'worker',
    summary: 'run only a worker; needs the three URLs',
    usage: `Usage: ./steppe worker\n\nRuns a worker alone until it is stopped. ${threeUrls}`,
    run: work,
  }),
  defineBareCommand({
    name: 'worker-of-service',
    serviceRole: 'worker',
    summary: 'what a service starts as its worker',
    usage: 'A service starts this as its worker; ./steppe worker is the one for people.',
    run: workOfService,
  }),
  defineBareCommand({
    name: 'doctor',
    summary: 'say how well this installation stands',
    usage: `Usage: ./steppe doctor

Says how well this installation stands, and what would isolate uploads better. Changes nothing; ends with 1 when the
service can not work as it is set up.`,
    isQuiet: true,
    run: async ({ config, log }) => await doctor(config, log),
  }),
  migrate,
  districts,
  demo,
  survey,
  token,
  fsck,
];
