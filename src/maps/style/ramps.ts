import { type ColourMap, parseColour, mix, type Rgba } from './colour-map.ts';

/** Colours of nine or ten classes, from ColorBrewer 2 (Apache-2.0) and cividis (Nuñez, Anderton and Renslow 2018, CC0). */
const ramps = {
  ylgn: '#ffffe5 #f7fcb9 #d9f0a3 #addd8e #78c679 #41ab5d #238443 #006837 #004529',
  ylorbr: '#ffffe5 #fff7bc #fee391 #fec44f #fe9929 #ec7014 #cc4c02 #993404 #662506',
  blues: '#f7fbff #deebf7 #c6dbef #9ecae1 #6baed6 #4292c6 #2171b5 #08519c #08306b',
  cividis: '#00224e #123570 #3b496c #575d6d #707173 #8a8678 #a59c74 #c3b369 #e1cc55 #fee838',
  brbg: '#8c510a #bf812d #dfc27d #f6e8c3 #f5f5f5 #c7eae5 #80cdc1 #35978f #01665e',
  puor: '#b35806 #e08214 #fdb863 #fee0b6 #f7f7f7 #d8daeb #b2abd2 #8073ac #542788',
};

export type RampName = keyof typeof ramps;

/** Light ramps leave out their palest colour, which the paper of the map has almost. */
const light: readonly RampName[] = ['ylgn', 'ylorbr', 'blues'];

/** The colours of a ramp for so many classes, from low to high; for one class its middle. */
export function rampColours(name: RampName, classes: number): readonly Rgba[] {
  const all = ramps[name].split(' ').map((text) => parseColour(text));
  const usable = light.includes(name) ? all.slice(1) : all;
  const last = usable.length - 1;
  return Array.from({ length: classes }, (_, index) => {
    const at = classes === 1 ? last / 2 : (index * last) / (classes - 1);
    const low = usable[Math.floor(at)];
    const high = usable[Math.ceil(at)];
    if (low === undefined || high === undefined) throw new RangeError(`no colour ${at} in ${name}`);
    return mix(low, high, at - Math.floor(at));
  });
}

/** A ramp stretched from one value to another, in the units of the values. */
export function stretchedRamp(name: RampName, from: number, to: number): ColourMap {
  const colours = rampColours(name, 9);
  const stops = colours.map((colour, index) => ({
    value: from + ((to - from) * index) / (colours.length - 1),
    colour,
    label: '',
  }));
  return { kind: 'ramp', stops };
}
