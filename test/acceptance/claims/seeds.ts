import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import type { CategoryBody, GroupBody, Page } from '../support/catalogue.ts';

claim(
  ['D2 seeded'],
  'the category landscape is there, and a group for every slot and every result',
  async ({ expect }) => {
    const categories = (await expect(200, 'GET', '/categories')).read<CategoryBody[]>();
    assert.equal(categories.filter(({ code }) => code === 'landscape').length, 1);
    const slots = (await expect(200, 'GET', '/landscape/slots')).read<{ code: string; group_id: string }[]>();
    const results = (await expect(200, 'GET', '/landscape/results')).read<
      { group: string; group_id: string }[]
    >();
    const wanted = [
      ...slots.map(({ code, group_id }) => ({ code, id: group_id })),
      ...results.map(({ group, group_id }) => ({ code: group, id: group_id })),
    ];
    assert.equal(new Set(wanted.map(({ code }) => code)).size, 13 + 19);
    for (const { code, id } of wanted) {
      const { data } = (await expect(200, 'GET', `/dataset-groups?code=${code}`)).read<Page<GroupBody>>();
      assert.deepEqual(
        data.map((group) => group.id),
        [id],
      );
    }
  },
);

const seeding = 'test/landscape/seed.test.ts';
const service = 'test/landscape/service/groups.test.ts';

checkedElsewhere(
  ['D2 seeded once'],
  seeding,
  'seeding again changes nothing, whatever people have made of the groups',
);
checkedElsewhere(['D2 seeded'], seeding, 'whatever was deleted is made again, and only that');
checkedElsewhere(
  ['D2 seeded by all'],
  seeding,
  'many instances that seed at once make everything once, and leave nothing else',
);
checkedElsewhere(['D2 seeded by all'], seeding, 'a service seeds again until it works, and says when it has');
checkedElsewhere(
  ['D2 seeded by all'],
  'test/lifecycle/roles.test.ts',
  'an api and a worker alone work together over a given database and store',
);
checkedElsewhere(
  ['D2 leaf missing', 'D2 output missing', 'D2 upload missing', '7 404 seeds'],
  service,
  'each of them that is missing is missed by those who list it, until there is one with its code',
);
checkedElsewhere(
  ['D2 run missing'],
  service,
  'all of them are back after a restart, with their names and legends',
);
checkedElsewhere(
  ['D2 category again'],
  service,
  'a slot upload makes the category again, a run the output groups that it fills',
);
checkedElsewhere(
  ['D2 category again'],
  'test/landscape/execution.test.ts',
  'the category and a group of an output that were deleted are made again',
);
