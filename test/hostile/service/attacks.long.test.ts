import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import gdal from 'gdal-async';
import { serviceUsers } from '../../support/tools/clones.ts';
import { eventually } from '../../support/processes.ts';
import { pixelValue } from './attack-rasters.ts';
import { tells } from './everything-served.ts';
import type { Outcome } from './outcomes.ts';
import { fsckIn, openPlace, type Place } from './place.ts';
import { besiege, type Siege } from './siege.ts';
import { enginesOf } from './watching.ts';

/** All variables in the environment of a child. */
const variablesOfChild = [
  'CPL_TMPDIR CPL_VSIL_CURL_ALLOWED_EXTENSIONS GDAL_CACHEMAX GDAL_DISABLE_READDIR_ON_OPEN GDAL_DRIVER_PATH',
  'GDAL_HTTPS_PROXY GDAL_HTTP_PROXY GDAL_HTTP_TIMEOUT GDAL_MAX_BAND_COUNT GDAL_NUM_THREADS',
  'GDAL_PAM_ENABLED GDAL_SKIP GDAL_VRT_ENABLE_PYTHON GDAL_VRT_ENABLE_RAWRASTERBAND GTIFF_IGNORE_READ_ERRORS',
  'HDF5_PLUGIN_PRELOAD HDF5_USE_FILE_LOCKING HOME LANG NODE_COMPILE_CACHE OSR_DEFAULT_AXIS_MAPPING_STRATEGY OSR_USE_NON_DEPRECATED PATH PROJ_DATA PROJ_LIB PROJ_NETWORK TMPDIR',
].flatMap((names) => names.split(' '));
const ways = { auto: 'in the strongest isolation that works here', none: 'without isolation' } as const;

for (const user of serviceUsers) {
  describe(`hostile files, read by a service of ${user.name}`, () => {
    let place: Place;
    before(async () => {
      place = await openPlace(user);
    });
    after(async () => await place[Symbol.asyncDispose]());
    for (const isolation of ['auto', 'none'] as const) describe(ways[isolation], () => claims(isolation));

    function claims(isolation: keyof typeof ways): void {
      let siege: Siege;
      before(async () => {
        siege = await besiege(place, isolation);
      });
      after(async () => await siege.service[Symbol.asyncDispose]());

      it('end as the right refusal, as failed with a sentence, or as a right dataset', () => {
        const wrong = siege.outcomes.filter(({ attack, end }) => end !== attack.end);
        assert.deepEqual(
          wrong.map(({ attack, end, sentence }) => `${attack.name} is ${end}: ${sentence}`),
          [],
        );
        for (const { attack, end, sentence } of siege.outcomes) {
          if (end === 'failed') assert.match(sentence ?? '', /^\p{Lu}[^\n]{10,400}\.$/u, attack.name);
          if (end === 'refused') assert.match(sentence ?? '', /^is not a \.\w+ file by its first bytes[:;] /);
          assert.ok(!sentence?.includes(place.dataDir), `${attack.name}: ${sentence}`);
        }
        for (const { attack, status } of siege.styles) assert.equal(status, attack.status, attack.name);
      });

      it('that are ready hold what is their own', () => {
        const ready = siege.outcomes.filter(({ end }) => end === 'ready');
        assert.ok(ready.length > 0);
        for (const outcome of ready) {
          if (outcome.attack.fileType === 'raster') assert.deepEqual(pixelsOf(outcome), ownPixels);
          else assert.deepEqual(geometriesOf(outcome), [{ type: 'Point', coordinates: [70, 50] }]);
        }
      });

      it('tell nothing of what lies elsewhere', () => {
        const served = [...siege.shared, ...siege.outcomes.flatMap((outcome) => outcome.served)];
        for (const each of served) {
          assert.ok(each.status < 500, `${each.path}: ${each.status}`);
          assert.ok(!tells(each, siege.secrets), each.path);
        }
        for (const outcome of siege.outcomes.filter(({ end }) => end !== 'refused'))
          assert.deepEqual(
            answerOf(outcome, '/download'),
            Buffer.from(outcome.attack.bytes),
            outcome.attack.name,
          );
      });

      it('call no host', async () => {
        assert.equal(siege.calls(), 0);
        for (const { url } of place.canaries) await (await fetch(url)).text();
        assert.equal(siege.calls(), place.canaries.length);
      });

      it('are read in an environment that is a fixed list, with the scratch folder as home', () => {
        assert.ok(siege.environments.length > 10);
        for (const { PWD, ...environment } of siege.environments) {
          assert.deepEqual(Object.keys(environment).toSorted(), variablesOfChild);
          const { HOME, TMPDIR, CPL_TMPDIR } = environment;
          assert.ok(HOME?.startsWith(join(place.dataDir, 'scratch')), HOME);
          assert.deepEqual([TMPDIR, CPL_TMPDIR, PWD ?? HOME], [HOME, HOME, HOME]);
          const { GDAL_DRIVER_PATH, PROJ_NETWORK, GDAL_HTTP_PROXY, GDAL_HTTPS_PROXY, HDF5_PLUGIN_PRELOAD } =
            environment;
          assert.deepEqual([GDAL_DRIVER_PATH, PROJ_NETWORK], ['disable', 'OFF']);
          // `::` is the value by which HDF5 loads no compiled filter.
          assert.equal(HDF5_PLUGIN_PRELOAD, '::');
          assert.deepEqual([GDAL_HTTP_PROXY, GDAL_HTTPS_PROXY], ['127.0.0.1:9', '127.0.0.1:9']);
        }
      });

      it('change no file outside', () => {
        assert.ok(siege.filesBefore.some((line) => line.startsWith(join(place.clone, 'src/main.ts '))));
        assert.deepEqual(siege.filesAfter, siege.filesBefore);
      });

      it('end neither api nor worker, and leave neither processes nor files behind', async () => {
        const { service, workerPid } = siege;
        assert.equal((await fetch(`${service.baseUrl}/healthz`)).status, 200);
        assert.equal(await service.workerPid(), workerPid);
        assert.deepEqual(service.output().match(/"level":[56]0.*/g), null);
        await eventually('no child is left', async () => (await enginesOf(workerPid)).length === 0);
        await eventually('scratch is empty', async () => (await scratchOf(place)).length === 0);
      });

      it('leave a store without damage', async () => {
        assert.match(await fsckIn(place), /^exit 0: [^]*no damage/);
      });
    }
  });
}

const ownPixels = Array.from({ length: 4 }, () => pixelValue);

function answerOf({ attack, served }: Outcome, file: string): Buffer {
  const answer = served.find(({ path }) => path.endsWith(file));
  assert.equal(answer?.status, 200, `${attack.name}: ${file}`);
  return answer.bytes;
}

function geometriesOf(outcome: Outcome): readonly object[] {
  const collection: { readonly features: readonly { readonly geometry: object }[] } = JSON.parse(
    answerOf(outcome, '.geojson').toString(),
  );
  return collection.features.map(({ geometry }) => geometry);
}

function pixelsOf(outcome: Outcome): readonly number[] {
  const raster = gdal.open(answerOf(outcome, '.cog'));
  return [...raster.bands.get(1).pixels.read(0, 0, 2, 2)];
}

async function scratchOf({ dataDir }: Place): Promise<readonly string[]> {
  return await readdir(join(dataDir, 'scratch'));
}
