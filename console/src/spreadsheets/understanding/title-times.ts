import { isKazakh } from '../../../../common/table/periods/homographs.ts';
import { readPeriod, speaksOfTime } from '../../../../common/table/periods/read.ts';
import { lineOf } from '../model/cells.ts';

/** A period other than that of the table: `соответствующий период прошлого года`. */
const otherTime =
  /(?<!\p{L})(?:прошл|предыдущ|прошедш)\p{L}* (?:год|период|месяц|квартал|дат)|(?<!\p{L})(?:соответствующ|аналогичн)\p{L}* (?:период|месяц|квартал|дат)|(?<!\p{L})(?:өткен|алдыңғы|былтырғы) (?:жыл|кезең|ай|тоқсан)|(?<!\p{L})(?:previous|prior|preceding|last)[ -](?:year|period|month|quarter)|year (?:before|ago|earlier)|год(?:ом)? (?:назад|ранее)/iu;
/** Words of a comparison with such a period: `в % к прошлому году`. */
const compared =
  /(?<!\p{L})(?:ко?|от|против|с|of|to|over|than|from|vs\.?) (?:(?:уровню|same|the|соответствующ\p{L}+|аналогичн\p{L}+|периоду?|дате|месяцу|кварталу) )*$/iu;
const comparedInKazakh = /(?:[гғқкн][ае]|[мбп]ен)[ ,]*(?:%|пайыз|салыстыр|қара|қатынас)/iu;

/** Returns true if the values of a column are of an earlier period than the table; a comparison with that period does not count. */
export function speaksOfOtherTime(name: string): boolean {
  const found = otherTime.exec(name);
  if (found === null) return false;
  return !compared.test(name.slice(0, found.index)) && !comparedInKazakh.test(name);
}

/** Number of words in the longest name of a part of a year: `по состоянию на 1 января`. */
const mostWords = 6;
const singleYear = /^[ ,(]*(?:(?:19|20)\d\d(?! ?[-–—,и/] ?(?:19|20)\d\d))/u;

/**
 * Returns the part of a year in a title that applies to years elsewhere: `на 1 января`, `январь-сентябрь`. A part of a
 * year that the title itself names does not apply.
 */
export function partOfTitle(title: string): string | undefined {
  const line = lineOf(title);
  if (!speaksOfTime(line)) return undefined;
  const words = [...line.matchAll(/[^ ,;()]+/g)];
  for (let length = mostWords; length > 0; length -= 1)
    for (let first = 0; first + length <= words.length; first += 1) {
      const last = words[first + length - 1];
      const begin = words[first]?.index ?? 0;
      const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
      const part = line.slice(begin, end);
      if (/\d{3}/.test(part) || singleYear.test(line.slice(end))) continue;
      if (isPart(part) && isOwn(line, begin, end)) return shortest(part);
    }
  return undefined;
}

/** Removes following words that are irrelevant, such as a unit of measurement. */
function shortest(part: string): string {
  const shorter = part.replace(/[ ,;()]+(?!год|г\.|жыл|ж\.|year)[^ ,;()]+$/u, '');
  const own = readPeriod(`${part} 2000`);
  const read = shorter === part || !isPart(shorter) ? undefined : readPeriod(`${shorter} 2000`);
  const isSame = read?.start_date === own?.start_date && read?.end_date === own?.end_date;
  return isSame ? shortest(shorter) : part;
}

/** Returns true if the words around a part of a year that ends there leave it to the values: not `в % к декабрю`, `письмо от 5 мая`. */
function isOwn(line: string, begin: number, end: number): boolean {
  const [before, behind = ''] = [line.slice(0, end), /^\D*/.exec(line.slice(end))?.[0]];
  const texts = [`${before} 2000`, `${before} 2000${behind}`];
  // In a Kazakh comparison the year comes first: «2022 жылғы 1 қаңтарға пайызбен».
  if (isKazakh(line)) texts.push(`2000 ${line.slice(begin, end)}${behind}`);
  const own = readPeriod(`${line.slice(begin, end)} 2000`);
  return texts.every((text) => {
    const read = readPeriod(text);
    return read?.start_date === own?.start_date && read?.end_date === own?.end_date;
  });
}

function isPart(text: string): boolean {
  const read = readPeriod(`${text} 2000`);
  return read !== undefined && read.kind !== 'year' && read.note === '';
}
