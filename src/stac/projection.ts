/** The members of items in an answer, according to the fields extension of STAC; dots separate nested members. */
export interface Fields {
  /** Undefined when only excluded members are named: then all other members are included. */
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[];
}

/** Members that every item has, because clients cannot use it without them. */
const always = ['type', 'stac_version', 'id', 'collection'];
/** The members of an item when the client names none. */
const usual = ['geometry', 'bbox', 'links', 'assets', 'properties.datetime'];

/** Reads names of a query: a `-` prefix leaves a member out. */
export function readFields(texts: readonly string[]): Fields {
  const names = texts.filter((name) => name !== '');
  const exclude = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
  const include = names.filter((name) => !name.startsWith('-')).map((name) => name.replace(/^[+ ]/, ''));
  return { include: include.length === 0 && exclude.length > 0 ? undefined : include, exclude };
}

/** Returns the requested members of an item; a member that is both included and excluded is included. */
export function project(item: object, { include, exclude }: Fields): object {
  const wanted = include === undefined || include.length > 0 ? include : usual;
  const kept = wanted === undefined ? item : pick(item, [...always, ...wanted].map(pathOf));
  const isIncluded = (name: string): boolean =>
    include?.some((each) => each === name || each.startsWith(`${name}.`)) === true;
  return omit(kept, exclude.filter((name) => !isIncluded(name)).map(pathOf));
}

type Path = readonly string[];

function pathOf(name: string): Path {
  return name.split('.');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(value: object, paths: readonly Path[]): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      if (below.length === 0) return [];
      const isWhole = below.some((path) => path.length === 0) || !isObject(member);
      return [[name, isWhole ? member : pick(member, below)]];
    }),
  );
}

function omit(value: object, paths: readonly Path[]): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      if (below.some((path) => path.length === 0)) return [];
      return [[name, below.length > 0 && isObject(member) ? omit(member, below) : member]];
    }),
  );
}
