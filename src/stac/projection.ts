/** Which members of items an answer has. */
export interface Fields {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Without these nothing can be done with an item. */
const always = ['type', 'stac_version', 'id', 'collection'];

/** Reads names as they are written in queries: `-` in front of what is left out. */
export function readFields(names: readonly string[]): Fields {
  return {
    include: names.filter((name) => !name.startsWith('-')).map((name) => name.replace(/^[+ ]/, '')),
    exclude: names.filter((name) => name.startsWith('-')).map((name) => name.slice(1)),
  };
}

/** Returns the members of an item that are asked for; a name leads through objects with dots. */
export function project(item: object, { include, exclude }: Fields): object {
  const kept = include.length === 0 ? item : pick(item, [...always, ...include].map(pathOf));
  return exclude.length === 0 ? kept : omit(kept, exclude.map(pathOf));
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
