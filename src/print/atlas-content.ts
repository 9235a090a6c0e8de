import { hash } from 'node:crypto';
import { z } from 'zod';
import { isReached } from '../../common/areas/reached.ts';
import type { PendingResult } from '../jobs/results.ts';
import { drawingProblems, sheetProblems, sheetWords } from '../messages/drawing/english.ts';
import { translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { type Extent, extentOf, extentOfBox } from '../../common/maps/paper/albers.ts';
import { atlasSizes, orientations } from '../../common/maps/paper/papers.ts';
import type { IndexRow, SheetDocument, UnitTable } from '../../common/maps/paper/sheet-page.ts';
import type { SheetRequest } from '../maps/thread/paper/sheets.ts';
import { formatFixed, formatNumber } from '../../common/formats/numbers.ts';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { isOfUnit } from '../areas/by-unit.ts';
import { onAlbers, pageOf, type SheetSubject } from './sheet-content.ts';
import { drawnLayers, prepareSubject, readSubject, type SheetDependencies } from './sheet-subject.ts';
import { countedOf, placeOn, sheetVersion } from './sheets.ts';
import { readUnitTables } from './unit-tables.ts';
import { type BorderedUnit, meets } from '../maps/paper/bordered-units.ts';

/** The request for an atlas, as stored in its row. */
export const AtlasOrder = z.object({
  /** The dataset with the zoning of the run. */
  datasetId: z.string(),
  runId: z.string(),
  language: z.enum(['en', 'ru', 'kk']),
  address: z.string(),
  paper: z.object({
    size: z.enum(atlasSizes),
    orientation: z.enum(orientations),
    scale: z.number().optional(),
  }),
  by: z.enum(unitLevels),
  kato: z.string().optional(),
  /** Tables by KATO whose values stand on the page of each unit. */
  tables: z.array(z.string()).optional(),
});
export type AtlasOrder = z.infer<typeof AtlasOrder>;

/** An atlas that is ready to be drawn. */
export interface PreparedAtlas {
  readonly isPending: false;
  /** Equal keys have equal bytes. */
  readonly key: string;
  /** The number of pages with a map sheet. */
  readonly sheets: number;
  request(): Promise<SheetRequest>;
}

const maxSheets = 60;

type Placed = BorderedUnit & { readonly extent: Extent };

/** Finds the content of an atlas, and has its land counted. @throws {Problem} when there is nothing to draw, or too much. */
export async function prepareAtlasContent(
  dependencies: SheetDependencies,
  order: AtlasOrder,
  signal: AbortSignal,
): Promise<PreparedAtlas | PendingResult> {
  const { datasetId, runId, language, address, paper, by, kato } = order;
  const subjectOrder = { datasetId, layers: [], names: new Map(), runId, language, address };
  const prepared = await prepareSubject(dependencies, subjectOrder, { frame: undefined, signal });
  if (prepared.isPending) return prepared;
  const onRaster = extentOfBox(prepared.layers[0]?.dataset.bbox ?? []);
  if (onRaster === undefined) throw drawingProblems.noPlace();
  const all = await dependencies.paperMaps.unitsOf(by);
  const figures = await prepared.counted?.read();
  const units = all.filter((unit): unit is Placed => {
    if (unit.extent === undefined || (kato !== undefined && !isOfUnit(unit, kato))) return false;
    const own = figures?.units.find(({ id }) => id === unit.kato);
    return own === undefined
      ? meets(unit.extent, onRaster)
      : isReached({ area: own.area_m2, outside: own.outside_m2 });
  });
  if (units.length === 0) throw sheetProblems.noUnits(kato ?? by);
  if (units.length > maxSheets) throw sheetProblems.tooManySheets(units.length, maxSheets);
  const tables = await readUnitTables(dependencies, order.tables ?? [], {
    units: units.map((unit) => unit.kato),
    language,
  });
  const said = JSON.stringify([...tables]);
  const parts = [
    said,
    sheetVersion,
    ...prepared.parts,
    JSON.stringify([order, units.map((unit) => unit.kato)]),
  ];
  return {
    isPending: false,
    key: hash('sha256', JSON.stringify(parts), 'hex'),
    sheets: units.length,
    async request() {
      const subject = await readSubject(prepared);
      const document = documentOf(subject, {
        units,
        neighbours: all,
        tables,
        paper: { ...paper, scale: paper.scale },
      });
      return {
        ...(await drawnLayers(dependencies, prepared.layers, { bounds: undefined, signal })),
        document,
      };
    },
  };
}

interface Contents {
  readonly units: readonly Placed[];
  readonly neighbours: readonly BorderedUnit[];
  readonly tables: ReadonlyMap<string, readonly UnitTable[]>;
  readonly paper: Parameters<typeof placeOn>[0] & { readonly scale: number | undefined };
}

function documentOf(subject: SheetSubject, { units, neighbours, tables, paper }: Contents): SheetDocument {
  const { language, figures } = subject;
  const say = (word: 'index' | 'unit' | 'page' | 'scaleColumn' | 'area') =>
    translate(sheetWords[word], language);
  const total = units.length;
  const placed = units.map((unit, index) => ({
    unit,
    ...placeOn(paper, unit.extent, paper.scale),
    counted: figures && countedOf(figures, unit, false),
    hectaresOf: 'unit' as const,
    ...onAlbers,
    neighbours,
    tables: tables.get(unit.kato) ?? [],
    pageOf: [index + 1, total] as const,
  }));
  const rows = placed.map(({ unit, denominator, counted }, index): IndexRow => ({
    name: unitName(unit, language),
    page: String(index + 1),
    scale: `1:${formatNumber(denominator, language)}`,
    hectares: counted === undefined ? '' : formatFixed(counted.area_ha, language, 0),
    polygons: unit.polygons,
  }));
  const corners = units.flatMap(({ extent: { left, right, top, bottom } }) => [
    [left, bottom] as const,
    [right, top] as const,
  ]);
  const whole = extentOf(corners) ?? { left: 0, right: 0, top: 0, bottom: 0 };
  const overview = pageOf(subject, {
    unit: undefined,
    ...placeOn(paper, whole, undefined),
    counted: undefined,
    hectaresOf: 'raster',
    ...onAlbers,
    neighbours: [],
    pageOf: undefined,
  });
  const title = `${say('index')} · ${subject.title}`;
  return {
    title: subject.title,
    size: paper.size,
    orientation: paper.orientation,
    index: {
      overview: { ...overview, title, unit: units.flatMap(({ polygons }) => polygons) },
      columns: {
        name: say('unit'),
        page: say('page'),
        scale: say('scaleColumn'),
        hectares: say('area'),
      },
      rows,
    },
    pages: placed.map((place) => pageOf(subject, place)),
  };
}
