import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { CategoryBody, GroupBody, Page } from '../../support/catalogue.ts';

claim(
  ['D2 seeded', '2.6 LandscapeSlot.group_id', '1.5 slots'],
  'the category landscape is there, and a group for every slot and every result',
  async ({ get }) => {
    const categories = await get<CategoryBody[]>('/categories');
    assert.equal(categories.filter(({ code }) => code === 'landscape').length, 1);
    const slots = await get<{ code: string; group_id: string }[]>('/landscape/slots');
    const results = await get<{ group: string; group_id: string }[]>('/landscape/results');
    const wanted = [
      ...slots.map(({ code, group_id }) => ({ code, id: group_id })),
      ...results.map(({ group, group_id }) => ({ code: group, id: group_id })),
    ];
    assert.equal(new Set(wanted.map(({ code }) => code)).size, 13 + 19);
    for (const { code, id } of wanted) {
      const { data } = await get<Page<GroupBody>>(`/dataset-groups?code=${code}`);
      assert.deepEqual(
        data.map((group) => group.id),
        [id],
      );
    }
  },
);

checkedElsewhere('src/landscape/groups/seed.test.ts', {
  'seeding again changes nothing, whatever people have made of the groups': ['D2 seeded once'],
  'whatever was deleted is made again, and only that': ['D2 seeded'],
  'many instances that seed at once make everything once, and leave nothing else': ['D2 seeded by all'],
  'a service seeds again until it works, and says when it has': ['D2 seeded by all'],
});
checkedElsewhere('test/lifecycle/roles.test.ts', {
  'an api and a worker alone work together over a given database and store': ['D2 seeded by all'],
});
checkedElsewhere('src/landscape/groups/groups.test.ts', {
  'a missing group makes the list of slots or results 404 until there is one with its code': [
    'D2 leaf missing',
    'D2 output missing',
    'D2 upload missing',
    '7 404 seeds',
  ],
  'a run over groups that were deleted fails as over empty slots; seeding brings all back, with names and legends':
    ['D2 run missing'],
});
checkedElsewhere('src/landscape/groups/landscape-groups.test.ts', {
  'is created again when it is missing, but not for a slot that is not there': ['D2 category again'],
});
checkedElsewhere('src/landscape/execution/execution.test.ts', {
  'the category and a group of an output that were deleted are made again': ['D2 category again'],
});
