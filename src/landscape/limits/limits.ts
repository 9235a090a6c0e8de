import { type AreaFigures, areasOf } from '../../areas/area-counts.ts';
import type { PendingResult } from '../../jobs/results.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { limitationTitles, limitProblems } from '../../messages/zoning/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { fieldFaults, requestProblems } from '../../messages/request/english.ts';
import { graphVersion, nodeByCode } from '../graph/graph.ts';
import { type Limitation, type LimitationName, limitationsOf } from '../graph/kernels/limitations.ts';
import {
  firstState,
  type LimitState,
  limitStates,
  notAllocableState,
  relievedClass,
} from '../graph/layers/limit-states.ts';
import type { AreaLevels, Unit } from '../../areas/areas-schema.ts';
import { type Areas, readUnits } from '../../areas/by-unit.ts';
import { titleOf } from '../groups/titles.ts';
import { layerOfRun, type MadeLayer, readZonedRun } from '../layers/layers.ts';
import type { GraphNode } from '../model/node.ts';
import type { StoredRun } from '../runs/run-rows.ts';
import { type CountedAnswer, howCounted, writtenLand } from './land-by-unit.ts';
import type { LandscapeLimits, SectorCode } from './limits-schema.ts';
import { toHectares } from '../../../common/formats/hectares.ts';

export interface LimitDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

export interface LimitsRequest {
  readonly runId: string;
  readonly sector: SectorCode;
  readonly by: AreaLevels;
  /** The code of the only requested unit, which includes the units in it; undefined for all. */
  readonly kato: string | undefined;
  /** The factor whose rating is replaced by 5. */
  readonly relieved: LimitationName | undefined;
  readonly language: Language;
}

/** Limit of different values: the states of a sector with seven factors and the values of land without a rating, with a margin. */
const mostStates = 1024;

/**
 * Returns the limits of a sector of a run, by unit, or has them counted. Any number of processes may ask at once.
 * @throws {Problem} `not_found`, `invalid` for a factor of another sector, `conflict` when the run does not rate the sector
 */
export async function limitsOf(
  dependencies: LimitDependencies,
  request: LimitsRequest,
): Promise<CountedAnswer<LandscapeLimits> | PendingResult> {
  const { runId, sector, relieved } = request;
  await refuseUnlimited(dependencies.db, runId, sector);
  const node = sectorNode(sector);
  const limitations = limitationsOf(node);
  const factors = limitations.map(({ name }) => name);
  if (relieved !== undefined && !factors.includes(relieved))
    throw requestProblems.wrongParameters({ relieved: fieldFaults.notAmong(factors) });
  const layer = await limitLayerOf(dependencies, runId, sector);
  if (layer.isPending) return layer;
  const counted = await areasOf(dependencies, { cogs: [layer.cogKey], maxClasses: mostStates });
  if (counted.isPending) return counted;
  const read = async () => {
    const [figures, names] = [await counted.read(), await readUnits(dependencies.db)];
    const { districtsVersion } = counted;
    return toLimits(request, { node, limitations, figures, districtsVersion, names });
  };
  return { isPending: false, key: counted.key, read };
}

/**
 * Returns the layer of limits of a sector of a run, or has it made.
 * @throws {Problem} `not_found`, `conflict` when the run does not rate the sector
 */
export async function limitLayerOf(
  dependencies: LimitDependencies,
  runId: string,
  sector: SectorCode,
): Promise<MadeLayer | PendingResult> {
  const run = await refuseUnlimited(dependencies.db, runId, sector);
  return await layerOfRun(dependencies, run, `limits-${sector}`);
}

/** Checks that the sector of a run has limits. @throws {Problem} as `limitLayerOf` does. */
export async function refuseUnlimited(db: Database, runId: string, sector: SectorCode): Promise<StoredRun> {
  const run = await readZonedRun(db, runId);
  const { group } = sectorNode(sector).output;
  if (Object.hasOwn(run.overrides, group)) throw limitProblems.pinnedSector(group);
  if ((run.graphVersion ?? 1) !== graphVersion) throw limitProblems.otherGraph();
  return run;
}

/** Returns the node that rates a sector. */
export function sectorNode(sector: SectorCode): GraphNode {
  const node = nodeByCode(sector);
  if (node === undefined) throw new Error(`the graph has no node ${sector}`);
  return node;
}

interface Counted {
  readonly node: GraphNode;
  readonly limitations: readonly Limitation[];
  readonly figures: AreaFigures;
  readonly districtsVersion: number;
  readonly names: ReadonlyMap<string, Unit>;
}

function toLimits(request: LimitsRequest, counted: Counted): LandscapeLimits {
  const { runId, sector, by, kato, relieved = null, language } = request;
  const { node, limitations, figures, districtsVersion, names } = counted;
  const states = limitStates(limitations.length);
  const values = figures.tuples.map(([value]) => value ?? 0);
  const factor = limitations.findIndex(({ name }) => name === relieved);
  const landOf = (areas: Areas) => toLand(areas, { states, values, limitations, factor });
  return {
    run_id: runId,
    ...howCounted(by, districtsVersion),
    sector,
    title: titleOf(node.output.group, language) ?? node.output.title,
    relieved,
    factors: limitations.map(({ name, letter, sources }) => ({
      factor: name,
      letter,
      title: translate(limitationTitles[name], language),
      inputs: sources.map(({ band }) => ({
        group: band.group,
        title: titleOf(band.group, language) ?? band.title,
      })),
    })),
    ...writtenLand(figures, { by, kato, names }, landOf),
  };
}

interface Sums {
  readonly states: readonly LimitState[];
  /** Values of the layer, by tuple. */
  readonly values: readonly number[];
  readonly limitations: readonly Limitation[];
  /** The index of the relieved factor; -1 for none. */
  readonly factor: number;
}

/** Sums areas of states, in square metres, by class and factor. */
function toLand(areas: Areas, { states, values, limitations, factor }: Sums) {
  const classes = [5, 4, 3, 2, 1].map((rating) => ({
    class: rating,
    area: 0,
    relieved: 0,
    alone: limitations.map(() => 0),
    withOthers: limitations.map(() => 0),
    subclasses: new Map<string, number>(),
  }));
  const ofClass = (rating: number) => {
    const found = classes[5 - rating];
    if (found === undefined) throw new Error(`there is no class ${rating}`);
    return found;
  };
  let [notAllocable, noData] = [0, 0];
  for (const [tuple, area] of areas) {
    const value = values[tuple] ?? 0;
    const state = states[value - firstState];
    if (state === undefined) {
      if (value === notAllocableState) notAllocable += area;
      else noData += area;
      continue;
    }
    const its = ofClass(state.class);
    its.area += area;
    ofClass(factor < 0 ? state.class : relievedClass(state, factor)).relieved += area;
    if (state.class === 5) continue;
    const isAlone = (state.mask & (state.mask - 1)) === 0;
    const sums = isAlone ? its.alone : its.withOthers;
    let subclass = String(state.class);
    for (const [index, { letter }] of limitations.entries()) {
      if ((state.mask & (1 << index)) === 0) continue;
      sums[index] = (sums[index] ?? 0) + area;
      subclass += letter;
    }
    its.subclasses.set(subclass, (its.subclasses.get(subclass) ?? 0) + area);
  }
  return {
    classes: classes.map(({ class: rating, area, relieved, alone, withOthers, subclasses }) => ({
      class: rating,
      ha: toHectares(area),
      relieved_ha: factor < 0 ? null : toHectares(relieved),
      limits: limitations.flatMap(({ name }, index) => {
        const [one = 0, more = 0] = [alone[index], withOthers[index]];
        if (one === 0 && more === 0) return [];
        return [{ factor: name, alone_ha: toHectares(one), with_others_ha: toHectares(more) }];
      }),
      subclasses: [...subclasses]
        .toSorted(([name, one], [otherName, other]) => other - one || (name < otherName ? -1 : 1))
        .map(([subclass, squareMetres]) => ({ subclass, ha: toHectares(squareMetres) })),
    })),
    not_allocable_ha: toHectares(notAllocable),
    no_data_ha: toHectares(noData),
  };
}
