// Prepares a clone so that it can run, and does nothing if it is prepared. Plain JavaScript, because it must
// run on the Node of the machine (20 or newer).
import { constants } from 'node:os';
import { join } from 'node:path';
import { buildConsole, consoleIsBuilt } from './setup/console.mjs';
import { installGdalBinding, gdalBindingIsInstalled } from './setup/gdal-binding.mjs';
import { withSetupLock } from './setup/lock.mjs';
import { installModules, modulesAreInstalled, refuseToReplaceWhatRuns } from './setup/modules.mjs';
import { linkPostgresLibraries, postgresLibrariesAreLinked } from './setup/postgres.mjs';
import { addReferenceSystems, referenceSystemsAreThere } from './setup/reference-systems.mjs';
import { SetupFailed, root, runSteps } from './setup/step.mjs';
import {
  bubblewrapIsSettled,
  installBubblewrap,
  installSystemPackages,
  sayWhatAdministratorsInstall,
  systemPackagesAreInstalled,
} from './setup/system-packages.mjs';

const steps = [
  {
    name: 'npm',
    title: 'npm packages (Node 24, PostgreSQL 18, libraries)',
    done: modulesAreInstalled,
    run: installModules,
  },
  {
    name: 'system',
    title: 'system packages (libgdal, bubblewrap)',
    // npm also removes the binding.
    done: () => (modulesAreInstalled() && gdalBindingIsInstalled()) || systemPackagesAreInstalled(),
    run: installSystemPackages,
  },
  {
    name: 'links',
    title: 'PostgreSQL library links',
    after: ['npm'],
    done: postgresLibrariesAreLinked,
    run: linkPostgresLibraries,
  },
  {
    name: 'bubblewrap',
    title: 'bubblewrap, which keeps uploads apart',
    after: ['npm', 'system'],
    done: bubblewrapIsSettled,
    run: installBubblewrap,
  },
  {
    name: 'binding',
    title: 'GDAL binding (compiled once, then cached)',
    after: ['npm', 'system'],
    done: gdalBindingIsInstalled,
    run: installGdalBinding,
  },
  {
    name: 'reference systems',
    title: 'reference systems of today (QazTRF-23), beside those of PROJ',
    after: ['binding'],
    done: referenceSystemsAreThere,
    run: addReferenceSystems,
  },
  {
    name: 'console',
    title: 'console (the page in the browser)',
    after: ['npm'],
    done: consoleIsBuilt,
    run: buildConsole,
  },
];

const everythingIsThere = () => steps.every(({ done }) => done());

async function setUp(lock) {
  refuseToReplaceWhatRuns();
  if (!gdalBindingIsInstalled()) sayWhatAdministratorsInstall();
  const start = Date.now();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, () => {
      process.stderr.write('set-up: stopping what is under way …\n');
      process.exitCode = 128 + constants.signals[name];
      stopping.abort(new SetupFailed(`${name}.`, 'Run the same command again; what is done stays done.'));
    });
  }
  const taken = await runSteps(steps, { stopping, lock });
  if (taken.length < 2) return;
  const sum = taken.reduce((total, seconds) => total + seconds);
  const seconds = (Date.now() - start) / 1000;
  process.stderr.write(
    `set-up: all done in ${Math.round(seconds)} s; its steps took ${Math.round(sum)} s together\n`,
  );
}

try {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new SetupFailed(
      `Node ${process.versions.node} is too old.`,
      'Install Node 20 or newer, for example: apt-get install nodejs',
    );
  }
  if (!everythingIsThere()) await withSetupLock(join(root, '.setup.lock'), setUp);
} catch (error) {
  if (!(error instanceof SetupFailed)) throw error;
  console.error(`\nSet-up stopped: ${error.message}\nWhat to do: ${error.remedy}`);
  process.exit(process.exitCode ?? 1);
}
