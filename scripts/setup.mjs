// Brings a fresh clone to the point where it can run, and does nothing at all when it is already there.
// Plain JavaScript, because it has to run on the Node that the machine happens to have (20 or newer).
import { join } from 'node:path';
import { buildConsole, consoleIsBuilt } from './setup/console.mjs';
import { installGdalBinding, gdalBindingIsInstalled } from './setup/gdal-binding.mjs';
import { withSetupLock } from './setup/lock.mjs';
import { modulesAreInstalled, installModules } from './setup/modules.mjs';
import { linkPostgresLibraries, postgresLibrariesAreLinked } from './setup/postgres.mjs';
import { SetupFailed, root, step } from './setup/step.mjs';
import {
  bubblewrapIsSettled,
  installBubblewrap,
  installSystemPackages,
  systemPackagesAreInstalled,
} from './setup/system-packages.mjs';

const steps = [
  {
    title: 'npm packages (Node 24, PostgreSQL 18, libraries)',
    done: modulesAreInstalled,
    run: installModules,
  },
  { title: 'PostgreSQL library links', done: postgresLibrariesAreLinked, run: linkPostgresLibraries },
  {
    title: 'system packages (libgdal, bubblewrap)',
    done: () => gdalBindingIsInstalled() || systemPackagesAreInstalled(),
    run: installSystemPackages,
  },
  { title: 'bubblewrap, which keeps uploads apart', done: bubblewrapIsSettled, run: installBubblewrap },
  {
    title: 'GDAL binding (compiled once, then cached)',
    done: gdalBindingIsInstalled,
    run: installGdalBinding,
  },
  { title: 'console (the page in the browser)', done: consoleIsBuilt, run: buildConsole },
];

const everythingIsThere = () => steps.every(({ done }) => done());

try {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new SetupFailed(
      `Node ${process.versions.node} is too old.`,
      'Install Node 20 or newer, for example: apt-get install nodejs',
    );
  }
  if (!everythingIsThere()) {
    await withSetupLock(join(root, '.setup.lock'), async () => {
      for (const { title, done, run } of steps) {
        if (!done()) await step(title, run);
      }
    });
  }
} catch (error) {
  if (!(error instanceof SetupFailed)) throw error;
  console.error(`\nSet-up stopped: ${error.message}\nWhat to do: ${error.remedy}`);
  process.exit(1);
}
