import type { Database } from '../../database/tables.ts';
import { findFile } from '../../datasets/files.ts';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import type { LegendSource, Legends } from './legend-source.ts';
import type { DrawingPool } from './pool.ts';
import { drawingProblems } from '../../messages/drawing.ts';
import { type LegendModel, ruleEntries } from '../legend/model.ts';
import type { Rgba } from '../style/colour-map.ts';
import { layerStyleOf } from '../style/sld-read.ts';
import { type Maps, type StyledDataset, versionOf } from './maps.ts';

interface LegendOptions {
  readonly db: Database;
  readonly maps: Maps;
  readonly pool: DrawingPool;
}

/** Without a style all that a vector has is drawn in the green of the page. */
export const plainColour: Rgba = [143, 181, 169, 255];

/** Creates what finds and draws legends, for one process. */
export function createLegends({ db, maps, pool }: LegendOptions): Legends {
  async function sourceOf(dataset: StyledDataset, title: string): Promise<LegendSource> {
    const { status, unit, file_type: type, style, files } = dataset;
    if (status !== 'ready') throw drawingProblems.notReady(status);
    return {
      title,
      unit,
      model: await modelOf(dataset),
      hasNoData: type !== 'vector',
      leftOut: style?.style.leftOut ?? [],
      etagParts: [versionOf([findFile(files, 'cog'), findFile(files, 'view_cog'), dataset.sld_key])],
    };
  }

  async function modelOf(dataset: StyledDataset): Promise<LegendModel> {
    switch (dataset.file_type) {
      case 'raster':
        return await maps.rasterLegend(dataset);
      case 'vector_with_kato':
        return await maps.unitsLegend(dataset);
      default:
        return vectorLegend(dataset);
    }
  }

  return {
    modelOf: async (datasetId) => {
      const dataset = await maps.dataset(datasetId);
      return await sourceOf(dataset, dataset.name);
    },
    async modelOfGroup(groupId) {
      const group = await getDatasetGroup(db, groupId);
      return await sourceOf(await maps.dataset(await maps.memberOf(group.id)), group.name);
    },
    draw: async (picture) => await pool.run('legend', picture, { affinity: picture.title }),
  };
}

/** What the rules of a vector's style draw; where there are none, all of it in one colour. */
function vectorLegend({ name, style }: StyledDataset): LegendModel {
  const rules = style === undefined ? [] : layerStyleOf(style.style).rules;
  const entries = ruleEntries(rules);
  const plain = {
    colour: plainColour,
    label: { kind: 'text', text: name },
    sign: 'area',
    isHidden: false,
  } as const;
  return { kind: 'classes', entries: entries.length === 0 ? [plain] : entries };
}
