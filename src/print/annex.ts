import type { WordedLegend } from '../../common/maps/legend/model.ts';
import { formatDayOfDocument } from '../../common/formats/days.ts';
import type { SheetAnnex } from '../../common/maps/paper/sheet-page.ts';
import type { Message } from '../lib/message.ts';
import { sheetWords } from '../messages/drawing/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';

/** Names that a client gives to conventional signs, by the value of a class or by its name in the style. */
export type OwnNames = ReadonlyMap<string, string>;

/** Limits of the words of an annex. */
export const annexLimits = { signatures: 4, names: 40, characters: 120 } as const;

/** A decision whose annex a sheet is. */
export interface DecisionOrder {
  readonly body: string;
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** Reads `value=name;value=name`; undefined if it is written in another way. */
export function readNames(text: string): OwnNames | undefined {
  const names = new Map<string, string>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    const [value, name] = [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()];
    if (value === '' || name === '' || isTooLong(value) || isTooLong(name)) return undefined;
    names.set(value, name);
  }
  return names.size > annexLimits.names ? undefined : names;
}

/** Reads `post|name;post|name`; undefined if it is written in another way. */
export function readSignatures(text: string): SheetAnnex['signatures'] | undefined {
  const lines = text.split(';').map((line) => line.split('|').map((part) => part.trim()));
  if (lines.length > annexLimits.signatures) return undefined;
  const signatures = lines.map(([post = '', name = '']) => ({ post, name }));
  const isRight = lines.every(
    (parts) => parts.length === 2 && parts[0] !== '' && parts.every((part) => !isTooLong(part)),
  );
  return isRight ? signatures : undefined;
}

const isTooLong = (text: string) => Array.from(text).length > annexLimits.characters;

/** Replaces the names of classes and rules by those of the client. */
export function renamed(legend: WordedLegend, names: OwnNames): WordedLegend {
  if (legend.kind !== 'classes' || names.size === 0) return legend;
  const entries = legend.entries.map((entry) => {
    const { label, range } = entry;
    const value = range !== undefined && range.from === range.to ? String(range.from) : undefined;
    const name = (value === undefined ? undefined : names.get(value)) ?? names.get(label);
    return name === undefined ? entry : { ...entry, label: name };
  });
  return { kind: 'classes', entries };
}

/** Writes the head of an annex, and its signatures; undefined if the client asked for neither. */
export function annexOf(
  decision: DecisionOrder | undefined,
  signatures: SheetAnnex['signatures'],
  language: Language,
): SheetAnnex | undefined {
  if (decision === undefined && signatures.length === 0) return undefined;
  if (decision === undefined) return { lines: [], signatures };
  const { body, number, date } = decision;
  const day = formatDayOfDocument(date, language);
  const say = (message: Message) => translate(message, language);
  return { lines: [say(sheetWords.annexTitle), body, say(sheetWords.annexNumber(day, number))], signatures };
}
