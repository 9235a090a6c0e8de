import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { makeCategory, makeGroup, newCode } from '../support/catalogue.ts';

/** The same rules hold for categories and groups: each claim is made of both, for POST and PUT. */
const kinds = [
  { path: '/categories', what: 'category', input: '2.1 CategoryInput', make: makeCategory, row: '4.2' },
  { path: '/dataset-groups', what: 'group', input: '2.2 DatasetGroupInput', make: makeGroup, row: '4.3' },
] as const;

const valid = (): Record<string, unknown> => ({ code: newCode(), name: 'n' });

/** A code of so many characters that nobody else has. */
function codeOf(length: number): string {
  return `${'0'.repeat(length)}-${newCode()}`.slice(-length).replace(/^-/, '0');
}

for (const { path, what, input, make, row } of kinds) {
  const code422 = `${row} POST ${path} 422`;
  const put422 = `${row} PUT ${path}/{id} 422`;

  claim(
    [`${input}.code`, '8 code length'],
    `the code of a ${what} may have 255 characters, not 256`,
    async (client) => {
      const code = codeOf(255);
      const { read } = await client.expect(201, 'POST', path, { json: { code, name: 'n' } });
      assert.equal(read<{ code: string }>().code, code);
      await client.invalid(['code'], 'POST', path, { json: { code: codeOf(256), name: 'n' } });
    },
  );

  claim(
    [`${input}.code`],
    `the code of a ${what} may be one letter or digit, and digits alone`,
    async ({ ask }) => {
      for (const code of ['a', '0', 'z-9', '2024', 'a-b-c-1']) {
        const { status } = await ask('POST', path, { json: { code, name: 'n' } });
        assert.ok(status === 201 || status === 409, code); // somebody else may have it
      }
    },
  );

  claim(
    [`${input}.code`, code422, put422, 'D1 422 fields', 'D2 PUT code'],
    `the code of a ${what} is lower-case latin letters, digits and single dashes between them`,
    async (client) => {
      const { id } = await make(client);
      const wrong = [
        '',
        ' ',
        'A',
        'Code',
        '-a',
        'a-',
        'a--b',
        'a_b',
        'a b',
        'a.b',
        ' a',
        'a\n',
        'é',
        'қала',
        'a—b',
        'ａ',
      ];
      for (const code of [...wrong, 'a\u0000', 1, true, null, [], {}, ['a'], undefined]) {
        const json = { code, name: 'n' };
        await client.invalid(['code'], 'POST', path, { json });
        await client.invalid(['code'], 'PUT', `${path}/${id}`, { json });
      }
    },
  );

  claim(
    [`${input}.name`, '8 name length', 'D1 lengths', put422],
    `the name of a ${what} may have 255 characters, not 256, and characters outside of the BMP count once`,
    async (client) => {
      for (const letter of ['x', 'Қ', '😀', 'e\u0301'.normalize('NFC')]) {
        const { id, name, code } = await make(client, { name: letter.repeat(255) });
        assert.equal(name, letter.repeat(255));
        const json = { code, name: letter.repeat(256) };
        await client.invalid(['name'], 'PUT', `${path}/${id}`, { json });
        json.code = newCode();
        await client.invalid(['name'], 'POST', path, { json });
      }
    },
  );

  claim(
    [`${input}.name`, 'D2 blank name', 'D1 422 fields', '7 422 input'],
    `the name of a ${what} is text that is not blank and holds neither U+0000 nor half a character`,
    async ({ invalid }) => {
      for (const name of [
        '',
        ' ',
        '\t\n',
        '\u00A0',
        '\u3000',
        'a\u0000b',
        '\ud83d',
        'a\ude00',
        1,
        null,
        [],
        {},
        undefined,
      ]) {
        await invalid(['name'], 'POST', path, { json: { ...valid(), name } });
      }
    },
  );

  claim(
    [`${input}.description`, '8 description length', 'D1 lengths', code422],
    `the description of a ${what} may have 2000 characters, not 2001, and characters outside of the BMP count once`,
    async (client) => {
      for (const letter of ['x', '😀']) {
        const { description } = await make(client, { description: letter.repeat(2000) });
        assert.equal(description, letter.repeat(2000));
        const json = { ...valid(), description: letter.repeat(2001) };
        await client.invalid(['description'], 'POST', path, { json });
      }
    },
  );

  claim(
    [`${input}.description`, 'D1 422 fields'],
    `the description of a ${what} may be empty or left out, but must be text`,
    async (client) => {
      assert.equal((await make(client, { description: '' })).description, '');
      for (const description of [null, 1, false, [], {}, 'a\u0000', '\udc00']) {
        await client.invalid(['description'], 'POST', path, { json: { ...valid(), description } });
      }
    },
  );

  claim(
    [code422, put422, 'D1 422 fields', '7 ValidationErrors', '7 422 body'],
    `every failing field of a ${what} is named at once`,
    async (client) => {
      const { id } = await make(client);
      const json = { code: 'A', name: ' ', description: 'x'.repeat(2001) };
      await client.invalid(['code', 'name', 'description'], 'POST', path, { json });
      await client.invalid(['code', 'name', 'description'], 'PUT', `${path}/${id}`, { json });
      await client.invalid(['code', 'name'], 'POST', path, { json: {} });
      await client.invalid(['code', 'name'], 'PUT', `${path}/${id}`, { json: {} });
    },
  );

  claim(['D1 unknown fields'], `fields of a ${what} that nobody knows are ignored`, async (client) => {
    const made = await make(client, {
      id: 'x',
      created_at: 1,
      nobody: { knows: ['this'] },
      'a\u0000': '\u0000',
    });
    const known = await client.get(`${path}/${made.id}`);
    assert.deepEqual(known, made);
    assert.ok(!('nobody' in made));
  });

  claim(
    [`${input}.name`, `${input}.description`],
    `texts of a ${what} come back as they were sent`,
    async (client) => {
      const name = '  Жер "бедері" \\ <b>&amp; e\u0301 \uFFFD\u2028 ﷽😀 \u0007 ';
      const { id, ...said } = await make(client, { name, description: `${name}\r\n` });
      assert.deepEqual([said.name, said.description], [name, `${name}\r\n`]);
      const { read } = await client.expect(200, 'GET', `${path}/${id}`);
      assert.equal(read<{ name: string }>().name, name);
    },
  );
}

claim(
  ['2.1 CategoryInput.parent_id', '4.2 POST /categories 422', 'D1 422 fields', 'D1 422 reference'],
  'the parent of a category is null or the uuid of one that exists',
  async (client) => {
    assert.equal((await makeCategory(client, { parent_id: null })).parent_id, null);
    const nobody = '00000000-0000-0000-0000-000000000000';
    for (const parent_id of [
      '',
      'x',
      `{${nobody}}`,
      nobody.replaceAll('-', ''),
      1,
      true,
      [],
      {},
      nobody,
      nobody.replaceAll('0', 'F'),
    ]) {
      await client.invalid(['parent_id'], 'POST', '/categories', { json: { ...valid(), parent_id } });
    }
  },
);
