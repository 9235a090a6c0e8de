import type { LegendModel } from '../legend/model.ts';
import type { LegendPicture } from '../legend/picture.ts';

/** What a legend is made of, before it is in a language. */
export interface LegendSource {
  readonly title: string;
  readonly unit: string | null;
  readonly model: LegendModel;
  /** Whether places without a value are possible, which then are not drawn. */
  readonly hasNoData: boolean;
  /** Parts of the style that are not drawn. */
  readonly leftOut: readonly string[];
  /** What the colours were made of, such as the keys of the style and of the raster: equal parts, equal legend. */
  readonly etagParts: readonly string[];
}

/** Finds and draws legends. */
export interface Legends {
  /** @throws {Problem} `not_found` without such a dataset, `conflict` while it is not ready. */
  modelOf(datasetId: string): Promise<LegendSource>;
  /** The legend of the group's style, or of its freshest member. @throws {Problem} `not_found` where there is neither. */
  modelOfGroup(groupId: string): Promise<LegendSource>;
  /** Draws a PNG, in another thread. */
  draw(picture: LegendPicture): Promise<Uint8Array<ArrayBuffer>>;
}
