import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import { type Pen, type Role, widthOf, write } from '../canvas/canvas.ts';
import { type Room, wrapText } from '../canvas/text.ts';

/** A part of a legend. Its size and position are in whole pixels at scale 1. */
export interface Block {
  readonly width: number;
  readonly height: number;
  readonly draw: (pen: Pen, x: number, y: number) => void;
}

/** Line height, and distance from its top to the baseline, by text role. */
const lines = {
  text: { height: 16, base: 12 },
  title: { height: 19, base: 15 },
  heading: { height: 20, base: 16 },
  subheading: { height: 12.5, base: 9.8 },
  strong: { height: 10.4, base: 8 },
  grid: { height: 14, base: 11 },
  body: { height: 10.4, base: 8 },
  small: { height: 7.8, base: 6.1 },
  watermark: { height: 90, base: 70 },
} as const satisfies Record<Role, unknown>;

export interface TextStyle extends Room {
  readonly role: Role;
  readonly colour: Rgba;
}

/** Creates empty space. */
export function gap(height: number): Block {
  return { width: 0, height, draw: () => undefined };
}

/** Creates text in as many lines as it needs and is allowed. */
export function textBlock(text: string, { role, colour, ...room }: TextStyle): Block {
  const wrapped = wrapText(text, role, room);
  const { height, base } = lines[role];
  return {
    width: Math.ceil(Math.max(...wrapped.map((line) => widthOf(line, role)))),
    height: wrapped.length * height,
    draw: (pen, x, y) => {
      for (const [index, line] of wrapped.entries()) {
        write(pen, line, { x, y: y + index * height + base, role, colour });
      }
    },
  };
}

export function stacked(blocks: readonly Block[]): Block {
  return {
    width: Math.max(0, ...blocks.map(({ width }) => width)),
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    draw: (pen, x, y) => {
      let top = y;
      for (const block of blocks) {
        block.draw(pen, x, top);
        top += block.height;
      }
    },
  };
}

/** Places blocks side by side with space in between. */
export function sideBySide(blocks: readonly Block[], between: number): Block {
  return {
    width: blocks.reduce((sum, { width }) => sum + width, 0) + between * (blocks.length - 1),
    height: Math.max(0, ...blocks.map(({ height }) => height)),
    draw: (pen, x, y) => {
      let left = x;
      for (const block of blocks) {
        block.draw(pen, left, y);
        left += block.width + between;
      }
    },
  };
}
