import type { GroupZonal } from '../../service/types.ts';

/** Makes the settings of a table of what a form holds; what the form does not ask for stays as it is. */
export function settingsIn(form: FormData, before: GroupZonal['settings']): object {
  const stats = [...form.getAll('stat'), ...form.getAll('beside')];
  return {
    by: form.get('by') ?? 'district',
    stats: [...new Set(stats)],
    min_valid_share: Number(form.get('minimum') ?? 0) / 100,
    values_are: form.get('count') === null ? 'density' : 'count',
    ...(before?.name ? { name: before.name } : {}),
    ...(before?.category_id ? { category_id: before.category_id } : {}),
  };
}
