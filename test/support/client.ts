import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface DatasetState {
  readonly id: string;
  readonly status: string;
  readonly parse_error: string | null;
}

interface ObservationPage {
  readonly data: readonly object[];
  readonly total: number;
  readonly total_pages: number;
}

/**
 * Creates a client of a service that may be killed and restarted at any moment. It repeats every request that can be repeated safely.
 * @param token for a service that requires one
 */
export function createClient(baseUrl: string, token?: string) {
  const patientFetch = async (path: string, given?: RequestInit): Promise<Response> => {
    const headers = new Headers(given?.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const init = { ...given, headers };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await fetch(baseUrl + path, init);
        if (response.status < 500 || attempt > 400) return response;
        await response.arrayBuffer();
      } catch (error) {
        if (attempt > 400) throw error;
      }
      await sleep(100);
    }
  };
  const json = async <T>(path: string, init?: RequestInit): Promise<{ status: number; body: T }> => {
    const response = await patientFetch(path, init);
    const body: T = JSON.parse(await response.text());
    return { status: response.status, body };
  };
  return {
    json,
    async createCategory(code: string): Promise<string> {
      const { status, body } = await json<{ id: string }>('/categories', {
        method: 'POST',
        body: JSON.stringify({ code, name: code }),
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body.id;
    },
    async upload(
      categoryId: string,
      fileType: string,
      file: File,
      fields: Readonly<Record<string, string>> = {},
    ): Promise<string> {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file_type', fileType);
      form.append('category_id', categoryId);
      form.append('file', file);
      // With a key, an upload whose connection is lost can be repeated: it may have been stored.
      const headers = {
        'idempotency-key': `"${randomUUID()}"`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      for (let attempt = 0; ; attempt += 1) {
        const init = { method: 'POST', body: form, headers };
        const response = await fetch(`${baseUrl}/datasets`, init).catch((error: unknown) => {
          if (attempt >= 5) throw error;
        });
        if (response !== undefined) {
          const body: { id: string } = JSON.parse(await response.text());
          if (response.status === 201) return body.id;
          assert.ok(response.status === 503 && attempt < 400, JSON.stringify(body));
        }
        await sleep(100);
      }
    },
    async status(id: string): Promise<DatasetState> {
      const { status, body } = await json<DatasetState>(`/datasets/${id}/status`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    /** Expects 200, or 409 when an earlier attempt succeeded although its answer was lost. */
    async map(id: string, mapping: unknown): Promise<void> {
      const { status, body } = await json<unknown>(`/datasets/${id}/mapping`, {
        method: 'POST',
        body: JSON.stringify(mapping),
      });
      assert.ok(status === 200 || status === 409, JSON.stringify(body));
    },
    /** Every observation without its id: ids differ between datasets and determine the order of observations that are otherwise equal. */
    async observations(id: string): Promise<string[]> {
      const found: string[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = await json<ObservationPage>(
          `/datasets/${id}/observations?page_size=100&page=${page}`,
        );
        for (const row of body.data) {
          found.push(JSON.stringify({ ...row, id: undefined, dataset_id: undefined }));
        }
        if (page >= body.total_pages) {
          assert.equal(found.length, body.total);
          return found.toSorted(); // rows with equal sort keys are ordered by their ids
        }
      }
    },
    async sha256(path: string): Promise<string> {
      const response = await patientFetch(path);
      assert.equal(response.status, 200, path);
      return createHash('sha256')
        .update(Buffer.from(await response.arrayBuffer()))
        .digest('hex');
    },
  };
}

export type Client = ReturnType<typeof createClient>;
