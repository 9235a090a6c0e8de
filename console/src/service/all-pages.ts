interface Page<T> {
  readonly data: readonly T[];
  readonly total_pages: number;
}

/** Reads a list page by page, from 1, to the last page or to the first one that satisfies `isLast`. @throws {Refused} */
export async function readAllPages<T>(
  load: (page: number) => Promise<Page<T>>,
  isLast: (data: readonly T[]) => boolean = () => false,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total_pages: pages } = await load(page);
    all.push(...data);
    if (page >= pages || isLast(data)) return all;
  }
}
