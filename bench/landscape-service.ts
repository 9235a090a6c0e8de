import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../test/support/service.ts';

interface RunAnswer {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly finished_at: string | null;
  /** Present only while a spread run is in progress. */
  readonly blocks?: { readonly done: number; readonly total: number };
  readonly nodes: readonly {
    readonly node_code: string;
    readonly outputs: readonly { readonly dataset_id: string }[] | null;
  }[];
}

/** Creates a client that fills slots and reads runs over HTTP. */
export function createRunClient(baseUrl: string) {
  async function ask<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await fetch(baseUrl + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return JSON.parse(await answer.text());
  }

  const client = {
    /** Uploads a raster into a slot and waits until it is ready; returns the id of the dataset. */
    async fillSlot(group: string, path: string): Promise<string> {
      const body = new FormData();
      body.set('file', await openAsBlob(path), 'leaf.tif');
      const { id } = await ask<{ id: string }>(`/landscape/slots/${group}`, { method: 'POST', body });
      for (;;) {
        const { status } = await ask<{ status: string }>(`/datasets/${id}/status`);
        if (status === 'ready') return id;
        if (status === 'failed') throw new Error(`the leaf of ${group} failed`);
        await sleep(200);
      }
    },
    /** Starts a run that computes all nodes again; returns its id. */
    async startRun(): Promise<string> {
      const { id } = await ask<RunAnswer>('/landscape/runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from_stage: 0 }),
      });
      return id;
    },
    readRun: async (id: string) => await ask<RunAnswer>(`/landscape/runs/${id}`),
    /** Returns the ids of the outputs of a run, by code of the node. */
    async outputsOf(runId: string): Promise<ReadonlyMap<string, string>> {
      const { nodes } = await client.readRun(runId);
      return new Map(
        nodes.flatMap(
          ({ node_code: code, outputs }) =>
            outputs?.map(({ dataset_id: id }): [string, string] => [code, id]) ?? [],
        ),
      );
    },
    /** Waits until the pixels of datasets are counted, which happens after an upload or a run. */
    async allCounted(ids: Iterable<string>): Promise<void> {
      for (const id of ids)
        while ((await fetch(`${baseUrl}/datasets/${id}/statistics`)).status !== 200) await sleep(100);
    },
  };
  return client;
}

/** Starts a service for timing landscape runs. */
export async function startLandscapeService() {
  const service = await startService({ env: { LOG_LEVEL: 'warn', LANDSCAPE_MAX_PIXELS: '1e9' } });
  const client = createRunClient(service.baseUrl);
  const outputsOf = async (runId: string) => [...(await client.outputsOf(runId)).values()];
  return {
    pid: service.pid,
    dataDir: service.dataDir,
    fillSlot: client.fillSlot,
    /** Computes all nodes again; returns the seconds from the request to `succeeded`. */
    async run(): Promise<{ readonly id: string; readonly seconds: number }> {
      const startedMs = performance.now();
      const id = await client.startRun();
      for (;;) {
        const { status, error } = await client.readRun(id);
        if (status === 'succeeded') {
          const seconds = (performance.now() - startedMs) / 1000;
          await client.allCounted(await outputsOf(id)); // otherwise counting would affect the next measurement
          return { id, seconds };
        }
        if (status === 'failed') throw new Error(`the run failed: ${error}`);
        await sleep(50);
      }
    },
    /** Returns the dataset ids of the outputs of a run. */
    outputsOf,
    async cogOf(datasetId: string): Promise<Buffer> {
      const answer = await fetch(`${service.baseUrl}/datasets/${datasetId}.cog`);
      return Buffer.from(await answer.arrayBuffer());
    },
    [Symbol.asyncDispose]: service[Symbol.asyncDispose],
  };
}

export type LandscapeService = Awaited<ReturnType<typeof startLandscapeService>>;
