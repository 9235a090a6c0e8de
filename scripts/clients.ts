/** `npm run clients`: packages for npm and pip, made from `/openapi.json`. */
import { join } from 'node:path';
import { asksForHelp, readOptions } from '../src/commands/options.ts';
import { projectRoot } from '../test/support/project.ts';
import { startService } from '../test/support/service.ts';
import { makeClients } from './clients/make-clients.ts';

const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(`Usage: npm run clients [-- FOLDER]

Makes the client for TypeScript and JavaScript in FOLDER/typescript and the one for Python in FOLDER/python, clients/dist by default, from
the description of this Steppe. Then: npm install FOLDER/typescript, and pip install FOLDER/python. The generators are installed
first, once for all clones, from npm and PyPI; Python 3.11 or newer with venv is needed.`);
  process.exit(0);
}
const [folder = join(projectRoot, 'clients/dist')] = readOptions(args, {}, 1).positionals;
// The API description contains credentials only if the service requires them; otherwise generated clients would send no token.
await using service = await startService({ env: { AUTH_MODE: 'token', LOG_LEVEL: 'error' } });
const description = await (await fetch(`${service.baseUrl}/openapi.json`)).text();
await makeClients({ description, folder });
console.log(`npm install ${join(folder, 'typescript')}\npip install ${join(folder, 'python')}`);
