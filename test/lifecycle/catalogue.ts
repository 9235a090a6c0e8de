import assert from 'node:assert/strict';

/** A category to find again after a restart. */
export interface Category {
  readonly id: string;
  readonly name: string;
}

export async function createCategory(baseUrl: string): Promise<Category> {
  const response = await fetch(`${baseUrl}/categories`, {
    method: 'POST',
    body: JSON.stringify({ code: 'pastures', name: 'Жайылымдар' }),
  });
  return await answerOf(response, 201);
}

export async function readCategory(baseUrl: string, id: string): Promise<Category> {
  return await answerOf(await fetch(`${baseUrl}/categories/${id}`), 200);
}

export async function isReady(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/readyz`);
  await response.arrayBuffer();
  return response.status === 200;
}

async function answerOf(response: Response, status: number): Promise<Category> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  const category: Category = JSON.parse(text);
  return category;
}
