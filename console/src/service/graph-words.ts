import { signal } from '@preact/signals';
import type { LegendEntry } from '../../../common/maps/legend/model.ts';
import type { Language } from '../words/languages.ts';
import { language } from '../words/words.ts';
import { landscapeCategory, listGroups } from './groups.ts';
import { get } from './request.ts';
import type { Category, DatasetGroup, DatasetSummary, LandscapeGraph } from './types.ts';

/**
 * The service stores the names of the graph's category, groups, datasets, units and classes in English. These functions return them in the
 * language of the reader; names by users stay as they are. Until the words are loaded, and if they cannot be, the stored text is shown.
 */

type Texts = ReadonlyMap<string, string>;

interface GroupWords {
  readonly names: Texts;
  readonly units: Texts;
  /** By a class and its stored label. */
  readonly labels: Texts;
}

interface Words {
  readonly category: Texts;
  readonly groups: ReadonlyMap<string, GroupWords>;
  /** The codes of the graph's groups by their ids. */
  readonly codes: Texts;
}

const known = signal<ReadonlyMap<Language, Words>>(new Map());
const asked = new Set<Language>();

/** Returns the name of a dataset in the language of the reader. */
export function datasetName({ dg_id: group, name }: Pick<DatasetSummary, 'dg_id' | 'name'>): string {
  return wordsOf(group)?.names.get(name) ?? name;
}

/** Returns the unit of a dataset in the language of the reader. */
export function datasetUnit({ dg_id: group, unit }: Pick<DatasetSummary, 'dg_id' | 'unit'>): string | null {
  return unit === null ? null : (wordsOf(group)?.units.get(unit) ?? unit);
}

/** Returns the label of a class in the style of a dataset, in the language of the reader. */
export function classLabel<T extends Pick<LegendEntry, 'label' | 'range'>>(
  { dg_id: group }: Pick<DatasetSummary, 'dg_id'>,
  { label, range }: T,
): T['label'] {
  if (label.kind !== 'text' || range === undefined || range.from !== range.to) return label;
  const own = wordsOf(group)?.labels.get(keyOf(range.from, label.text));
  return own === undefined ? label : { ...label, text: own };
}

/** Returns true if the page has translated words for a dataset: one of a node or a slot, in a language other than English. */
export function hasOwnWords({ dg_id: group }: Pick<DatasetSummary, 'dg_id'>): boolean {
  return wordsOf(group) !== undefined;
}

/** Returns a group with name and description in the language of the reader. */
export function shownGroup<T extends Pick<DatasetGroup, 'code' | 'name' | 'description'>>(group: T): T {
  if (!group.code.startsWith('landscape-')) return group;
  return shown(group, words()?.groups.get(group.code)?.names);
}

/** Returns a category with name and description in the language of the reader. */
export function shownCategory<T extends Pick<Category, 'code' | 'name' | 'description'>>(category: T): T {
  return category.code === landscapeCategory ? shown(category, words()?.category) : category;
}

function shown<T extends { readonly name: string; readonly description: string }>(
  entry: T,
  texts: Texts | undefined,
): T {
  const { name, description } = entry;
  return { ...entry, name: texts?.get(name) ?? name, description: texts?.get(description) ?? description };
}

function wordsOf(groupId: string | null): GroupWords | undefined {
  if (groupId === null) return undefined;
  const all = words();
  return all?.groups.get(all.codes.get(groupId) ?? '');
}

/** The words for the language of the page, which are loaded when they are first needed. */
function words(): Words | undefined {
  const wanted = language();
  if (wanted === 'en') return undefined;
  if (!asked.has(wanted)) {
    asked.add(wanted);
    // The next rendering repeats a failed request.
    void read(wanted).catch(() => asked.delete(wanted));
  }
  return known.value.get(wanted);
}

async function read(wanted: Language): Promise<void> {
  const graphIn = async (lang: Language): Promise<LandscapeGraph> =>
    await get('/landscape/graph', { query: { lang }, isBackground: true });
  const [stored, own, groups] = await Promise.all([
    graphIn('en'),
    graphIn(wanted),
    listGroups(new AbortController().signal),
  ]);
  const bandsOf = (graph: LandscapeGraph): readonly Described[] => [...graph.slots, ...graph.nodes];
  const [bands, ownBands] = [bandsOf(stored), bandsOf(own)].map(byGroup);
  const seeded = (graph: LandscapeGraph) => graph.catalogue.groups;
  const ownGroups = new Map(seeded(own).map((group) => [group.code, group]));
  const read: Words = {
    category: new Map(namesBetween(stored.catalogue.category, own.catalogue.category)),
    groups: new Map(
      seeded(stored).map((group) => [
        group.code,
        wordsBetween(
          { group, band: bands?.get(group.code) },
          { group: ownGroups.get(group.code), band: ownBands?.get(group.code) },
        ),
      ]),
    ),
    codes: new Map(groups.map(({ id, code }) => [id, code])),
  };
  known.value = new Map([...known.value, [wanted, read]]);
}

type Described = LandscapeGraph['slots'][number] | LandscapeGraph['nodes'][number];

const byGroup = (bands: readonly Described[]) => new Map(bands.map((band) => [band.group, band]));

interface Seeded {
  readonly name: string;
  readonly description: string;
}

interface GraphTexts {
  readonly group: Seeded | undefined;
  readonly band: Described | undefined;
}

function namesBetween(stored: Seeded | undefined, own: Seeded | undefined): [string, string][] {
  if (stored === undefined || own === undefined) return [];
  return [
    [stored.name, own.name],
    [stored.description, own.description],
  ];
}

function wordsBetween(stored: GraphTexts, own: GraphTexts): GroupWords {
  const names = new Map(namesBetween(stored.group, own.group));
  if (stored.band === undefined || own.band === undefined)
    return { names, units: new Map(), labels: new Map() };
  // Users name the datasets of a slot.
  if ('legend' in stored.band) names.set(stored.band.title, own.band.title);
  const { unit } = stored.band;
  const labels = new Map(classesOf(own.band).map(({ value, label }) => [value, label]));
  return {
    names,
    units: new Map(unit === null || own.band.unit === null ? [] : [[unit, own.band.unit]]),
    labels: new Map(
      classesOf(stored.band).map(({ value, label }) => [keyOf(value, label), labels.get(value) ?? label]),
    ),
  };
}

function classesOf(band: Described): readonly { readonly value: number; readonly label: string }[] {
  if (!('legend' in band)) return band.classes ?? [];
  return band.legend.kind === 'values' ? band.legend.entries : [];
}

const keyOf = (value: number, label: string): string => `${value} ${label}`;
