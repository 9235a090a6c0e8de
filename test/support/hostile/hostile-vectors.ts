import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive } from '../../../src/geo/formats/zip/archive.ts';
import { UnprocessableFile } from '../../../src/geo/engine.ts';
import { fixture, type TestEngine } from '../geo/engine.ts';
import { hostileZip } from './hostile-zip.ts';

export type Parts = ReadonlyMap<string, Uint8Array | string>;

/** Helpers that ask a real engine about files of a test. */
export function createAsking(engine: TestEngine) {
  async function put(bytes: Uint8Array | string, extension = '.zip'): Promise<string> {
    const path = join(await mkdtemp(join(engine.folder, 'hostile-')), `input${extension}`);
    await writeFile(path, bytes);
    return path;
  }
  const table = async (path: string) => await engine.run((geo, task) => geo.readTable(task), path);
  const vector = async (path: string) => {
    const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
    return { text: await readFile(geojsonPath, 'utf8'), findings };
  };
  return {
    put,
    table,
    vector,
    /** Expects a file to fail with a message for its uploader, and returns the message. */
    async refused(path: string, sentence: RegExp, ask: (path: string) => Promise<unknown> = vector) {
      await assert.rejects(ask(path), (error) => {
        assert.ok(error instanceof UnprocessableFile, String(error));
        assert.match(error.message, sentence);
        return true;
      });
    },
    /** The files of a zipped shapefile by their extension. */
    async partsOf(name: string): Promise<Map<string, Buffer>> {
      using archive = await openArchive(fixture(`vector/${name}.zip`));
      const path = join(await mkdtemp(join(engine.folder, 'parts-')), 'part');
      const parts = new Map<string, Buffer>();
      for (const member of archive.members) {
        await member.unpackTo(path);
        const end = member.name.slice(member.name.indexOf('.', member.name.lastIndexOf('/')));
        parts.set(end, await readFile(path));
      }
      return parts;
    },
  };
}

/** Packs the parts, some of them replaced. */
export function packed(parts: Parts, others: Readonly<Record<string, Uint8Array | string>> = {}): Buffer {
  const all = new Map([...parts, ...Object.entries(others)]);
  return hostileZip(Array.from(all, ([part, bytes]) => ({ name: `layer${part}`, bytes })));
}

/** A copy with some bytes changed. */
export function changed(bytes: Buffer | undefined, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes ?? assert.fail('there is nothing to change'));
  change(copy);
  return copy;
}
