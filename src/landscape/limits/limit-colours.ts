import type { LegendModel } from '../../../common/maps/legend/model.ts';
import { type ColourStop, parseCss } from '../../../common/maps/style/colour-map.ts';
import { compiledOf } from '../../../common/maps/style/compiled-style.ts';
import { limitationTitles, limitPhrases } from '../../messages/zoning/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { type LimitationName, limitationsOf } from '../graph/kernels/limitations.ts';
import { firstState, limitStates, notAllocableState } from '../graph/layers/limit-states.ts';
import { meetsConditions } from '../graph/layers/where-layer.ts';
import type { GraphNode } from '../model/node.ts';

/** The colours of one sector are distinguishable with red-green colour blindness. */
const colourOf: Readonly<Record<LimitationName, string>> = {
  topography: '#8c510a',
  moisture: '#0072b2',
  snow: '#56b4e9',
  warmth: '#d55e00',
  texture: '#e69f00',
  carbon: '#1b1b1b',
  salinity: '#cc79a7',
  water: '#332288',
  cover: '#f0e442',
  growth: '#009e73',
  road: '#882255',
  attraction: '#44aa99',
};
const severalColour = '#8a8a8a';
const noneColour = '#e5f5e0';
const notAllocableColour = '#d0d0d0';
const meetsColour = '#d7301f';

/** Returns the compiled style of the layer of limits of a sector: one colour for each factor that limits alone. */
export function limitStyle(node: GraphNode): string {
  const limitations = limitationsOf(node);
  const colours = limitStates(limitations.length).map(({ class: rating, mask }, index) => {
    const alone = limitations.find((_, factor) => mask === 1 << factor);
    const colour = rating === 5 ? noneColour : alone === undefined ? severalColour : colourOf[alone.name];
    return [firstState + index, colour] as const;
  });
  return styleOf([[notAllocableState, notAllocableColour], ...colours]);
}

/** The compiled style of a layer of conditions: land that fails is transparent. */
export const whereStyle: string = styleOf([[meetsConditions, meetsColour]]);

function styleOf(colours: readonly (readonly [value: number, colour: string])[]): string {
  const stops = colours.map(([value, colour]): ColourStop => ({
    value,
    colour: parseCss(colour),
    label: '',
  }));
  const raster = {
    opacity: 1,
    colours: { kind: 'values', stops } as const,
    channels: undefined,
    band: 1,
    scales: [0, Infinity] as const,
  };
  return JSON.stringify(
    compiledOf({ title: '', rasters: [raster], rules: [], leftOut: [], leftOutRules: {} }),
  );
}

/** Returns the legend of the map of limits of a sector. */
export function limitLegend(node: GraphNode, language: Language): LegendModel {
  const entries = [
    ...limitationsOf(node).map(({ name }) => [limitationTitles[name], colourOf[name]] as const),
    [limitPhrases.several, severalColour] as const,
    [limitPhrases.none, noneColour] as const,
    [limitPhrases.notAllocable, notAllocableColour] as const,
  ];
  return {
    kind: 'classes',
    entries: entries.map(([title, colour]) => ({
      colour: parseCss(colour),
      label: { kind: 'text', text: translate(title, language) },
      sign: 'area',
      isHidden: false,
    })),
  };
}
