/** Scales of the sheets of the state map, by their denominators. */
export const nomenclatureScales = [1_000_000, 500_000, 200_000, 100_000, 50_000, 25_000, 10_000] as const;
export type NomenclatureScale = (typeof nomenclatureScales)[number];

/** A sheet of the state map: a trapezium between two meridians and two parallels of its datum. */
export interface NomenclatureSheet {
  /** The canonical name, such as `M-42-047-А`: row in Latin, number with three digits, quarters in Cyrillic. */
  readonly name: string;
  readonly scale: NomenclatureScale;
  /** The zone of Gauss-Krüger, of 6°, from 1 at Greenwich. */
  readonly zone: number;
  /** Seconds of arc. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The reason why a text names no sheet that can be drawn. */
export type NomenclatureFault = 'form' | 'part' | 'doubled' | 'outside';

const [degree, rowHeight, columnWidth] = [3600, 4 * 3600, 6 * 3600] as const;
const rowLetters = 'ABCDEFGHIJKLMNOPQRSTUV';
/** Kazakhstan with its surroundings: rows J to O, and the columns of the zones 8 to 15. */
const [firstRow, lastRow, firstColumn, lastColumn] = [9, 14, 38, 45] as const;
/** Sheets from here on are joined in pairs. */
const firstDoubledRow = 15;
const [firstZoneColumn, numberOfRow] = [30, 12] as const;

/** Parts per side of a sheet of 1:1,000,000. */
const partsOf = {
  1_000_000: 1,
  500_000: 2,
  200_000: 6,
  100_000: 12,
  50_000: 24,
  25_000: 48,
  10_000: 96,
} as const satisfies Record<NomenclatureScale, number>;

const quarters = ['А', 'Б', 'В', 'Г'] as const;
const smallQuarters = ['а', 'б', 'в', 'г'] as const;

/** Rows by the letters of a Russian keyboard: by their sound. */
const rowsInCyrillic: Readonly<Record<string, string>> = { К: 'K', Л: 'L', М: 'M', Н: 'N', О: 'O' };
/** Quarters are in the order of both alphabets; `Х` and `І` are digits of Rome. */
const lettersInCyrillic: Readonly<Record<string, string>> = {
  А: 'A',
  Б: 'B',
  В: 'C',
  Г: 'D',
  Х: 'X',
  І: 'I',
};

/** A position in the sheet of 1:1,000,000, in parts of a scale, from the north-west. */
interface Part {
  readonly scale: NomenclatureScale;
  readonly down: number;
  readonly right: number;
}

/**
 * Reads the name of a sheet in Latin or Cyrillic letters, with any hyphens, with or without leading zeros: `M-42-047`,
 * `м-42-47`, `M-42-XXIV`, `M-42-047-А-а-1`.
 */
export function readNomenclature(text: string): NomenclatureSheet | NomenclatureFault {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s_.\-\u2010-\u2015\u2212]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const [, letter = '', digits = '', rest] = /^(\p{L})-?(\d{1,2})(?:-(.+))?$/u.exec(plain) ?? [];
  const row = rowLetters.indexOf(rowsInCyrillic[letter] ?? letter);
  if (letter === '' || row === -1) return 'form';
  const part = rest === undefined ? whole : readPart(rest);
  if (typeof part === 'string') return part;
  const column = Number(digits);
  if (column < 1 || column > 60) return 'part';
  if (row >= firstDoubledRow) return 'doubled';
  if (row < firstRow || row > lastRow || column < firstColumn || column > lastColumn) return 'outside';
  return sheetOf(row, column, part);
}

const whole: Part = { scale: 1_000_000, down: 0, right: 0 };

function readPart(rest: string): Part | NomenclatureFault {
  const known = Array.from(rest, (letter) => lettersInCyrillic[letter] ?? letter).join('');
  if (/^[A-D]$/.test(known)) return { ...placeIn(2, 'ABCD'.indexOf(known)), scale: 500_000 };
  if (/^[IVX]+$/.test(known)) {
    const number = romans.indexOf(known);
    return number === -1 ? 'part' : { ...placeIn(6, number), scale: 200_000 };
  }
  const [found, digits, ...letters] =
    /^(\d{1,3})(?:-?([A-D])(?:-?([A-D])(?:-?([1-4]))?)?)?$/.exec(known) ?? [];
  if (found === undefined) return 'form';
  const number = Number(digits);
  if (number < 1 || number > numberOfRow ** 2) return 'part';
  let part: Part = { ...placeIn(numberOfRow, number - 1), scale: 100_000 };
  for (const [index, scale] of ([50_000, 25_000, 10_000] as const).entries()) {
    const letter = letters[index];
    if (letter === undefined) break;
    const { down, right } = placeIn(2, 'ABCD1234'.indexOf(letter) % 4);
    part = { scale, down: 2 * part.down + down, right: 2 * part.right + right };
  }
  return part;
}

const placeIn = (across: number, index: number) => ({
  down: Math.floor(index / across),
  right: index % across,
});

const romans = Array.from({ length: 36 }, (_, index) => romanOf(index + 1));

function romanOf(number: number): string {
  const ones = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'][number % 10] ?? '';
  return 'X'.repeat(Math.floor(number / 10)) + ones;
}

function sheetOf(row: number, column: number, { scale, down, right }: Part): NomenclatureSheet {
  const parts = partsOf[scale];
  const [height, width] = [rowHeight / parts, columnWidth / parts];
  const north = (row + 1) * rowHeight - down * height;
  const west = (column - firstZoneColumn - 1) * columnWidth + right * width;
  return {
    name: `${rowLetters[row] ?? ''}-${column}${nameOfPart({ scale, down, right })}`,
    scale,
    zone: column - firstZoneColumn,
    west,
    east: west + width,
    north,
    south: north - height,
  };
}

function nameOfPart({ scale, down, right }: Part): string {
  const indexIn = (across: number) => down * across + right;
  const quarter = 2 * (down % 2) + (right % 2);
  const wider = (next: NomenclatureScale) => nameOfPart({ scale: next, down: down >> 1, right: right >> 1 });
  switch (scale) {
    case 1_000_000:
      return '';
    case 500_000:
      return `-${quarters[quarter] ?? ''}`;
    case 200_000:
      return `-${romans[indexIn(6)] ?? ''}`;
    case 100_000:
      return `-${String(indexIn(numberOfRow) + 1).padStart(3, '0')}`;
    case 50_000:
      return `${wider(100_000)}-${quarters[quarter] ?? ''}`;
    case 25_000:
      return `${wider(50_000)}-${smallQuarters[quarter] ?? ''}`;
    default:
      return `${wider(25_000)}-${quarter + 1}`;
  }
}

/** Returns the sheet of a scale at a place in seconds of arc; undefined where no sheets are drawn. */
export function sheetAt(scale: NomenclatureScale, lon: number, lat: number): NomenclatureSheet | undefined {
  const parts = partsOf[scale];
  const row = Math.floor(lat / rowHeight);
  const column = Math.floor(lon / columnWidth) + firstZoneColumn + 1;
  if (!(row >= firstRow && row <= lastRow && column >= firstColumn && column <= lastColumn)) return undefined;
  const down = Math.min(parts - 1, Math.floor((((row + 1) * rowHeight - lat) / rowHeight) * parts));
  const right = Math.floor(((lon % columnWidth) / columnWidth) * parts);
  return sheetOf(row, column, { scale, down, right });
}

/** Returns the neighbours of a sheet at its four sides. */
export function neighboursOf({ scale, west, south, east, north }: NomenclatureSheet) {
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const [width, height] = [east - west, north - south];
  return {
    top: sheetAt(scale, lon, lat + height),
    bottom: sheetAt(scale, lon, lat - height),
    left: sheetAt(scale, lon - width, lat),
    right: sheetAt(scale, lon + width, lat),
  };
}

/** Formats an angle of whole seconds: `50°`, `50°40’`, `50°42’30”`; with leading minutes for the corners of a sheet. */
export function formatAngle(seconds: number, { hasMinutes }: { readonly hasMinutes: boolean }): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const degrees = Math.floor(seconds / degree);
  const minutes = Math.floor((seconds % degree) / 60);
  const rest = seconds % 60;
  const tail = rest === 0 ? '' : `${two(rest)}”`;
  return `${degrees}°${hasMinutes || minutes > 0 || rest > 0 ? `${two(minutes)}’` : ''}${tail}`;
}
