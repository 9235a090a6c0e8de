import { createWriteStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { reasonOf } from '../src/lib/error-facts.ts';

const waitSeconds = 25;
const followSeconds = 1800;
const runPollMs = 500;
const healthSeconds = 10;
const working: readonly string[] = ['pending', 'processing', 'parsing', 'extracting'];

const Refusal = z.union([
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ errors: z.record(z.string(), z.string()) }).transform(({ errors }) =>
    Object.entries(errors)
      .map(([field, message]) => `${field}: ${message}`)
      .join('; '),
  ),
]);
const Named = z.object({ id: z.string(), code: z.string() });
const State = z.object({ status: z.string(), parse_error: z.string().nullable() });

const Dataset = z.object({
  id: z.string(),
  status: z.string(),
  filename: z.string(),
  attribute_columns: z
    .array(z.object({ name: z.string(), samples: z.array(z.string()).optional() }))
    .nullable(),
  parse_error: z.string().nullable(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
});
export type Dataset = z.infer<typeof Dataset>;

const Observations = z.object({
  data: z.array(
    z.object({
      kato_code: z.string(),
      start_date: z.string(),
      end_date: z.string().nullable(),
      value: z.number().nullable(),
      value_text: z.string().nullable(),
    }),
  ),
  total: z.int(),
});

const Report = z.object({
  source: z.object({ layer: z.string().nullable() }).nullable(),
  warnings: z.array(z.object({ code: z.string() })),
});

const Slot = z.object({
  code: z.string(),
  latest: z.object({ id: z.string(), status: z.string() }).nullable(),
});

const Run = z.object({
  id: z.string(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  error: z.string().nullable(),
  nodes: z.array(
    z.object({
      node_code: z.string(),
      status: z.string(),
      outputs: z.array(z.object({ group: z.string(), dataset_id: z.string() })).nullable(),
    }),
  ),
});
export type Run = z.infer<typeof Run>;

const YearMapping = z.object({
  column: z.string(),
  start_date: z.string(),
  end_date: z.string().nullish(),
});
export type YearMapping = z.infer<typeof YearMapping>;

/** The suggested mapping of the columns of a table. */
const MappingSuggestion = z.object({
  kato_column: z.string().nullable(),
  year_columns: z.array(YearMapping),
});

/** An error of the service for the user: any status from 400 to 499. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

/**
 * Creates an HTTP client of a service. Errors of the service for the user are `Refused`; statuses from 500 on and broken connections are
 * plain errors.
 * @param token a bearer token, which errors do not contain.
 */
export function createServiceClient(baseUrl: string, signal: AbortSignal, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const what = `${init.method ?? 'GET'} ${path}`;
    const response = await fetch(baseUrl + path, { ...init, headers, signal }).catch((cause: unknown) => {
      throw signal.aborted
        ? cause
        : new Error(`${what}: the connection failed (${reasonOf(cause)})`, { cause });
    });
    if (response.ok) return response;
    const text = await response.text();
    const said = `${what}: ${response.status} ${text.slice(0, 200)}`;
    if (response.status >= 500) throw new Error(said);
    const refusal = refusalIn(text) ?? said;
    const remedy = `Set STEPPE_TOKEN to ${token === undefined ? 'a' : 'another'} token; \`./steppe token create\` makes one, or the identity provider of the service.`;
    throw new Refused(response.status, asksForToken(response) ? `${refusal}. ${remedy}` : refusal);
  }
  const read = async <T>(schema: z.ZodType<T>, path: string, init?: RequestInit): Promise<T> =>
    schema.parse(await (await ask(path, init)).json());
  const send = async (
    path: string,
    file: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Dataset> => await read(Dataset, path, { method: 'POST', body: await formOf(file, fields) });
  const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });

  return {
    baseUrl,
    async isReady(): Promise<boolean> {
      const { status } = await fetch(`${baseUrl}/readyz`, { signal }).catch(() => ({ status: 0 }));
      return status === 200;
    },
    /** Returns the failing components according to `/healthz`; undefined if there are none. */
    async ailment(): Promise<string | undefined> {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(healthSeconds * 1000)]);
      try {
        const { status } = await fetch(`${baseUrl}/healthz`, { signal: soon });
        return status === 200 ? undefined : `/healthz answered ${status}`;
      } catch (error) {
        return signal.aborted ? undefined : `/healthz: ${reasonOf(error)}`;
      }
    },
    /** Returns the id of the category with this code, creating it if it is missing. */
    async openCategory(code: string, name: string): Promise<string> {
      const there = (await read(z.array(Named), '/categories')).find((category) => category.code === code);
      return there?.id ?? (await read(Named, '/categories', post({ code, name }))).id;
    },
    /** Uploads a file as a stream. */
    async upload(
      path: string,
      fields: Readonly<Record<string, string>> & { readonly category_id: string; readonly file_type: string },
    ): Promise<Dataset> {
      return await send('/datasets', path, fields);
    },
    async putStyle(id: string, path: string): Promise<void> {
      await send(`/datasets/${id}/sld`, path, {});
    },
    /** Waits with long polls until no job processes the dataset. @throws after half an hour. */
    async settled(id: string, first: string): Promise<Dataset> {
      const deadline = performance.now() + followSeconds * 1000;
      for (let current = first; working.includes(current);) {
        if (performance.now() > deadline) throw new Error(stillWorking(current));
        const query = `current=${current}&wait=${waitSeconds}`;
        ({ status: current } = await read(State, `/datasets/${id}/status?${query}`));
      }
      return await read(Dataset, `/datasets/${id}`);
    },
    /** Waits as above, for a dataset that must succeed. @throws when it fails. */
    async processed(id: string, first: string): Promise<Dataset> {
      const dataset = await this.settled(id, first);
      if (dataset.status !== 'failed') return dataset;
      throw new Error(`${dataset.filename}: ${dataset.parse_error ?? ''}`);
    },
    async suggestion(id: string): Promise<z.infer<typeof MappingSuggestion>> {
      return await read(MappingSuggestion, `/datasets/${id}/mapping/suggestion?wait=60&max_columns=1`);
    },
    async map(id: string, katoColumn: string, years: readonly YearMapping[]): Promise<Dataset> {
      const mapping = { kato_column: katoColumn, year_columns: years };
      return await read(Dataset, `/datasets/${id}/mapping`, post(mapping));
    },
    async remove(id: string): Promise<void> {
      await ask(`/datasets/${id}`, { method: 'DELETE' });
    },
    async geoJson(id: string): Promise<string> {
      return await (await ask(`/datasets/${id}.geojson`)).text();
    },
    /** Returns the layer of a vector, and the codes of its warnings. */
    async report(id: string) {
      const { source, warnings } = await read(Report, `/datasets/${id}/report`);
      return { layer: source?.layer, warnings: warnings.map(({ code }) => code) };
    },
    async observations(id: string, pageSize: number) {
      return await read(Observations, `/datasets/${id}/observations?page_size=${pageSize}`);
    },
    /** The inputs of the Landscape Program, in the order of its graph, each with its freshest dataset. */
    async slots() {
      return await read(z.array(Slot), '/landscape/slots');
    },
    async fillSlot(code: string, path: string, fields: Readonly<Record<string, string>>): Promise<Dataset> {
      return await send(`/landscape/slots/${code}`, path, fields);
    },
    /** States the origin of the values of a dataset, with an otherwise empty metadata record. */
    async stateOrigin(id: string, origin: 'measured' | 'derived' | 'invented'): Promise<void> {
      await read(z.unknown(), `/datasets/${id}/metadata`, {
        method: 'PUT',
        body: JSON.stringify({ origin }),
        headers: { 'content-type': 'application/json' },
      });
    },
    /** Starts a run with all defaults and waits for its end. @throws after half an hour. */
    async finishedRun(): Promise<Run> {
      const deadline = performance.now() + followSeconds * 1000;
      let run = await read(Run, '/landscape/runs', { method: 'POST' });
      while (run.status === 'queued' || run.status === 'running') {
        if (performance.now() > deadline) throw new Error(stillWorking(run.status));
        await sleep(runPollMs, undefined, { signal });
        run = await read(Run, `/landscape/runs/${run.id}`);
      }
      return run;
    },
    async save(path: string, target: string): Promise<void> {
      const { body } = await ask(path);
      await pipeline(body === null ? Readable.from([]) : Readable.fromWeb(body), createWriteStream(target));
    },
  };
}

const stillWorking = (status: string): string => `still ${status} after ${followSeconds} seconds`;

/** Creates a form; the file is read when the form is sent. */
async function formOf(path: string, fields: Readonly<Record<string, string>>): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', await openAsBlob(path), basename(path));
  return form;
}

/** Returns whether a token is required. A 403 may have other reasons, such as an unknown host name; this header is specific. */
function asksForToken({ status, headers }: Response): boolean {
  return status === 401 || (status === 403 && headers.has('www-authenticate'));
}

function refusalIn(text: string): string | undefined {
  try {
    return Refusal.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
