import { address, hrefOf } from '../../address/address.ts';
import { Failure } from '../../parts/loading.tsx';
import { shownCategory } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import { changes } from '../../uploads/follow.ts';
import { words } from '../../words/words.ts';
import { lazy } from '../../parts/lazy.tsx';
import { may } from '../../service/capabilities.ts';
import { get } from '../../service/request.ts';
import { demonstrationCode, isLoading } from '../welcome/demonstration-state.ts';
import { type Branch, treeOf } from './category-tree.ts';
import { useSignal } from '@preact/signals';

const RemoveDemonstration = lazy(
  async () => (await import('../welcome/remove-demonstration.tsx')).RemoveDemonstration,
);

/** The tree of categories as filters of the list. */
export function Categories() {
  const { catalogue, datasets } = words();
  const { resource, reload } = useResource(
    'categories',
    async (signal) => await get('/categories', { signal }),
    changes.value,
  );
  const { query } = address.value;
  const chosen = query.get('category') ?? '';
  const hrefFor = (category: string | undefined): string =>
    hrefOf(['datasets'], { ...Object.fromEntries(query), category, page: undefined });
  const { value, failure } = resource.value;
  return (
    <div>
      <nav class="categories" aria-label={datasets.categories}>
        <h2>{datasets.categories}</h2>
        <ul>
          <li>
            <a href={hrefFor(undefined)} aria-current={chosen === '' ? 'true' : undefined}>
              {datasets.all}
            </a>
          </li>
          {value !== undefined && <Branches branches={treeOf(value)} chosen={chosen} hrefFor={hrefFor} />}
        </ul>
        {failure !== undefined && (
          <Failure failure={failure} retry={reload} title={datasets.categoriesFailed} />
        )}
        <p class="small">
          <a href={hrefOf(['catalogue'])}>{catalogue.manage}</a>
        </p>
      </nav>
      {may('data:write') &&
        !isLoading.value &&
        value?.some(({ code }) => code === demonstrationCode) === true && <DemonstrationRemoval />}
    </div>
  );
}

/** The button that removes the demonstration, while its category exists. */
function DemonstrationRemoval() {
  const isOpen = useSignal(false);
  const close = (): void => void (isOpen.value = false);
  return (
    <>
      <button type="button" class="button quiet small" onClick={() => void (isOpen.value = true)}>
        {words().welcome.remove.open}
      </button>
      {isOpen.value && <RemoveDemonstration onClose={close} />}
    </>
  );
}

function Branches({
  branches,
  chosen,
  hrefFor,
}: {
  readonly branches: readonly Branch[];
  readonly chosen: string;
  readonly hrefFor: (category: string) => string;
}) {
  return (
    <>
      {branches.map(({ category, branches: children }) => (
        <li key={category.id}>
          <a href={hrefFor(category.id)} aria-current={chosen === category.id ? 'true' : undefined}>
            {shownCategory(category).name}
          </a>
          {children.length > 0 && (
            <ul>
              <Branches branches={children} chosen={chosen} hrefFor={hrefFor} />
            </ul>
          )}
        </li>
      ))}
    </>
  );
}
