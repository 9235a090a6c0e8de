import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../test/support/service.ts';

interface RunAnswer {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly nodes: readonly { readonly outputs: readonly { readonly dataset_id: string }[] | null }[];
}

/** A service of its own whose landscape runs are timed. */
export async function startLandscapeService() {
  const service = await startService({ env: { LOG_LEVEL: 'warn', LANDSCAPE_MAX_PIXELS: '1e9' } });

  async function ask<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await fetch(service.baseUrl + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return JSON.parse(await answer.text());
  }

  /** Waits for what follows a run, so that it is not measured with what comes next. */
  async function allCounted(runId: string): Promise<void> {
    const { nodes } = await ask<RunAnswer>(`/landscape/runs/${runId}`);
    for (const { dataset_id: id } of nodes.flatMap(({ outputs }) => outputs ?? []))
      while ((await fetch(`${service.baseUrl}/datasets/${id}/statistics`)).status !== 200) await sleep(100);
  }

  return {
    pid: service.pid,
    dataDir: service.dataDir,
    /** Uploads a raster into a slot and waits until it is ready. */
    async fillSlot(group: string, path: string): Promise<void> {
      const body = new FormData();
      body.set('file', new File([await readFile(path)], 'leaf.tif'));
      const { id } = await ask<{ id: string }>(`/landscape/slots/${group}`, { method: 'POST', body });
      for (;;) {
        const { status } = await ask<{ status: string }>(`/datasets/${id}/status`);
        if (status === 'ready') return;
        if (status === 'failed') throw new Error(`the leaf of ${group} failed`);
        await sleep(200);
      }
    },
    /** Computes everything again; returns the seconds from the request to `succeeded`. */
    async run(): Promise<{ readonly id: string; readonly seconds: number }> {
      const startedMs = performance.now();
      const { id } = await ask<RunAnswer>('/landscape/runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from_stage: 0 }),
      });
      for (;;) {
        const { status, error } = await ask<RunAnswer>(`/landscape/runs/${id}`);
        if (status === 'succeeded') {
          const seconds = (performance.now() - startedMs) / 1000;
          await allCounted(id);
          return { id, seconds };
        }
        if (status === 'failed') throw new Error(`the run failed: ${error}`);
        await sleep(50);
      }
    },
    /** The dataset ids of a run's outputs. */
    async outputsOf(runId: string): Promise<string[]> {
      const { nodes } = await ask<RunAnswer>(`/landscape/runs/${runId}`);
      return nodes.flatMap(({ outputs }) => outputs?.map(({ dataset_id }) => dataset_id) ?? []);
    },
    async cogOf(datasetId: string): Promise<Buffer> {
      const answer = await fetch(`${service.baseUrl}/datasets/${datasetId}.cog`);
      return Buffer.from(await answer.arrayBuffer());
    },
    [Symbol.asyncDispose]: service[Symbol.asyncDispose],
  };
}

export type LandscapeService = Awaited<ReturnType<typeof startLandscapeService>>;
