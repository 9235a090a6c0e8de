import { isKatoCode, readKatoText } from '../../../../common/table/kato-code.ts';
import { lineOf } from '../model/cells.ts';
import type { Cell } from '../model/types.ts';

const word = /област|облыс|(?<!\p{L})обл\.|(?<!\p{L})(?:region|oblast|district|р-н|район|аудан)/iu;
/** The beginnings of the names of all regions in Russian, Kazakh and English, including those of 2018. */
const start =
  /^(?:г\. ?|город )?(?:абай|акмол|ақмол|актюб|ақтөбе|алмат|атырау|западно|зап\.|батыс|жамбыл|жет[иіы]су|караганд|қараған|костанай|қостанай|кызылорд|қызылорд|мангист|маңғыст|павлодар|северо|сев\.|солтүстік|туркест|түркіст|южно|оңтүстік|улыта|ұлытау|восточно|вост\.|шығыс|астан|нур-султан|нұр-сұлтан|шымкент|abay|abai|akmola|aktobe|almaty|atyrau|west |zhambyl|zhetysu|zhetisu|karagand|kostanay|kyzylord|mangyst|mangist|pavlodar|north |turkestan|turkistan|ulytau|east |astana|shymkent)/iu;
/** A Russian adjective alone, such as the name of a district or region, or a city in the usual form of tables. */
const adjective = /^\p{Lu}[\p{L}-]+(?:ский|ская|цкий|цкая)$|^г\. ?\p{Lu}|^(?:город|қ\.) \p{Lu}|қ\. ?ә\.$/u;
const generic =
  /^(?:наименовани\p{L}*|названи\p{L}*|перечень|список|код\p{L}*|като|kato|район\p{L}*|област\p{L}*|регион\p{L}*|город\p{L}*|территори\p{L}*|административн\p{L}*|единиц\p{L}*|республик\p{L}*|казахстан\p{L}*|аудан(?:дар|ы|дары|дардың)?|облыс(?:тар|тары|тардың)?|өңір\p{L}*|қала(?:лар|лары)?|атау\p{L}*|аймақ\p{L}*|және|мен|и|п|№|name|names|of|the|region|regions|district|districts|oblast|city|cities|area|territory|code|место|показател\p{L}*|көрсеткіш\p{L}*|indicator)$/iu;

/** Returns true if a text looks like the name of a region or a district; codes and numbers do not. */
function looksLikeUnit(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string' || cell.length > 80) return false;
  const text = lineOf(cell);
  return word.test(text) || start.test(text);
}

/** Returns true if a text has a word for a region, and none for a district. */
export function isRegionName(cell: Cell | undefined): boolean {
  return isUnitName(cell) && /област|облыс|(?<!\p{L})обл\.|(?<!\p{L})(?:region|oblast)/iu.test(lineOf(cell));
}

/** Returns true if a text is a heading of a column of places: `Район`, `Наименование областей`. */
export function isPlaceHeading(cell: Cell | undefined): boolean {
  const words = lineOf(cell)
    .split(/[^\p{L}№]+/u)
    .filter((each) => each !== '');
  return words.length > 0 && words.length <= 6 && words.every((each) => generic.test(each));
}

/** Returns true if a text is the name of a unit, and not a heading. */
export function isUnitName(cell: Cell | undefined): boolean {
  if (isPlaceHeading(cell)) return false;
  return looksLikeUnit(cell) || adjective.test(lineOf(cell));
}

/** The first digits of all codes; amounts of nine digits also begin with others. */
const ofRegion = /^(?:1[0159]|2[37]|3[1359]|4[37]|5[59]|6[123]|7[159])/;

/** Returns true if a cell is a KATO code with the first digits of a region. */
export function isRegionCode(cell: Cell | undefined): boolean {
  const text = lineOf(cell);
  if (text.length < 5) return false;
  const { katoCode } = readKatoText(text);
  return isKatoCode(katoCode) && ofRegion.test(katoCode);
}

const total =
  /^(?:всего|(?:общий )?итог|итого|в целом|барлығы|жиыны|жалпы|total|республика казахстан|қазақстан(?: республикасы)?|казахстан|kazakhstan|republic of kazakhstan|по республике)(?![\p{L}])/iu;

/** Returns true if the name of a row means a total. */
export function isTotal(name: Cell | undefined): boolean {
  return total.test(lineOf(name));
}
