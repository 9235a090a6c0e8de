import type { Database } from '../../database/tables/tables.ts';
import { readOrigin, warnOfInvented } from '../../datasets/origins.ts';
import { findFile } from '../../datasets/files.ts';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import type { DrawingPool } from './pool.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';
import { type LegendModel, ruleEntries, type LegendPicture } from '../../../common/maps/legend/model.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { wordModel, wordNames } from './map-words.ts';
import { layerStyleOf } from '../../../common/maps/style/sld-read.ts';
import { plainColour } from '../../../common/maps/units/unit-paint.ts';
import { countsVersionOf, type Maps, type StyledDataset, versionOf } from './maps.ts';

interface LegendOptions {
  readonly db: Database;
  readonly maps: Maps;
  readonly pool: DrawingPool;
}

/** Creates the finder and renderer of legends, for one process. */
export function createLegends({ db, maps, pool }: LegendOptions): Legends {
  async function sourceOf(dataset: StyledDataset, name: string, language: Language): Promise<LegendSource> {
    const { status, file_type: type, style, files } = dataset;
    if (status !== 'ready') throw drawingProblems.notReady(status);
    const words = maps.findWords(dataset.group_code, language);
    const { name: title, unit } = wordNames(dataset, name, words);
    const model = await modelOf(dataset);
    const origin = await readOrigin(db, dataset.id);
    const warning = warnOfInvented(origin, language, (group) => maps.findWords(group, language)?.title);
    return {
      title,
      unit,
      warning,
      model: words === undefined ? model : wordModel(model, words),
      ...(type === 'raster' && words?.reading !== undefined && { reading: words.reading }),
      hasNoData: type !== 'vector',
      leftOut: style?.style.leftOut ?? [],
      etagParts: [
        versionOf([
          findFile(files, 'cog'),
          findFile(files, 'view_cog'),
          dataset.sld_key,
          countsVersionOf(dataset),
        ]),
      ],
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
    modelOf: async (datasetId, language) => {
      const dataset = await maps.dataset(datasetId);
      return await sourceOf(dataset, dataset.name, language);
    },
    async modelOfGroup(groupId, language) {
      const { id, name } = await getDatasetGroup(db, groupId);
      return await sourceOf(await maps.ofMember(id, undefined, maps.dataset), name, language);
    },
    draw: async (picture) => await pool.run('legend', picture, { affinity: picture.title }),
  };
}

/** Returns the legend of the rules of a vector's style; without rules, one colour for all features. */
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

/** Content of a legend before its numbers and texts are translated. */
export interface LegendSource {
  readonly title: string;
  readonly unit: string | null;
  readonly model: LegendModel;
  /** Warns of invented values; null without any. */
  readonly warning: string | null;
  /** Two sentences on how to read the map, if the service has them. */
  readonly reading?: string;
  /** True if places without a value are possible; they are not drawn. */
  readonly hasNoData: boolean;
  /** Parts of the style that are not drawn. */
  readonly leftOut: readonly string[];
  /** Sources of the colours, such as the keys of the style and of the raster: equal parts mean an equal legend. */
  readonly etagParts: readonly string[];
}

export interface Legends {
  /** @throws {Problem} `not_found` without such a dataset, `conflict` while it is not ready. */
  modelOf(datasetId: string, language: Language): Promise<LegendSource>;
  /**
   * Returns the legend of the group's style, or of its freshest member.
   * @throws {Problem} `not_found` if there is neither.
   */
  modelOfGroup(groupId: string, language: Language): Promise<LegendSource>;
  /** Draws a PNG in a drawing thread. */
  draw(picture: LegendPicture): Promise<Uint8Array<ArrayBuffer>>;
}
