import assert from 'node:assert/strict';
import { eventually } from '../../support/processes.ts';
import { runSteppe } from '../../support/service.ts';

/** Answers of the first service by dataset id. */
export type Shown = ReadonlyMap<string, string>;

export async function ask(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return text;
}

export async function upload(baseUrl: string, name: string): Promise<string> {
  const categories: { id: string }[] = JSON.parse(await ask(`${baseUrl}/categories`));
  const form = new FormData();
  form.set('file_type', 'vector');
  form.set('category_id', categories[0]?.id ?? '');
  form.set('name', name);
  const geometry = { type: 'Point', coordinates: [71, 51] };
  const features = [{ type: 'Feature', properties: { name }, geometry }];
  form.set('file', new File([JSON.stringify({ type: 'FeatureCollection', features })], 'point.geojson'));
  const dataset: { id: string } = JSON.parse(
    await ask(`${baseUrl}/datasets`, { method: 'POST', body: form }),
  );
  return dataset.id;
}

export async function readWhenReady(baseUrl: string, id: string): Promise<string> {
  await eventually(`${id} ready`, async () =>
    (await ask(`${baseUrl}/datasets/${id}/status?wait=5&current=pending`)).includes('"ready"'),
  );
  return `${await ask(`${baseUrl}/datasets/${id}`)}\n${await ask(`${baseUrl}/datasets/${id}.geojson`)}`;
}

export async function succeed(
  args: readonly string[],
  options: Parameters<typeof runSteppe>[1],
): Promise<string> {
  const { code, output } = await runSteppe(args, options);
  assert.equal(code, 0, output);
  return output;
}

/** Uploads two datasets; returns what their readers see. */
export async function uploadShown(baseUrl: string): Promise<Shown> {
  const shown = new Map<string, string>();
  for (const name of ['Пашня', 'Пастбище']) {
    const id = await upload(baseUrl, name);
    shown.set(id, await readWhenReady(baseUrl, id));
  }
  return shown;
}

export async function assertAllShown(baseUrl: string, shown: Shown): Promise<void> {
  for (const [id, seen] of shown) assert.equal(await readWhenReady(baseUrl, id), seen);
}

/** Asserts that every dataset is processed to its end, including those that were waiting or in progress during the backup. */
export async function assertAllEnd(baseUrl: string, shown: Shown): Promise<void> {
  const list: { data: { id: string }[] } = JSON.parse(await ask(`${baseUrl}/datasets?page_size=100`));
  assert.ok(list.data.length >= shown.size);
  for (const { id } of list.data) await readWhenReady(baseUrl, id);
}
